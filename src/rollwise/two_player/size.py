"""What it takes to solve a game of two, told before it is begun."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from rollwise.errors import TooLargeError
from rollwise.model.arrays import Model
from rollwise.two_player.layout import TurnCards, leads, room_for, strips_for

MAX_BYTES = 20 << 30
"""That a game may hold in memory at once."""

PAIR = 16
"""Bytes that say of a pair of cards which leads are open, and where they stand."""

LOOKED_AT = 1 << 19
"""Pairs of a layer that are looked at one by one; of more of them some, evenly spread."""

STEP = 1e-10
"""Seconds of one core for a step of a turn, for one lead: with AVX-512, of 2024, all cores busy."""

TIES = 2.2
"""How many times longer it takes with ties."""


@dataclass(frozen=True)
class DuelSize:
    """What it takes to solve a game of two.

    Attributes
    ----------
    pairs : int
        Pairs of cards.
    lanes : int
        Leads that are open, over all pairs; of a large game an estimate from some of them.
    bytes : int
        That are in memory at once: all layers of a small game, of a large one a layer and what is
        still to be read of the next one, and where the leads of every pair stand.
    seconds : float
        About.
    """

    pairs: int
    lanes: int
    bytes: int
    seconds: float

    def __str__(self) -> str:
        return (
            f"{self.pairs:,} pairs of cards, {self.lanes:.3g} leads, "
            f"{self.bytes / 2**30:,.1f} GiB, about {in_words(self.seconds)}"
        )

    @property
    def fits(self) -> bool:
        """Whether there is room."""
        return self.bytes <= MAX_BYTES

    def check(self, name: str) -> None:
        """Check that there is room.

        Raises
        ------
        TooLargeError
            When there is not; it says what the game of this name takes.
        """
        if not self.fits:
            raise TooLargeError(
                f"{name} for two from these cards takes {self}: expected at most "
                f"{MAX_BYTES >> 30} GiB, as with fewer open categories"
            )


def size_of(
    layers: Sequence[tuple[TurnCards, TurnCards]],
    model: Model,
    tables: int,
    threads: int,
    kept: int,
    few: float,
    on_disk: bool,
) -> DuelSize:
    """Return what it takes to solve layers of these cards of both players.

    Parameters
    ----------
    layers : sequence of (Cards, TurnCards)
        Of the player who has just moved, and of the one to move.
    tables : int
        1, or 2 with ties.
    kept, few : int, float
        Bytes, and leads: all layers of a game that takes no more of either stay in memory.
    on_disk : bool
        Whether all layers are wanted afterwards, of which two are read at once.
    """
    lanes, numbers = [], []
    for moved, movers in layers:
        looked_at = max(LOOKED_AT // len(movers), 1)
        some = moved.some(np.unique(np.linspace(0, len(moved) - 1, looked_at).astype(np.int64)))
        low, high = leads(some, movers)
        scale = len(moved) / len(some)
        lanes.append(scale * float((high - low).sum()))
        numbers.append(scale * float(room_for(high - low).sum()))
    held = [8.0 * tables * number for number in numbers]
    at_once = sum(held)
    if at_once > kept or sum(lanes) > few:
        at_once = max(
            max(pair) + min(pair) / (1 if on_disk else strips_for(after))
            for pair, after in zip(pairwise(held), numbers[1:], strict=True)
        )
    time = sum(lanes) * seconds_a_lead(model, tables, threads)
    pairs = sum(len(moved) * len(movers) for moved, movers in layers)
    return DuelSize(pairs, round(sum(lanes)), round(at_once) + PAIR * pairs, time)


def seconds_a_lead(model: Model, tables: int, threads: int) -> float:
    """Return about how long one lead takes."""
    lattice = model.lattice
    boxes = len(model.rules.categories) / 2
    choices = len(model.option_T_V_K) * boxes * len(lattice.rolls)
    steps = lattice.links * float(np.mean(model.rerolls_C)) + choices
    return steps * STEP / threads * (TIES if tables > 1 else 1)


def in_words(seconds: float) -> str:
    """Return a time in the unit that fits it."""
    for unit, length in (("days", 86_400), ("hours", 3_600), ("minutes", 60)):
        if seconds >= 2 * length:
            return f"{seconds / length:,.0f} {unit}"
    return f"{max(seconds, 1):.0f} seconds"
