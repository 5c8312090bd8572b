"""The forward pass, which computes the distributions of a policy's results from any scorecard.

The pass computes the probability that a game reaches each scorecard, layer by layer. It also
computes the distributions of points, five-of-a-kind bonuses, jokers, and final rolls in which all
dice show the same number. Sums of float64 have a fixed order, so results do not depend on the
number of threads. The error of the total probability is below 1e-12, and the error of the mean is
below 1e-10.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rollwise.distribution import Distribution
from rollwise.model.arrays import Model
from rollwise.rules import Groups, Rules
from rollwise.solving.kernels.forward import (
    Flow,
    PullScratch,
    RowDistributions,
    forward_classes,
    outcome_probabilities,
    reach_probabilities,
)
from rollwise.solving.kernels.legal_outcomes import LegalOutcomes
from rollwise.solving.kernels.policy import LayerPolicy
from rollwise.solving.kernels.score import Rows
from rollwise.solving.kernels.vector import WIDTH
from rollwise.solving.layers import Memory, Sweep
from rollwise.solving.policy import Policy
from rollwise.solving.position_index import START, CardIndex
from rollwise.solving.progress import Progress


@dataclass(frozen=True, eq=False)
class GameResults:
    """The distributions of the results of the games of a strategy.

    Attributes
    ----------
    score, upper_bonus : Distribution
        The distributions of the final score and of the points of the upper bonus.
    taken_T_O : float64 array of shape (turns, O)
        The probability of each outcome in each turn.
    counts : dict of str to Distribution
        The distributions of four counts. ``alike`` counts final rolls in which all dice show the
        same number, ``extra`` counts five-of-a-kind bonuses, and ``joker`` counts scored jokers.
        ``box`` counts columns with points in the category that requires all dice to show the same
        number. ``extra`` or ``joker`` is missing if the game has no five-of-a-kind bonus or no
        jokers. The dictionary is empty if no counts were computed.
    bonus_and_alike : float64 array of shape (2, 2) or None
        The joint probability of an upper bonus (second row) and of points in the category that
        requires all dice to show the same number (second column); None if it was not computed.
    """

    score: Distribution
    upper_bonus: Distribution
    taken_T_O: NDArray[np.float64]
    counts: dict[str, Distribution] = field(default_factory=dict)
    bonus_and_alike: NDArray[np.float64] | None = None


def follow(
    policy: Policy, card: CardIndex = START, progress: Progress | None = None
) -> GameResults:
    """Return the distributions of the results if a policy continues from a scorecard.

    The score includes the points so far; all counts start at 0.
    """
    sweep, model = policy.sweep, policy.sweep.model
    counted = _counted(model)
    count_T_O = np.array(list(counted.values()), dtype=np.int64)
    taken_T_O = np.zeros((len(sweep.layers) - 1, len(model.points_O)))
    begin = int(model.mask_C[card.c]).bit_count()
    distributions = _first_distributions(sweep, begin, card, len(counted))
    # Two buffers, because one layer is read while the next layer is written.
    memory = [(Memory(), Memory()), (Memory(), Memory())]
    for layer in range(begin, len(sweep.layers) - 1):
        played = policy.of_layer(layer, distributions.rows.low_X < distributions.rows.high_X)
        taken_T_O[layer] = _outcome_masses(sweep, layer, played, distributions)
        distributions = _next_distributions(
            sweep, layer, played, count_T_O, distributions, memory[layer % 2]
        )
        if progress:
            progress(sweep.layers[layer][1] / model.n_classes)
    return _finals(sweep, distributions, taken_T_O, list(counted))


def _finals(
    sweep: Sweep,
    distributions: RowDistributions,
    taken_T_O: NDArray[np.float64],
    names: Sequence[str],
) -> GameResults:
    model, rows = sweep.model, distributions.rows
    steps = np.unique(model.bonus_L)
    score = np.zeros(int(rows.high_X.max()) + model.lanes + int(steps[-1]))
    earned_B = np.zeros(len(steps))
    counted = np.zeros((len(names), distributions.width))
    joint = np.zeros((2, 2))
    for x, lane, bonus in _final_rows(sweep, rows):
        length = int(rows.high_X[x] - rows.low_X[x])
        start = int(rows.low_X[x]) + lane + bonus
        score[start : start + length] += distributions.points[
            rows.start_X[x] : rows.start_X[x] + length
        ]
        start = int(distributions.counts_X[x])
        counts_T_N = distributions.counts[start : start + counted.size].reshape(counted.shape)
        counted += counts_T_N
        alike_N = counts_T_N[names.index("box")]
        joint[int(bonus > 0)] += alike_N[0], alike_N[1:].sum()
        earned_B[np.searchsorted(steps, bonus)] += alike_N.sum()
    counts = {
        count: Distribution.of_counts(distribution)
        for count, distribution in zip(names, counted, strict=True)
    }
    return GameResults(
        Distribution.of_counts(score), Distribution(steps, earned_B), taken_T_O, counts, joint
    )


def _counted(model: Model) -> dict[str, NDArray[Any]]:
    """Return the outcomes that add 1 to each count, as bool arrays of shape (O,) by name."""
    rules = model.rules
    added = {"alike": model.n_of_a_kind_O}
    if rules.extra_bonus:
        added["extra"] = model.extra_O > 0
    if rules.joker:
        added["joker"] = model.joker_O
    added["box"] = np.isin(model.category_O, _alike_categories(rules)) & (model.points_O > 0)
    return added


def _alike_categories(rules: Rules) -> list[int]:
    """Return, for each column, the category that requires all dice to show the same number.

    Columns that do not have this category are left out.
    """
    categories = dict[int, int]()
    for k, category in enumerate(rules.categories):
        if isinstance(category.pattern, Groups) and category.pattern.sizes == (rules.dice,):
            categories.setdefault(rules.column_of[k], k)
    return list(categories.values())


def _first_distributions(
    sweep: Sweep, layer: int, card: CardIndex, n_counts: int
) -> RowDistributions:
    """Return the distributions in the layer of the first scorecard, where all counts are 0."""
    model, (first, last) = sweep.model, sweep.layers[layer]
    rows = Rows.empty(model.rows_C[first:last])
    r = max(card.lane - int(model.first_lane_C[card.c]), 0)
    x = int(rows.first_row_C[card.c - first]) + r
    rows.low_X[x] = card.score - (card.lane if r else 0)
    rows.high_X[x] = rows.low_X[x] + 1
    rows.start_X[x] = WIDTH
    points, counts = np.zeros(3 * WIDTH), np.zeros((n_counts + 1) * WIDTH)
    points[WIDTH] = 1.0
    counts[WIDTH::WIDTH] = 1.0
    return RowDistributions(first, rows, points, counts, np.full_like(rows.low_X, WIDTH), WIDTH)


def _next_distributions(
    sweep: Sweep,
    layer: int,
    played: LayerPolicy,
    count_T_O: NDArray[np.int64],
    before: RowDistributions,
    memory: tuple[Memory, Memory],
) -> RowDistributions:
    """Return the distributions in the layer that follows ``layer``.

    The first run of the kernel finds the range of points of each row, and the second run computes
    the probabilities.
    """
    model = sweep.model
    first, last = sweep.layers[layer + 1]
    rows = Rows.empty(model.rows_C[first:last])
    plan = RowDistributions(
        first, rows, np.empty(0), np.empty(0), np.empty(0, dtype=np.int64), width=0
    )
    flow = Flow(played, model.slots(*sweep.layers[layer]), count_T_O, before, plan)
    sweep.each_part(first, last, forward_classes, sweep.arrays, flow, scratch=PullScratch.of)
    visited_X = rows.low_X < rows.high_X
    lengths_X = np.where(visited_X, rows.high_X, 0) - np.where(visited_X, rows.low_X, 0)
    room_X = np.where(visited_X, -(-lengths_X // WIDTH) + 1, 0) * WIDTH
    ends = WIDTH + np.cumsum(room_X)
    width = ((layer + 2) // WIDTH + 1) * WIDTH  # counts 0 to layer + 1, and one zero
    ends_of_counts = WIDTH + np.cumsum(visited_X) * len(count_T_O) * width
    distributions = RowDistributions(
        first,
        rows._replace(start_X=ends - room_X),
        points=memory[0].take(int(ends[-1])),
        counts=memory[1].take(int(ends_of_counts[-1])),
        counts_X=np.asarray(ends_of_counts - visited_X * len(count_T_O) * width),
        width=width,
    )
    # A shifted vector begins before its row, in the padding after the previous row.
    distributions.points[:WIDTH] = distributions.counts[:WIDTH] = 0.0
    flow = flow._replace(targets=distributions)
    sweep.each_part(first, last, forward_classes, sweep.arrays, flow, scratch=PullScratch.of)
    return distributions


def _outcome_masses(
    sweep: Sweep, layer: int, played: LayerPolicy, distributions: RowDistributions
) -> NDArray[np.float64]:
    """Return the probability of each outcome in a turn that starts in ``layer``, shape (O,)."""
    first, last = sweep.layers[layer]
    visits_C_L = np.zeros((last - first, sweep.model.lanes))
    arrays = sweep.arrays
    sweep.each_part(
        first,
        last,
        reach_probabilities,
        arrays,
        distributions,
        visits_C_L,
        scratch=LegalOutcomes.of,
    )
    out = np.zeros((last - first, len(sweep.model.points_O)))
    sweep.each_part(
        first,
        last,
        outcome_probabilities,
        arrays,
        played,
        visits_C_L,
        out,
        scratch=LegalOutcomes.of,
    )
    return np.asarray(out.sum(axis=0))


def _final_rows(sweep: Sweep, rows: Rows) -> Iterator[tuple[int, int, int]]:
    """Yield the row of each full scorecard, the lane to add to its points, and the upper bonus."""
    model = sweep.model
    first, last = sweep.layers[-1]
    for i, c in enumerate(range(first, last)):
        for r in range(int(model.rows_C[c])):
            lane = int(model.first_lane_C[c]) + r
            x = int(rows.first_row_C[i]) + r
            if rows.low_X[x] < rows.high_X[x]:
                yield x, lane if r else 0, int(model.bonus_L[lane])
