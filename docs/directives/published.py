"""The published numbers that differ from the computed numbers, from ``rollwise verify``."""

from itertools import groupby

from directives.tables import table
from rollwise.studies.published import SOURCES, Check, checks
from rollwise.studies.published.figures import Unexplained

HEADER = ("place", "number", "printed", "correct", "why")


def published() -> str:
    """Return a section for each source, with a row for each reason why its numbers differ."""
    sections = []
    for source, title in SOURCES.items():
        listed = [check for check in checks([source]) if check.reason is not None]
        rows = [row(list(group)) for _, group in groupby(listed, key=place_and_reason)]
        if rows:
            sections.append(f"### {title}\n\n{table(HEADER, rows)}")
    return "\n\n".join(sections)


def place_and_reason(check: Check) -> tuple[str, str | None]:
    """Return the table of a number, and the reason why the number differs."""
    return check.table.title, check.reason


def row(group: list[Check]) -> list[str]:
    """Return a row of the table for numbers that differ for the same reason."""
    title, reason = place_and_reason(group[0])
    if isinstance(group[0].reason, Unexplained):
        reason = f"*unexplained:* {reason}"
    parts = [[check.what, check.published, check.formatted_ours()] for check in group]
    columns = ("<br>".join(column) for column in zip(*parts, strict=True))
    return [title, *columns, str(reason)]
