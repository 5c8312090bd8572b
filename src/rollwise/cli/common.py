"""What several commands share: solving with progress, and how results are written."""

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
from rollwise.cli.streams import has_all_signs
from rollwise.errors import MalformedError, TooLargeError
from rollwise.game.position import Position
from rollwise.rules import Rules

with lazy_imports():
    from rollwise.experiments import plots
    from rollwise.solving import card_solution, objectives


NARROW = 60
"""Columns below which tables are set closer."""

UNFOLDED = 100_000
"""Columns of a pipe: more than any table has."""


def console() -> Console:
    """Return the console for results: coloured on a terminal, plain and wide in a pipe."""
    # In a pipe a table is as wide as it needs to be: nothing is cut for a screen that is not there.
    width = None if sys.stdout.isatty() else UNFOLDED
    # A user's titles and paths are text, whatever brackets and colons they hold.
    return Console(highlight=False, markup=False, emoji=False, width=width)


def headed(head: str, rest: str = "") -> Text:
    """Return a line that begins in bold."""
    return Text.assemble((head, "bold"), rest)


def empty_table(*headings: str) -> Table:
    """Return a table without rows; a heading after > is that of numbers, set to the right.

    Where the terminal is too narrow texts are folded; numbers stay whole.
    """
    narrow = console().width < NARROW
    padding = (0, 1 if narrow else 2, 0, 0)
    empty = Table(box=None, pad_edge=False, padding=padding, header_style="bold")
    for heading in headings:
        number = heading.startswith(">")
        side: Literal["left", "right"] = "right" if number else "left"
        empty.add_column(heading.lstrip(">"), justify=side, no_wrap=number, overflow="fold")
    return empty


def prepare_plot(path: Path | None, *, folder: bool = False) -> None:
    """Find out before the long work whether its picture can be drawn; make the folder for several.

    Raises
    ------
    MissingExtraError
        When what draws is not installed.
    MalformedError
        When the ending of a single picture is no format, or there is a file in place of the folder.
    """
    if path is not None:
        if folder:
            plots.check_installed()
            if path.exists() and not path.is_dir():
                raise MalformedError(f"{path}: expected a folder for several pictures, got a file")
            check_folder(path)
            path.mkdir(exist_ok=True)
        else:
            plots.check_picture(path)
            check_folder(path)


def check_folder(path: Path | None) -> None:
    """Find out before the long work whether there is a folder for a file that is to be written.

    Raises
    ------
    MalformedError
        When there is none.
    """
    if path is not None and not path.resolve().parent.is_dir():
        raise MalformedError(f"{path}: expected a folder that exists")


def counted(number: int, word: str) -> str:
    """Return a number of things in words: 1 game, 1,000 games."""
    return f"{number:,} {word}{'s' * (number != 1)}"


def tell_written(paths: Iterable[Path], quiet: bool) -> None:
    """Say on stderr what was written."""
    for path in paths if not quiet else ():
        typer.echo(f"wrote {path}", err=True)


def tell_ties(rules: Iterable[str | None], mark: str = "") -> None:
    """Say which law is printed, where play that is equally good has several."""
    for rule in dict.fromkeys(filter(None, rules)):
        console().print(f"{mark}play equally good may have another law; here {rule}")


def write_json(value: Any) -> None:
    """Write one JSON document to standard output."""
    ascii_only = not has_all_signs()
    json.dump(value, sys.stdout, indent=2, ensure_ascii=ascii_only, allow_nan=False)
    print()


def position_of(
    rules: Rules, dice: str, card: str | None = None, rolls_left: int | None = None
) -> Position:
    """Return the position of dice, or of a whole line, with what options tell beside it.

    Raises
    ------
    InputError
        When it is no position of the game.
    """
    told = {"rolls-left": rolls_left, "card": card}
    beside = (f"{field} {value}" for field, value in told.items() if value is not None)
    return Position(rules, " | ".join([dice, *beside]))


def objective_of(text: str, rules: Rules, *, quiet: bool = False) -> rollwise.Objective:
    """Return the objective that a text names; opponents are strategies for the expected score."""
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
    """Return the solution of a game, with progress on stderr while it takes long."""
    with progress(f"solving {rules.name}", quiet) as advance:
        return rollwise.solve(
            rules, objective, position=position, moments=moments, cache=cache, progress=advance
        )


@overload
def solved_with_spread(
    objective: objectives.CardObjective, position: Position, *, quiet: bool = ...
) -> card_solution.CardSolution: ...


@overload
def solved_with_spread(
    objective: rollwise.Objective, position: Position, *, quiet: bool = ...
) -> rollwise.Solution: ...


def solved_with_spread(
    objective: rollwise.Objective, position: Position, *, quiet: bool = False
) -> rollwise.Solution:
    """Return the solution for a position, with moments where they have room in memory."""
    try:
        return solved(position.rules, objective, position=position, moments=True, quiet=quiet)
    except TooLargeError:  # a game of so many cards has advice without ±
        return solved(position.rules, objective, position=position, quiet=quiet)


def evaluated(
    strategy: str,
    rules: Rules,
    objective: str = "expected",
    *,
    fewer_dice: bool = False,
    quiet: bool = False,
) -> rollwise.Evaluation:
    """Return the exact evaluation of a strategy; report progress on stderr."""
    with progress(f"playing all games of {rules.name}", quiet) as advance:
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
    """Return the strategy with this name, ready to play a game, or to go on from a position."""
    return rollwise.parse_strategy(
        name,
        solve=lambda objective: solved(rules, objective, position=position, quiet=quiet),
        objective=objective or objectives.EXPECTED,
        objective_of=lambda text: objective_of(text, rules, quiet=quiet),
        fewer_dice=fewer_dice,
    )
