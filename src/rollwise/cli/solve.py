"""``rollwise solve`` and ``verify``: games solved, and what they are held against."""

from typing import Annotated

import typer

from rollwise.cli import flags
from rollwise.cli.common import (
    console,
    empty_table,
    headed,
    objective_of,
    progress,
    solved,
    write_json,
)


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
            help="Keep all cards of a large game that saves rolls on disk.",
        ),
    ] = False,
    as_json: flags.Json = False,
    quiet: flags.Quiet = False,
) -> None:
    """Solve a game: its value from the start, the number of reachable states, the time it took.

    [bold]Examples[/bold]

      rollwise solve

      rollwise solve --rules yatzy --json

      rollwise solve --rules my-game.toml --no-cache

      rollwise solve --rules maxi-yatzy --keep
    """
    from time import perf_counter

    from rollwise.rules import load_rules
    from rollwise.solving.solver import Solver

    game = load_rules(rules)
    wanted = objective_of(objective, game, quiet=quiet)
    start = perf_counter()
    with progress(f"solving {game.name}", quiet) as advance:
        solver = Solver(game, cache=not afresh, progress=advance)
        solution = solver.solve(wanted, on_disk=keep)
    seconds = perf_counter() - start
    states = solution.states
    if as_json:
        write_json(
            {
                "rules": game.name,
                "objective": wanted.name,
                "value": solution.value(),
                "states": states,
                "seconds": round(seconds, 3),
                "from_cache": solver.from_cache,
            }
        )
        return
    from rich.text import Text

    out = console()
    out.print(headed(game.title))
    value = (f"{solution.value():.10f}", "bold")
    out.print(Text.assemble("value from the start  ", value, f" ({wanted.meaning})"))
    out.print(f"states                {states:,}")
    out.print(f"seconds               {seconds:.3f}{' (read from the cache)' * solver.from_cache}")


def verify(as_json: flags.Json = False, quiet: flags.Quiet = False) -> None:
    """Hold our numbers against published ones; exit code 1 if one is missed.

    [bold]Examples[/bold]

      rollwise verify

      rollwise verify --json
    """
    from rich.text import Text

    from rollwise.curiosities.published import checks

    results = list(checks(lambda rules, objective: solved(rules, objective, quiet=quiet)))
    missed = [result for result in results if not result.holds]
    if as_json:
        write_json([result.as_dict() for result in results])
    else:
        table = empty_table("rules", "what", ">published", ">ours", ">difference", "", "source")
        for result in results:
            table.add_row(
                result.rules,
                result.what,
                result.published,
                result.formatted_ours(),
                f"{result.difference:.1e}" if result.difference else "0",
                "ok" if result.holds else Text("MISS", style="bold red"),
                result.source,
            )
        out = console()
        out.print(table)
        out.print(f"{len(results) - len(missed)} of {len(results)} hold")
    if missed:
        raise typer.Exit(1)
