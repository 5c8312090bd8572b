"""Files with custom payoffs for the payoff-line strategy, in TOML.

Each line gives the points that the strategy expects from a success in a category. They replace the
payoff of the paper. Categories without a line keep their payoff::

    three-of-a-kind = 22.5
    large-straight = 55
"""

import math
import re
from pathlib import Path

from rollwise.errors import InputError, MalformedError, one_of, quoted
from rollwise.rules import AnyRoll, Rules
from rollwise.toml_files import parse_toml, read_toml

CustomPayoffs = tuple[tuple[str, float], ...]
"""The points of categories, by key, in the order of the file."""


def read_custom_payoffs(path: str | Path) -> CustomPayoffs:
    """Read a file with custom payoffs.

    Raises
    ------
    MalformedError
        If the file is not a TOML file of finite numbers. The message contains the line of the first
        error.
    OSError
        If the file cannot be read.
    """
    try:
        text = read_toml(path)
        data = parse_toml(text)
    except MalformedError as error:
        raise MalformedError(f"{path}: {error}") from error
    for key, value in data.items():
        if isinstance(value, bool) or not isinstance(value, int | float) or not _is_usable(value):
            raise MalformedError(
                f"{path}{_line_of(text, key)}: expected a number of points from 0 to 1,000,000 for "
                f"{key}, got {quoted(value)}"
            )
    if not data:
        raise MalformedError(f"{path} has no payoff; write a line such as: sixes = 24")
    return tuple((key, float(value)) for key, value in data.items())


def check_custom_payoffs(custom: CustomPayoffs, rules: Rules) -> None:
    """Raise InputError unless each key is a category of the game that a roll can miss."""
    for key, _ in custom:
        if key not in rules.keys:
            expected = one_of(rules.keys, key, "a category")
            raise InputError(
                f"the payoff file names {quoted(key)}, which is not a category of {rules.name}: "
                f"expected {expected}"
            )
        if isinstance(rules.categories[rules.category_index(key)].pattern, AnyRoll):
            raise InputError(
                f"the payoff file names {key}, but any roll fits this category, so the strategy "
                "never goes for it; leave it out"
            )


def _is_usable(value: float) -> bool:
    return math.isfinite(value) and 0 <= value <= 1e6


def _line_of(text: str, key: str) -> str:
    """Return the line of a key in words, or an empty string if no line starts with the key."""
    pattern = re.compile(rf"\s*\[*\s*[\"']?{re.escape(key)}\b")
    numbers = (n for n, line in enumerate(text.splitlines(), 1) if pattern.match(line))
    number = next(numbers, None)
    return "" if number is None else f", line {number}"
