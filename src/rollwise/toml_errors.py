"""Line numbers of errors in TOML files, and errors in data (of pydantic) in words."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rollwise.errors import MalformedError, quoted
from rollwise.toml_files import parse_toml

MAX_MISTAKES = 20
"""The largest number of mistakes that an error describes."""

KeyPath = tuple[str, ...]
"""The path to a value in a file, such as ``("categories", "0", "points")``."""

WORDS = {"missing": "missing", "extra_forbidden": "no such key", "json_invalid": "not JSON"}
"""The whole message, for the pydantic error types that need no value."""

EXPECTED = {
    "int_type": "a whole number",
    "int_parsing": "a whole number",
    "int_parsing_size": "a whole number with fewer digits",
    "int_from_float": "a whole number",
    "string_type": "text",
    "bool_type": "true or false",
    "bool_parsing": "true or false",
    "date_type": "a date such as 2026-11-22",
    "date_from_datetime_parsing": "a date such as 2026-11-22",
    "date_from_datetime_inexact": "a date such as 2026-11-22",
    "datetime_type": "a date and time",
    "datetime_from_date_parsing": "a date and time",
    "finite_number": "a whole number",
    "dict_type": "a table",
    "model_type": "a table",
    "model_attributes_type": "a table",
    "tuple_type": "a list",
    "list_type": "a list",
    "greater_than_equal": "a whole number of {ge} or more",
    "less_than_equal": "a whole number of {le} or less",
    "string_too_short": "{min_length} character or more",
    "string_too_long": "{max_length} characters or fewer",
    "too_short": "{min_length} or more of them",
    "too_long": "{max_length} or fewer of them",
    "literal_error": "{expected}",
    "value_error": "{error}",
    "union_tag_invalid": "one of the kinds {expected_tags}",
    "union_tag_not_found": "a table with a kind",
}
"""The expected value in words, for each pydantic error type."""

_KEY = r"""(?:[\w-]+|"(?:[^"\\]|\\.)*"|'[^']*')"""
_KEYS = rf"{_KEY}(?:\s*\.\s*{_KEY})*"
_HEADER = re.compile(rf"\s*\[(\[?)\s*({_KEYS})\s*\]\]?\s*(?:#.*)?")
_FIELD = re.compile(rf"\s*({_KEYS})\s*=")


def expected(kind: str, context: Mapping[str, Any]) -> str:
    """Return the expected value in words, for a pydantic error type and its context."""
    return EXPECTED.get(kind, "something else").format(**context)


def in_words(error: Mapping[str, Any]) -> str:
    """Return an error of pydantic in words, without its place."""
    kind, context = error["type"], error.get("ctx", {})
    if kind == "value_error":
        return str(context["error"])
    if kind in WORDS:
        return WORDS[kind]
    return f"expected {expected(kind, context)}, got {quoted(error['input'])}"


def first_mistakes(mistakes: Sequence[str]) -> list[str]:
    """Return the first messages, and the number of the others in words."""
    more = len(mistakes) - MAX_MISTAKES
    return [*mistakes[:MAX_MISTAKES], *([f"and {more:,} more"] if more > 0 else [])]


def key_lines(text: str, data: Mapping[str, Any]) -> dict[KeyPath, int]:
    """Return the line number, from 1, of each table and key of a TOML file.

    ``data`` is the parsed file, which distinguishes table headers from list items. Items of arrays
    of tables are counted from 0. Keys of inline tables are not included; they are on the line of
    their table, unless a list has several lines.
    """
    lines = dict[KeyPath, int]()
    table: KeyPath = ()
    tables = dict[str, int]()
    for number, line in enumerate(text.splitlines(), start=1):
        header, field = _HEADER.fullmatch(line), _FIELD.match(line)
        if header is not None and (keys := tuple(_parsed(header[2])))[0] in data:
            first, *rest = keys
            if header[1] and not rest:
                lines.setdefault((first,), number)
                tables[first] = tables.get(first, -1) + 1
            item = [str(tables[first])] if first in tables else []
            table = (first, *item, *rest)
            lines.setdefault(table, number)
        elif field is not None:
            lines.setdefault((*table, *_parsed(field[1])), number)
    return lines


def line_of(lines: Mapping[KeyPath, int], place: Sequence[object]) -> int:
    """Return the line of a value or of the table that contains it, or 0 if neither has a line."""
    path = tuple(map(str, place))
    found = (lines.get(path[:length]) for length in range(len(path), 0, -1))
    return next(filter(None, found), 0)


def _parsed(keys: str) -> Iterator[str]:
    """Yield the keys of a dotted key."""
    try:
        value: Any = parse_toml(f"{keys} = 0")
    except MalformedError:  # text in a string of several lines that looks like a key
        value = {keys: 0}
    while isinstance(value, dict):
        ((key, value),) = value.items()
        yield key
