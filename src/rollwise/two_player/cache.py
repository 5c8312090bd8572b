"""The cache of two-player solutions on disk.

A long computation saves some of its layers as files, or all of them if the user wants to keep them.
An interrupted computation continues from them, and later questions about the same game read them.
"""

import json
import zlib
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rollwise.cache_folder import make_own
from rollwise.files import replace_file
from rollwise.rules import Rules
from rollwise.solving.cache import LAYERS, entry_path
from rollwise.solving.position_index import CardIndex
from rollwise.solving.storage.layers import ALWAYS_READ, open_layer
from rollwise.two_player.grid import Grid
from rollwise.two_player.layout import PairLayers, Strips

WRITTEN = 1e8
"""The assumed speed of a disk, in bytes per second."""

STRIPS = "strips.json"
"""The file with the strips of all layers and their checksum."""

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


class SavedLayers(Sequence[NDArray[Any] | None]):
    """The values of saved layers, which are opened when they are read; None if one is not saved.

    The values of the last layer, ``ends``, are in memory.
    """

    def __init__(
        self, folder: Path, layers: PairLayers, tables: int, ends: NDArray[np.generic]
    ) -> None:
        self._folder, self._layers, self._tables = folder, layers, tables
        self._opened: dict[int, NDArray[Any] | None] = {len(layers) - 1: ends}

    def __len__(self) -> int:
        return len(self._layers)

    def __getitem__(self, t: Any) -> Any:
        if t not in self._opened:
            size, kind = self._layers.shape(t)
            self._opened[t] = open_layer(self._folder, t, (self._tables, size), kind)
        return self._opened[t]


def save_strips(folder: Path, layers: PairLayers) -> None:
    """Write the strips of all layers, so that a look-up needs to list only one of them."""
    strips = [[part.tolist() for part in layers.strips[t]] for t in range(len(layers))]
    with suppress(OSError):  # the strips can be computed again
        make_own(folder.parent)
        folder.mkdir(exist_ok=True)
        note = {"crc32": _checksum(strips), "strips": strips}
        replace_file(folder / STRIPS, json.dumps(note).encode())


def saved_strips(folder: Path) -> dict[int, Strips]:
    """Return the saved strips of each layer; none if they are missing or damaged."""
    try:
        note = json.loads((folder / STRIPS).read_bytes())
        strips = note["strips"]
        if note["crc32"] != _checksum(strips):
            return {}
    except (OSError, ValueError, LookupError, TypeError):
        return {}
    return {t: Strips(*map(np.array, parts)) for t, parts in enumerate(strips)}


def _checksum(strips: object) -> int:
    return zlib.crc32(json.dumps(strips).encode())


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
