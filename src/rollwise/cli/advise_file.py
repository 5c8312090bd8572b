"""``rollwise advise --file``: advice for many positions, one a line, as one line of JSON each."""

import sys
from functools import cache
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic_core import to_json

from rollwise.cli.common import objective_of, solved
from rollwise.cli.progress import progress
from rollwise.errors import InputError, MalformedError, TooLargeError
from rollwise.game.notation import format_action, format_position
from rollwise.game.position import Position
from rollwise.solving.option import KEYS, Option

if TYPE_CHECKING:
    from collections.abc import Callable

    from rollwise.game.actions import Action
    from rollwise.rules import Rules

TOLD = 100
"""After so many positions the progress is told."""

WRITTEN = ", ".join(["%s", *(f'"{key}": %s' for key in KEYS[2:])]) + "}"
"""An option as JSON, once its words are written."""


def advise_file(
    path: Path, rules: "Rules", objective: str, top: int | None, *, quiet: bool
) -> None:
    """Write a line of JSON for each position in a file, in its order.

    All positions are read before the first is answered: a mistake in the last line is told at once.

    Raises
    ------
    InputError
        With the line of what is no position.
    OSError
        When the file cannot be read.
    """
    positions = _read(path, rules)
    wanted = objective_of(objective, rules, quiet=quiet)
    try:
        solution = solved(rules, wanted, moments=True, quiet=quiet)
    except TooLargeError:  # advice without ±, as for a single position
        solution = solved(rules, wanted, quiet=quiet)

    @cache
    def words(action: "Action") -> str:
        return f'{{"action": "{format_action(rules, action)}", "kind": "{action.kind}"'

    with progress("advising", quiet) as advance:
        each = zip(positions, solution.options_each(positions), strict=True)
        for number, (position, options) in enumerate(each, start=1):
            told = _written(options[:top], words)
            sys.stdout.write(
                f'{{"position": "{format_position(position)}", "options": [{told}]}}\n'
            )
            if number % TOLD == 0 or number == len(positions):
                advance(number / len(positions))


def _written(options: list[Option], words: "Callable[[Action], str]") -> str:
    """Return options as JSON, their numbers written all at once: one by one takes three times."""
    parts = list(chain.from_iterable(options))
    width, actions = len(Option._fields), [words(option.action) for option in options]
    parts[::width] = [None] * len(options)
    told = to_json(parts).decode()[1:-1].split(",")
    told[::width] = actions
    return ", ".join([WRITTEN] * len(options)) % tuple(told)


def _read(path: Path, rules: "Rules") -> list[Position]:
    """Return the positions of a file, or of standard input."""
    source = sys.stdin if str(path) == "-" else path.open(encoding="utf-8")
    try:
        with source as text:
            numbered = ((number, line.strip()) for number, line in enumerate(text, start=1))
            lines = {number: line for number, line in numbered if line}
    except UnicodeDecodeError:
        raise MalformedError(f"{path}: expected positions as UTF-8 text") from None
    positions: list[Position] = []
    try:
        positions.extend(Position.each(rules, lines.values()))
    except InputError as error:
        number = list(lines)[len(positions)]
        raise MalformedError(f"{path}, line {number}: {error}") from None
    return positions
