"""The exact law of a strategy: one forward sweep over all cards, no simulation.

A game is followed layer by layer: with what probability a strategy's games are on each card, and
with how many points, extra bonuses, jokers and rolls of all dice alike. Sums of float64 in a fixed
order: total mass and mean are off by less than 1e-12 and 1e-10, whatever the number of threads.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
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

TALLIES = ("score", "alike", "extra", "joker", "box")
"""Points, final rolls of all dice alike, extra bonuses, jokers, points in the box for all alike."""

SCORE, ALIKE, BOX = (TALLIES.index(tally) for tally in ("score", "alike", "box"))

LANE_T = np.array([tally == "score" for tally in TALLIES], dtype=np.int64)
"""The upper total, which rows leave out, is part of the score only."""


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
    step_T_O = _steps(model)
    masses = np.zeros((len(sweep.layers) - 1, len(model.points_O)))
    sharing = Sharing(strategy, sweep)
    rows = _first_rows()
    for layer, (_, last) in enumerate(sweep.layers[:-1]):
        shares = sharing.of_layer(layer)
        masses[layer] = _outcome_masses(sweep, layer, shares, rows)
        rows = _next_rows(sweep, layer, shares, step_T_O, rows)
        if progress:
            progress(last / model.classes)
    return _summary(strategy.name, sweep, rows, masses)


def _steps(model: Model) -> NDArray[np.int64]:
    """Return what each outcome adds to each tally, int64 of shape (tallies, O)."""
    steps = {
        "score": model.points_O + model.extra_O,
        "alike": model.alike_O,
        "extra": model.extra_O > 0,
        "joker": model.joker_O,
        "box": (model.category_O == alike_box(model.rules)) & (model.points_O > 0),
    }
    return np.array([steps[tally] for tally in TALLIES], dtype=np.int64)


def alike_box(rules: Rules) -> int:
    """Return the category that asks for all dice alike, -1 where there is none."""
    for k, category in enumerate(rules.categories):
        if isinstance(category.pattern, Groups) and category.pattern.sizes == (rules.dice,):
            return k
    return -1


def _first_rows() -> Rows:
    """Return the rows of the empty card: nothing counted yet."""
    n = len(TALLIES)
    law = np.zeros(2 * n * WIDTH)
    law[:: 2 * WIDTH] = 1.0
    zeros = np.zeros(n, dtype=np.int64)
    return Rows(law, zeros[:1], 2 * WIDTH * np.arange(n), zeros, zeros + 1)


def _next_rows(
    sweep: Sweep, layer: int, shares: Shares, step_T_O: NDArray[np.int64], before: Rows
) -> Rows:
    """Return the rows of the layer after ``layer``: which counts can occur, then their law."""
    first, last = sweep.layers[layer + 1]
    rows_C = sweep.model.rows_C[first:last]
    n = int(rows_C.sum()) * len(TALLIES)
    plan = Rows(
        law=np.empty(0),
        first_C=np.append(0, np.cumsum(rows_C)[:-1]),
        start_X=np.empty(0, dtype=np.int64),
        low_X=np.full(n, np.iinfo(np.int64).max),
        high_X=np.full(n, -1),
    )
    fixed = (
        first, sweep.layers[layer][0], sweep.game, shares.starts, shares.weights, step_T_O, LANE_T,
        before,
    )  # fmt: skip
    sweep.each_part(first, last, pull, *fixed, plan, True)
    vectors_X = np.where(plan.high_X < 0, 0, (plan.high_X - plan.low_X + WIDTH - 1) // WIDTH + 1)
    ends = np.cumsum(vectors_X) * WIDTH
    rows = plan._replace(law=np.zeros(ends[-1]), start_X=ends - vectors_X * WIDTH)
    sweep.each_part(first, last, pull, *fixed, rows, False)
    return rows


def _outcome_masses(sweep: Sweep, layer: int, shares: Shares, rows: Rows) -> NDArray[np.float64]:
    """Return the probability that a game takes each outcome in one turn, shape (O,)."""
    first, last = sweep.layers[layer]
    visits_C_L = np.zeros((last - first, sweep.model.lanes))
    sweep.each_part(first, last, visits, first, sweep.game, rows, ALIKE, len(TALLIES), visits_C_L)
    out = np.zeros((last - first, len(sweep.model.points_O)))
    sweep.each_part(
        first, last, outcome_masses, first, sweep.game, shares.starts, shares.weights, visits_C_L,
        out,
    )  # fmt: skip
    return np.asarray(out.sum(axis=0))


def _final_rows(sweep: Sweep, rows: Rows) -> Iterator[tuple[int, bool, int, Any]]:
    """Yield (tally, upper bonus earned, lowest count, its law from there on) for all full cards."""
    model = sweep.model
    bonus = model.rules.upper_bonus
    first, last = sweep.layers[-1]
    for i, c in enumerate(range(first, last)):
        for r, t in product(range(int(model.rows_C[c])), range(len(TALLIES))):
            x = (rows.first_C[i] + r) * len(TALLIES) + t
            size = int(rows.high_X[x] - rows.low_X[x])
            if size > 0:
                lane = int(model.first_lane_C[c]) + r
                low = int(rows.low_X[x] + (LANE_T[t] * lane if r else 0))
                earned = bonus is not None and lane == model.lanes - 1
                yield t, earned, low, rows.law[rows.start_X[x] : rows.start_X[x] + size]


def _summary(name: str, sweep: Sweep, rows: Rows, masses: NDArray[np.float64]) -> Evaluation:
    model, rules = sweep.model, sweep.model.rules
    bonus = rules.upper_bonus.points if rules.upper_bonus else 0
    counted = np.zeros((len(TALLIES), int(rows.high_X.max()) + model.lanes + bonus))
    joint = np.zeros((2, 2))
    for t, earned, low, law in _final_rows(sweep, rows):
        start = low + bonus * (earned and t == SCORE)
        counted[t, start : start + len(law)] += law
        if t == BOX:
            none = law[0] if low == 0 else 0.0
            joint[int(earned)] += none, law.sum() - none
    law_of = {tally: Law.of_counts(law) for tally, law in zip(TALLIES, counted, strict=True)}
    upper = extra = None
    if rules.upper_bonus:
        upper = Law(np.array([0, bonus]), joint.sum(axis=1))
    if rules.extra_bonus:
        count = law_of["extra"]
        extra = Law(count.scores * rules.extra_bonus.points, count.probabilities)
    return Evaluation(
        rules=rules,
        strategy=name,
        law=law_of["score"],
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
