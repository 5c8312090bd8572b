"""Comparison of published numbers about dice games with numbers that rollwise computes."""

from collections.abc import Iterable, Iterator

from rollwise.errors import IllegalError
from rollwise.solving.progress import Progress
from rollwise.studies.published import blog, huber, mince, programs, verhoeff  # noqa: F401
from rollwise.studies.published.figures import SOURCES, TABLES, Check, Status, Table

__all__ = ["SOURCES", "TABLES", "Check", "Status", "checks"]


def checks(groups: Iterable[str] = SOURCES, progress: Progress | None = None) -> Iterator[Check]:
    """Yield a check for each published number of the sources with the given keys.

    ``progress`` is called with the completed fraction of the tables, from 0 to 1.

    Raise IllegalError if a key is not the key of a source.
    """
    tables = [table for group in groups for table in _tables(group)]
    for done, table in enumerate(tables, start=1):
        yield from table.checks()
        if progress is not None:
            progress(done / len(tables))


def _tables(group: str) -> Iterable[Table]:
    if group not in SOURCES:
        raise IllegalError(
            f"there is no group {group!r} of published numbers; the groups are {', '.join(SOURCES)}"
        )
    return TABLES[group].values()
