"""The forward sweep: all games of a play, followed from the empty card to full ones.

It is known layer by layer with what probability they are on each card, and with how many points,
extra bonuses, jokers and rolls of all dice alike. Sums of float64 in a fixed order: total mass and
mean are off by less than 1e-12 and 1e-10, whatever the number of threads.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from rollwise.law import Law
from rollwise.model.arrays import Model
from rollwise.rules import Groups, Rules
from rollwise.solving.kernels.forward import (
    Flow,
    PullScratch,
    Rows,
    outcome_masses,
    pull,
    visits,
)
from rollwise.solving.kernels.menu import Menu
from rollwise.solving.kernels.policy import LayerPlay
from rollwise.solving.kernels.vector import WIDTH
from rollwise.solving.layers import Memory, Sweep
from rollwise.solving.play import Play
from rollwise.solving.progress import Progress

COUNTS = ("alike", "extra", "joker", "box")
"""Final rolls of all dice alike, extra bonuses, jokers, points in the box for all dice alike."""


@dataclass(frozen=True, eq=False)
class Finals:
    """How the games of a strategy end.

    Attributes
    ----------
    score, upper_bonus : Law
    taken_T_O : float64 array of shape (turns, O)
        The probability that a game takes each outcome in each turn.
    counts : dict of str to Law
        Of ``COUNTS``, where they are known.
    bonus_and_alike : float64 array of shape (2, 2) or None
        Probability of (no upper bonus, upper bonus) × (no points, points) in the box for all dice
        alike, where it is known.
    """

    score: Law
    upper_bonus: Law
    taken_T_O: NDArray[np.float64]
    counts: dict[str, Law] = field(default_factory=dict)
    bonus_and_alike: NDArray[np.float64] | None = None


def follow(play: Play, progress: Progress | None = None) -> Finals:
    """Return how the games of a play end."""
    sweep, model = play.sweep, play.sweep.model
    count_T_O = _counts_of(model)
    taken_T_O = np.zeros((len(sweep.layers) - 1, len(model.points_O)))
    rows = _first_rows()
    # The rows of one layer are read while those of the next are written.
    memory = [(Memory(), Memory()), (Memory(), Memory())]
    for layer, (_, last) in enumerate(sweep.layers[:-1]):
        played = play.of_layer(layer, rows.low_X < rows.high_X)
        taken_T_O[layer] = _outcome_masses(sweep, layer, played, rows)
        rows = _next_rows(sweep, layer, played, count_T_O, rows, memory[layer % 2])
        if progress:
            progress(last / model.n_classes)
    return _finals(sweep, rows, taken_T_O)


def _finals(sweep: Sweep, rows: Rows, taken_T_O: NDArray[np.float64]) -> Finals:
    model = sweep.model
    steps = np.unique(model.bonus_L)
    score = np.zeros(int(rows.high_X.max()) + model.lanes + int(steps[-1]))
    earned_B = np.zeros(len(steps))
    counted = np.zeros((len(COUNTS), rows.width))
    joint = np.zeros((2, 2))
    for x, lane, bonus in _final_rows(sweep, rows):
        length = int(rows.high_X[x] - rows.low_X[x])
        start = int(rows.low_X[x]) + lane + bonus
        score[start : start + length] += rows.law[rows.start_X[x] : rows.start_X[x] + length]
        start = int(rows.counts_X[x])
        counts_T_N = rows.counts[start : start + counted.size].reshape(counted.shape)
        counted += counts_T_N
        box = counts_T_N[COUNTS.index("box")]
        joint[int(bonus > 0)] += box[0], box[1:].sum()
        earned_B[np.searchsorted(steps, bonus)] += box.sum()
    counts = {count: Law.of_counts(law) for count, law in zip(COUNTS, counted, strict=True)}
    return Finals(Law.of_counts(score), Law(steps, earned_B), taken_T_O, counts, joint)


def _counts_of(model: Model) -> NDArray[np.int64]:
    """Return what each outcome adds to each count, int64 of shape (counts, O)."""
    added = {
        "alike": model.alike_O,
        "extra": model.extra_O > 0,
        "joker": model.joker_O,
        "box": (model.category_O == _alike_box(model.rules)) & (model.points_O > 0),
    }
    return np.array([added[count] for count in COUNTS], dtype=np.int64)


def _alike_box(rules: Rules) -> int:
    """Return the category that asks for all dice alike, -1 where there is none."""
    for k, category in enumerate(rules.categories):
        if isinstance(category.pattern, Groups) and category.pattern.sizes == (rules.dice,):
            return k
    return -1


def _first_rows() -> Rows:
    """Return the rows of the empty card: nothing counted yet."""
    zero = np.zeros(1, dtype=np.int64)
    law, counts = np.zeros(2 * WIDTH), np.zeros((len(COUNTS) + 1) * WIDTH)
    law[0] = 1.0
    counts[:-WIDTH:WIDTH] = 1.0
    return Rows(0, zero, zero, zero + 1, law, zero, zero, counts, WIDTH)


def _next_rows(
    sweep: Sweep,
    layer: int,
    played: LayerPlay,
    count_T_O: NDArray[np.int64],
    before: Rows,
    memory: tuple[Memory, Memory],
) -> Rows:
    """Return the rows of the layer after ``layer``: which points can occur, then the laws."""
    model = sweep.model
    first, last = sweep.layers[layer + 1]
    rows_C = model.rows_C[first:last]
    n = int(rows_C.sum())
    plan = Rows(
        first=first,
        first_C=np.append(0, np.cumsum(rows_C)[:-1]),
        low_X=np.full(n, np.iinfo(np.int64).max),
        high_X=np.full(n, np.iinfo(np.int64).min),
        law=np.empty(0),
        start_X=np.empty(0, dtype=np.int64),
        counts_X=np.empty(0, dtype=np.int64),
        counts=np.empty(0),
        width=0,
    )
    flow = Flow(played, count_T_O, before, plan)
    sweep.each_part(first, last, pull, sweep.arrays, flow, scratch=PullScratch.of)
    visited_X = plan.low_X < plan.high_X
    lengths_X = np.where(visited_X, plan.high_X, 0) - np.where(visited_X, plan.low_X, 0)
    room_X = np.where(visited_X, -(-lengths_X // WIDTH) + 1, 0) * WIDTH
    ends = np.cumsum(room_X)
    width = ((layer + 2) // WIDTH + 1) * WIDTH  # counts of 0 to layer + 1, and one number more
    # A vector moved by one reaches beyond its row, where another thread may be writing.
    size = len(COUNTS) * width + WIDTH
    rows = plan._replace(
        law=memory[0].take(int(ends[-1])),
        start_X=ends - room_X,
        counts_X=np.asarray((np.cumsum(visited_X) - visited_X) * size),
        counts=memory[1].take(int(visited_X.sum()) * size),
        width=width,
    )
    flow = flow._replace(targets=rows)
    sweep.each_part(first, last, pull, sweep.arrays, flow, scratch=PullScratch.of)
    return rows


def _outcome_masses(sweep: Sweep, layer: int, played: LayerPlay, rows: Rows) -> NDArray[np.float64]:
    """Return the probability that a game takes each outcome in one turn, shape (O,)."""
    first, last = sweep.layers[layer]
    visits_C_L = np.zeros((last - first, sweep.model.lanes))
    arrays = sweep.arrays
    sweep.each_part(first, last, visits, arrays, rows, visits_C_L, scratch=Menu.of)
    out = np.zeros((last - first, len(sweep.model.points_O)))
    sweep.each_part(first, last, outcome_masses, arrays, played, visits_C_L, out, scratch=Menu.of)
    return np.asarray(out.sum(axis=0))


def _final_rows(sweep: Sweep, rows: Rows) -> Iterator[tuple[int, int, int]]:
    """Yield (row, lane that its points leave out, upper bonus) for all full cards."""
    model = sweep.model
    first, last = sweep.layers[-1]
    for i, c in enumerate(range(first, last)):
        for r in range(int(model.rows_C[c])):
            lane = int(model.first_lane_C[c]) + r
            x = int(rows.first_C[i]) + r
            if rows.low_X[x] < rows.high_X[x]:
                yield x, lane if r else 0, int(model.bonus_L[lane])
