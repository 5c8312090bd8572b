"""Tables for the Python prompt and for notebooks, in which whatever was given is text."""

from collections.abc import Iterable, Sequence
from html import escape


def text_table(rows: Sequence[Sequence[str]]) -> str:
    """Return rows as lines, the first column set to the left and all others to the right."""
    width, *widths = (max(map(len, column)) for column in zip(*rows, strict=True))
    return "\n".join(
        "  ".join([f"{first:<{width}}", *map(str.rjust, others, widths)]) for first, *others in rows
    )


def html_table(caption: str, rows: Iterable[Sequence[object]], head: Sequence[str] = ()) -> str:
    """Return a table: a caption, the names of its columns if they need any, the rows."""
    heading = f"<thead><tr>{_cells('th', head)}</tr></thead>" if head else ""
    body = "".join(f"<tr>{_cells('td', row)}</tr>" for row in rows)
    return f"<table><caption>{escape(caption)}</caption>{heading}<tbody>{body}</tbody></table>"


def _cells(tag: str, values: Iterable[object]) -> str:
    return "".join(f"<{tag}>{escape(str(value))}</{tag}>" for value in values)
