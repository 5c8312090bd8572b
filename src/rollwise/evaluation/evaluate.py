"""Exact policy evaluation: the distribution of a strategy's score, computed over all states.

:func:`evaluate` makes a forward pass over all games of a strategy and returns an
:class:`Evaluation`. It does not simulate games.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import count
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from rollwise.distribution import Distribution
from rollwise.game.scorecard import Scorecard, extra_bonus_title, format_card
from rollwise.model.arrays import Model
from rollwise.notebook import Tabular, html_table
from rollwise.rules import Rules, RulesLike, game_of
from rollwise.solving.by_score.solution import ScoreSolution
from rollwise.solving.cache import is_cached, load, save
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.objective_parser import parse_objective
from rollwise.solving.objectives import EXPECTED, CardObjective, Objective
from rollwise.solving.position_index import CardIndex
from rollwise.solving.progress import Progress, within
from rollwise.solving.solver import solve
from rollwise.solving.storage.tables import Arrays
from rollwise.strategies import (
    STRATEGIES,
    Strategy,
    StrategyLike,
    as_strategy,
    check_needs_no_opponent,
    parse_strategy,
)

QUANTILES = (0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99)
COLUMNS = ("category", "mean", "SD", "% zero", "first scored", "first zero")

DISTRIBUTIONS = ("distribution", "upper_bonus", "extra_bonus", "alike", "jokers")
"""The attributes of an evaluation that are distributions."""


@dataclass(frozen=True)
class CategoryStatistics:
    """Statistics of one category.

    Attributes
    ----------
    mean, sd : float
        The mean and standard deviation of the points in the category.
    zero : float
        The probability of 0 points.
    first_scored, first_zero : int or None
        The earliest turn, counted from 1, in which the category can be scored with points or with
        0 points.
    """

    mean: float
    sd: float
    zero: float
    first_scored: int | None
    first_zero: int | None


@dataclass(frozen=True)
class Evaluation(Tabular):
    """The distribution of the score of a strategy in a game, and statistics of its games.

    If the strategy depends on the points so far, the distributions of counts are not computed. In
    this case, ``extra_bonus``, ``alike``, ``jokers``, and ``bonus_and_alike`` are None.

    Attributes
    ----------
    rules : Rules
        The game.
    strategy : str
        The name of the strategy.
    distribution : Distribution
        The distribution of the final score.
    categories : dict of str to CategoryStatistics
        The statistics of each category, by the key of the category.
    upper_bonus, extra_bonus : Distribution or None
        The distributions of the points of the upper bonus and of the five-of-a-kind bonus; None if
        the game does not have the bonus.
    alike : Distribution or None
        The distribution of the number of final rolls in which all dice show the same number.
    jokers : Distribution or None
        The distribution of the number of jokers that score more than the roll scores without the
        joker rule.
    bonus_and_alike : float64 array of shape (2, 2) or None
        The joint probability of an upper bonus (second row) and of points in the category that
        requires all dice to show the same number (second column). If the game does not have this
        category, the second column is 0.
    ties : str or None
        A description of how the strategy breaks ties; None if it has no rule for ties.

    Examples
    --------
    >>> evaluation = evaluate("greedy", "crag")
    >>> round(evaluation.categories["sixes"].mean, 2), evaluation.upper_bonus
    (8.14, None)
    """

    rules: Rules
    strategy: str
    distribution: Distribution
    categories: dict[str, CategoryStatistics]
    upper_bonus: Distribution | None
    extra_bonus: Distribution | None
    alike: Distribution | None
    jokers: Distribution | None
    bonus_and_alike: NDArray[np.float64] | None
    ties: str | None = None

    def table(self) -> list[tuple[str, ...]]:
        """Return a row of strings for each category and bonus, with the columns ``COLUMNS``."""
        titles = {category.key: category.title for category in self.rules.categories}
        categories = [
            (titles[key], row.mean, row.sd, row.zero, row.first_scored, row.first_zero)
            for key, row in self.categories.items()
        ]
        dice = sum(number for number, _ in self.rules.kinds)
        parts = {
            "Upper bonus": self.upper_bonus,
            extra_bonus_title(self.rules): self.extra_bonus,
            f"Final rolls of {dice} of a kind": self.alike,
            "Jokers applied": self.jokers,
        }
        distributions = [
            (name, distribution.mean, distribution.sd, distribution.probability(0), "", "")
            for name, distribution in parts.items()
            if distribution is not None
        ]
        return [
            (
                name,
                f"{mean:.2f}",
                f"{sd:.2f}",
                f"{100 * zero:.2f}",
                *("never" if turn is None else str(turn) for turn in turns),
            )
            for name, mean, sd, zero, *turns in (*categories, *distributions)
        ]

    def rows(self) -> list[dict[str, Any]]:
        """Return a row for each score, as :meth:`Distribution.rows` does."""
        return self.distribution.rows()

    def saved(self) -> tuple[dict[str, Any], Arrays]:
        """Return the header and the arrays of a file with the evaluation."""
        arrays: Arrays = {}
        for name in DISTRIBUTIONS:
            distribution = getattr(self, name)
            if distribution is not None:
                arrays[f"{name}_scores"] = distribution.scores
                arrays[name] = distribution.probabilities
        if self.bonus_and_alike is not None:
            arrays["bonus_and_alike"] = self.bonus_and_alike
        categories = {key: asdict(statistics) for key, statistics in self.categories.items()}
        return {"strategy": self.strategy, "ties": self.ties, "categories": categories}, arrays

    @classmethod
    def of_saved(cls, header: dict[str, Any], arrays: Arrays, rules: Rules) -> Self:
        """Return the evaluation with the result of :meth:`saved`."""
        distributions = {
            name: Distribution(arrays[f"{name}_scores"].astype(np.int64), arrays[name])
            for name in DISTRIBUTIONS
            if name in arrays
        }
        return cls(
            rules=rules,
            strategy=header["strategy"],
            ties=header["ties"],
            categories={
                key: CategoryStatistics(**statistics)
                for key, statistics in header["categories"].items()
            },
            distribution=distributions["distribution"],
            **{name: distributions.get(name) for name in DISTRIBUTIONS[1:]},
            bonus_and_alike=arrays.get("bonus_and_alike"),
        )

    def __repr__(self) -> str:
        distribution = self.distribution
        return (
            f"<Evaluation of {self.strategy} in {self.rules.name}: mean {distribution.mean:.2f}, "
            f"SD {distribution.sd:.2f}>"
        )

    def _repr_html_(self) -> str:
        distribution = self.distribution
        statistics = f"mean {distribution.mean:.4f}, SD {distribution.sd:.2f}"
        caption = f"{self.rules.title}, {self.strategy}: {statistics}"
        return html_table(caption, [row[:4] for row in self.table()], COLUMNS[:4])


def evaluate(
    strategy: StrategyLike,
    rules: RulesLike | None = None,
    objective: Objective | str = EXPECTED,
    *,
    fewer_dice: bool = False,
    cache: bool = False,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Evaluation:
    """Return the exact distribution of the score of a strategy, and statistics of its games.

    Parameters
    ----------
    strategy : StrategyLike
        A strategy; a solution, for its optimal policy; an object or a class with the method
        ``keep`` or ``worth``; or a name for :func:`rollwise.parse_strategy`, such as ``"greedy"``,
        ``"optimal:target:300"``, or ``"mine.py:Mine"``. If the name denotes an optimal strategy,
        the game is solved first.
    rules : Rules, str, or Path, optional
        The game, or the name of a preset (default: the game of a solution, or ``"yahtzee"``).
    objective : Objective or str
        The objective of the strategy named ``"optimal"``.
    fewer_dice : bool
        Whether an optimal strategy that is given by name breaks ties in favor of fewer dice to
        keep; see :class:`rollwise.strategies.Optimal`.
    cache : bool
        Whether to use the cache of evaluations.
    threads : int, optional
        Default: all cores that the process can use. The result does not depend on this number.
    progress : callable, optional
        Called after each layer with the completed fraction of the work, from 0 to 1.

    Raises
    ------
    InputError
        If ``strategy`` is no strategy, or if it takes an illegal action.
    MalformedError
        If no strategy or objective has the given name, or if the strategy needs an opponent.
    InconsistentError
        If the strategy depends on the points so far and is not an optimal strategy.
    TooLargeError
        If the game has too many states.

    Examples
    --------
    >>> evaluate("greedy", "crag").distribution
    <Distribution of 4 to 244: mean 146.034, SD 34.0259, median 148>
    """
    check_needs_no_opponent(strategy)
    game = game_of(rules, strategy)
    if isinstance(strategy, str):
        part = within(progress, 0, 0.1)
        strategy = strategy_named(
            strategy, game, objective, fewer_dice=fewer_dice, cache=cache, progress=part
        )
        progress = within(progress, 0.1, 1) if strategy.solution is not None else progress
    else:
        strategy = as_strategy(strategy, game)
    name = cached_name(strategy) if cache else None
    if name is None:
        return _evaluate(strategy, game, threads, progress)
    evaluation = load(
        game, name, "evaluation", lambda head, arrays: Evaluation.of_saved(head, arrays, game)
    )
    if evaluation is None:
        evaluation = _evaluate(strategy, game, threads, progress)
        save(game, name, "evaluation", *evaluation.saved())
    return evaluation


def strategy_named(
    strategy: StrategyLike,
    rules: Rules,
    objective: Objective | str = EXPECTED,
    *,
    fewer_dice: bool = False,
    cache: bool = True,
    progress: Progress | None = None,
) -> Strategy:
    """Return the strategy that a name or an object stands for, as for :func:`evaluate`.

    The objective can contain the name of an opponent's strategy, which is evaluated first.
    """
    if not isinstance(strategy, str):
        return as_strategy(strategy, rules)

    def parse(text: str) -> Objective:
        return parse_objective(text, lambda name: evaluate(name, rules, cache=cache).distribution)

    maximized = parse(objective) if isinstance(objective, str) else objective
    if isinstance(maximized, CardObjective) and not is_cached(rules, maximized.name):
        from rollwise.solving.policy import check_policy_memory  # numba

        check_policy_memory(rules)  # before the game is solved
    return parse_strategy(
        strategy,
        solve=lambda objective: solve(rules, objective, progress=progress),
        objective=maximized,
        objective_of=parse,
        fewer_dice=fewer_dice,
    )


def _evaluate(
    strategy: Strategy, rules: Rules, threads: int | None, progress: Progress | None
) -> Evaluation:
    from rollwise.evaluation.forward_pass import forward_pass  # numba

    forward = forward_pass(strategy, rules, threads)
    model, results = forward.model, forward.results(progress=progress)
    counts = results.counts
    extra_bonus = None
    if rules.extra_bonus and "extra" in counts:
        times = counts["extra"]
        extra_bonus = Distribution(times.scores * rules.extra_bonus.points, times.probabilities)
    return Evaluation(
        rules=rules,
        strategy=strategy.name,
        distribution=results.score,
        categories={k: _category(model, results.taken_T_O, i) for i, k in enumerate(rules.keys)},
        upper_bonus=results.upper_bonus if rules.upper_bonus else None,
        extra_bonus=extra_bonus,
        alike=counts.get("alike"),
        jokers=counts.get("joker"),
        bonus_and_alike=results.bonus_and_alike,
        ties=strategy.ties,
    )


def _category(model: Model, masses: NDArray[np.float64], k: int) -> CategoryStatistics:
    in_category_O = model.category_O == k
    points, mass = model.points_O[in_category_O], masses[:, in_category_O]
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


BANDS = 25
"""The maximum number of bands of scores, ignoring rare scores."""

RARE = 0.0005
"""The minimum probability of a band; rarer bands are omitted."""


def bands(
    distribution: Distribution, width: int | None = None
) -> Iterator[tuple[str, float, float]]:
    """Yield bands of scores with the probabilities of a score in the band, and up to its end.

    Rare bands are omitted. The default width is the smallest number among 1, 2, 5, 10, 20, … that
    gives at most ``BANDS`` bands.
    """
    span = distribution.quantile(1 - RARE) - distribution.quantile(RARE) + 1
    widths = (digit * int(10**zeros) for zeros in count() for digit in (1, 2, 5))
    width = width or next(width for width in widths if span <= BANDS * width)
    for low in range(distribution.minimum // width * width, distribution.maximum + 1, width):
        following = distribution.at_least(low + width)
        share = distribution.at_least(low) - following
        if share >= RARE:
            yield f"{low} – {low + width - 1}" if width > 1 else str(low), share, 1 - following


def final_distribution(
    strategy: StrategyLike,
    card: Scorecard,
    *,
    cache: bool = False,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Distribution:
    """Return the exact distribution of the final score if a strategy continues a scorecard.

    The scorecard is before a turn, or full. The distribution includes its points. ``cache`` is
    whether to use the cache of distributions.

    Raises
    ------
    MalformedError
        If no strategy has the given name, or if the strategy needs an opponent.
    InconsistentError
        If the solution of an optimal strategy does not include the scorecard, or if another
        strategy depends on the points so far.
    TooLargeError
        If the game has too many states.
    """
    if card.is_full:
        return Distribution.certain(card.points)
    rules = card.rules
    check_needs_no_opponent(strategy)
    strategy = as_strategy(strategy, rules)
    if not card.filled:
        return evaluate(
            strategy, rules, cache=cache, threads=threads, progress=progress
        ).distribution

    def compute() -> Distribution:
        from rollwise.evaluation.forward_pass import forward_pass  # numba

        forward = forward_pass(strategy, rules, threads)
        return forward.results(CardIndex.of_card(forward.model, card), progress).score

    name = cached_name(strategy) if cache else None
    if name is None:
        return compute()
    name = f"{name} from {format_card(card)}"
    distribution = load(rules, name, "distribution", lambda _, arrays: Distribution(**arrays))
    if distribution is None:
        distribution = compute()
        arrays = {"scores": distribution.scores, "probabilities": distribution.probabilities}
        save(rules, name, "distribution", {}, arrays)
    return distribution


def cached_name(strategy: Strategy) -> str | None:
    """Return the name of a cached evaluation; None if the strategy is not part of rollwise."""
    solution = strategy.solution
    if solution is not None:
        name = solution.objective.name
        if isinstance(solution, ScoreSolution):
            name = solution.objective.cached_name(solution.highest)
        elif not (isinstance(solution, CardSolution) and solution.objective.named):
            return None
        return f"distribution-of-{name}{'-fewer-dice' if strategy.die_bonus < 0 else ''}"
    make = STRATEGIES.get(strategy.name.partition(":")[0])
    return f"distribution-of-{strategy.name}" if make and type(make()) is type(strategy) else None
