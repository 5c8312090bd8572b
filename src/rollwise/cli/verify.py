"""``rollwise verify``: published numbers compared with computed numbers."""

from __future__ import annotations

from collections import Counter
from operator import attrgetter
from typing import Annotated

import typer
from rich.text import Text

from rollwise.cli import flags
from rollwise.cli.common import console, empty_table, headed, write_json
from rollwise.cli.lazy_imports import lazy_imports
from rollwise.cli.progress import progress

with lazy_imports():
    from rollwise.studies import published

TOTALS: dict[str, published.Status] = {
    "matches": "match",
    "source_errors": "source_error",
    "unexplained": "unexplained",
    "mismatches": "mismatch",
}
"""The totals of the JSON output, by key."""

HEADINGS: dict[published.Status, str] = {
    "source_error": "Proved errors in the sources",
    "unexplained": "Differences without an explanation",
    "mismatch": "Mismatches",
}
"""The heading above each list of numbers that do not match."""


def verify(
    groups: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[SOURCE]…",
            help="huber, verhoeff, blog, mince, or programs.",
            show_default="all",
        ),
    ] = None,
    each: Annotated[
        bool, typer.Option("--all", help="Print every number, not only the totals and errors.")
    ] = False,
    as_json: flags.Json = False,
    quiet: flags.Quiet = False,
) -> None:
    """Check published numbers against computed numbers.

    [bold]Examples[/bold]

      rollwise verify huber blog

      rollwise verify mince --all

      rollwise verify blog --json

    A number matches if the computed number rounds to it. Proved errors in a source are listed with
    the correct number and the reason, and so are differences whose cause is not known. The exit
    code is 1 if any other number does not match.
    """
    with progress("computing published numbers", quiet) as advance:
        checks = list(published.checks(groups or published.SOURCES, advance))
    count = Counter(check.status for check in checks)
    if as_json:
        totals = {name: count[status] for name, status in TOTALS.items()}
        write_json(totals | {"numbers": [check.as_dict() for check in checks]})
    else:
        _print_all(checks) if each else _print_tables(checks)
        console().print(_summary(count))
    if count["mismatch"]:
        raise typer.Exit(1)


def _summary(count: Counter[published.Status]) -> str:
    """Return the sentence with the number of checks of each status."""
    words: dict[published.Status, tuple[str, str]] = {
        "source_error": ("is a proved error in the sources", "are proved errors in the sources"),
        "unexplained": ("differs for an unknown reason", "differ for an unknown reason"),
        "mismatch": ("does not match", "do not match"),
    }
    others = [
        f"{count[status]} {one if count[status] == 1 else many}"
        for status, (one, many) in words.items()
        if count[status]
    ]
    return ", ".join([f"{count['match']} of {count.total()} numbers match", *others])


def _print_tables(checks: list[published.Check]) -> None:
    """Print the totals of each table, then the numbers that do not match."""
    out = console()
    for source, of_source in _by(checks, "table.source").items():
        table = empty_table("", ">numbers", ">match", ">errors", ">unexplained")
        for place, of_table in _by(of_source, "table.title").items():
            count = Counter(check.status for check in of_table)
            cells = (count["match"], count["source_error"] or "–", count["unexplained"] or "–")
            table.add_row(place, str(len(of_table)), *map(str, cells))
        out.print(headed(source))
        out.print(table)
        out.print()
    for status, title in HEADINGS.items():
        listed = [check for check in checks if check.status == status]
        if listed:
            out.print(headed(title))
            out.print()
            _print_all(listed)


def _print_all(checks: list[published.Check]) -> None:
    """Print every number beside the computed number."""
    out = console()
    for source, of_source in _by(checks, "table.source").items():
        table = empty_table("", "number", ">published", ">computed", "")
        for place, of_table in _by(of_source, "table.title").items():
            for n, check in enumerate(of_table):
                table.add_row(
                    "" if n else place,
                    check.what,
                    check.published,
                    check.formatted_ours(),
                    _mark(check),
                )
        out.print(headed(source))
        out.print(table)
        out.print()


def _mark(check: published.Check) -> Text | str:
    """Return the status of a number with its reason."""
    match check.status:
        case "match":
            return "ok"
        case "source_error":
            return f"error: {check.reason}"
        case "unexplained":
            return f"unexplained: {check.reason}"
        case "mismatch":
            return Text("MISMATCH", style="bold red")


def _by(checks: list[published.Check], attribute: str) -> dict[str, list[published.Check]]:
    groups: dict[str, list[published.Check]] = {}
    for check in checks:
        groups.setdefault(attrgetter(attribute)(check), []).append(check)
    return groups
