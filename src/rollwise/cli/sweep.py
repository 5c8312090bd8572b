"""``rollwise sweep``: the score of a strategy under varied rules."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from rollwise.cli import flags
from rollwise.cli.common import (
    check_folder,
    console,
    empty_table,
    headed,
    print_tie_rules,
    print_written,
    write_json,
)
from rollwise.cli.lazy_imports import lazy_imports
from rollwise.cli.progress import progress
from rollwise.cli.workers import cluster
from rollwise.errors import MalformedError
from rollwise.files import read_file, write_atomically
from rollwise.rules import Rules, load_rules

with lazy_imports():
    from rollwise.experiments import rule_grid, sensitivity


MAX_FILE_BYTES = 1_000_000


class Find(StrEnum):
    """The statistics to compute for each game."""

    MEANS = "means"
    SPREAD = "spread"
    DISTRIBUTIONS = "laws"


def sweep(
    rolls: Annotated[
        str | None,
        typer.Option(
            "--rolls",
            metavar="LIST",
            help="Rolls a turn: 3, 1-6; unless told 1-6, or the game's own beside --vary and "
            "--grid.",
        ),
    ] = None,
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
    varied: Annotated[
        list[str] | None,
        typer.Option(
            "--vary",
            metavar="CLAUSE=LIST",
            help="Any clause of the rule file, a box by its key: full-house.points=25,30,total, "
            "chance=on,off; once a clause.",
        ),
    ] = None,
    clauses: Annotated[
        str | None,
        typer.Option("--grid", metavar="FILE.toml", help="Clauses with lists of values."),
    ] = None,
    find: Annotated[
        Find | None,
        typer.Option(
            "--find",
            help="Of each game: its mean alone, the fastest; also SD and P(bonus); or also "
            "quantiles and points of boxes, for -o.",
        ),
    ] = None,
    strategy: flags.Strategy = "optimal",
    rules: flags.Rules = "yahtzee",
    objective: flags.Objective = "expected",
    output: Annotated[Path | None, flags.writes("every game, as Parquet,")] = None,
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

      rollwise sweep --rules crag --vary thirteen.points=26,13 --vary odd-straight=on,off

    What is not varied stays as the rules have it. An optimal strategy is optimal for each game:
    for its expected score, or for what --objective says; mean and SD are those of the final score.
    With -o a run that was ended goes on from what it had done.
    """
    check_folder(output)
    game = load_rules(rules)
    listed = _read(clauses) | _listed(rolls, bonus, jokers, varied or [])
    if not (varied or clauses):
        listed = _usual(game) | listed
    games = rule_grid.grid(game, listed)
    write = None
    if output is not None:
        sensitivity.check_installed()
        write = lambda cells: write_atomically(output, sensitivity.as_parquet(cells))  # noqa: E731
    shared = (strategy, objective) == ("optimal", "expected") and not game.carries_rolls
    wanted = (
        (find or (Find.SPREAD if varied or clauses else Find.DISTRIBUTIONS))
        if shared
        else Find.DISTRIBUTIONS
    )
    with progress(f"{len(games)} games", quiet) as advance:
        cells = sensitivity.sweep(
            game,
            games,
            strategy,
            objective=objective,
            wanted=wanted.value,
            executor=cluster(workers, scheduler),
            progress=advance,
            write=write,
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
    print_tie_rules(cell.ties for cell in cells)


def _usual(game: Rules) -> dict[str, list[Any]]:
    """Return the default grid: the values of rolls, the upper bonus, and jokers."""
    bonus = game.upper_bonus.points if game.upper_bonus else 0
    return {"rolls": list(range(1, 7)), "bonus": [bonus], "jokers": [game.joker is not None]}


def _listed(
    rolls: str | None, bonus: str | None, jokers: str | None, varied: list[str]
) -> dict[str, list[Any]]:
    """Return the values of each rule clause, as listed in the options."""
    clauses: dict[str, list[Any]] = {}
    if rolls is not None:
        clauses["rolls"] = rule_grid.parse_range(rolls, "rolls")
    if bonus is not None:
        clauses["bonus"] = rule_grid.parse_range(bonus, "bonus")
    if jokers is not None:
        if not set(jokers.split(",")) <= {"on", "off"}:
            raise MalformedError(f"no jokers {jokers!r}: expected on, off or on,off")
        clauses["jokers"] = [rule_grid.WORDS[word] for word in jokers.split(",")]
    for text in varied:
        clause, values = rule_grid.parse_clause(text)
        if clause in clauses:
            raise MalformedError(f"{clause} varied twice: expected one list")
        clauses[clause] = values
    return clauses


def _read(path: str | None) -> dict[str, list[Any]]:
    """Return the values of each rule clause in a grid file; empty without a file."""
    if path is None:
        return {}
    try:
        text = read_file(Path(path), MAX_FILE_BYTES).decode()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not UTF-8 text"
        raise MalformedError(f"{path}: {reason}: expected a grid file") from error
    return rule_grid.parse_grid(text, path)


def _print(cells: list[sensitivity.Cell], *, extremes: bool) -> None:
    """Print a line for each game, or only for the games with the lowest and highest means."""
    clauses = list(cells[0].values)
    usual = clauses == ["rolls", "bonus", "jokers"]
    shown = sorted(cells, key=lambda cell: cell.mean)[:: len(cells) - 1 or 1] if extremes else cells
    columns = {
        "mean": [f"{cell.mean:.6f}" for cell in shown],
        "SD": ["" if cell.sd is None else f"{cell.sd:.4f}" for cell in shown],
        "P(bonus)": [_share(None if usual else cell.bonus_reached) for cell in shown],
    }
    nonempty = {name: column for name, column in columns.items() if any(column)}
    table = empty_table(*(f">{name}" for name in (*clauses, *nonempty)))
    for cell, *row in zip(shown, *nonempty.values(), strict=True):
        table.add_row(*map(_in_words, cell.values.values()), *row)
    console().print(table)


def _share(probability: float | None) -> str:
    return "" if probability is None else f"{probability:.4f}"


def _in_words(value: Any) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return str(value)
