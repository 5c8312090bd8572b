"""The best trade-offs: target scores, the mean–variance frontier, and restarts.

Examples
--------
>>> frontier.targets("micro-yahtzee", at=[30, 40]).best(40)
0.25
>>> round(frontier.restart("micro-yahtzee", 40).turns, 2)
7.33
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rollwise.distribution import Distribution
from rollwise.errors import check_count, check_type
from rollwise.evaluation.evaluate import evaluate
from rollwise.game.dice_notation import parse_scores
from rollwise.notebook import Tabular, html_table
from rollwise.rules import Rules, RulesLike
from rollwise.solving.by_score.mean_variance import FrontierPoint
from rollwise.solving.by_score.targets_and_restarting import RestartedGames
from rollwise.solving.progress import Progress, within
from rollwise.solving.solver import Solver


@dataclass(frozen=True, eq=False, repr=False)
class Targets(Tabular):
    """The probability of reaching target scores.

    Attributes
    ----------
    rules : Rules
    best_T : float64 array of shape (T,)
        The highest probability of a final score of at least t, for t = 1, 2, …. The optimal
        strategy differs between targets.
    distribution : Distribution
        The final score with optimal play for the expected score.
    scores : sequence of int
        The targets that are listed.
    """

    rules: Rules
    best_T: NDArray[np.float64]
    distribution: Distribution
    scores: Sequence[int]

    def best(self, score: int) -> float:
        """Return the highest probability of reaching a score."""
        check_count(score, "a target score", least=0)
        if score < 1:
            return 1.0
        return float(self.best_T[score - 1]) if score <= len(self.best_T) else 0.0

    def rows(self) -> list[dict[str, Any]]:
        """Return the best probability of each target, and its probability with optimal play."""
        at_least = self.distribution.at_least
        return [
            {"target": score, "best": self.best(score), "expected_play": at_least(score)}
            for score in self.scores
        ]

    def __repr__(self) -> str:
        return f"<Targets of {self.rules.name}: {len(self.scores)} scores>"

    def _repr_html_(self) -> str:
        rows = [tuple(row.values()) for row in self.rows()]
        return html_table(f"{self.rules.title}: probability of at least the target", rows)


class Frontier(Tabular, list[FrontierPoint]):
    """The strategies with the highest mean for their SD, lowest SD first.

    Attributes
    ----------
    rules : Rules
    """

    def __init__(self, points: Iterable[FrontierPoint], rules: Rules) -> None:
        super().__init__(points)
        self.rules = rules

    def rows(self) -> list[dict[str, Any]]:
        """Return a row for each point."""
        return [vars(point) for point in self]

    def __repr__(self) -> str:
        return f"<Frontier of {self.rules.name}: {len(self)} points>"


def targets(
    rules: RulesLike,
    at: str | Iterable[int] | None = None,
    *,
    progress: Progress | None = None,
) -> Targets:
    """Return the best probability of reaching each target score.

    Parameters
    ----------
    rules : Rules, str, or Path
        The game, the name of a preset, or the path of a rule file.
    at : str or sequence of int, optional
        The targets, such as ``[150, 200]`` or ``"150,200"`` (default: all).
    progress : callable, optional
        Called with the completed fraction of the work, from 0 to 1.

    Raises
    ------
    InputError
        If an argument cannot be used.
    """
    solver = Solver(rules, progress=within(progress, 0.5, 1))
    scores = _target_scores(at)
    evaluation = evaluate("optimal", solver.rules, cache=True, progress=within(progress, 0, 0.5))
    best_T = solver.targets()
    if scores is None:
        scores = range(1, len(best_T) + 1)
    return Targets(solver.rules, best_T, evaluation.distribution, scores)


def _target_scores(at: str | Iterable[int] | None) -> Sequence[int] | None:
    """Return target scores as a list; None for all scores."""
    if at is None or isinstance(at, str):
        return None if at is None else parse_scores(at)
    check_type(at, Iterable, "target scores such as [150, 200] or '150,200'")
    scores = list(at)
    for score in scores:
        check_count(score, "a target score", least=0)
    return scores


def variance(rules: RulesLike, *, progress: Progress | None = None) -> Frontier:
    """Return the strategies with the highest mean for their SD.

    Parameters
    ----------
    rules : Rules, str, or Path
        The game, the name of a preset, or the path of a rule file.
    progress : callable, optional
        Called with the completed fraction of the work, from 0 to 1.
    """
    solver = Solver(rules, progress=progress)
    return Frontier(solver.frontier(), solver.rules)


def restart(rules: RulesLike, score: int, *, progress: Progress | None = None) -> RestartedGames:
    """Return the fewest turns to a score, if the player can give up a game and begin another.

    Parameters
    ----------
    rules : Rules, str, or Path
        The game, the name of a preset, or the path of a rule file.
    score : int
        The score to reach.
    progress : callable, optional
        Called with the completed fraction of the work, from 0 to 1.

    Raises
    ------
    InputError
        If no game reaches the score.
    """
    check_count(score, "score")
    return Solver(rules, progress=progress).fewest_turns(score)
