"""Games too large to be solved on request, which someone has solved on this machine."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from rollwise.rules import Rules
from rollwise.solving import cache as tables
from rollwise.solving.cache_entries import layers_folder
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.card_solver import CardSolver
from rollwise.solving.objectives import EXPECTED


class Prepared:
    """The large games that are solved; :meth:`find` looks for a game until it is.

    Parameters
    ----------
    large : mapping of str to Rules
    in_thread : callable
        Awaits a short computation.
    """

    def __init__(
        self, large: Mapping[str, Rules], in_thread: Callable[..., Awaitable[Any]]
    ) -> None:
        self._large, self._in_thread = large, in_thread
        self._solutions: dict[Rules, CardSolution] = {}

    def __contains__(self, rules: Rules) -> bool:
        """Return whether :meth:`find` has found a game."""
        return rules in self._solutions

    async def find(self, rules: Rules) -> CardSolution | None:
        """Return the solution of a large game; None if it is not solved."""
        if self._large.get(rules.name) == rules and rules not in self:
            solution = await self._in_thread(prepared, rules)
            if solution is not None:
                self._solutions[rules] = solution
        return self._solutions.get(rules)

    async def named(self, name: str) -> Rules | None:
        """Return the rules of a large game that is solved; None if no such game has this name."""
        rules = self._large.get(name)
        return rules if rules and await self.find(rules) else None


def prepared(rules: Rules) -> CardSolution | None:
    """Return a game solved for the expected score, if all its values are on disk; None if not.

    The values of a game too large for one table are read when they are needed.
    """
    solution = tables.load(rules, EXPECTED)
    if solution is not None or not layers_folder(rules, EXPECTED).exists():
        return solution
    solver = CardSolver(rules, threads=None, cache=True)
    return solver.stored_in(None, EXPECTED, needed=slice(None))
