"""``rollwise plan``: estimates of the time, memory, and disk space needed to solve games."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from rollwise.cli import flags
from rollwise.cli.common import console, counted, empty_table, write_json
from rollwise.cli.lazy_imports import lazy_imports
from rollwise.cli.progress import progress
from rollwise.rules import load_rules

with lazy_imports():
    from rollwise.experiments import plan as planning
    from rollwise.solving import layers


SIZES = {"TB": 1e12, "GB": 1e9, "MB": 1e6, "kB": 1e3, "B": 1.0}
TIMES = {"years": 365.25 * 86_400, "days": 86_400, "hours": 3_600, "min": 60, "s": 1.0}


def plan(
    rules: Annotated[
        list[str] | None,
        typer.Option(
            "--rules",
            metavar="NAME|FILE.toml",
            help="A name out of rollwise rules list, or a file; several give a line each.",
        ),
    ] = None,
    players: Annotated[
        int, typer.Option("--players", min=1, max=2, help="2: who answer each other.")
    ] = 1,
    cores: Annotated[
        int, typer.Option("--cores", metavar="N", min=1, help="Those of a cluster.")
    ] = 100,
    as_json: flags.Json = False,
    quiet: flags.Quiet = False,
) -> None:
    """Print what it would take to solve games, however large: cards, memory, disk, core hours.

    [bold]Examples[/bold]

      rollwise plan

      rollwise plan --rules my-game.toml --cores 8

      rollwise plan --rules maxi-yatzy --rules kniffel-extreme --json

      rollwise plan --rules crag --players 2

    How fast this machine is is measured on a small game; the rest is arithmetic, so that hours are
    about right and counts are exact, but for the leads of two players, of which some are counted.
    Memory is that of two neighbouring layers of cards, the least that has to be at hand.
    """
    games = [load_rules(name) for name in rules or ["yahtzee"]]
    plans: list[planning.Plan] = []
    with progress("planning", quiet) as advance:
        for number, game in enumerate(games, start=1):
            plans.append(planning.plan(game, players))
            advance(number / len(games))
    here = layers.usable_cores()
    if as_json:
        games_data = [_as_dict(estimate, here, cores) for estimate in plans]
        write_json({"cores_here": here, "cores": cores, "games": games_data})
        return
    more = (f">{counted(here, 'core')} here", f">{counted(cores, 'core')}")
    columns = (">cards", ">states", ">memory", ">disk", ">core hours")
    table = empty_table("game", *columns, *more)
    for estimate in plans:
        table.add_row(
            estimate.rules,
            f"{estimate.cards:,}",
            f"{estimate.states:,}",
            _in_unit(estimate.memory, SIZES),
            _in_unit(estimate.disk, SIZES),
            _hours(estimate.core_seconds),
            *(_in_unit(estimate.seconds(number), TIMES) for number in (here, cores)),
        )
    console().print(table)


def _as_dict(plan: planning.Plan, here: int, cores: int) -> dict[str, int | float | str]:
    waits = {"seconds_here": plan.seconds(here), "seconds": plan.seconds(cores)}
    return asdict(plan) | waits


def _hours(seconds: float) -> str:
    """Return core hours with two digits, or as a whole number."""
    hours = seconds / 3600
    return f"{hours:,.0f}" if hours >= 100 else f"{hours:.2g}"


def _in_unit(number: float, units: dict[str, float]) -> str:
    """Return a number in the largest unit that is not above it, or in the smallest unit."""
    unit = next((name for name, size in units.items() if number >= size), [*units][-1])
    return f"{number / units[unit]:,.1f} {unit}"
