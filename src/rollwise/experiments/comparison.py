"""Comparison of strategies: score distributions, EV losses, and the win probabilities of pairs."""

from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from contextlib import suppress
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from rollwise.distribution import Distribution
from rollwise.errors import InputError, TooLargeError, check_count
from rollwise.evaluation.evaluate import QUANTILES, evaluate, strategy_named
from rollwise.experiments.losses import Losses, losses
from rollwise.notebook import Tabular, html_table
from rollwise.rules import Rules, RulesLike
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.jobs import run
from rollwise.solving.objectives import EXPECTED, Objective
from rollwise.solving.progress import Progress, within
from rollwise.solving.solver import solve
from rollwise.strategies import Strategy, StrategyLike
from rollwise.two_player.head_to_head import simulate_head_to_head

SHOWN = 4
"""The maximum number of strategies in the repr of a comparison."""


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
class Comparison(Tabular):
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

    Examples
    --------
    >>> compared = compare(["optimal", "greedy"], "micro-yahtzee")
    >>> [round(probability, 3) for probability in compared.against(0, 1)]
    [0.505, 0.034, 0.461]
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

    def __repr__(self) -> str:
        means = ", ".join(f"{entry.strategy} {entry.mean:.2f}" for entry in self.entries[:SHOWN])
        more = ", …" * (len(self.entries) > SHOWN)
        return f"<Comparison in {self.rules.name}: {means}{more}>"

    def _repr_html_(self) -> str:
        head = ("strategy", "mean", "SE", "SD", "EV loss")
        rows = [
            (
                entry.strategy,
                f"{entry.mean:.4f}",
                "exact" if entry.exact else f"{entry.error:.2f}",
                f"{entry.distribution.sd:.2f}",
                f"{entry.losses.total:.2f}",
            )
            for entry in self.entries
        ]
        return html_table(f"{self.rules.title}: strategies", rows, head)

    def rows(self) -> list[dict[str, Any]]:
        """Return a row for each strategy."""
        return [
            {
                "strategy": entry.strategy,
                "mean": entry.mean,
                "error": entry.error,
                "sd": entry.distribution.sd,
                **{f"quantile_{p:g}": entry.distribution.quantile(p) for p in QUANTILES},
                "loss": entry.losses.total,
            }
            for entry in self.entries
        ]

    def as_dict(self) -> dict[str, Any]:
        """Return the comparison as JSON-compatible data."""
        return {
            "rules": self.rules.name,
            "optimum": self.optimum,
            "games": self.entries[0].losses.games,
            "seed": self.seed,
            "strategies": [
                {
                    "strategy": entry.strategy,
                    "exact": entry.exact,
                    "mean": entry.mean,
                    "error": entry.error,
                    "sd": entry.distribution.sd,
                    "quantiles": {f"{p:g}": entry.distribution.quantile(p) for p in QUANTILES},
                    "lost": entry.losses.as_dict(self.rules),
                }
                for entry in self.entries
            ],
            "matrix": [
                [
                    dict(zip(("win", "tie", "lose"), self.against(a, b), strict=True))
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


GAMES = 10_000
"""The default number of simulated games, which measure the EV losses of a strategy."""


def compare(
    strategies: Sequence[StrategyLike] | StrategyLike,
    rules: RulesLike | CardSolution,
    games: int | None = None,
    seed: int = 0,
    *,
    objective: Objective | str = EXPECTED,
    fewer_dice: bool = False,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> Comparison:
    """Compare strategies: scores, EV losses, and the win probabilities of all pairs.

    Parameters
    ----------
    strategies : sequence of StrategyLike, or StrategyLike
        Names, strategies, solutions, or objects or classes with the method ``keep`` or ``worth``:
        see :func:`rollwise.parse_strategy`.
    rules : Rules, str, Path, or CardSolution
        The game, or its solution for the expected score.
    games : int, optional
        The number of games to simulate for each strategy, at least 2; all results then come from
        these games. By default, score distributions are exact if possible, and 10,000 games
        measure the EV losses.
    seed : int
        The seed of the simulated games. All strategies play with the same dice.
    objective : Objective or str
        The objective of the strategy named ``optimal``.
    fewer_dice : bool
        Whether optimal strategies that are given by name break ties in favor of fewer dice.
    executor : Executor, optional
        As for :func:`rollwise.simulate`. There is one job per strategy.
    progress : callable, optional
        Called with the completed fraction of the work, from 0 to 1.

    Raises
    ------
    InputError
        If a strategy cannot be used, or a number is out of range.
    IllegalError
        If a strategy makes an illegal decision.

    Examples
    --------
    >>> compare(["optimal", "greedy"], "micro-yahtzee")
    <Comparison in micro-yahtzee: optimal 25.94, greedy 25.06>
    """
    if games is not None:
        check_count(games, "games", least=2)
    check_count(seed, "seed", least=0)
    solution = rules if isinstance(rules, CardSolution) else solve(rules)
    players = [
        strategy_named(strategy, solution.rules, objective, fewer_dice=fewer_dice)
        for strategy in _as_list(strategies)
    ]
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


def _as_list(strategies: Any) -> Sequence[StrategyLike]:
    is_list = isinstance(strategies, Sequence) and not isinstance(strategies, str)
    return strategies if is_list else [strategies]


def examine(
    strategy: Strategy,
    solution: CardSolution,
    games: int,
    seed: int,
    exact: bool,
    progress: Progress | None = None,
) -> ComparisonRow:
    """Compute the results of one strategy, with its exact score distribution if possible."""
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
