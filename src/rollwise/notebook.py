"""Text tables, HTML tables for notebooks, and data frames."""

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING, Any

from rollwise.errors import MissingExtraError

if TYPE_CHECKING:
    from numpy.typing import NDArray


def text_table(rows: Sequence[Sequence[str]]) -> str:
    """Return rows as lines of text; the first column is left-aligned, others right-aligned."""
    width, *widths = (max(map(len, column)) for column in zip(*rows, strict=True))
    return "\n".join(
        "  ".join([f"{first:<{width}}", *map(str.rjust, others, widths)]) for first, *others in rows
    )


def html_table(caption: str, rows: Iterable[Sequence[object]], head: Sequence[str] = ()) -> str:
    """Return an HTML table with a caption and, if ``head`` is given, column names."""
    from html import escape  # imported late: only notebooks need it

    heading = f"<thead><tr>{_cells('th', head)}</tr></thead>" if head else ""
    body = "".join(f"<tr>{_cells('td', row)}</tr>" for row in rows)
    return f"<table><caption>{escape(caption)}</caption>{heading}<tbody>{body}</tbody></table>"


def _cells(tag: str, values: Iterable[object]) -> str:
    from html import escape

    return "".join(f"<{tag}>{escape(str(value))}</{tag}>" for value in values)


ARRAY_NAME = re.compile(r"\w+?(_[A-Z0-9])+")
"""The names of arrays end with a letter for each axis, such as ``points_N_K``."""


class ArrayView:
    """The arrays of an object as attributes.

    Parameters
    ----------
    owner : object
        The object that has the arrays.
    """

    def __init__(self, owner: object) -> None:
        self._owner = owner

    def __dir__(self) -> list[str]:
        names = object.__dir__(self._owner)
        return sorted(name for name in names if name[0] != "_" and ARRAY_NAME.fullmatch(name))

    def __getattr__(self, name: str) -> "NDArray[Any]":
        if not ARRAY_NAME.fullmatch(name) or name[0] == "_":
            raise AttributeError(f"there is no array {name!r}; use one of {', '.join(dir(self))}")
        array: NDArray[Any] = getattr(self._owner, name)
        return array

    def __repr__(self) -> str:
        return f"<arrays {', '.join(dir(self))}>"


class HasArrays:
    """An object with arrays that ``dir`` and completion list under :attr:`arrays`."""

    @property
    def arrays(self) -> ArrayView:
        """The arrays of the object; the letters of a name are its axes."""
        return ArrayView(self)

    def __dir__(self) -> list[str]:
        return [name for name in super().__dir__() if not ARRAY_NAME.fullmatch(name)]


def data_frame(rows: Sequence[Mapping[str, Any]], library: str | None = None) -> Any:
    """Return a data frame with one row for each mapping; all mappings must have the same keys.

    Parameters
    ----------
    library : {"polars", "pandas"}, optional
        The library of the data frame (default: the first library that is installed).

    Raises
    ------
    MissingExtraError
        If the library is not installed.
    """
    columns = {key: [row[key] for row in rows] for key in rows[0]} if rows else {}
    for name in (library,) if library else ("polars", "pandas"):
        with suppress(ImportError):
            return import_module(name).DataFrame(columns)
    needed = library or "polars or pandas"
    raise MissingExtraError(
        f"data frames need {needed}, which is not installed; run: pip install {library or 'polars'}"
    )
