"""Comparison of published numbers about dice games with numbers that rollwise computes."""

from collections.abc import Iterable, Iterator, Mapping

from rollwise.errors import IllegalError
from rollwise.solving.progress import Progress
from rollwise.studies.published import blog, huber, mince, programs, verhoeff
from rollwise.studies.published.figures import (
    Check,
    Compute,
    Source,
    Status,
    compare_figures,
    read_source,
)

__all__ = ["GROUPS", "Check", "Status", "check_table", "checks"]

GROUPS: Mapping[str, Mapping[str, Compute]] = {
    "huber": huber.TABLES,
    "verhoeff": verhoeff.TABLES,
    "blog": blog.TABLES,
    "mince": mince.TABLES,
    "programs": programs.TABLES,
}
"""The function that computes each table, by the key of the source and the key of the table."""


def checks(groups: Iterable[str] = GROUPS, progress: Progress | None = None) -> Iterator[Check]:
    """Yield a check for each published number of the given sources.

    Parameters
    ----------
    groups : iterable of str
        The keys of the sources (default: all).
    progress : callable, optional
        Called with the completed fraction of the tables, from 0 to 1, after each table.

    Raises
    ------
    IllegalError
        If a key is not the key of a source.
    """
    tables = [(group, key) for group in groups for key in _source(group).tables]
    for done, (group, key) in enumerate(tables, start=1):
        yield from check_table(group, key)
        if progress is not None:
            progress(done / len(tables))


def check_table(group: str, key: str) -> list[Check]:
    """Return a check for each published number of one table."""
    source = read_source(group)
    table = source.tables[key]
    return compare_figures(source, table, GROUPS[group][key](table))


def _source(group: str) -> Source:
    if group not in GROUPS:
        raise IllegalError(
            f"there is no group {group!r} of published numbers; the groups are {', '.join(GROUPS)}"
        )
    return read_source(group)
