"""Helpers for several commands: parsing, solving with a progress bar, and printing results."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal, overload

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

import rollwise
from rollwise.cli.lazy_imports import lazy_imports
from rollwise.cli.progress import progress
from rollwise.cli.streams import encodes_unicode
from rollwise.cli.word_table import WordTable, wrapped_at_commas
from rollwise.errors import MalformedError, TooLargeError
from rollwise.game.position import Position
from rollwise.rules import Rules

with lazy_imports():
    from rollwise.experiments import plots
    from rollwise.solving import card_solution, objectives


NARROW = 60
"""The terminal width below which table columns have less padding."""

UNFOLDED = 100_000
"""The width of tables in a pipe, which is more than any table needs."""


def console() -> Console:
    """Return the console for results: in color on a terminal, plain and wide in a pipe."""
    width = None if sys.stdout.isatty() else UNFOLDED
    # Brackets and colons in a user's titles and paths are not markup.
    return Console(highlight=False, markup=False, emoji=False, width=width)


def headed(head: str, rest: str = "") -> Text:
    """Return a title whose first part is bold; long scorecards are wrapped after commas."""
    title = Text.assemble((head, "bold"), rest)
    title.plain = wrapped_at_commas(title.plain, console().width)
    return title


def empty_table(*headings: str) -> Table:
    """Return a table without rows; a heading that begins with > marks a column of numbers.

    Numbers are right-aligned and never wrapped. Text is wrapped between words if the terminal is
    too narrow.
    """
    narrow = console().width < NARROW
    padding = (0, 1 if narrow else 2, 0, 0)
    empty = WordTable(box=None, pad_edge=False, padding=padding, header_style="bold")
    for heading in headings:
        number = heading.startswith(">")
        side: Literal["left", "right"] = "right" if number else "left"
        empty.add_column(heading.lstrip(">"), justify=side, no_wrap=number, overflow="fold")
    return empty


def prepare_plot(path: Path | None, *, folder: bool = False) -> None:
    """Check before a long computation that plots can be saved, and create a folder for them.

    Raises
    ------
    MissingExtraError
        If matplotlib is not installed.
    MalformedError
        If the file type is unknown, or if a file has the name of the folder.
    """
    if path is not None:
        if folder:
            plots.check_installed()
            if path.exists() and not path.is_dir():
                raise MalformedError(f"{path} is a file. Give --plot the name of a folder.")
            if not path.is_dir():
                check_folder(path)
            path.mkdir(exist_ok=True)
        else:
            plots.check_picture(path)
            check_folder(path)


def check_folder(path: Path | None) -> None:
    """Check before a long computation that an output file can be written.

    Raises
    ------
    MalformedError
        If the folder of the file does not exist, or if the path is a folder.
    """
    if path is None:
        return
    if not path.resolve().parent.is_dir():
        raise MalformedError(
            f"The folder of {path} does not exist. Create it first, or choose another path."
        )
    if path.is_dir():
        raise MalformedError(f"{path} is a folder. Give the path of a file.")


def print_written(paths: Iterable[Path], quiet: bool) -> None:
    """Print the paths of the written files on stderr."""
    for path in paths if not quiet else ():
        typer.echo(f"wrote {path}", err=True)


def write_json(value: Any) -> None:
    """Print a value as a JSON document."""
    ascii_only = not encodes_unicode()
    json.dump(value, sys.stdout, indent=2, ensure_ascii=ascii_only, allow_nan=False)
    print()


def position_of(
    rules: Rules, dice: str, card: str | None = None, rolls_left: int | None = None
) -> Position:
    """Parse a position from dice and command options, or from a complete line of notation.

    Raises
    ------
    InputError
        If the result is not a position of the game.
    """
    options = {"rolls-left": rolls_left, "card": card}
    fields = (f"{name} {value}" for name, value in options.items() if value is not None)
    return Position(rules, " | ".join([dice, *fields]))


def objective_of(text: str, rules: Rules, *, quiet: bool = False) -> rollwise.Objective:
    """Parse an objective, which can name strategies as opponents."""
    return rollwise.parse_objective(
        text, lambda name: evaluated(name, rules, quiet=quiet).distribution
    )


def solved(
    rules: Rules,
    objective: rollwise.Objective,
    *,
    position: Position | None = None,
    moments: bool = False,
    cache: bool = True,
    quiet: bool = False,
) -> rollwise.Solution:
    """Solve a game, and report progress on stderr."""
    with progress(f"solving {rules.name}", quiet) as advance:
        return rollwise.solve(
            rules, objective, position=position, moments=moments, cache=cache, progress=advance
        )


@overload
def solved_with_moments(
    objective: objectives.CardObjective, position: Position, *, quiet: bool = ...
) -> card_solution.CardSolution: ...


@overload
def solved_with_moments(
    objective: rollwise.Objective, position: Position, *, quiet: bool = ...
) -> rollwise.Solution: ...


def solved_with_moments(
    objective: rollwise.Objective, position: Position, *, quiet: bool = False
) -> rollwise.Solution:
    """Solve the game of a position; include second moments if they fit in memory."""
    try:
        return solved(position.rules, objective, position=position, moments=True, quiet=quiet)
    except TooLargeError:  # then without moments
        return solved(position.rules, objective, position=position, quiet=quiet)


def evaluated(
    strategy: str,
    rules: Rules,
    objective: str = "expected",
    *,
    fewer_dice: bool = False,
    quiet: bool = False,
) -> rollwise.Evaluation:
    """Evaluate a strategy, and report progress on stderr."""
    with progress(f"evaluating {rules.name}", quiet) as advance:
        return rollwise.evaluate(
            strategy, rules, objective, fewer_dice=fewer_dice, cache=True, progress=advance
        )


def player(
    name: str,
    rules: Rules,
    objective: rollwise.Objective | None = None,
    *,
    position: Position | None = None,
    fewer_dice: bool = False,
    quiet: bool = False,
) -> rollwise.Strategy:
    """Parse the name of a strategy, and solve any game that the strategy needs."""
    return rollwise.parse_strategy(
        name,
        solve=lambda objective: solved(rules, objective, position=position, quiet=quiet),
        objective=objective or objectives.EXPECTED,
        objective_of=lambda text: objective_of(text, rules, quiet=quiet),
        fewer_dice=fewer_dice,
    )
