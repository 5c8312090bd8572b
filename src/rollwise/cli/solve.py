"""``rollwise solve``: solve a game, or estimate what solving it takes."""

from __future__ import annotations

from time import perf_counter
from typing import Annotated

from annotated_types import Ge, Le
from cyclopts import Parameter
from rich.text import Text

from rollwise.cli import flags
from rollwise.cli.cluster import executor_of
from rollwise.cli.estimates import CORES, print_estimates
from rollwise.cli.show import console, write_json
from rollwise.errors import InputError
from rollwise.questions import completion
from rollwise.questions.answer import title
from rollwise.questions.parameters import Objective, game_of
from rollwise.questions.progress import working
from rollwise.questions.solving import objective_of
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.solver import Solver


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
    cluster: flags.Cluster = None,
    as_json: flags.Json = False,
) -> None:
    """Solve a game, or estimate what solving it takes.

    The value is the expected score with optimal play. Small games are always saved. If a run
    stops early, the same command continues it. All machines of a cluster must share the folder of
    the cache. Estimates are based on a measurement that takes a third of a second.

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
    games = [game_of(None)] if rules is None else list(map(game_of, rules))
    if estimate:
        if objective != "expected":
            raise InputError("--estimate works only for the expected score. Leave out --objective.")
        print_estimates(games, players, cores or CORES, as_json=as_json)
        return
    if len(games) > 1 or players > 1 or cores is not None:
        raise InputError("Several --rules, --players, and --cores need --estimate. Add --estimate.")
    (game,) = games
    goal = objective_of(objective, game)
    start = perf_counter()
    with executor_of(cluster) as executor, working(f"solving {game.name}") as advance:
        solver = Solver(game, None, not no_cache, advance, executor=executor)
        solution = solver.solve(goal, on_disk=save, moments=sd)
    deviation = solution.sd() if sd and isinstance(solution, CardSolution) else None
    seconds = perf_counter() - start
    states = solution.states
    if as_json:
        write_json(
            {
                "rules": game.name,
                "objective": goal.name,
                "value": solution.value(),
                "sd": deviation,
                "states": states,
                "seconds": round(seconds, 3),
                "from_cache": solver.from_cache,
            }
        )
        return

    out = console()
    out.print(title(game.title))
    least = goal.unit == "squared points"  # the value is minus the minimized quantity
    value = (f"{-solution.value() if least else solution.value():.10f}", "bold")
    meaning = f"{goal.meaning}, in {goal.unit}" if least else goal.meaning
    out.print(Text.assemble("value at the start    ", value, f" ({meaning})"))
    if sd:
        number = "not available" if deviation is None else f"{deviation:.10f}"
        out.print(f"standard deviation    {number}")
    out.print(f"states                {states:,}")
    out.print(f"seconds               {seconds:.3f}{' (read from the cache)' * solver.from_cache}")
