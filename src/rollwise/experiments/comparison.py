"""Comparison of strategies: score distributions, EV losses, and the win probabilities of pairs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from contextlib import suppress
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from rollwise.distribution import Distribution
from rollwise.errors import InputError, TooLargeError
from rollwise.evaluation.evaluate import evaluate
from rollwise.rules import Rules
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.jobs import run
from rollwise.solving.progress import Progress, within
from rollwise.strategies import Strategy

if TYPE_CHECKING:  # needs numba
    from rollwise.experiments.losses import Losses


@dataclass(frozen=True, eq=False)
class ComparisonRow:
    """The results of one strategy in a comparison.

    Attributes
    ----------
    strategy : str
        The name of the strategy.
    distribution : Distribution
        The distribution of the final score.
    exact : bool
        Whether the distribution is exact; otherwise it comes from the simulated games.
    losses : Losses
        The EV losses in the simulated games.
    optimum : float
        The expected score of optimal play.
    """

    strategy: str
    distribution: Distribution
    exact: bool
    losses: Losses
    optimum: float

    @property
    def mean(self) -> float:
        """The expected score, either exact or estimated from the EV losses.

        The estimate depends little on luck.
        """
        return self.distribution.mean if self.exact else self.optimum - self.losses.total

    @property
    def error(self) -> float:
        """The standard error of the expected score, or 0 if it is exact."""
        return 0.0 if self.exact else self.losses.error


@dataclass(frozen=True, eq=False, repr=False)
class Comparison:
    """The results of several strategies in one game.

    Attributes
    ----------
    rules : Rules
    optimum : float
        The expected score of optimal play.
    seed : int
        The seed of the simulated games. All strategies play with the same dice.
    entries : tuple of ComparisonRow
        The results of each strategy.
    met : mapping of (int, int) to tuple of float
        The frequencies of a win, a tie, and a loss for each simulated pair of entries, by their
        indexes. The first entry of a pair moves first, and the results are from its point of view.
        Only pairs in which a strategy responds to the opponent are simulated.
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
        """Return the mean of the score of ``a`` minus the score of ``b``, and its standard error.

        Both strategies play with the same dice.
        """
        difference_N = a.losses.scores_N - b.losses.scores_N
        return float(difference_N.mean()), float(difference_N.std() / np.sqrt(len(difference_N)))


GAMES = 10_000
"""The default number of simulated games, which measure the EV losses of a strategy."""


def compare(
    players: Sequence[Strategy],
    solution: CardSolution,
    games: int | None = None,
    seed: int = 0,
    *,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> Comparison:
    """Compare strategies in a game that is solved for the expected score; one job per strategy.

    If ``games`` is given, all results come from this number of simulated games. Otherwise, score
    distributions are exact if possible.
    """
    from rollwise.two_player.head_to_head import simulate_head_to_head  # numba

    if not players:
        raise InputError("there is no strategy to compare; give at least one")
    number, exact = games or GAMES, games is None
    jobs = [(strategy, solution, number, seed, exact) for strategy in players]
    pairs = [
        (a, b)
        for (a, first), (b, second) in product(enumerate(players), repeat=2)
        if first.responds or second.responds
    ]
    total = len(jobs) + len(pairs)
    entries = run(examine, jobs, executor, within(progress, 0, len(jobs) / total))
    met = {}
    for done, (a, b) in enumerate(pairs, start=len(jobs) + 1):
        met[a, b] = simulate_head_to_head(players[a], players[b], solution.model, seed, number)
        if progress:
            progress(done / total)
    return Comparison(solution.rules, solution.value(), seed, tuple(entries), met)


def examine(
    strategy: Strategy,
    solution: CardSolution,
    games: int,
    seed: int,
    exact: bool,
    progress: Progress | None = None,
) -> ComparisonRow:
    """Compute the results of one strategy, with its exact score distribution if possible."""
    from rollwise.experiments.losses import losses  # numba

    by_score = "score" in strategy.sees and strategy.solution is None
    exact = exact and not by_score and not strategy.responds
    halfway = within(progress, 0, 0.5) if exact else progress
    simulated = losses(strategy, solution, games, seed, progress=halfway)
    if exact:
        with suppress(TooLargeError):
            evaluation = evaluate(
                strategy, solution.rules, cache=True, progress=within(progress, 0.5, 1)
            )
            return ComparisonRow(
                strategy.name, evaluation.distribution, True, simulated, solution.value()
            )
    distribution = Distribution.of_sample(simulated.scores_N)
    return ComparisonRow(strategy.name, distribution, False, simulated, solution.value())
