"""Output of ``rollwise solve --estimate``: the resources that solving a game takes."""

from __future__ import annotations

from dataclasses import asdict

from rollwise.cli.show import console, write_json
from rollwise.errors import counted
from rollwise.experiments.plan import Plan, plan
from rollwise.questions.answer import table
from rollwise.questions.progress import working
from rollwise.rules import Rules
from rollwise.solving.layers import usable_cores

CORES = 100
"""The default number of cores of a cluster."""

SIZES = {"TB": 1e12, "GB": 1e9, "MB": 1e6, "kB": 1e3, "B": 1.0}
TIMES = {"years": 365.25 * 86_400, "days": 86_400, "hours": 3_600, "min": 60, "s": 1.0}


def print_estimates(games: list[Rules], players: int, cores: int, *, as_json: bool) -> None:
    """Print the table entries, memory, disk space, and time that each game takes."""
    plans = list[Plan]()
    with working("estimating") as advance:
        for number, game in enumerate(games, start=1):
            plans.append(plan(game, players))
            advance(number / len(games))
    here = usable_cores()
    if as_json:
        games_data = [_as_dict(estimate, here, cores) for estimate in plans]
        write_json({"cores_here": here, "cores": cores, "games": games_data})
        return
    more = (f">{counted(here, 'core')} here", f">{counted(cores, 'core')}")
    columns = (">classes", ">table entries", ">memory", ">disk", ">core hours")
    rows = table("game", *columns, *more)
    for estimate in plans:
        rows.add_row(
            estimate.rules,
            f"{estimate.classes:,}",
            f"{estimate.entries:,}",
            _in_unit(estimate.memory, SIZES),
            _in_unit(estimate.disk, SIZES),
            _hours(estimate.core_seconds),
            *(_in_unit(estimate.seconds(number), TIMES) for number in (here, cores)),
        )
    console().print(rows)


def _as_dict(plan: Plan, here: int, cores: int) -> dict[str, int | float | str]:
    waits = {"seconds_here": plan.seconds(here), "seconds": plan.seconds(cores)}
    return asdict(plan) | waits


def _hours(seconds: float) -> str:
    """Return core hours with two digits, or as a whole number if there are 100 or more."""
    hours = seconds / 3600
    return f"{hours:,.0f}" if hours >= 100 else f"{hours:.2g}"


def _in_unit(number: float, units: dict[str, float]) -> str:
    """Return a number in the largest unit in which it is at least 1, or in the smallest unit."""
    unit = next((name for name, size in units.items() if number >= size), [*units][-1])
    return f"{number / units[unit]:,.1f} {unit}"
