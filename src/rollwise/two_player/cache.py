"""The cache of two-player solutions on disk.

A long computation saves some of its layers as files. An interrupted computation continues from
them, and a later computation of the same turn reads them.
"""

from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

from rollwise.rules import Rules
from rollwise.solving.cache import LAYERS, entry_path
from rollwise.solving.position_index import CardIndex
from rollwise.solving.storage.layers import ALWAYS_READ
from rollwise.two_player.grid import Grid

WRITTEN = 1e8
"""The assumed speed of a disk, in bytes per second."""

SHARE = 0.1
"""The maximum time to write a file, as a fraction of the computing time that the file saves."""


class DuelKey(NamedTuple):
    """The cache key of a two-player solution of one game.

    Attributes
    ----------
    card, opponent : CardIndex
        The scorecards of the player to move and of the opponent.
    tie : float
        The value of a tie to the player to move.
    tables : int
        The number of value tables: 1, or 2 if the solution includes the probability of a tie.
    grid : Grid, optional
        The grid of a near-exact solution.
    """

    card: CardIndex
    opponent: CardIndex
    tie: float
    tables: int
    grid: Grid | None = None

    def folder(self, rules: Rules) -> Path:
        """Return the folder for the layers of the solution."""
        numbers: list[object] = [*self.tie.as_integer_ratio(), self.tables]
        for place in (self.card, self.opponent):
            numbers += [place.c, place.lane, place.score]
        return entry_path(rules, f"duel {numbers} {self.grid or 'exact'}", LAYERS)


def checkpoints(bytes_L: list[int]) -> Callable[[int], bool]:
    """Return a function that decides whether to save a layer, which has just been finished.

    The argument is the size of each layer in bytes.

    The first layers are saved. A later layer is saved if writing it takes at most ``SHARE`` of the
    computing time since the start or the last saved layer.
    """
    begun = perf_counter()

    def is_worth_saving(layer: int) -> bool:
        nonlocal begun
        computing = perf_counter() - begun
        if layer >= ALWAYS_READ and bytes_L[layer] / WRITTEN > SHARE * computing:
            return False
        begun += computing
        return True

    return is_worth_saving
