"""Functions that read and parse the TOML files of users, within limits."""

import re
import tomllib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from rollwise.errors import MalformedError
from rollwise.files import read_file

MAX_BYTES = 1 << 16
"""The largest TOML file in bytes."""

MAX_PARTS = 20
"""The largest number of parts of a dotted key; the memory that tomllib needs is quadratic in it."""

MAX_DEPTH = 50
"""The largest depth of nested lists and tables, so that no later step exceeds Python's limit."""

_TEXT = re.compile(
    r'"""(?:\\.?|[^\\])*?(?:"""|\Z)"{0,2}'
    r"|'''.*?(?:'''|\Z)'{0,2}"
    r'|"(?:\\.|[^"\\\n])*"?'
    r"|'[^'\n]*'?"
    r"|#[^\n]*",
    re.DOTALL,
)
"""A string or a comment; a string without an end, which tomllib refuses, is one as well."""

TOO_DEEP = "the lists and tables are nested too deeply"

_LONG_KEY = re.compile(rf"(?:\.[^.=,\[\]{{}}\n]*){{{MAX_PARTS}}}")


def read_toml(path: str | Path) -> str:
    """Return the text of a TOML file, without a byte order mark.

    Raise MalformedError if the file is not UTF-8 text. Raise OSError if the file cannot be read, is
    not a regular file, or is too large.
    """
    try:
        return read_file(Path(path), MAX_BYTES).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise MalformedError("not UTF-8 text; save the file as UTF-8") from error


def parse_toml(text: str, parse_float: Callable[[str], Any] = float) -> dict[str, Any]:
    """Return the data of a text in TOML format.

    Raise MalformedError if the text is not TOML, has too many characters, has a key with too many
    parts, or is nested too deeply.
    """
    if len(text) > MAX_BYTES:
        raise MalformedError(f"the text is too large; it can have at most {MAX_BYTES:,} characters")
    without_text = _TEXT.sub(lambda match: "\n" * match[0].count("\n"), text)
    if long := _LONG_KEY.search(without_text):
        line = without_text.count("\n", 0, long.start()) + 1
        raise MalformedError(f"line {line}: a key can have at most {MAX_PARTS} parts")
    try:
        data = tomllib.loads(text, parse_float=parse_float)
    except RecursionError as error:
        raise MalformedError(TOO_DEEP) from error
    except ValueError as error:  # also raised for numbers of thousands of digits
        raise MalformedError(f"not TOML: {error}") from error
    level: list[Any] = [data]
    for _ in range(MAX_DEPTH):
        level = [part for whole in level for part in _parts(whole)]
    if level:
        raise MalformedError(TOO_DEEP)
    return data


def _parts(value: Any) -> Iterable[Any]:
    """Return the values in a list or a table, or nothing for any other value."""
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()
