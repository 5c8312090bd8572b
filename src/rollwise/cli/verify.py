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
            help="huber, verhoeff, blog, mince or programs; all of them unless told.",
        ),
    ] = None,
    each: Annotated[
        bool, typer.Option("--all", help="Print every figure, not only their numbers and slips.")
    ] = False,
    as_json: flags.Json = False,
    quiet: flags.Quiet = False,
) -> None:
    """Hold every figure that four texts and other programs print against ours, from scratch.

    [bold]Examples[/bold]

      rollwise verify

      rollwise verify huber blog

      rollwise verify mince --all

      rollwise verify blog --json

    A figure holds if ours rounds to it at its last printed digit. Where a source is wrong the
    figure is marked as a slip, with what is right and why; docs/published.md has the proofs.
    Exit code 1 if a figure is missed: one that should hold and does not, or a slip that holds.
    """
    with progress("computing published figures", quiet) as advance:
        checks = list(published.checks(groups or published.GROUPS, advance))
    missed = sum(check.missed for check in checks)
    if as_json:
        write_json([check.as_dict() for check in checks])
    else:
        _print_all(checks) if each else _print_tables(checks)
        slips = sum(check.slip is not None for check in checks)
        holding = sum(check.holds for check in checks)
        words = f"{holding} of {len(checks)} hold, {slips} are slips of the sources"
        console().print(f"{words}, {missed} missed" if missed else words)
    if missed:
        raise typer.Exit(1)


def _print_tables(found: list[published.Check]) -> None:
    """Print how many numbers of each table match, then the numbers that do not."""
    out = console()
    for source, of_source in _by(found, "source").items():
        table = empty_table("", ">figures", ">hold", ">slips")
        for place, figures in _by(of_source, "place").items():
            holding = sum(check.holds for check in figures)
            slips = sum(check.slip is not None for check in figures)
            table.add_row(place, str(len(figures)), str(holding), str(slips or "–"))
        out.print(headed(source))
        out.print(table)
        out.print()
    mismatches = [check for check in found if check.missed or check.slip]
    if mismatches:
        out.print(headed("Slips of the sources"))
        out.print()
        _print_all(mismatches)


def _print_all(found: list[published.Check]) -> None:
    out = console()
    for source, of_source in _by(found, "source").items():
        table = empty_table("", "figure", ">published", ">ours", "")
        for place, figures in _by(of_source, "place").items():
            for n, check in enumerate(figures):
                mark = "ok" if check.slip is None else f"slip: {check.slip}"
                table.add_row(
                    "" if n else place,
                    check.what,
                    check.published,
                    check.formatted_ours(),
                    Text("MISS", style="bold red") if check.missed else mark,
                )
        out.print(headed(source))
        out.print(table)
        out.print()


def _by(of_source: list[published.Check], field: str) -> dict[str, list[published.Check]]:
    groups: dict[str, list[published.Check]] = {}
    for check in of_source:
        groups.setdefault(getattr(check, field), []).append(check)
    return groups
