"""Strategies side by side: how they fare, what they lose and where, who beats whom."""

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
from rollwise.two_player.head_to_head import meet

Evaluator = Callable[..., Evaluation]


@dataclass(frozen=True, eq=False)
class ComparisonRow:
    """One strategy among others.

    Attributes
    ----------
    distribution : Distribution
        Of the final score.
    exact : bool
        Whether the law is exact, or that of the simulated games.
    losses : Losses
    """

    strategy: str
    distribution: Distribution
    exact: bool
    losses: Losses

    @property
    def error(self) -> float:
        """The standard error of the mean; 0 if it is exact."""
        return 0.0 if self.exact else float(self.distribution.sd / np.sqrt(self.losses.games))


@dataclass(frozen=True, eq=False)
class Comparison:
    """Several strategies in one game.

    Attributes
    ----------
    optimum : float
        The highest expected score there is.
    seed : int
        Of the simulated games; all strategies have the same dice.
    met : mapping of (int, int) to tuple of float
        How often one entry wins, ties and loses against another one, where one of them answers:
        from games in which the first of them moves first.
    """

    rules: Rules
    optimum: float
    seed: int
    entries: tuple[ComparisonRow, ...]
    met: Mapping[tuple[int, int], tuple[float, float, float]]

    def against(self, a: int, b: int) -> tuple[float, float, float]:
        """Return how often entry a wins, ties and loses against entry b.

        Two of whom none answers end by laws that know nothing of each other.
        """
        if (a, b) in self.met:
            return self.met[a, b]
        return self.entries[a].distribution.against(self.entries[b].distribution)

    def difference(self, a: ComparisonRow, b: ComparisonRow) -> tuple[float, float]:
        """Return the mean of a's score less b's with the same dice, and its standard error."""
        d = a.losses.scores_N - b.losses.scores_N
        return float(d.mean()), float(d.std() / np.sqrt(len(d)))

    def as_dict(self) -> dict[str, Any]:
        """Return everything as JSON can hold it."""
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
            "quantiles": {f"{share:g}": entry.distribution.quantile(share) for share in QUANTILES},
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
    """Compare strategies: exact laws where there are, losses from games with the same dice.

    Parameters
    ----------
    solution : CardSolution
        Of the game for the expected score: the optimum.
    games : int
        How many games each strategy plays for its losses, and for its law if it sees the points
        so far or the exact one takes too much memory; and how many with each other one if it
        answers.
    executor : callable, optional
        As for :func:`rollwise.solving.jobs.run_jobs`; one job a strategy.
    evaluator : callable
        Gives the exact law of a strategy: :func:`evaluate`, or one that keeps it.

    Raises
    ------
    IllegalError
        When a strategy plays what the rules forbid.
    """
    jobs = [(strategy, solution, games, seed, evaluator) for strategy in strategies]
    pairs = [
        (a, b)
        for (a, one), (b, other) in product(enumerate(strategies), repeat=2)
        if isinstance(one, Duel) or isinstance(other, Duel)
    ]
    whole = len(jobs) + len(pairs)
    if executor is not None:
        entries = run_jobs(examine, jobs, executor, within(progress, 0, len(jobs) / whole))
    else:
        entries = []
        for number, job in enumerate(jobs):
            part = within(progress, number / whole, (number + 1) / whole)
            entries.append(examine(*job, part))
            if part:
                part(1.0)
    met = {}
    for number, (a, b) in enumerate(pairs, start=len(jobs) + 1):
        met[a, b] = meet(strategies[a], strategies[b], solution.model, seed, games)
        if progress:
            progress(number / whole)
    return Comparison(solution.rules, solution.value(), seed, tuple(entries), met)


def examine(
    strategy: Strategy,
    solution: CardSolution,
    games: int,
    seed: int,
    evaluator: Evaluator = evaluate,
    progress: Progress | None = None,
) -> ComparisonRow:
    """Return how one strategy fares."""
    lost = losses(strategy, solution, games, seed, progress=within(progress, 0, 0.5))
    answers = isinstance(strategy, Duel)
    if not (answers or (strategy.sees_score and not isinstance(strategy, Optimal))):
        with suppress(TooLargeError):
            found = evaluator(strategy, solution.rules, progress=within(progress, 0.5, 1))
            return ComparisonRow(strategy.name, found.distribution, True, lost)
    scores, counts = np.unique(lost.scores_N, return_counts=True)
    return ComparisonRow(strategy.name, Distribution(scores, counts / games), False, lost)
