"""Comparison of published numbers about dice games with numbers that rollwise computes."""

from collections.abc import Iterable, Iterator, Mapping

from rollwise.errors import IllegalError
from rollwise.solving.progress import Progress
from rollwise.studies.published import blog, huber, mince, programs, verhoeff
from rollwise.studies.published.figures import Check, Compute, Source, compare_figures, read_source

__all__ = ["GROUPS", "Check", "check_table", "checks"]

GROUPS: Mapping[str, Mapping[str, Compute]] = {
    "huber": huber.TABLES,
    "verhoeff": verhoeff.TABLES,
    "blog": blog.TABLES,
    "mince": mince.TABLES,
    "programs": programs.TABLES,
}
"""The function that computes each table, by source key and table key."""


def checks(groups: Iterable[str] = GROUPS, progress: Progress | None = None) -> Iterator[Check]:
    """Yield a check of each published number of the given sources.

    Parameters
    ----------
    groups : iterable of str
        Keys of sources; by default, all.
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
    """Return a check of each published number of one table."""
    source = read_source(group)
    table = source.tables[key]
    return compare_figures(source, table, GROUPS[group][key](table))


def _source(group: str) -> Source:
    if group not in GROUPS:
        raise IllegalError(f"no group {group!r} of published figures: expected {', '.join(GROUPS)}")
    return read_source(group)
