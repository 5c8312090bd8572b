"""The value of a game, or what solving it takes.

This is a command only. In Python, ``rollwise.solve`` returns a solution instead, and a server would
need a limit.
"""

from __future__ import annotations

from collections.abc import Iterator
from time import perf_counter
from typing import Annotated

from annotated_types import Ge, Le
from cyclopts import Parameter
from rich.text import Text

from rollwise.errors import InputError
from rollwise.questions import completion
from rollwise.questions.answer import Answer, Block, Hidden, title
from rollwise.questions.estimate import CORES, Estimates, estimates
from rollwise.questions.parameters import Objective, Workers
from rollwise.questions.progress import working
from rollwise.questions.solving import objective_of
from rollwise.rules import Rules, load_rules
from rollwise.settings import default_rules
from rollwise.solving import objectives
from rollwise.solving.solver import Solver


class Solved(Answer):
    """The value of a game."""

    rules: str
    objective: str
    value: float
    sd: float | None
    states: int
    seconds: float
    from_cache: bool
    game: Hidden[Rules]
    goal: Hidden[objectives.Objective]
    with_sd: Hidden[bool]

    def show(self) -> Iterator[Block]:
        """Yield the value, the number of states, and the time."""
        yield title(self.game.title)
        least = self.goal.unit == "squared points"  # the value is minus the minimized quantity
        value = (f"{-self.value if least else self.value:.10f}", "bold")
        meaning = f"{self.goal.meaning}, in {self.goal.unit}" if least else self.goal.meaning
        yield Text.assemble("value at the start    ", value, f" ({meaning})")
        if self.with_sd:
            deviation = "not available" if self.sd is None else f"{self.sd:.10f}"
            yield f"standard deviation    {deviation}"
        yield f"states                {self.states:,}"
        cached = " (read from the cache)" * self.from_cache
        yield f"seconds               {self.seconds:.3f}{cached}"


def solve(
    *,
    rules: Annotated[
        list[str] | None,
        Parameter(
            metavar="NAME|FILE.toml",
            completer=completion.games,
            show_default=lambda _: completion.default_game(),
        ),
    ] = None,
    objective: Objective = "expected",
    estimate: bool = False,
    players: Annotated[int, Ge(1), Le(2)] = 1,
    cores: Annotated[int | None, Ge(1), Parameter(metavar="N", show_default=str(CORES))] = None,
    no_cache: bool = False,
    save: bool = False,
    sd: bool = False,
    executor: Workers = None,
) -> Solved | Estimates:
    """Solve a game, or estimate what solving it takes.

    The value is the expected score with optimal play. The value tables of small games are always
    saved. If a run stops early, the same command continues it. All machines of a cluster must share
    the cache folder.

    Parameters
    ----------
    rules
        A game from rollwise rules list, or a rule file.
    estimate
        Only estimate the states, memory, disk space, and time.
    players
        With --estimate: the number of players, 1 or 2.
    cores
        With --estimate: the number of cores of a cluster.
    no_cache
        Neither read nor write saved value tables.
    save
        Save all states of a large game on disk.
    sd
        Also compute the SD, if the game fits in memory.

    Examples
    --------
    rollwise solve --rules yatzy
    rollwise solve --rules maxi-yatzy --save
    rollwise solve --estimate --rules maxi-yatzy --rules kniffel-extreme
    """
    games = list(map(load_rules, rules or [default_rules().source]))
    if estimate:
        if objective != "expected":
            raise InputError("--estimate works only for the expected score. Leave out --objective.")
        return estimates(games, players, cores or CORES)
    if len(games) > 1 or players > 1 or cores is not None:
        raise InputError("Several --rules, --players, and --cores need --estimate. Add --estimate.")
    (game,) = games
    goal = objective_of(objective, game)
    start = perf_counter()
    with working(f"solving {game.name}") as advance:
        solver = Solver(game, None, not no_cache, advance, executor=executor)
        solution = solver.solve(goal, on_disk=save, moments=sd)
    deviation = solution.sd() if sd else None
    seconds = perf_counter() - start
    return Solved(
        rules=game.name,
        objective=goal.name,
        value=solution.value(),
        sd=deviation,
        states=solution.states,
        seconds=round(seconds, 3),
        from_cache=solver.from_cache,
        game=game,
        goal=goal,
        with_sd=sd,
    )
