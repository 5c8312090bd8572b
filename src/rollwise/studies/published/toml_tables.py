"""Sources whose tables are in a TOML file, beside a function for each table that computes it."""

import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from importlib import resources
from typing import Any

from rollwise.studies.published.figures import TABLES, ComputedValue, Row, Table, Unexplained

Rows = Mapping[str, Sequence[ComputedValue]]
"""A computed table: the entries of each row (one per column), by the name of the row."""


@dataclass(frozen=True)
class SourceTable:
    """A table as printed."""

    key: str
    title: str
    rows: dict[str, tuple[str, ...]]
    rules: str = ""
    columns: tuple[str, ...] = ("",)
    source_errors: dict[str, str] = field(default_factory=dict)
    unexplained: dict[str, str] = field(default_factory=dict)
    cut: bool = False
    games: int | None = None
    rows_are_rules: bool = False


Compute = Callable[[SourceTable], Rows]
"""A function that computes a table from scratch."""


@dataclass(frozen=True)
class Source:
    """The tables of a source."""

    tables: dict[str, SourceTable]


def read_source(key: str) -> Source:
    """Read a source from its file."""
    path = resources.files("rollwise.studies.published").joinpath(f"{key}.toml")
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    tables = [_table(entry) for entry in data["table"]]
    return Source({table.key: table for table in tables})


def register(group: str, functions: Mapping[str, Compute]) -> None:
    """Register the tables of a source."""
    for key, table in read_source(group).tables.items():
        TABLES[group][key] = Table(
            group,
            key,
            table.title,
            partial(_rows, table, functions[key]),
            None if table.rows_are_rules else table.rules,
            table.columns if table.rows_are_rules else (),
            table.cut,
            table.games,
        )


def formula(text: str, value: int, expected: int) -> str:
    """Return a formula if it has the expected value, otherwise a note that it does not."""
    return text if value == expected else f"{expected}, not {text}"


def _rows(table: SourceTable, function: Compute) -> Iterator[Row]:
    ours = function(table)
    assert ours.keys() == table.rows.keys()
    for row, printed in table.rows.items():
        if table.rows_are_rules:
            reasons = {
                column: table.source_errors[f"{row} {column}"]
                for column in table.columns
                if f"{row} {column}" in table.source_errors
            }
            yield row, " ".join(printed), ours[row], reasons
            continue
        for column, text, value in zip(table.columns, printed, ours[row], strict=True):
            place = f"{row} {column}".strip()
            if text == "-":
                continue
            if place in table.unexplained:
                yield place, text, value, Unexplained(table.unexplained[place])
            elif place in table.source_errors:
                yield place, text, value, table.source_errors[place]
            else:
                yield place, text, value


def _table(entry: dict[str, Any]) -> SourceTable:
    rows = {
        name: tuple(cells.split() if isinstance(cells, str) else cells)
        for name, cells in entry.pop("rows").items()
    }
    columns = tuple(entry.pop("columns", ("",)))
    return SourceTable(rows=rows, columns=columns, **entry)
