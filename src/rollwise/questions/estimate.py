"""Estimates of the states, memory, disk space, and time that a game takes to solve."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rollwise.errors import TooLargeError, counted
from rollwise.questions.answer import Answer, Block, Data, table
from rollwise.questions.progress import working
from rollwise.rules import Rules
from rollwise.solving.cost import SIZES, cost_of, in_unit
from rollwise.solving.jobs import usable_cores

CORES = 100
"""The default number of cores of a cluster."""

MOST_SECONDS = 60.0
"""The longest time, in core seconds, that an estimate for two players can spend on a one-player
solution."""

TIMES = {"years": 365.25 * 86_400, "days": 86_400, "hours": 3_600, "min": 60, "s": 1.0}


class Estimate(Data):
    """The resources needed to solve a game, alone or as a game of two who respond to each other."""

    rules: str
    players: int
    classes: int
    """The number of combinations of filled categories, eligibility for the five-of-a-kind bonus,
    and saved rolls; for two players, the number of pairs of scorecards."""
    entries: int
    """The pairs of a class and an upper-section total, reachable or not; for two players, the pairs
    of scorecards with an undecided score difference, which is an estimate for large games."""
    memory: int
    """Bytes: the value table, or the two largest adjacent layers of a large game; for two players,
    the peak."""
    disk: int
    """Bytes: the value table, or all layers of a large game; for two players, the probabilities of
    a win and of a tie."""
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
                in_unit(game.memory, SIZES),
                in_unit(game.disk, SIZES),
                f"{hours:,.0f}" if hours >= 100 else f"{hours:.2g}",
                in_unit(game.seconds_here, TIMES),
                in_unit(game.seconds, TIMES),
            )
        yield rows


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
    cost, here = cost_of(rules), usable_cores()
    classes, memory, disk, core_seconds = cost.classes, cost.memory, cost.disk, cost.core_seconds()
    entries = classes * cost.layers.lanes
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
