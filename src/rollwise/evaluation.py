"""The exact law of a strategy: one forward sweep over all cards, no simulation.

A game is followed layer by layer: with what probability a strategy's games are on each card, and
with how many points, extra bonuses, jokers and rolls of all dice alike. Sums of float64 in a fixed
order: total mass and mean are off by less than 1e-12 and 1e-10, whatever the number of threads.
"""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from html import escape
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rollwise.errors import MissingExtraError
from rollwise.kernels.forward import Rows, outcome_masses, pull, visits
from rollwise.kernels.vector import WIDTH
from rollwise.law import Law
from rollwise.model import Model, build
from rollwise.objectives import EXPECTED
from rollwise.rules import Groups, Rules
from rollwise.shares import Shares, Sharing
from rollwise.solver import Progress
from rollwise.strategies import Optimal, Strategy
from rollwise.sweep import Memory, Sweep

COUNTS = ("alike", "extra", "joker", "box")
"""Final rolls of all dice alike, extra bonuses, jokers, points in the box for all dice alike."""


QUANTILES = (0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99)


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

    def as_dict(self) -> dict[str, Any]:
        """Return everything as JSON can hold it; probabilities, not percentages."""
        law = self.law
        return {
            "rules": self.rules.name,
            "strategy": self.strategy,
            "mean": law.mean,
            "sd": law.sd,
            "skewness": law.skewness,
            "median": law.median,
            "mode": law.mode,
            "quantiles": {f"{share:g}": law.quantile(share) for share in QUANTILES},
            "minimum": {"score": law.minimum, "probability": law.probability(law.minimum)},
            "maximum": {"score": law.maximum, "probability": law.probability(law.maximum)},
            "tie": law.tie,
            "categories": {key: asdict(row) for key, row in self.categories.items()},
            "upper_bonus": _brief(self.upper_bonus),
            "extra_bonus": _brief(self.extra_bonus),
            "alike": _brief(self.alike),
            "jokers": _brief(self.jokers),
            "bonus_and_alike": self.bonus_and_alike.tolist(),
            "distribution": [
                [int(score), float(p)]
                for score, p in zip(law.scores, law.probabilities, strict=True)
            ],
        }

    def frame(self, library: str | None = None) -> Any:
        """Return the law of the final score as a data frame with columns score and probability.

        Parameters
        ----------
        library : {"polars", "pandas"}, optional
            The first of them that is installed unless told.

        Raises
        ------
        MissingExtraError
            When it is not installed.
        """
        columns = {"score": self.law.scores, "probability": self.law.probabilities}
        for name in (library,) if library else ("polars", "pandas"):
            with suppress(ImportError):
                return import_module(name).DataFrame(columns)
        missing = library or "polars or pandas"
        raise MissingExtraError(f"data frames need {missing}: expected pip install {missing}")

    def _repr_html_(self) -> str:
        law = self.law
        rows = "".join(
            f"<tr><td>{key}</td><td>{row.mean:.2f}</td><td>{row.sd:.2f}</td>"
            f"<td>{100 * row.zero:.2f}</td></tr>"
            for key, row in self.categories.items()
        )
        return (
            f"<p><b>{escape(self.rules.title)}</b>, {escape(self.strategy)}: mean {law.mean:.4f} "
            f"± {law.sd:.2f}, median {law.median}</p>"
            "<table><tr><th>category</th><th>mean</th><th>sd</th><th>% zero</th></tr>"
            f"{rows}</table>"
        )


def _brief(law: Law | None) -> dict[str, float] | None:
    if law is None:
        return None
    return {"mean": law.mean, "sd": law.sd, "none": law.probability(0)}


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
    count_T_O = _counts(model)
    masses = np.zeros((len(sweep.layers) - 1, len(model.points_O)))
    sharing = Sharing(strategy, sweep)
    rows = _first_rows()
    # The rows of one layer are read while those of the next are written.
    memory = [(Memory(), Memory()), (Memory(), Memory())]
    for layer, (_, last) in enumerate(sweep.layers[:-1]):
        shares = sharing.of_layer(layer)
        masses[layer] = _outcome_masses(sweep, layer, shares, rows)
        rows = _next_rows(sweep, layer, shares, count_T_O, rows, memory[layer % 2])
        if progress:
            progress(last / model.classes)
    return _summary(strategy.name, sweep, rows, masses)


def _counts(model: Model) -> NDArray[np.int64]:
    """Return what each outcome adds to each count, int64 of shape (counts, O)."""
    added = {
        "alike": model.alike_O,
        "extra": model.extra_O > 0,
        "joker": model.joker_O,
        "box": (model.category_O == alike_box(model.rules)) & (model.points_O > 0),
    }
    return np.array([added[count] for count in COUNTS], dtype=np.int64)


def alike_box(rules: Rules) -> int:
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
    return Rows(zero, zero, zero + 1, law, zero, counts, WIDTH)


def _next_rows(
    sweep: Sweep,
    layer: int,
    shares: Shares,
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
        first_C=np.append(0, np.cumsum(rows_C)[:-1]),
        low_X=np.full(n, np.iinfo(np.int64).max),
        high_X=np.full(n, np.iinfo(np.int64).min),
        law=np.empty(0),
        start_X=np.empty(0, dtype=np.int64),
        counts=np.empty(0),
        width=0,
    )
    fixed = (
        first, sweep.layers[layer][0], sweep.game, shares.starts, shares.weights,
        model.points_O + model.extra_O, count_T_O, before,
    )  # fmt: skip
    sweep.each_part(first, last, pull, *fixed, plan, True)
    visited_X = plan.low_X < plan.high_X
    lengths_X = np.where(visited_X, plan.high_X, 0) - np.where(visited_X, plan.low_X, 0)
    room_X = np.where(visited_X, -(-lengths_X // WIDTH) + 1, 0) * WIDTH
    ends = np.cumsum(room_X)
    width = ((layer + 2) // WIDTH + 1) * WIDTH  # counts of 0 to layer + 1, and one number more
    rows = plan._replace(
        law=memory[0].take(int(ends[-1])),
        start_X=ends - room_X,
        counts=memory[1].take(n * len(COUNTS) * width + WIDTH),
        width=width,
    )
    rows.law[:] = 0.0
    rows.counts[:] = 0.0
    sweep.each_part(first, last, pull, *fixed, rows, False)
    return rows


def _outcome_masses(sweep: Sweep, layer: int, shares: Shares, rows: Rows) -> NDArray[np.float64]:
    """Return the probability that a game takes each outcome in one turn, shape (O,)."""
    first, last = sweep.layers[layer]
    visits_C_L = np.zeros((last - first, sweep.model.lanes))
    sweep.each_part(first, last, visits, first, sweep.game, rows, len(COUNTS), visits_C_L)
    out = np.zeros((last - first, len(sweep.model.points_O)))
    sweep.each_part(
        first, last, outcome_masses, first, sweep.game, shares.starts, shares.weights, visits_C_L,
        out,
    )  # fmt: skip
    return np.asarray(out.sum(axis=0))


def _final_rows(sweep: Sweep, rows: Rows) -> Iterator[tuple[int, int, bool]]:
    """Yield (row, lane that its points leave out, upper bonus earned) for all full cards."""
    model = sweep.model
    first, last = sweep.layers[-1]
    for i, c in enumerate(range(first, last)):
        for r in range(int(model.rows_C[c])):
            lane = int(model.first_lane_C[c]) + r
            x = int(rows.first_C[i]) + r
            if rows.low_X[x] < rows.high_X[x]:
                earned = model.rules.upper_bonus is not None and lane == model.lanes - 1
                yield x, lane if r else 0, earned


def _summary(name: str, sweep: Sweep, rows: Rows, masses: NDArray[np.float64]) -> Evaluation:
    model, rules = sweep.model, sweep.model.rules
    bonus = rules.upper_bonus.points if rules.upper_bonus else 0
    score = np.zeros(int(rows.high_X.max()) + model.lanes + bonus)
    counts_X_T_N = rows.counts[:-WIDTH].reshape(-1, len(COUNTS), rows.width)
    counted = np.zeros((len(COUNTS), rows.width))
    joint = np.zeros((2, 2))
    for x, lane, earned in _final_rows(sweep, rows):
        length = int(rows.high_X[x] - rows.low_X[x])
        start = int(rows.low_X[x]) + lane + bonus * earned
        score[start : start + length] += rows.law[rows.start_X[x] : rows.start_X[x] + length]
        counted += counts_X_T_N[x]
        box = counts_X_T_N[x, COUNTS.index("box")]
        joint[int(earned)] += box[0], box[1:].sum()
    law_of = {count: Law.of_counts(law) for count, law in zip(COUNTS, counted, strict=True)}
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
