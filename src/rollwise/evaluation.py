"""The exact law of a strategy: one forward sweep over all cards, no simulation.

A game is followed layer by layer: with what probability a strategy's games are on each card, and
with how many points, extra bonuses, jokers and rolls of all dice alike. Sums of float64 in a fixed
order: total mass and mean are off by less than 1e-12 and 1e-10, whatever the number of threads.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rollwise.kernels.forward import Rows, outcome_masses, pull, visits
from rollwise.kernels.vector import WIDTH
from rollwise.law import Law
from rollwise.model import Model, build
from rollwise.objectives import EXPECTED
from rollwise.rules import Groups, Rules
from rollwise.shares import Shares, Sharing
from rollwise.solver import Progress
from rollwise.strategies import Optimal, Strategy
from rollwise.sweep import Sweep


@dataclass(frozen=True)
class Tallies:
    """Numbers counted along a game, whose laws are swept together.

    Attributes
    ----------
    step_T_O : int64 array of shape (tallies, O)
        What each outcome adds.
    with_lane : bool
        Whether the lane counts too: the total of points, whose rows leave the lane out.
    """

    step_T_O: NDArray[np.int64]
    with_lane: bool = False


COUNTS = ("alike", "extra", "joker", "box")
"""Final rolls of all dice alike, extra bonuses, jokers, points in the box for all dice alike."""


@dataclass(frozen=True)
class CategoryStatistics:
    """How one box is scored.

    Attributes
    ----------
    mean, sd : float
        Of its points.
    zero : float
        Probability that it is scored with nothing.
    first_scored, first_zero : int or None
        Earliest turn, from 1, in which it can be scored with points, and with nothing.
    """

    mean: float
    sd: float
    zero: float
    first_scored: int | None
    first_zero: int | None


@dataclass(frozen=True)
class Evaluation:
    """Everything about how a strategy fares in a game.

    Attributes
    ----------
    law : Law
        Of the final score.
    categories : dict of str to CategoryStatistics
    upper_bonus, extra_bonus : Law or None
        Of their points; None where the game has none.
    alike : Law
        Of the number of final rolls of all dice alike.
    jokers : Law or None
        Of the number of jokers that scored what the roll alone would not.
    bonus_and_alike : float64 array of shape (2, 2)
        Probability of (no upper bonus, upper bonus) × (no points, points) in the box that asks for
        all dice alike; the second axis is all in its first place if there is no such box.
    """

    rules: Rules
    strategy: str
    law: Law
    categories: dict[str, CategoryStatistics]
    upper_bonus: Law | None
    extra_bonus: Law | None
    alike: Law
    jokers: Law | None
    bonus_and_alike: NDArray[np.float64]


def evaluate(
    strategy: Strategy,
    rules: Rules | None = None,
    *,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Evaluation:
    """Return the exact law of a strategy.

    Parameters
    ----------
    strategy : Strategy
    rules : Rules, optional
        The game; that of its solution for an optimal strategy.
    threads : int, optional
        As many as the process may use unless told. The result does not depend on it.
    progress : callable, optional
        Called with the done share of the work, from 0 to 1, after each layer.

    Raises
    ------
    ValueError
        When no rules are given, or the strategy plays what the rules forbid.
    """
    objective = EXPECTED
    if isinstance(strategy, Optimal):
        model, objective = strategy.solution.model, strategy.solution.objective
    elif rules is not None:
        model = build(rules)
    else:
        raise ValueError("expected the rules of the game that the strategy plays")
    sweep = Sweep(model, objective, threads)
    score, counts = _score(model), _counts(model)
    masses = np.zeros((len(sweep.layers) - 1, len(model.points_O)))
    sharing = Sharing(strategy, sweep)
    score_rows, count_rows = (_all_rows(sweep, tallies) for tallies in (score, counts))
    for layer, (_, last) in enumerate(sweep.layers[:-1]):
        shares = sharing.of_layer(layer)
        masses[layer] = _outcome_masses(sweep, layer, shares, count_rows[layer])
        _follow(sweep, layer, shares, score, score_rows)
        _follow(sweep, layer, shares, counts, count_rows)
        if progress:
            progress(last / model.classes)
    return _summary(strategy.name, sweep, score_rows[-1], count_rows[-1], masses)


def _score(model: Model) -> Tallies:
    return Tallies((model.points_O + model.extra_O)[None], with_lane=True)


def _counts(model: Model) -> Tallies:
    in_box_O = (model.category_O == alike_box(model.rules)) & (model.points_O > 0)
    counts = (model.alike_O, model.extra_O > 0, model.joker_O, in_box_O)
    return Tallies(np.array(counts, dtype=np.int64))


def alike_box(rules: Rules) -> int:
    """Return the category that asks for all dice alike, -1 where there is none."""
    for k, category in enumerate(rules.categories):
        if isinstance(category.pattern, Groups) and category.pattern.sizes == (rules.dice,):
            return k
    return -1


def _widths(sweep: Sweep, tallies: Tallies, first: int, last: int) -> NDArray[np.int64]:
    """Return room for the highest count on each class, in whole vectors."""
    model = sweep.model
    n = len(model.rules.categories)
    filled_C_K = (model.mask_C[first:last, None] >> np.arange(n)) & 1
    if not tallies.with_lane:
        most_C = filled_C_K.sum(axis=1) * int(tallies.step_T_O.max())
        return np.asarray((most_C // WIDTH + 1) * WIDTH, dtype=np.int64)
    most_K = np.array([model.points_O[model.category_O == k].max() for k in range(n)])
    upper_K = np.array([category.section == "upper" for category in model.rules.categories])
    upper_C, lower_C = filled_C_K @ (most_K * upper_K), filled_C_K @ (most_K * ~upper_K)
    # The first row counts the upper points of its lanes, the others those beyond the last lane.
    upper_C = np.maximum(upper_C - (model.lanes - 1), model.first_lane_C[first:last])
    extra_C = np.maximum(filled_C_K.sum(axis=1) - 1, 0) * model.armed_C[first:last]
    most_C = lower_C + upper_C + extra_C * int(model.extra_O.max())
    return np.asarray((most_C // WIDTH + 1) * WIDTH, dtype=np.int64)


def _all_rows(sweep: Sweep, tallies: Tallies) -> list[Rows]:
    """Return the rows of all layers, those of the empty card written: nothing counted yet.

    Layers share memory by turns, since those of one are read while those of the next are written.
    """
    layouts = []
    for first, last in sweep.layers:
        widths = _widths(sweep, tallies, first, last)
        # A vector may reach beyond the last row of a class, which another thread may be writing.
        ends = np.cumsum(widths * sweep.model.rows_C[first:last] * len(tallies.step_T_O) + WIDTH)
        layouts.append((np.append(0, ends[:-1]), widths, int(ends[-1])))
    memory = [np.empty(max(size for _, _, size in layouts[odd::2])) for odd in (0, 1)]
    rows = [
        Rows(memory[layer % 2][:size], starts, widths)
        for layer, (starts, widths, size) in enumerate(layouts)
    ]
    rows[0].law[:] = 0.0
    rows[0].law[: -WIDTH : rows[0].widths[0]] = 1.0
    return rows


def _follow(sweep: Sweep, layer: int, shares: Shares, tallies: Tallies, rows: list[Rows]) -> None:
    """Write the rows of the layer after ``layer``."""
    first, last = sweep.layers[layer + 1]
    sweep.each_part(
        first,
        last,
        pull,
        first,
        sweep.layers[layer][0],
        sweep.game,
        shares.starts,
        shares.weights,
        tallies.step_T_O,
        tallies.with_lane,
        rows[layer],
        rows[layer + 1],
    )


def _outcome_masses(
    sweep: Sweep, layer: int, shares: Shares, count_rows: Rows
) -> NDArray[np.float64]:
    """Return the probability that a game takes each outcome in one turn, shape (O,)."""
    first, last = sweep.layers[layer]
    visits_C_L = np.zeros((last - first, sweep.model.lanes))
    sweep.each_part(first, last, visits, first, sweep.game, count_rows, len(COUNTS), visits_C_L)
    out = np.zeros((last - first, len(sweep.model.points_O)))
    sweep.each_part(
        first, last, outcome_masses, first, sweep.game, shares.starts, shares.weights, visits_C_L,
        out,
    )  # fmt: skip
    return np.asarray(out.sum(axis=0))


def _final_rows(sweep: Sweep, rows: Rows, tallies: int) -> Iterator[tuple[int, bool, Any]]:
    """Yield (lane counted in it, upper bonus earned, law of each tally) for all full cards."""
    model = sweep.model
    first, last = sweep.layers[-1]
    for i, c in enumerate(range(first, last)):
        width = rows.widths[i]
        for r in range(int(model.last_lane_C[c] - model.first_lane_C[c]) + 1):
            lane = int(model.first_lane_C[c]) + r
            start = rows.starts[i] + r * tallies * width
            law_T = rows.law[start : start + tallies * width].reshape(tallies, width)
            earned = model.rules.upper_bonus is not None and lane == model.lanes - 1
            yield lane if r else 0, earned, law_T


def _summary(
    name: str, sweep: Sweep, score_rows: Rows, count_rows: Rows, masses: NDArray[np.float64]
) -> Evaluation:
    model, rules = sweep.model, sweep.model.rules
    bonus = rules.upper_bonus.points if rules.upper_bonus else 0
    score = np.zeros(int(score_rows.widths.max()) + model.lanes + bonus)
    for lane, earned, (law,) in _final_rows(sweep, score_rows, 1):
        start = lane + bonus * earned
        score[start : start + len(law)] += law
    counts = np.zeros((len(COUNTS), int(count_rows.widths.max())))
    joint = np.zeros((2, 2))
    for _, earned, law_T in _final_rows(sweep, count_rows, len(COUNTS)):
        counts[:, : law_T.shape[1]] += law_T
        box = law_T[COUNTS.index("box")]
        joint[int(earned)] += box[0], box[1:].sum()
    law_of = {count: Law.of_counts(law) for count, law in zip(COUNTS, counts, strict=True)}
    upper = extra = None
    if rules.upper_bonus:
        upper = Law(np.array([0, bonus]), joint.sum(axis=1))
    if rules.extra_bonus:
        count = law_of["extra"]
        extra = Law(count.scores * rules.extra_bonus.points, count.probabilities)
    return Evaluation(
        rules=rules,
        strategy=name,
        law=Law.of_counts(score),
        categories={key: _category(model, masses, k) for k, key in enumerate(rules.keys)},
        upper_bonus=upper,
        extra_bonus=extra,
        alike=law_of["alike"],
        jokers=law_of["joker"] if rules.joker else None,
        bonus_and_alike=joint,
    )


def _category(model: Model, masses: NDArray[np.float64], k: int) -> CategoryStatistics:
    mine = model.category_O == k
    points, mass = model.points_O[mine], masses[:, mine]
    total = mass.sum(axis=0)
    mean = float(total @ points)
    turns_scored = np.flatnonzero(mass[:, points > 0].any(axis=1))
    turns_zero = np.flatnonzero(mass[:, points == 0].any(axis=1))
    return CategoryStatistics(
        mean=mean,
        sd=float(np.sqrt(max(total @ (points - mean) ** 2, 0.0))),
        zero=float(total[points == 0].sum()),
        first_scored=int(turns_scored[0]) + 1 if len(turns_scored) else None,
        first_zero=int(turns_zero[0]) + 1 if len(turns_zero) else None,
    )
