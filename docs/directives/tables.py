"""Tables of Markdown."""

from collections.abc import Iterable, Sequence


def table(header: Sequence[str], rows: Iterable[Sequence[str]], *, right: int = 0) -> str:
    """Return a table whose last ``right`` columns are aligned to the right."""
    align = ["---"] * (len(header) - right) + ["---:"] * right
    cells = [[cell.replace("|", "\\|") for cell in row] for row in rows]
    return "\n".join(f"| {' | '.join(row)} |" for row in (header, align, *cells))
