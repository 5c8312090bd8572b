"""``rollwise sweep``: the score of a strategy under varied rules."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

import rollwise
from rollwise.cli import flags
from rollwise.cli.common import (
    check_folder,
    console,
    empty_table,
    headed,
    print_written,
    write_json,
)
from rollwise.cli.lazy_imports import lazy_imports
from rollwise.cli.progress import progress
from rollwise.cli.workers import executor_of
from rollwise.rules import load_rules

with lazy_imports():
    from rollwise.experiments import rule_grid
    from rollwise.experiments import sweep as sweeps


class Find(StrEnum):
    """The statistics to compute for each game."""

    MEAN = "mean"
    SD = "sd"
    DISTRIBUTION = "distribution"


def sweep(
    rolls: Annotated[
        str | None,
        typer.Option(
            "--rolls",
            metavar="LIST",
            help="Rolls per turn, such as 3 or 1-6.",
            show_default="1-6 if no other rule is varied",
        ),
    ] = None,
    bonus: Annotated[
        str | None,
        typer.Option(
            "--bonus",
            metavar="LIST",
            help="The points of the upper bonus: 35, or 0,35, or 0-100:25.",
        ),
    ] = None,
    jokers: Annotated[
        str | None,
        typer.Option(
            "--jokers",
            metavar="on|off|on,off",
            help="Whether to allow jokers; the Yahtzee bonus does not change.",
        ),
    ] = None,
    varied: Annotated[
        list[str] | None,
        typer.Option(
            "--vary",
            metavar="CLAUSE=LIST",
            help="Values of any rule: full-house.points=25,30 or chance=on,off; repeatable.",
        ),
    ] = None,
    clauses: Annotated[
        str | None,
        typer.Option(
            "--grid", metavar="FILE.toml", help="A TOML file with lists of values for rules."
        ),
    ] = None,
    find: Annotated[
        Find,
        typer.Option("--find", help="The statistics to compute; the mean takes the least time."),
    ] = Find.SD,
    strategy: flags.Strategy = "optimal",
    *,
    rules: flags.Rules,
    objective: flags.Objective = "expected",
    output: Annotated[Path | None, flags.writes("all games as Parquet")] = None,
    workers: flags.Workers = None,
    cluster: flags.Cluster = None,
    as_json: flags.Json = False,
    quiet: flags.Quiet = False,
) -> None:
    """Compute the expected score for many rule variants.

    [bold]Examples[/bold]

      rollwise sweep --rules crag --rolls 1-6

      rollwise sweep --rolls 1-2 --bonus 0,35 --jokers on,off

      rollwise sweep --rules crag --rolls 1-6 --strategy greedy --workers 2 --json

      rollwise sweep --rules crag --vary thirteen.points=26,13 --vary odd-straight=on,off

    The results are exact, for every combination of the values. Optimal play is optimal in each
    game.
    """
    check_folder(output)
    game = load_rules(rules)
    options = {"rolls": rolls, "bonus": bonus, "jokers": jokers}
    vary = [f"{clause}={values}" for clause, values in options.items() if values is not None]
    with (
        executor_of(workers, cluster, quiet=quiet) as executor,
        progress(f"varying {game.name}", quiet) as advance,
    ):
        cells = rollwise.sweep(
            game,
            [*vary, *(varied or [])],
            grid=clauses,
            find=find.value,
            strategy=strategy,
            objective=objective,
            output=output,
            executor=executor,
            progress=advance,
        )
    if output is not None:
        print_written([output], quiet)
    if as_json:
        head = {"rules": game.name, "strategy": strategy, "objective": objective}
        write_json(head | {"cells": [cell.as_dict() for cell in cells]})
        return
    suffix = f", objective {objective}" if objective != "expected" else ""
    console().print(headed(game.title, f" varied, strategy {strategy}{suffix}"))
    _print(cells, extremes=output is not None)


def _print(cells: sweeps.Sweep, *, extremes: bool) -> None:
    """Print a line for each game, or only for the games with the lowest and highest means."""
    clauses = list(cells[0].values)
    shown = sorted(cells, key=lambda cell: cell.mean)[:: len(cells) - 1 or 1] if extremes else cells
    columns = {
        "mean": [f"{cell.mean:.6f}" for cell in shown],
        "SD": ["" if cell.sd is None else f"{cell.sd:.4f}" for cell in shown],
        "P(bonus)": [_share(cell.bonus_reached) for cell in shown],
    }
    nonempty = {name: column for name, column in columns.items() if any(column)}
    table = empty_table(*(f">{name}" for name in (*clauses, *nonempty)))
    for cell, *row in zip(shown, *nonempty.values(), strict=True):
        table.add_row(*map(rule_grid.text_of, cell.values.values()), *row)
    console().print(table)


def _share(probability: float | None) -> str:
    return "" if probability is None else f"{probability:.4f}"
