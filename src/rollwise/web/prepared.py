"""Games too large to be solved on request, as somebody has solved them on this machine."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from rollwise.rules import Rules
from rollwise.solving import cache as tables
from rollwise.solving.cache_entries import layers_of
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.card_solver import CardSolver
from rollwise.solving.objectives import EXPECTED


class Prepared:
    """The large games of a server as far as they are solved; each is looked for until it is found.

    Parameters
    ----------
    large : mapping of str to Rules
    in_thought : callable
        Awaits what takes a moment of computing.
    """

    def __init__(
        self, large: Mapping[str, Rules], in_thought: Callable[..., Awaitable[Any]]
    ) -> None:
        self._large, self._in_thought = large, in_thought
        self._found: dict[Rules, CardSolution] = {}

    def __contains__(self, rules: Rules) -> bool:
        """Return whether a game was found."""
        return rules in self._found

    async def find(self, rules: Rules) -> CardSolution | None:
        """Return a game that is too large to be solved on request; None if nobody solved it."""
        if self._large.get(rules.name) == rules and rules not in self:
            found = await self._in_thought(prepared, rules)
            if found is not None:
                self._found[rules] = found
        return self._found.get(rules)

    async def named(self, name: str) -> Rules | None:
        """Return the rules of a large game that is solved; None if there is none of that name."""
        rules = self._large.get(name)
        return rules if rules and await self.find(rules) else None


def prepared(rules: Rules) -> CardSolution | None:
    """Return a game solved for the expected score if all of it is on disk, None if it is not.

    Of a game whose cards no table holds they are read as they are asked for.
    """
    solution = tables.load(rules, EXPECTED)
    if solution is not None or not layers_of(rules, EXPECTED).exists():
        return solution
    solver = CardSolver(rules, threads=None, cache=True)
    return solver.kept_in(None, EXPECTED, needed=slice(None))
