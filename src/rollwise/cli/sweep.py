"""``rollwise sweep``: what a game is worth under varied rules."""

from typing import Annotated

import typer

from rollwise.cli import flags
from rollwise.cli.common import console, empty_table, headed, tell_ties, write_json
from rollwise.cli.progress import progress
from rollwise.cli.workers import cluster
from rollwise.errors import MalformedError


def sweep(
    rolls: Annotated[
        str, typer.Option("--rolls", metavar="LIST", help="Rolls a turn: 3, 1-6.")
    ] = "1-6",
    bonus: Annotated[
        str | None,
        typer.Option("--bonus", metavar="LIST", help="Upper bonus: 35, 0,35, 0-100:25."),
    ] = None,
    jokers: Annotated[
        str | None,
        typer.Option(
            "--jokers",
            metavar="on|off|on,off",
            help="With jokers or without; an extra bonus stays.",
        ),
    ] = None,
    strategy: flags.Strategy = "optimal",
    rules: flags.Rules = "yahtzee",
    objective: flags.Objective = "expected",
    workers: flags.Workers = None,
    scheduler: flags.Scheduler = None,
    as_json: flags.Json = False,
    quiet: flags.Quiet = False,
) -> None:
    """Vary the rules over a grid: mean and SD of a strategy in each game, exact.

    [bold]Examples[/bold]

      rollwise sweep --rules crag --rolls 1-6

      rollwise sweep --rolls 1-2 --bonus 0,35 --jokers on,off

      rollwise sweep --rules crag --rolls 1-6 --strategy greedy --workers 2 --json

      rollwise sweep --rolls 1-3 --objective target:30 --rules micro-yahtzee

    What is not varied stays as the rules have it. An optimal strategy is optimal for each game:
    for its expected score, or for what --objective says; mean and SD are those of the final score.
    """
    from rollwise.laboratory.sensitivity import grid, parse_range
    from rollwise.laboratory.sensitivity import sweep as run
    from rollwise.rules import load_rules

    game = load_rules(rules)
    own_bonus = str(game.upper_bonus.points if game.upper_bonus else 0)
    words = {"on": True, "off": False}
    wanted = (jokers or ("on" if game.joker else "off")).split(",")
    if not set(wanted) <= set(words):
        raise MalformedError(f"no jokers {jokers!r}: expected on, off or on,off")
    games = grid(
        game,
        parse_range(rolls, "rolls"),
        parse_range(bonus or own_bonus, "bonus"),
        [words[word] for word in wanted],
    )
    with progress(f"{len(games)} games", quiet) as advance:
        cells = run(
            games,
            strategy,
            objective=objective,
            executor=cluster(workers, scheduler),
            progress=advance,
        )
    if as_json:
        told = {"rules": game.name, "strategy": strategy, "objective": objective}
        write_json(told | {"cells": [cell.as_dict() for cell in cells]})
        return

    out = console()
    aim = f", objective {objective}" if objective != "expected" else ""
    out.print(headed(game.title, f" varied, strategy {strategy}{aim}"))
    table = empty_table(">rolls", ">bonus", ">jokers", ">mean", ">SD")
    for cell in cells:
        table.add_row(
            str(cell.rolls),
            str(cell.bonus),
            "on" if cell.jokers else "off",
            f"{cell.mean:.6f}",
            f"{cell.sd:.4f}",
        )
    out.print(table)
    tell_ties(cell.ties for cell in cells)
