"""Strategies (policies for whole games): optimal, greedy, random, published, and custom.

Functions that take a strategy accept :data:`StrategyLike`, which :func:`as_strategy` converts.
"""

import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import NoReturn

from rollwise.errors import InputError, MalformedError, one_of, quoted
from rollwise.rules import RulesLike, as_rules
from rollwise.solving import objective_parser
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.objective_parser import parse_objective, parse_score
from rollwise.solving.objectives import BEST_CASE, EXPECTED, Objective
from rollwise.solving.solution import Solution
from rollwise.solving.solver import Solver
from rollwise.solving.turn_policy import Cards, Turns
from rollwise.strategies.custom import (
    CustomStrategy,
    SupportsKeep,
    SupportsWorth,
    load_custom,
)
from rollwise.strategies.custom_card import Card
from rollwise.strategies.greedy import (
    CommonestFace,
    Greedy,
    above_average,
    discounted,
    discounting,
)
from rollwise.strategies.normal_approximation import NormalApproximation
from rollwise.strategies.one_page import OnePage
from rollwise.strategies.optimal import Duel, Optimal, check_needs_no_opponent
from rollwise.strategies.payoff_line import PayoffLine
from rollwise.strategies.random_play import RandomCategory, RandomStrategy
from rollwise.strategies.roll_by_roll import RollByRoll
from rollwise.strategies.strategy import Strategy

__all__ = [
    "STRATEGIES",
    "Card",
    "Cards",
    "CommonestFace",
    "CustomStrategy",
    "Duel",
    "Greedy",
    "NormalApproximation",
    "OnePage",
    "Optimal",
    "PayoffLine",
    "RandomCategory",
    "RandomStrategy",
    "RollByRoll",
    "Strategy",
    "StrategyLike",
    "SupportsKeep",
    "SupportsWorth",
    "Turns",
    "as_strategy",
    "check_names",
    "check_needs_no_opponent",
    "parse_strategy",
]
__dir__ = __all__.copy  # the names that completion offers

STRATEGIES: dict[str, Callable[[], Strategy]] = {
    strategy().name: strategy
    for strategy in (
        Greedy,
        lambda: Greedy("greedy-discounted", discounted),
        lambda: Greedy("greedy-average", above_average),
        lambda: Greedy("greedy-step", ahead=1),
        lambda: Greedy("greedy-step-discounted", discounted, ahead=1),
        OnePage,
        PayoffLine,
        lambda: PayoffLine("published"),
        lambda: PayoffLine("exact"),
        CommonestFace,
        RandomStrategy,
        RandomCategory,
    )
}
"""Strategies by name, except strategies that need a solution, a number, or a file."""

SCALED: dict[str, int | None] = {"greedy-discounted": None, "greedy-step-discounted": 1}
"""The strategies that can have a scale after their name, and the rerolls that they look ahead."""

FORMS = ("normal:TARGET", *(f"{name}:SCALE" for name in SCALED))
"""The forms of names with a number, except ``optimal:OBJECTIVE``."""


_FORMS = [form.split(":") for form in (*objective_parser.FORMS, *FORMS, "optimal:OBJECTIVE")]
_PREFIXES = "|".join(word for word, *rest in _FORMS if rest and rest != ["FILE"])
_WORDS = [word for word, *rest in _FORMS if not rest]
_NAMES = "|".join(["optimal", "duel", objective_parser.BEAT, *STRATEGIES, *_WORDS])
_PART = rf"(?:(?:{_PREFIXES}):)*(?:{_NAMES}|[0-9._eE-]+)"
_BUILT_IN = re.compile(rf"{_PART}(?:\s*[+*]\s*{_PART})*")


StrategyLike = (
    str
    | Strategy
    | Solution
    | SupportsKeep
    | SupportsWorth
    | type[Strategy]
    | type[SupportsKeep]
    | type[SupportsWorth]
)
"""What stands for a strategy: a name as for :func:`parse_strategy`; a :class:`Strategy`, such as a
:class:`rollwise.learning.agents.Agent`; a solution, for its optimal policy; or an object with the
methods of :class:`SupportsKeep` or :class:`SupportsWorth`, or its class."""


def parse_strategy(
    name: StrategyLike,
    rules: RulesLike | None = None,
    *,
    solve: Callable[[Objective], Solution] | None = None,
    objective: Objective = EXPECTED,
    objective_of: Callable[[str], Objective] = parse_objective,
    fewer_dice: bool = False,
) -> Strategy:
    """Return the strategy with the given name, or the strategy of an object.

    Parameters
    ----------
    name : StrategyLike
        A strategy, a solution, an object or a class with the method ``keep`` or ``worth``, or a
        name: a key of ``STRATEGIES``, a form in ``FORMS``, ``optimal``, ``optimal:OBJECTIVE``,
        ``duel``, or ``FILE.py:CLASS``.
    rules : Rules, str, or Path, optional
        The game of a strategy that needs a solution: rules, the name of a preset, or the path of a
        rule file.
    solve : callable, optional
        A function that returns the solution for an objective. It is called only if the strategy
        needs a solution (default: solve the game).
    objective : Objective
        The objective of the strategy ``optimal``.
    objective_of : callable
        The function that parses the objective in ``optimal:OBJECTIVE``.
    fewer_dice : bool
        The tie-breaking rule of an optimal strategy: see :class:`Optimal`.

    Raises
    ------
    MalformedError
        If there is no strategy with this name.
    InputError
        If the strategy needs a game, but there are no rules, or if ``name`` is no strategy.
    OSError
        If the file of a custom strategy cannot be read.

    Examples
    --------
    >>> parse_strategy("greedy"), parse_strategy("optimal:target:30", "micro-yahtzee")
    (<Strategy greedy>, <Strategy target:30>)
    """
    if not isinstance(name, str):
        return _strategy_of(name)
    word, colon, rest = name.partition(":")
    if word in ("optimal", "normal") or name == "duel":
        if solve is None:
            if rules is None:
                raise InputError(
                    f"the strategy {name!r} needs a game; add its rules, such as "
                    f"parse_strategy({name!r}, 'yahtzee')"
                )
            solve = Solver(rules).solve
        if name == "duel":
            return Duel(solve(EXPECTED))
        if word == "normal":
            return _normal(parse_score(rest), solve)
        solution = solve(objective_of(rest) if colon else objective)
        return Optimal(solution, fewer_dice=fewer_dice)
    if (strategy := named_strategy(name)) is not None:
        return strategy
    if ".py" in name:
        return load_custom(name)
    raise MalformedError(
        f"there is no strategy {quoted(name)}; use FILE.py:CLASS, optimal:OBJECTIVE, "
        f"{', '.join(FORMS)}, or {one_of(['optimal', 'duel', *STRATEGIES], name, 'a name')}"
    )


def check_names(strategies: Iterable[StrategyLike]) -> None:
    """Raise MalformedError if a name is no strategy, without solving a game or running a file."""

    def unsolved(_: object) -> NoReturn:
        raise _UnsolvedError

    for name in strategies:
        if isinstance(name, str) and ".py" not in name:
            with suppress(_UnsolvedError):
                parse_strategy(
                    name, solve=unsolved, objective_of=lambda text: parse_objective(text, unsolved)
                )


class _UnsolvedError(Exception):
    """A strategy that can be created only after a game is solved."""


def named_strategy(name: str) -> Strategy | None:
    """Return the strategy with a name in ``STRATEGIES`` or with a scale; None for other names."""
    if name in STRATEGIES:
        return STRATEGIES[name]()
    word, colon, scale = name.partition(":")
    return discounting(word, scale, SCALED[word]) if colon and word in SCALED else None


def is_built_in(name: str) -> bool:
    """Return whether the name of a strategy or of an objective contains no path of a file."""
    return _BUILT_IN.fullmatch(name) is not None


def _normal(target: int, solve: Callable[[Objective], Solution]) -> NormalApproximation:
    best_case, expected = solve(BEST_CASE), solve(EXPECTED)
    assert isinstance(expected, CardSolution)
    return NormalApproximation(expected, target, int(best_case.value()))


def _strategy_of(player: object) -> Strategy:
    """Return the strategy of an object or of a class that needs no arguments."""
    if isinstance(player, type):
        try:
            player = player()
        except TypeError as error:
            raise InputError(
                f"the class {quoted(player)} cannot be created without arguments ({error}); "
                "give an instance of it"
            ) from error
    if isinstance(player, Solution):
        return Optimal(player)
    if isinstance(player, Strategy):
        return player
    if callable(getattr(player, "keep", None)) or callable(getattr(player, "worth", None)):
        return CustomStrategy(player)
    raise InputError(
        f"{quoted(player)} is no strategy; use a name such as 'greedy', a solution, or an object "
        "with keep(card, dice, rolls_left) or worth(card, dice, key)"
    )


def as_strategy(strategy: StrategyLike, rules: RulesLike | None) -> Strategy:
    """Return the strategy that a name or an object stands for, unless it is for another game."""
    player = parse_strategy(strategy, rules)
    if player.rules is not None and rules is not None:
        solved, game = player.rules, as_rules(rules)
        if solved != game:
            raise InputError(
                f"the strategy is optimal for {solved.name}, not for {game.name}; use a solution "
                f"of {game.name}"
            )
    return player
