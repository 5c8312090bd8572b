"""Published numbers about these games, each compared with the number that rollwise computes."""

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
"""Function that computes each table, by the keys of the source and the table."""


def checks(groups: Iterable[str] = GROUPS, progress: Progress | None = None) -> Iterator[Check]:
    """Compare all published numbers of some sources with computed ones.

    Parameters
    ----------
    groups : iterable of str
        Keys of sources; by default all.
    progress : callable, optional
        Called with the completed fraction of the tables, from 0 to 1, after each table.

    Raises
    ------
    IllegalError
        When there is no such source.
    """
    tables = [(group, key) for group in groups for key in _source(group).tables]
    for done, (group, key) in enumerate(tables, start=1):
        yield from check_table(group, key)
        if progress is not None:
            progress(done / len(tables))


def check_table(group: str, key: str) -> list[Check]:
    """Compare the published numbers of one table with computed ones."""
    source = read_source(group)
    table = source.tables[key]
    return compare_figures(source, table, GROUPS[group][key](table))


def _source(group: str) -> Source:
    if group not in GROUPS:
        raise IllegalError(f"no group {group!r} of published figures: expected {', '.join(GROUPS)}")
    return read_source(group)
