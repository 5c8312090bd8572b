"""Published numbers, each beside the computed number."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated

from cyclopts import Parameter
from rich.text import Text

from rollwise.questions import checks_arguments
from rollwise.questions.answer import Answer, Block, Data, Hidden, table, title
from rollwise.questions.progress import working
from rollwise.studies.published import SOURCES, Check, Status, checks

HEADINGS: dict[Status, str] = {
    "source_error": "Proved errors in the sources",
    "unexplained": "Differences without an explanation",
    "mismatch": "Mismatches",
}
"""The heading above each list of numbers that do not match."""


class PublishedNumber(Data):
    """A published number, and the computed number or word that is compared with it."""

    group: str
    table: str
    rules: str
    what: str
    published: str
    ours: int | float | str
    difference: float | None
    status: Status
    reason: str | None
    """The explanation of a proved error, or what is known about an unexplained difference."""
    source: str
    place: str
    computed: Hidden[str]
    """The computed number with a few more digits than the published number."""


Numbers = list[PublishedNumber]


class Verification(Answer):
    """How published numbers compare with computed numbers."""

    matches: int
    source_errors: int
    unexplained: int
    mismatches: int
    numbers: Numbers
    each: Hidden[bool]
    """Whether people see every number."""

    def __repr__(self) -> str:
        return f"<Verification: {self._summary()}>"

    @property
    def failed(self) -> bool:
        """Whether a number differs for a reason that is not listed."""
        return self.mismatches > 0

    def show(self) -> Iterator[Block]:
        """Yield every number, or the totals of each table and the numbers that do not match."""
        yield from _every(self.numbers) if self.each else self._totals()
        yield self._summary()

    def _totals(self) -> Iterator[Block]:
        for source, of_source in _by("source", self.numbers):
            rows = table("", ">numbers", ">match", ">errors", ">unexplained")
            for place, numbers in _by("place", of_source):
                count = Counter(number.status for number in numbers)
                cells = (count["match"], count["source_error"] or "–", count["unexplained"] or "–")
                rows.add_row(place, str(len(numbers)), *map(str, cells))
            yield from (title(source), rows, "")
        for status, heading in HEADINGS.items():
            listed = [number for number in self.numbers if number.status == status]
            if listed:
                yield from (title(heading), "")
                yield from _every(listed)

    def _summary(self) -> str:
        errors, unexplained, misses = self.source_errors, self.unexplained, self.mismatches
        words = (
            (errors, "is a proved error in the sources", "are proved errors in the sources"),
            (unexplained, "differs for an unknown reason", "differ for an unknown reason"),
            (misses, "does not match", "do not match"),
        )
        others = [
            f"{number} {one if number == 1 else many}" for number, one, many in words if number
        ]
        return ", ".join([f"{self.matches} of {len(self.numbers)} numbers match", *others])


def _every(numbers: Numbers) -> Iterator[Block]:
    """Yield every number beside the computed number."""
    for source, of_source in _by("source", numbers):
        rows = table("", "number", ">published", ">computed", "")
        for place, of_table in _by("place", of_source):
            for n, number in enumerate(of_table):
                first = "" if n else place
                rows.add_row(first, number.what, number.published, number.computed, _mark(number))
        yield from (title(source), rows, "")


def _mark(number: PublishedNumber) -> Text | str:
    """Return the status of a number with its reason."""
    match number.status:
        case "match":
            return "ok"
        case "source_error":
            return f"error: {number.reason}"
        case "unexplained":
            return f"unexplained: {number.reason}"
        case "mismatch":
            return Text("MISMATCH", style="bold red")


def _by(field: str, numbers: Numbers) -> Iterable[tuple[str, Numbers]]:
    groups: dict[str, Numbers] = {}
    for number in numbers:
        groups.setdefault(getattr(number, field), []).append(number)
    return groups.items()


@checks_arguments
def verify(
    groups: Annotated[
        Sequence[str] | None, Parameter(metavar="[SOURCE]…", show_default="all")
    ] = None,
    *,
    each: Annotated[bool, Parameter(name="--all")] = False,
) -> Verification:
    """Check published numbers against computed numbers.

    A number matches if the computed number rounds to it. The command lists proved errors in a
    source with the correct number and the reason, and also differences whose cause is not known.
    The exit code is 1 if any other number does not match.

    Parameters
    ----------
    groups
        huber, verhoeff, blog, mince, or programs.
    each
        Print every number, not only the totals and errors.

    Examples
    --------
    >>> verify(["blog"]).matches
    18

    rollwise verify huber blog
    rollwise verify mince --all
    rollwise verify blog --json
    """
    with working("computing published numbers") as advance:
        found = list(checks(groups or SOURCES, advance))
    count = Counter(check.status for check in found)
    return Verification(
        matches=count["match"],
        source_errors=count["source_error"],
        unexplained=count["unexplained"],
        mismatches=count["mismatch"],
        numbers=[_number(check) for check in found],
        each=each,
    )


def _number(check: Check) -> PublishedNumber:
    computed = check.formatted_ours()
    return PublishedNumber(
        group=check.table.group,
        table=check.table.key,
        rules=check.rules,
        what=check.what,
        published=check.published,
        ours=check.ours if isinstance(check.ours, int | float) else computed,
        difference=check.difference,
        status=check.status,
        reason=check.reason,
        source=check.table.source,
        place=check.table.title,
        computed=computed,
    )
