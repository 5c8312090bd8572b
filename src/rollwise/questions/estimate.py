"""Estimates of the states, memory, disk space, and time that a game takes to solve.

The estimates do not require a solution, so they also work for games that are too large to solve. A
class of states is solved in two steps. The first step lists its legal outcomes. The second step
computes ``WIDTH`` upper-section totals at a time, with vector reads. The estimated time is the
number of reads in both steps times the duration of one read, which is measured in a small game.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from time import process_time

import numpy as np

from rollwise.errors import TooLargeError, counted
from rollwise.model.arrays import build
from rollwise.model.classes import classes_by_layer, each_column, exceeds_table
from rollwise.model.dice_lattice import lattice
from rollwise.model.outcomes import special_categories
from rollwise.questions.answer import Answer, Block, Data, table
from rollwise.questions.progress import working
from rollwise.rules import Rules, load_rules
from rollwise.solving.jobs import usable_cores
from rollwise.solving.objectives import EXPECTED

CORES = 100
"""The default number of cores of a cluster."""

MEASURED = "yahtzee-plain"
"""The game that is solved to measure the duration of a read; this takes a third of a second."""

LEGAL_READS = 7
"""The number of reads per roll and open category that it takes to list the legal outcomes."""

MOST_SECONDS = 60.0
"""The longest time, in core seconds, that an estimate for two players can spend on a one-player
solution."""


SIZES = {"TB": 1e12, "GB": 1e9, "MB": 1e6, "kB": 1e3, "B": 1.0}
TIMES = {"years": 365.25 * 86_400, "days": 86_400, "hours": 3_600, "min": 60, "s": 1.0}


class Estimate(Data):
    """The resources needed to solve a game, alone or as a game of two who respond to each other."""

    rules: str
    players: int
    classes: int
    """The sets of filled categories, each combined with eligibility for the five-of-a-kind bonus
    and a number of saved rolls; for two players, the pairs of scorecards."""
    entries: int
    """The pairs of a class and an upper-section total, reachable or not; for two players, the pairs
    of scorecards with an undecided score difference, which is an estimate for large games."""
    memory: int
    """Bytes: the two largest adjacent layers; for two players, the peak."""
    disk: int
    """Bytes: all layers; for two players, the probabilities of a win and of a tie."""
    core_seconds: float
    """The approximate time on one core, in seconds."""
    seconds_here: float
    """The time on this machine, in seconds."""
    seconds: float
    """The time on the cores of a cluster, in seconds, without transfers between machines."""


class Estimates(Answer):
    """The resources that solving each game takes."""

    cores_here: int
    cores: int
    games: list[Estimate]

    def show(self) -> Iterator[Block]:
        """Yield a table with a row for each game."""
        waits = [f">{counted(self.cores_here, 'core')} here", f">{counted(self.cores, 'core')}"]
        columns = (">classes", ">table entries", ">memory", ">disk", ">core hours")
        rows = table("game", *columns, *waits)
        for game in self.games:
            hours = game.core_seconds / 3600
            rows.add_row(
                game.rules,
                f"{game.classes:,}",
                f"{game.entries:,}",
                _in_unit(game.memory, SIZES),
                _in_unit(game.disk, SIZES),
                f"{hours:,.0f}" if hours >= 100 else f"{hours:.2g}",
                _in_unit(game.seconds_here, TIMES),
                _in_unit(game.seconds, TIMES),
            )
        yield rows


def _in_unit(number: float, units: dict[str, float]) -> str:
    """Return a number in the largest unit in which it is at least 1, or in the smallest unit."""
    unit = next((name for name, size in units.items() if number >= size), [*units][-1])
    return f"{number / units[unit]:,.1f} {unit}"


def estimates(games: Sequence[Rules], players: int, cores: int) -> Estimates:
    """Estimate the resources that each game takes, and report progress."""
    found = []
    with working("estimating") as advance:
        for number, game in enumerate(games, start=1):
            found.append(estimate(game, players, cores))
            advance(number / len(games))
    return Estimates(cores_here=usable_cores(), cores=cores, games=found)


def estimate(rules: Rules, players: int = 1, cores: int = CORES) -> Estimate:
    """Estimate the resources needed to solve a game for the expected score, or a two-player game.

    The game can be too large to solve. An estimate for two players needs a one-player solution; if
    that takes too long, raise a TooLargeError.
    """
    classes_F, lanes = classes_by_layer(rules, special_categories(rules).extra), rules.upper_numbers
    if exceeds_table(rules):
        from rollwise.solving.columns import rows_by_layer  # numba

        classes_F, lanes = rows_by_layer(rules), each_column(rules)[-1].upper_numbers
    classes, entries = sum(classes_F), sum(classes_F) * lanes
    layers = np.array(classes_F, dtype=np.float64) * 8 * lanes
    memory, disk = int((layers[1:] + layers[:-1]).max()), int(layers.sum())
    here, core_seconds = usable_cores(), _reads(rules, classes_F, lanes) * seconds_a_read()
    if players == 2:
        if core_seconds > MOST_SECONDS:
            raise TooLargeError(
                f"{rules.name} is too large to estimate for two players: solving it for one player "
                f"would take {core_seconds:.0f} seconds on one core, and the limit is "
                f"{MOST_SECONDS:.0f}; choose a smaller game"
            )
        from rollwise.two_player.solver import DuelSolver  # numba

        size = DuelSolver(rules).size()
        classes, entries, memory = size.pairs, size.lanes, size.bytes
        disk = 16 * size.lanes  # each state has the probabilities of a win and of a tie
        core_seconds = size.seconds * here
    return Estimate(
        rules=rules.name,
        players=players,
        classes=classes,
        entries=entries,
        memory=memory,
        disk=disk,
        core_seconds=core_seconds,
        seconds_here=core_seconds / here,
        seconds=core_seconds / cores,
    )


def _reads(rules: Rules, classes_F: list[int], lanes: int) -> float:
    """Return the number of vector reads that a solution takes."""
    from rollwise.solving.kernels.vector import WIDTH  # numba

    dice = lattice(rules.kinds)
    rolls = len(dice.rolls)
    # A chain of n categories has n + 1 states. In n of them, one category can be filled.
    legal = rolls * sum(len(chain) / (len(chain) + 1) for chain in rules.chains)
    # On average about half of the upper-section totals of a class are reachable.
    blocks = 1 if lanes == 1 else 1 + lanes / 2 / WIDTH
    total = 0.0
    for turns, classes in enumerate(classes_F[:-1]):
        saved = rules.saved_after(turns)
        # If rolls are saved, the turn with the most rolls contains all shorter turns.
        starts = saved[-1:] if rules.saves_rolls else saved
        rolls_S = [rules.rolls_with(start) for start in starts]
        scored = sum(rolls_S) if rules.stops else len(rolls_S)
        rerolled = sum(rolls_S) - len(rolls_S)
        sets = classes / len(saved)
        total += sets * (LEGAL_READS * legal + blocks * (rerolled * dice.links + scored * legal))
    return total


@cache
def seconds_a_read() -> float:
    """Return the duration of a vector read on one core of this machine, in seconds.

    The time is measured once per process.
    """
    from rollwise.solving.backward_induction import solve_cards  # numba

    rules = load_rules(MEASURED)
    model = build(rules)
    solve_cards(model, EXPECTED, threads=1)  # to compile the kernels and allocate their memory
    start = process_time()
    solve_cards(model, EXPECTED, threads=1)
    lanes = model.lanes
    return (process_time() - start) / _reads(rules, classes_by_layer(rules, 0), lanes)
