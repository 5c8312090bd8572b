"""Text tables, HTML tables for notebooks, and data frames."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from typing import Any

from rollwise.errors import MissingExtraError


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


def data_frame(rows: Sequence[Mapping[str, Any]], library: str | None = None) -> Any:
    """Return a data frame with one row for each mapping; all mappings must have the same keys.

    The library is polars or pandas; by default, the first of them that is installed.
    """
    columns = {key: [row[key] for row in rows] for key in rows[0]} if rows else {}
    for name in (library,) if library else ("polars", "pandas"):
        with suppress(ImportError):
            mixed = {"strict": False} if name == "polars" else {}  # numbers and text in one column
            return import_module(name).DataFrame(columns, **mixed)
    needed = library or "polars or pandas"
    raise MissingExtraError(
        f"data frames need {needed}, which is not installed; run: pip install {library or 'polars'}"
    )


class Tabular:
    """A result that notebooks display as a table, and that ``frame`` returns as a data frame."""

    def rows(self) -> list[dict[str, Any]]:
        """Return the rows of the data frame, as mappings with the same keys."""
        raise NotImplementedError

    def frame(self, library: str | None = None) -> Any:
        """Return the rows as a data frame.

        Parameters
        ----------
        library : {"polars", "pandas"}, optional
            Default: polars if it is installed, otherwise pandas.
        """
        return data_frame(self.rows(), library)

    def _repr_html_(self) -> str:
        rows = self.rows()
        return html_table(repr(self).strip("<>"), [tuple(row.values()) for row in rows], [*rows[0]])
