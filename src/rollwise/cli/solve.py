"""``rollwise solve``: solve a game, and print its value and size."""

from __future__ import annotations

from time import perf_counter
from typing import Annotated

import typer
from rich.text import Text

import rollwise
from rollwise.cli import flags
from rollwise.cli.common import console, headed, objective_of, write_json
from rollwise.cli.lazy_imports import lazy_imports
from rollwise.cli.progress import progress
from rollwise.cli.workers import cluster_of
from rollwise.rules import load_rules

with lazy_imports():
    from rollwise.solving import card_solution


def solve(
    rules: flags.Rules = "yahtzee",
    objective: flags.Objective = "expected",
    afresh: Annotated[
        bool, typer.Option("--no-cache", help="Solve even if the table is on disk; keep nothing.")
    ] = False,
    keep: Annotated[
        bool,
        typer.Option(
            "--keep",
            help="Keep all cards of a large game on disk.",
        ),
    ] = False,
    spread: Annotated[
        bool,
        typer.Option(
            "--spread",
            help="Also the standard deviation; keeps all cards of a large game, as --keep does.",
        ),
    ] = False,
    store: flags.Store = None,
    cluster: flags.Cluster = None,
    as_json: flags.Json = False,
    quiet: flags.Quiet = False,
) -> None:
    """Solve a game: its value from the start, the number of reachable states, the time it took.

    [bold]Examples[/bold]

      rollwise solve

      rollwise solve --rules yatzy --json

      rollwise solve --rules my-game.toml --no-cache

      rollwise solve --rules maxi-yatzy --keep

      rollwise solve --rules maxi-yatzy --spread

      rollwise solve --rules crag --store cards

    On a cluster parts of layers are tasks, whose results are in the store; without one in the cache
    of this machine, which workers elsewhere do not reach. Whatever dies, the same command goes on.
    """
    game = load_rules(rules)
    goal = objective_of(objective, game, quiet=quiet)
    start = perf_counter()
    with progress(f"solving {game.name}", quiet) as advance:
        workers = cluster_of(cluster, store, game, quiet)
        solver = rollwise.Solver(game, None, not afresh, advance, executor=workers, store=store)
        solution = solver.solve(goal, on_disk=keep or spread, moments=spread)
    sd = solution.sd() if spread and isinstance(solution, card_solution.CardSolution) else None
    seconds = perf_counter() - start
    states = solution.states
    if as_json:
        write_json(
            {
                "rules": game.name,
                "objective": goal.name,
                "value": solution.value(),
                "sd": sd,
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
    out.print(Text.assemble("value from the start  ", value, f" ({meaning})"))
    if sd is not None:
        out.print(f"standard deviation    {sd:.10f}")
    out.print(f"states                {states:,}")
    out.print(f"seconds               {seconds:.3f}{' (read from the cache)' * solver.from_cache}")
