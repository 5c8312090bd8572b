"""The games of a grid as a Parquet file, a row each (the extra ``parquet``)."""

import json
from collections.abc import Sequence
from importlib.util import find_spec
from io import BytesIO
from typing import Any

from rollwise.errors import MissingExtraError
from rollwise.laboratory.sensitivity import Cell


def check_installed() -> None:
    """Check that Parquet can be written.

    Raises
    ------
    MissingExtraError
        When Polars is not installed.
    """
    if find_spec("polars") is None:
        raise MissingExtraError(
            'Parquet needs Polars: expected pip install "rollwise[parquet]" before'
        )


def as_parquet(cells: Sequence[Cell]) -> bytes:
    """Return a file with one row a game: the clauses that are varied, then what was found.

    A clause is a column of numbers or of true and false where all its values are; else of text.
    """
    import polars

    rows = [cell.as_row() for cell in cells]
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    for clause in cells[0].values:
        if {type(value) for value in columns[clause]} not in ({int}, {bool}):
            columns[clause] = list(map(_as_text, columns[clause]))
    numbers = dict.fromkeys(("mean", "sd", "bonus_reached", "seconds"), polars.Float64)
    file = BytesIO()
    polars.DataFrame(columns, schema_overrides=numbers).write_parquet(file)
    return file.getvalue()


def _as_text(value: Any) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return value if isinstance(value, str) else json.dumps(value)
