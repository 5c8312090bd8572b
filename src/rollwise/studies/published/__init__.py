"""What others have printed about these games, held against ours figure by figure."""

from collections.abc import Iterable, Iterator, Mapping

from rollwise.errors import IllegalError
from rollwise.solving.progress import Progress
from rollwise.studies.published import blog, huber, mince, programs, verhoeff
from rollwise.studies.published.figures import Check, Compute, Source, held, read_source

__all__ = ["GROUPS", "Check", "checks", "held_figures"]

GROUPS: Mapping[str, Mapping[str, Compute]] = {
    "huber": huber.TABLES,
    "verhoeff": verhoeff.TABLES,
    "blog": blog.TABLES,
    "mince": mince.TABLES,
    "programs": programs.TABLES,
}
"""What computes the figures of each source, by its key and that of the table."""


def checks(groups: Iterable[str] = GROUPS, progress: Progress | None = None) -> Iterator[Check]:
    """Yield every printed figure of some sources beside ours.

    Parameters
    ----------
    groups : iterable of str
        Keys of sources; all of them unless told.
    progress : callable, optional
        Called with the done share of the tables, from 0 to 1, after each.

    Raises
    ------
    IllegalError
        When there is no such source.
    """
    tables = [(group, key) for group in groups for key in _source(group).tables]
    for done, (group, key) in enumerate(tables, start=1):
        yield from held_figures(group, key)
        if progress is not None:
            progress(done / len(tables))


def held_figures(group: str, key: str) -> list[Check]:
    """Return the printed figures of one table beside ours."""
    source = read_source(group)
    table = source.tables[key]
    return held(source, table, GROUPS[group][key](table))


def _source(group: str) -> Source:
    if group not in GROUPS:
        raise IllegalError(f"no group {group!r} of published figures: expected {', '.join(GROUPS)}")
    return read_source(group)
