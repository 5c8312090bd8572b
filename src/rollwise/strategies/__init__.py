"""Ways to play: one file each, all of one type."""

from collections.abc import Callable

from rollwise.errors import MalformedError, quoted
from rollwise.solution import Solution
from rollwise.strategies.base import Strategy, TurnPolicy
from rollwise.strategies.optimal import Optimal
from rollwise.strategies.uniform import RandomCategory, RandomPlay

__all__ = [
    "Optimal",
    "RandomCategory",
    "RandomPlay",
    "Strategy",
    "TurnPolicy",
    "parse_strategy",
]

_SIMPLE: dict[str, type[Strategy]] = {
    strategy.name: strategy for strategy in (RandomCategory, RandomPlay)
}


def parse_strategy(name: str, solve: Callable[[], Solution]) -> Strategy:
    """Return the strategy with this name.

    Parameters
    ----------
    solve : callable
        Gives the solution that an optimal strategy is read from; called only if needed.

    Raises
    ------
    MalformedError
        When there is none.
    """
    if name == "optimal":
        return Optimal(solve())
    if name in _SIMPLE:
        return _SIMPLE[name]()
    raise MalformedError(
        f"no strategy {quoted(name)}: expected one of optimal, {', '.join(sorted(_SIMPLE))}"
    )
