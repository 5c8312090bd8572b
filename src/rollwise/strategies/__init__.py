"""Strategies (policies for whole games): optimal, greedy, random, published, and custom."""

from collections.abc import Callable
from functools import partial

from rollwise.errors import MalformedError, one_of, quoted
from rollwise.rules import RulesLike
from rollwise.solving.objective_parser import DistributionOf, parse_objective
from rollwise.solving.objectives import EXPECTED, Objective
from rollwise.solving.solution import Solution
from rollwise.solving.solver import Solver
from rollwise.solving.turn_policy import TurnPolicy
from rollwise.strategies.custom import CustomStrategy, load_custom
from rollwise.strategies.greedy import CommonestFace, Greedy, above_average, discounted
from rollwise.strategies.one_page import OnePage
from rollwise.strategies.optimal import Duel, Optimal, check_needs_no_opponent
from rollwise.strategies.payoff_line import PayoffLine
from rollwise.strategies.random_play import RandomCategory, RandomStrategy
from rollwise.strategies.roll_by_roll import RollByRoll
from rollwise.strategies.strategy import Strategy

__all__ = [
    "STRATEGIES",
    "CommonestFace",
    "CustomStrategy",
    "Duel",
    "Greedy",
    "OnePage",
    "Optimal",
    "PayoffLine",
    "RandomCategory",
    "RandomStrategy",
    "RollByRoll",
    "Strategy",
    "TurnPolicy",
    "as_strategy",
    "check_needs_no_opponent",
    "parse_strategy",
]

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
        lambda: PayoffLine("second-table"),
        lambda: PayoffLine("transcript"),
        CommonestFace,
        RandomStrategy,
        RandomCategory,
    )
}
"""Strategies by name, except strategies that need a solution or a file."""


def parse_strategy(
    name: str,
    rules: RulesLike | None = None,
    *,
    solve: Callable[[Objective], Solution] | None = None,
    objective: Objective = EXPECTED,
    objective_of: Callable[[str], Objective] = parse_objective,
    fewer_dice: bool = False,
) -> Strategy:
    """Return the strategy with the given name.

    Parameters
    ----------
    name : str
        A key of ``STRATEGIES``, ``optimal``, ``optimal:OBJECTIVE``, ``duel``, or
        ``FILE.py:CLASS``.
    rules : Rules, str, or Path, optional
        The game of an optimal strategy, or the name of a preset.
    solve : callable, optional
        A function from an objective to the solution of an optimal strategy, called only if
        needed (default: solve the game).
    objective : Objective
        The objective of the name ``optimal``.
    objective_of : callable
        The parser of the objective in ``optimal:OBJECTIVE``.
    fewer_dice : bool
        The tie-breaking rule of an optimal strategy: see :class:`Optimal`.

    Raises
    ------
    MalformedError
        If there is no strategy with this name.
    ValueError
        If the strategy needs a game, but there are no rules.
    OSError
        If the file of a custom strategy cannot be read.

    Examples
    --------
    >>> parse_strategy("greedy"), parse_strategy("optimal:target:30", "micro-yahtzee")
    (<Strategy greedy>, <Strategy target:30>)
    """
    word, colon, rest = name.partition(":")
    if word == "optimal" or name == "duel":
        if solve is None:
            if rules is None:
                raise ValueError(f"expected the rules of the game that {name!r} plays")
            solve = Solver(rules).solve
        if name == "duel":
            return Duel(solve(EXPECTED))
        solution = solve(objective_of(rest) if colon else objective)
        return Optimal(solution, fewer_dice=fewer_dice)
    if name in STRATEGIES:
        return STRATEGIES[name]()
    if ".py" in name:
        return load_custom(name)
    raise MalformedError(
        f"no strategy {quoted(name)}: expected FILE.py:CLASS, optimal:OBJECTIVE, or "
        f"{one_of(['optimal', 'duel', *STRATEGIES], name, 'a name')}"
    )


def as_strategy(
    strategy: Strategy | str, rules: RulesLike | None, distribution_of: DistributionOf | None = None
) -> Strategy:
    """Return the strategy for a name (:func:`parse_strategy`), or a given strategy unchanged.

    Parameters
    ----------
    distribution_of : callable, optional
        A function from the name of an opponent to the distribution of its final score, for
        ``optimal:beat:NAME``.
    """
    if isinstance(strategy, str):
        objective_of = partial(parse_objective, distribution_of=distribution_of)
        return parse_strategy(strategy, rules, objective_of=objective_of)
    return strategy
