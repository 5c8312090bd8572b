"""The exact law of a strategy: one forward sweep over all cards, no simulation.

A game is followed layer by layer: with what probability a strategy's games are on each card, and
with how many points, extra bonuses, jokers and rolls of all dice alike. Sums of float64 in a fixed
order: total mass and mean are off by less than 1e-12 and 1e-10, whatever the number of threads.
"""

from dataclasses import asdict, dataclass
from html import escape
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rollwise.evaluation.forward import (
    COUNTS,
    counts_of,
    final_rows,
    first_rows,
    next_rows,
    outcome_masses_of,
)
from rollwise.evaluation.forward_by_score import final_masses
from rollwise.evaluation.frames import data_frame
from rollwise.evaluation.play import play_of
from rollwise.law import Law
from rollwise.model.arrays import Model
from rollwise.rules import Rules
from rollwise.solving.by_score.solution import ScoreSolution
from rollwise.solving.kernels.forward import Rows
from rollwise.solving.layers import Memory, Sweep
from rollwise.solving.progress import Progress
from rollwise.strategies import Optimal, Strategy

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
    alike : Law or None
        Of the number of final rolls of all dice alike.
    jokers : Law or None
        Of the number of jokers that scored what the roll alone would not.
    bonus_and_alike : float64 array of shape (2, 2) or None
        Probability of (no upper bonus, upper bonus) × (no points, points) in the box that asks for
        all dice alike; the second axis is all in its first place if there is no such box.

    Of a strategy that depends on the points so far the laws of counts are not known:
    ``extra_bonus``, ``alike``, ``jokers`` and ``bonus_and_alike`` are None.
    """

    rules: Rules
    strategy: str
    law: Law
    categories: dict[str, CategoryStatistics]
    upper_bonus: Law | None
    extra_bonus: Law | None
    alike: Law | None
    jokers: Law | None
    bonus_and_alike: NDArray[np.float64] | None

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
            "bonus_and_alike": (
                None if self.bonus_and_alike is None else self.bonus_and_alike.tolist()
            ),
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
        law = zip(self.law.scores.tolist(), self.law.probabilities.tolist(), strict=True)
        return data_frame([{"score": score, "probability": p} for score, p in law], library)

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
    if isinstance(strategy, Optimal) and isinstance(strategy.solution, ScoreSolution):
        return _evaluate_by_score(strategy.name, strategy.solution, threads, progress)
    play = play_of(strategy, rules, threads)
    sweep, model = play.sweep, play.sweep.model
    count_T_O = counts_of(model)
    masses = np.zeros((len(sweep.layers) - 1, len(model.points_O)))
    rows = first_rows()
    # The rows of one layer are read while those of the next are written.
    memory = [(Memory(), Memory()), (Memory(), Memory())]
    for layer, (_, last) in enumerate(sweep.layers[:-1]):
        played = play.of_layer(layer, rows.low_X < rows.high_X)
        masses[layer] = outcome_masses_of(sweep, layer, played, rows)
        rows = next_rows(sweep, layer, played, count_T_O, rows, memory[layer % 2])
        if progress:
            progress(last / model.n_classes)
    return _summary(strategy.name, sweep, rows, masses)


def _evaluate_by_score(
    name: str, solution: ScoreSolution, threads: int | None, progress: Progress | None
) -> Evaluation:
    rules, model = solution.rules, solution.model
    law_B_S, masses = final_masses(solution, threads, progress)
    upper = None
    if rules.upper_bonus:
        upper = Law(np.unique(model.bonus_L), law_B_S.sum(axis=1))
    return Evaluation(
        rules=rules,
        strategy=name,
        law=Law.of_counts(law_B_S.sum(axis=0)),
        categories={key: _category(model, masses, k) for k, key in enumerate(rules.keys)},
        upper_bonus=upper,
        extra_bonus=None,
        alike=None,
        jokers=None,
        bonus_and_alike=None,
    )


def _summary(name: str, sweep: Sweep, rows: Rows, masses: NDArray[np.float64]) -> Evaluation:
    model, rules = sweep.model, sweep.model.rules
    steps = np.unique(model.bonus_L)
    score = np.zeros(int(rows.high_X.max()) + model.lanes + int(steps[-1]))
    earned_B = np.zeros(len(steps))
    counted = np.zeros((len(COUNTS), rows.width))
    joint = np.zeros((2, 2))
    for x, lane, bonus in final_rows(sweep, rows):
        length = int(rows.high_X[x] - rows.low_X[x])
        start = int(rows.low_X[x]) + lane + bonus
        score[start : start + length] += rows.law[rows.start_X[x] : rows.start_X[x] + length]
        start = int(rows.counts_X[x])
        counts_T_N = rows.counts[start : start + counted.size].reshape(counted.shape)
        counted += counts_T_N
        box = counts_T_N[COUNTS.index("box")]
        joint[int(bonus > 0)] += box[0], box[1:].sum()
        earned_B[np.searchsorted(steps, bonus)] += box.sum()
    law_of = {count: Law.of_counts(law) for count, law in zip(COUNTS, counted, strict=True)}
    upper = extra = None
    if rules.upper_bonus:
        upper = Law(steps, earned_B)
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
