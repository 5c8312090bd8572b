"""Estimates of the time and memory of an exact two-player solution."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from rollwise.errors import check_memory
from rollwise.model.arrays import Model
from rollwise.solving.progress import format_duration
from rollwise.two_player.layout import MAX_PAIRS, LayerCards, kind_of, lengths, strip_count

MAX_BYTES = 20 << 30
"""The maximum memory of a computation in bytes."""

MAX_BYTES_OF_ALL = 1 << 30
"""The maximum total size of all layers that stay in memory together, in bytes."""

PAIR = 17
"""The memory for a pair of scorecards, in bytes.

The memory contains the range of open score differences, their step, and an array position.
"""

PAIRS_COUNTED = 1 << 19
"""The maximum number of pairs of a layer whose states are counted.

The number of states in a larger layer is estimated from a sample.
"""

STEP = 1e-10
"""The time of one step of a turn for one two-player state on one core, in seconds.

The time was measured on a 2024 machine with AVX-512, with all cores busy.
"""

TIES, GRID = 2.4, 0.8
"""The factors of the computing time with tie probabilities and on a grid."""


@dataclass(frozen=True)
class DuelSize:
    """The estimated time and peak memory that a two-player solution takes.

    ``pairs`` counts pairs of scorecards. ``lanes`` counts two-player states: the open score
    differences over all pairs. In a large game, they are sampled, and rounded to three digits.
    Layers and the ranges of open differences of their pairs take memory for all of them in a small
    game, and otherwise for one layer and the unread part of the next one. ``disk`` is the size of
    all layers in bytes.
    """

    pairs: int
    lanes: int
    bytes: int
    seconds: float
    disk: int

    def __str__(self) -> str:
        return (
            f"{self.pairs:,} pairs of scorecards, {self.lanes:.3g} two-player states, "
            f"{self.bytes / 2**30:,.1f} GiB, about {format_duration(self.seconds)}"
        )

    @property
    def fits(self) -> bool:
        """Whether the solution fits into ``MAX_BYTES`` of memory."""
        return self.bytes <= MAX_BYTES

    def check(self, name: str) -> None:
        """Raise TooLargeError if the solution of the game ``name`` does not fit into memory."""
        need = f"from these scorecards, {name} for two players needs about"
        check_memory(need, self.bytes, MAX_BYTES, "fill more categories")


def size_of(
    layers: Sequence[LayerCards],
    model: Model,
    tables: int,
    threads: int,
    max_states: float,
    on_disk: bool,
) -> DuelSize:
    """Return the time and memory that a solution with these layers takes.

    There are 2 value ``tables`` if the probability of a tie is computed, otherwise 1. All layers
    stay in memory if they have at most ``max_states`` two-player states and ``MAX_BYTES_OF_ALL``.
    A solution ``on_disk`` is read later, two whole layers at a time.
    """
    states, sizes, pairs = [], [], [layer.pairs for layer in layers]
    is_grid = layers[0].grid is not None
    for layer in layers:
        moved = layer.moved
        sampled = min(max(PAIRS_COUNTED // len(layer.movers), 1), len(moved))
        sample = moved.subset(np.unique(np.linspace(0, len(moved) - 1, sampled).astype(np.int64)))
        low, high, _ = layer._replace(moved=sample).windows()
        scale = len(moved) / len(sample)
        states.append(scale * float((high - low).sum()))
        sizes.append(scale * float(lengths(high - low, is_grid).sum()))
    layer_bytes = [np.dtype(kind_of(size, is_grid)).itemsize * tables * size for size in sizes]
    at_once, listed = sum(layer_bytes), sum(pair for pair in pairs if pair <= MAX_PAIRS)
    if at_once > MAX_BYTES_OF_ALL or sum(states) > max_states:
        at_once = max(
            max(pair) + min(pair) / (1 if on_disk else strip_count(after))
            for pair, after in zip(pairwise(layer_bytes), sizes[1:], strict=True)
        )
    if max(pairs) > MAX_PAIRS:
        listed += max(sum(pair) for pair in pairwise(pairs))
    total, time = sum(states), sum(states) * seconds_per_state(model, tables, threads)
    return DuelSize(
        sum(pairs),
        round(total) if max(pairs) <= PAIRS_COUNTED else int(float(f"{total:.2e}")),
        round(at_once) + PAIR * listed,
        time * (GRID if is_grid else 1),
        round(sum(layer_bytes)),
    )


def seconds_per_state(model: Model, tables: int, threads: int) -> float:
    """Return the estimated computing time per two-player state, in seconds."""
    lattice = model.lattice
    open_categories = len(model.rules.categories) / 2
    choices = len(model.option_T_V_K) * open_categories * len(lattice.rolls)
    steps = lattice.links * float(np.mean(model.rerolls_C)) + choices
    return steps * STEP / threads * (TIES if tables > 1 else 1)
