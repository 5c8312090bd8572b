"""``rollwise advise --file``: advice for many positions, one a line, as one line of JSON each."""

import json
import sys
from collections.abc import Iterator
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from rollwise.cli.common import objective_of, solved
from rollwise.cli.progress import progress
from rollwise.cli.streams import has_all_signs
from rollwise.errors import InputError, MalformedError, TooLargeError

if TYPE_CHECKING:
    from rollwise.game.position import Position
    from rollwise.game.scorecard import Action
    from rollwise.rules import Rules
    from rollwise.solving.option import Option

TOLD = 100
"""After so many positions the progress is told."""


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
    positions = list(_positions(path, rules))
    wanted = objective_of(objective, rules, quiet=quiet)
    try:
        solution = solved(rules, wanted, moments=True, quiet=quiet)
    except TooLargeError:  # advice without ±, as for a single position
        solution = solved(rules, wanted, quiet=quiet)
    from rollwise.game.notation import format_action, format_position

    text = partial(json.dumps, ensure_ascii=not has_all_signs(), allow_nan=False)

    @cache
    def told(action: "Action") -> str:
        return f'{{"action": {text(format_action(rules, action))}, "kind": "{action.kind}"'

    with progress("advising", quiet) as advance:
        each = zip(positions, solution.options_each(positions), strict=True)
        for number, (position, options) in enumerate(each, start=1):
            line = ", ".join([told(option.action) + _numbers(option) for option in options[:top]])
            place = text(format_position(position))
            sys.stdout.write(f'{{"position": {place}, "options": [{line}]}}\n')
            if number % TOLD == 0 or number == len(positions):
                advance(number / len(positions))


def _numbers(option: "Option") -> str:
    """Return the rest of an option as JSON has it: json takes four times as long."""
    _, value, loss, best, expected, sd = option
    numbers = f', "value": {value!r}, "loss": {loss!r}, "best": {"true" if best else "false"}'
    score, spread = ("null" if one is None else repr(one) for one in (expected, sd))
    return f'{numbers}, "expected": {score}, "sd": {spread}}}'


def _positions(path: Path, rules: "Rules") -> "Iterator[Position]":
    from rollwise.game.position import Position

    source = sys.stdin if str(path) == "-" else path.open(encoding="utf-8")
    try:
        with source as lines:
            for number, line in enumerate(lines, start=1):
                if line.strip():
                    try:
                        yield Position(rules, line.strip())
                    except InputError as error:
                        raise MalformedError(f"{path}, line {number}: {error}") from None
    except UnicodeDecodeError:
        raise MalformedError(f"{path}: expected positions as UTF-8 text") from None
