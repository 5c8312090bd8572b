"""Estimates of the time and memory that an exact two-player solution takes."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from rollwise.errors import TooLargeError
from rollwise.model.arrays import Model
from rollwise.solving.progress import format_duration
from rollwise.two_player.layout import LayerCards, open_differences, padded_size, strip_count

MAX_BYTES = 20 << 30
"""The memory that a solution may take at once."""

MAX_BYTES_OF_ALL = 1 << 30
"""Up to this size all layers of a solution are kept in memory."""

PAIR = 16
"""Bytes for the open score differences of a pair of scorecards and their position."""

PAIRS_COUNTED = 1 << 19
"""Pairs of a layer that are counted one by one; of a larger layer an even sample is counted."""

STEP = 1e-10
"""Seconds per step of a turn and two-player state on one core: AVX-512, 2024, all cores busy."""

TIES = 2.2
"""How many times longer it takes with the probability of ties."""


@dataclass(frozen=True)
class DuelSize:
    """The time and memory that an exact two-player solution takes.

    Attributes
    ----------
    pairs : int
        Pairs of scorecards.
    lanes : int
        Two-player states: open score differences over all pairs; of a large game an estimate from
        a sample.
    bytes : int
        Memory at once. Of a small game all layers; of a large game one layer and the unread part
        of the next one; and the open score differences of every pair.
    seconds : float
        An estimate.
    """

    pairs: int
    lanes: int
    bytes: int
    seconds: float

    def __str__(self) -> str:
        return (
            f"{self.pairs:,} pairs of cards, {self.lanes:.3g} leads, "
            f"{self.bytes / 2**30:,.1f} GiB, about {format_duration(self.seconds)}"
        )

    @property
    def fits(self) -> bool:
        """Whether memory suffices."""
        return self.bytes <= MAX_BYTES

    def check(self, name: str) -> None:
        """Check that memory suffices for the game with this name.

        Raises
        ------
        TooLargeError
            If it does not; the message says what the solution takes.
        """
        if not self.fits:
            raise TooLargeError(
                f"{name} for two from these cards takes {self}: expected at most "
                f"{MAX_BYTES >> 30} GiB, as with fewer open categories"
            )


def size_of(
    layers: Sequence[LayerCards],
    model: Model,
    tables: int,
    threads: int,
    max_states: float,
    on_disk: bool,
) -> DuelSize:
    """Return what it takes to solve the layers with these scorecards.

    Parameters
    ----------
    layers : sequence of (TurnCards, TurnCards)
        Of the last mover, and of the player to move.
    tables : int
        1, or 2 with ties.
    max_states : float
        All layers stay in memory up to this many two-player states, and ``MAX_BYTES_OF_ALL``.
    on_disk : bool
        Whether all layers are used afterwards, two at once.
    """
    states, lengths = [], []
    for moved, movers in layers:
        sampled = max(PAIRS_COUNTED // len(movers), 1)
        sample = moved.subset(np.unique(np.linspace(0, len(moved) - 1, sampled).astype(np.int64)))
        low, high = open_differences(sample, movers)
        scale = len(moved) / len(sample)
        states.append(scale * float((high - low).sum()))
        lengths.append(scale * float(padded_size(high - low).sum()))
    layer_bytes = [8.0 * tables * length for length in lengths]
    at_once = sum(layer_bytes)
    if at_once > MAX_BYTES_OF_ALL or sum(states) > max_states:
        at_once = max(
            max(pair) + min(pair) / (1 if on_disk else strip_count(after))
            for pair, after in zip(pairwise(layer_bytes), lengths[1:], strict=True)
        )
    time = sum(states) * seconds_per_state(model, tables, threads)
    pairs = sum(len(moved) * len(movers) for moved, movers in layers)
    return DuelSize(pairs, round(sum(states)), round(at_once) + PAIR * pairs, time)


def seconds_per_state(model: Model, tables: int, threads: int) -> float:
    """Return an estimate of the time that one two-player state takes."""
    lattice = model.lattice
    open_categories = len(model.rules.categories) / 2
    choices = len(model.option_T_V_K) * open_categories * len(lattice.rolls)
    steps = lattice.links * float(np.mean(model.rerolls_C)) + choices
    return steps * STEP / threads * (TIES if tables > 1 else 1)
