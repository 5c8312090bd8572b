"""``rollwise verify``: published numbers compared with computed numbers."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.text import Text

from rollwise.cli import flags
from rollwise.cli.common import console, empty_table, headed, write_json
from rollwise.cli.lazy_imports import lazy_imports
from rollwise.cli.progress import progress

with lazy_imports():
    from rollwise.studies import published


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

    A number matches if the computed number rounds to it. A known error in a source is listed with
    the correct number and the reason. The exit code is 1 if another number does not match.
    """
    with progress("computing published numbers", quiet) as advance:
        checks = list(published.checks(groups or published.GROUPS, advance))
    missed = sum(check.missed for check in checks)
    if as_json:
        write_json([check.as_dict() for check in checks])
    else:
        _print_all(checks) if each else _print_tables(checks)
        slips = sum(check.slip is not None for check in checks)
        holding = sum(check.holds for check in checks)
        words = f"{holding} of {len(checks)} numbers match, {slips} are errors in the sources"
        console().print(f"{words}, {missed} do not match" if missed else words)
    if missed:
        raise typer.Exit(1)


def _print_tables(found: list[published.Check]) -> None:
    """Print how many numbers of each table match, then the numbers that do not."""
    out = console()
    for source, of_source in _by(found, "source").items():
        table = empty_table("", ">numbers", ">match", ">errors")
        for place, figures in _by(of_source, "place").items():
            holding = sum(check.holds for check in figures)
            slips = sum(check.slip is not None for check in figures)
            table.add_row(place, str(len(figures)), str(holding), str(slips or "–"))
        out.print(headed(source))
        out.print(table)
        out.print()
    mismatches = [check for check in found if check.missed or check.slip]
    if mismatches:
        out.print(headed("Errors in the sources"))
        out.print()
        _print_all(mismatches)


def _print_all(found: list[published.Check]) -> None:
    out = console()
    for source, of_source in _by(found, "source").items():
        table = empty_table("", "number", ">published", ">computed", "")
        for place, figures in _by(of_source, "place").items():
            for n, check in enumerate(figures):
                mark = "ok" if check.slip is None else f"error: {check.slip}"
                table.add_row(
                    "" if n else place,
                    check.what,
                    check.published,
                    check.formatted_ours(),
                    Text("MISMATCH", style="bold red") if check.missed else mark,
                )
        out.print(headed(source))
        out.print(table)
        out.print()


def _by(of_source: list[published.Check], field: str) -> dict[str, list[published.Check]]:
    groups: dict[str, list[published.Check]] = {}
    for check in of_source:
        groups.setdefault(getattr(check, field), []).append(check)
    return groups
