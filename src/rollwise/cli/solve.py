"""``rollwise solve``: solve a game, or estimate what solving it takes."""

from __future__ import annotations

from time import perf_counter
from typing import Annotated

import typer
from rich.text import Text

import rollwise
from rollwise.cli import flags
from rollwise.cli.common import console, headed, objective_of, write_json
from rollwise.cli.estimates import CORES, print_estimates
from rollwise.cli.lazy_imports import lazy_imports
from rollwise.cli.progress import progress
from rollwise.cli.workers import executor_of
from rollwise.errors import InputError
from rollwise.rules import load_rules

with lazy_imports():
    from rollwise.solving import card_solution


def solve(
    rules: flags.SeveralRules,
    objective: flags.Objective = "expected",
    estimate: Annotated[
        bool,
        typer.Option("--estimate", help="Only estimate the states, memory, disk space, and time."),
    ] = False,
    players: Annotated[
        int,
        typer.Option(
            "--players", min=1, max=2, help="With --estimate: the number of players, 1 or 2."
        ),
    ] = 1,
    cores: Annotated[
        int | None,
        typer.Option(
            "--cores",
            metavar="N",
            min=1,
            help="With --estimate: the number of cores of a cluster.",
            show_default="100",
        ),
    ] = None,
    afresh: Annotated[
        bool, typer.Option("--no-cache", help="Neither read nor write saved value tables.")
    ] = False,
    save: Annotated[
        bool, typer.Option("--save", help="Save all states of a large game on disk.")
    ] = False,
    sd: Annotated[
        bool, typer.Option("--sd", help="Also compute the SD, if the game fits in memory.")
    ] = False,
    cluster: flags.Cluster = None,
    as_json: flags.Json = False,
    quiet: flags.Quiet = False,
) -> None:
    """Solve a game, or estimate what solving it takes.

    [bold]Examples[/bold]

      rollwise solve --rules yatzy

      rollwise solve --rules maxi-yatzy --save

      rollwise solve --estimate --rules maxi-yatzy --rules kniffel-extreme

    The value is the expected score with optimal play. Small games are always saved. If a run
    stops early, the same command continues it. All machines of a cluster must share the folder of
    the cache. Estimates are based on a measurement that takes a third of a second.
    """
    games = [load_rules(name) for name in rules]
    if estimate:
        if objective != "expected":
            raise InputError("--estimate works only for the expected score. Leave out --objective.")
        print_estimates(games, players, cores or CORES, as_json=as_json, quiet=quiet)
        return
    if len(games) > 1 or players > 1 or cores is not None:
        raise InputError("Several --rules, --players, and --cores need --estimate. Add --estimate.")
    (game,) = games
    goal = objective_of(objective, game, quiet=quiet)
    start = perf_counter()
    with (
        executor_of(None, cluster, quiet=quiet) as executor,
        progress(f"solving {game.name}", quiet) as advance,
    ):
        solver = rollwise.Solver(game, None, not afresh, advance, executor=executor)
        solution = solver.solve(goal, on_disk=save, moments=sd)
    deviation = solution.sd() if sd and isinstance(solution, card_solution.CardSolution) else None
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
    out.print(headed(game.title))
    least = goal.unit == "squared points"  # the value is minus the minimized quantity
    value = (f"{-solution.value() if least else solution.value():.10f}", "bold")
    meaning = f"{goal.meaning}, in {goal.unit}" if least else goal.meaning
    out.print(Text.assemble("value at the start    ", value, f" ({meaning})"))
    if sd:
        number = "not available" if deviation is None else f"{deviation:.10f}"
        out.print(f"standard deviation    {number}")
    out.print(f"states                {states:,}")
    out.print(f"seconds               {seconds:.3f}{' (read from the cache)' * solver.from_cache}")
