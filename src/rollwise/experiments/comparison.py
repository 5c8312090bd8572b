"""Comparison of strategies: score distributions, EV losses, and win probabilities by pair."""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import suppress
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from rollwise.distribution import Distribution
from rollwise.errors import TooLargeError
from rollwise.evaluation.evaluate import QUANTILES, Evaluation, evaluate
from rollwise.experiments.losses import Losses, losses
from rollwise.rules import Rules
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.jobs import run_jobs
from rollwise.solving.progress import Progress, within
from rollwise.strategies import Duel, Optimal, Strategy
from rollwise.two_player.head_to_head import simulate_head_to_head

Evaluator = Callable[..., Evaluation]


@dataclass(frozen=True, eq=False)
class ComparisonRow:
    """The results of one strategy in a comparison.

    Attributes
    ----------
    strategy : str
    distribution : Distribution
        Distribution of the final score.
    exact : bool
        Whether the distribution is exact; otherwise it comes from the simulated games.
    losses : Losses
        The EV losses in the simulated games.
    """

    strategy: str
    distribution: Distribution
    exact: bool
    losses: Losses

    @property
    def error(self) -> float:
        """Standard error of the mean score; 0 if the mean is exact."""
        return 0.0 if self.exact else float(self.distribution.sd / np.sqrt(self.losses.games))


@dataclass(frozen=True, eq=False)
class Comparison:
    """The results of several strategies in one game.

    Attributes
    ----------
    rules : Rules
    optimum : float
        Expected score of optimal play.
    seed : int
        Seed of the simulated games; all strategies play with the same dice.
    entries : tuple of ComparisonRow
        The results of each strategy.
    met : mapping of (int, int) to tuple of float
        The frequencies of a win, a tie, and a loss for the first strategy of a pair, which moves
        first. Only pairs in which a strategy responds to the opponent are simulated.
    """

    rules: Rules
    optimum: float
    seed: int
    entries: tuple[ComparisonRow, ...]
    met: Mapping[tuple[int, int], tuple[float, float, float]]

    def against(self, a: int, b: int) -> tuple[float, float, float]:
        """Return the probabilities that entry ``a`` wins, ties, or loses against entry ``b``.

        If neither strategy responds to the opponent, their scores are independent.
        """
        if (a, b) in self.met:
            return self.met[a, b]
        return self.entries[a].distribution.against(self.entries[b].distribution)

    def difference(self, a: ComparisonRow, b: ComparisonRow) -> tuple[float, float]:
        """Return the mean score difference ``a`` minus ``b``, and its standard error.

        Both strategies play with the same dice.
        """
        difference_N = a.losses.scores_N - b.losses.scores_N
        return float(difference_N.mean()), float(difference_N.std() / np.sqrt(len(difference_N)))

    def as_dict(self) -> dict[str, Any]:
        """Return the comparison as JSON-compatible data."""
        return {
            "rules": self.rules.name,
            "optimum": self.optimum,
            "games": self.entries[0].losses.games,
            "seed": self.seed,
            "strategies": [self._entry(entry) for entry in self.entries],
            "matrix": [
                [
                    dict(zip(("win", "tie", "loss"), self.against(a, b), strict=True))
                    for b in range(len(self.entries))
                ]
                for a in range(len(self.entries))
            ],
            "paired_differences": [
                [
                    dict(zip(("mean", "error"), self.difference(a, b), strict=True))
                    for b in self.entries
                ]
                for a in self.entries
            ],
        }

    def _entry(self, entry: ComparisonRow) -> dict[str, Any]:
        return {
            "strategy": entry.strategy,
            "exact": entry.exact,
            "mean": entry.distribution.mean,
            "error": entry.error,
            "sd": entry.distribution.sd,
            "quantiles": {f"{level:g}": entry.distribution.quantile(level) for level in QUANTILES},
            "lost": entry.losses.as_dict(self.rules),
        }


def compare(
    strategies: Sequence[Strategy],
    solution: CardSolution,
    games: int = 10_000,
    seed: int = 0,
    *,
    executor: Callable[[], Executor] | None = None,
    progress: Progress | None = None,
    evaluator: Evaluator = evaluate,
) -> Comparison:
    """Compare strategies by their score distributions and by their EV losses in simulated games.

    Parameters
    ----------
    strategies : sequence of Strategy
    solution : CardSolution
        The solution of the game for the expected score.
    games : int
        Number of simulated games per strategy, for its EV losses. These games also give the
        distribution of a strategy that sees the score, or whose exact distribution takes too much
        memory. Each pair with a strategy that responds to the opponent plays this number of games.
    seed : int
        All strategies play with the same dice.
    executor : callable, optional
        As for :func:`rollwise.solving.jobs.run_jobs`. There is one job per strategy.
    evaluator : callable
        The function that computes exact distributions: :func:`evaluate`, or a cached version.

    Raises
    ------
    IllegalError
        If a strategy makes an illegal decision.
    """
    jobs = [(strategy, solution, games, seed, evaluator) for strategy in strategies]
    pairs = [
        (a, b)
        for (a, first), (b, second) in product(enumerate(strategies), repeat=2)
        if isinstance(first, Duel) or isinstance(second, Duel)
    ]
    total = len(jobs) + len(pairs)
    if executor is not None:
        entries = run_jobs(examine, jobs, executor, within(progress, 0, len(jobs) / total))
    else:
        entries = []
        for number, job in enumerate(jobs):
            part = within(progress, number / total, (number + 1) / total)
            entries.append(examine(*job, part))
            if part:
                part(1.0)
    met = {}
    for number, (a, b) in enumerate(pairs, start=len(jobs) + 1):
        met[a, b] = simulate_head_to_head(strategies[a], strategies[b], solution.model, seed, games)
        if progress:
            progress(number / total)
    return Comparison(solution.rules, solution.value(), seed, tuple(entries), met)


def examine(
    strategy: Strategy,
    solution: CardSolution,
    games: int,
    seed: int,
    evaluator: Evaluator = evaluate,
    progress: Progress | None = None,
) -> ComparisonRow:
    """Compute the row of one strategy."""
    simulated = losses(strategy, solution, games, seed, progress=within(progress, 0, 0.5))
    responds = isinstance(strategy, Duel)
    if not (responds or (strategy.sees_score and not isinstance(strategy, Optimal))):
        with suppress(TooLargeError):
            evaluation = evaluator(strategy, solution.rules, progress=within(progress, 0.5, 1))
            return ComparisonRow(strategy.name, evaluation.distribution, True, simulated)
    scores, counts = np.unique(simulated.scores_N, return_counts=True)
    return ComparisonRow(strategy.name, Distribution(scores, counts / games), False, simulated)
