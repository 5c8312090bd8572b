"""Rows as a data frame of whichever library is installed."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from typing import Any

from rollwise.errors import MissingExtraError


def data_frame(rows: Sequence[Mapping[str, Any]], library: str | None = None) -> Any:
    """Return a data frame with one row a mapping, all of the same keys.

    Parameters
    ----------
    library : {"polars", "pandas"}, optional
        The first of them that is installed unless told.

    Raises
    ------
    MissingExtraError
        When it is not installed.
    """
    columns = {key: [row[key] for row in rows] for key in rows[0]} if rows else {}
    for name in (library,) if library else ("polars", "pandas"):
        with suppress(ImportError):
            return import_module(name).DataFrame(columns)
    missing = library or "polars or pandas"
    raise MissingExtraError(f"data frames need {missing}: expected pip install {missing}")
