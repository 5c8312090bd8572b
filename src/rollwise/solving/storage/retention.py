"""How layers are kept while a game is solved: in memory, all or the last two, or in files.

In mid-game a layer of a large game takes gigabytes. A finished layer can be written to files, each
whole or not at all; whoever was interrupted goes on from there. Files that are not what was written
are computed again.

Memory that is handed back while its array is still in use.
"""

import ctypes
import logging
import math
import mmap
import sys
from collections.abc import Callable
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from rollwise.errors import TooLargeError
from rollwise.solving.storage.chunks import Shape, bytes_of
from rollwise.solving.storage.layer_files import (
    DamagedError,
    LayerFiles,
    StoredLayer,
    Values,
    stored_layers,
)

log = logging.getLogger("rollwise")

MAX_BYTES = 10 << 30
"""Of two neighbouring layers."""

ALWAYS_READ = 2
"""Layers from the start that every question reads, and that are small."""


def check_memory(name: str, shapes: list[Shape], read: int = 1) -> None:
    """Check that a layer of a game has room in memory beside the next one.

    Parameters
    ----------
    read : int
        So many quantities are read of the next layer.

    Raises
    ------
    TooLargeError
        When it has not.
    """
    taken = max(here + read * after for here, after in pairwise(map(bytes_of, shapes)))
    if taken > MAX_BYTES:
        raise TooLargeError(
            f"{name}: {1 + read} layers of cards take {taken / 2**30:,.1f} GiB: expected at most "
            f"{MAX_BYTES >> 30}"
        )


class LayerRetention:
    """Finished layers, from the last one to the first: all of them in memory.

    Attributes
    ----------
    shapes : list of tuple of int
        Of each layer, such as: classes, numbers of saved rolls, lanes.
    layers : list of float64 array, StoredLayer or None
        None where not kept.
    """

    def __init__(self, shapes: list[Shape]) -> None:
        self.shapes = shapes
        self.layers: list[Values | StoredLayer | None] = [None] * len(shapes)

    def fill(self, full_cards: Values, compute: Callable[[int], None], first: int = 0) -> bool:
        """Take the layer of full cards, and compute the others, the last one first.

        ``compute`` is called with the numbers of layers that are not at hand, from ``first`` on,
        each when the one after it stands; it hands what it computed to :meth:`put`.

        Returns
        -------
        bool
            Whether all of them were at hand.
        """
        self.layers[-1] = full_cards
        missing = [layer for layer in self._missing() if layer >= first]
        for layer in missing:
            compute(layer)
        return not missing

    def _missing(self) -> list[int]:
        """Return the layers that are not at hand, the last one first, and take those that are."""
        return list(range(len(self.shapes) - 2, -1, -1))

    def room(self, layer: int) -> Values:
        """Return room for a layer, when the one after it stands."""
        return np.empty(self.shapes[layer])

    def whole(self, layer: int) -> Values:
        """Return a layer that stands, in memory."""
        values = self.layers[layer] = np.asarray(self.layers[layer])
        return values

    def was_read(self, layer: int, numbers: slice) -> None:
        """Take notice that numbers along the last axis of a layer will not be read any more."""

    def put(self, layer: int, values: Values) -> None:
        """Keep a finished layer."""
        self.layers[layer] = values


class InOneTable(LayerRetention):
    """All layers in memory as rows of one array, which is a table of all cards as it stands."""

    def __init__(self, shapes: list[Shape]) -> None:
        super().__init__(shapes)
        starts = np.cumsum([0, *(math.prod(shape[:-1]) for shape in shapes)])
        rows = np.empty((starts[-1], shapes[-1][-1]))
        spans = pairwise(starts.tolist())
        self._rooms = [
            rows[slice(*span)].reshape(shape) for span, shape in zip(spans, shapes, strict=True)
        ]

    def fill(self, full_cards: Values, compute: Callable[[int], None], first: int = 0) -> bool:
        """Take the layer of full cards into the array, and compute the others."""
        self._rooms[-1][:] = full_cards
        return super().fill(self._rooms[-1], compute, first)

    def room(self, layer: int) -> Values:
        """Return the rows of a layer."""
        return self._rooms[layer]


class LastTwo(LayerRetention):
    """The last two layers in memory, of the next one what is still to be read."""

    def was_read(self, layer: int, numbers: slice) -> None:
        """Hand back the memory of such numbers; full cards and what every question reads stay."""
        if ALWAYS_READ <= layer < len(self.layers) - 1:
            for table in self.whole(layer):
                release_pages(table[numbers])

    def room(self, layer: int) -> Values:
        """Return room for a layer; of those that stand the next one is kept."""
        if layer + 2 < len(self.layers):
            self.layers[layer + 2] = None
        return super().room(layer)


class Resumable(LastTwo):
    """The last two layers in memory and in files: an interrupted run goes on from there."""

    def __init__(self, shapes: list[Shape], files: LayerFiles) -> None:
        super().__init__(shapes)
        self._files = files

    def fill(self, full_cards: Values, compute: Callable[[int], None], first: int = 0) -> bool:
        """Compute the layers that are not in files; no other process writes them meanwhile."""
        whole = True
        with self._files.alone():
            while True:
                try:
                    return super().fill(full_cards, compute, first) and whole
                except DamagedError as error:
                    self._files.drop_damaged(error)
                    whole = False

    def _missing(self) -> list[int]:
        self._take()
        gone = [layer for layer, values in enumerate(self.layers) if values is None]
        needed = [layer for layer in gone if layer < ALWAYS_READ]
        if not needed:
            return []
        begun = next(layer for layer in range(needed[-1], len(self.layers)) if layer not in gone)
        return list(range(begun - 1, needed[0] - 1, -1))

    def _take(self) -> None:
        """Take the layers that are in files."""
        self.layers[:-1] = stored_layers(self._files, self.shapes)[:-1]
        for layer in range(min(ALWAYS_READ, len(self.shapes))):
            if self.layers[layer] is not None:
                self.whole(layer)

    def put(self, layer: int, values: Values) -> None:
        """Keep a finished layer, and no files that are needed no more."""
        super().put(layer, values)
        try:
            self._files.write(layer, values)
            self._drop_after(layer)
        except OSError as error:
            log.warning("a finished layer could not be kept: %s", error)

    def _drop_after(self, layer: int) -> None:
        """Delete the files that are needed no more when a layer was written."""
        if layer + 2 < len(self.layers) - 1:
            self._files.drop(layer + 2, self.shapes[layer + 2])


class AllInFiles(Resumable):
    """All layers in files, and the last two in memory.

    Parameters
    ----------
    wanted : bool
        Whether the user asked for them; else they go when the cache needs room.

    Raises
    ------
    TooLargeError
        When there is no room for them.
    OSError
        When a layer cannot be written.
    """

    def __init__(self, shapes: list[Shape], files: LayerFiles, *, wanted: bool = True) -> None:
        super().__init__(shapes, files)
        self._wanted = wanted

    def _missing(self) -> list[int]:
        self._take()
        missing = [layer for layer, values in enumerate(self.layers) if values is None]
        size = sum(bytes_of(self.shapes[layer]) for layer in missing)
        if self._files.store.room() < size:
            told = self._files.store.told(self._files.folder)
            raise TooLargeError(f"{told}: expected room for {size / 2**30:,.0f} GiB more")
        if self._wanted:
            self._files.ask_for_all()
        return missing[::-1]

    def room(self, layer: int) -> Values:
        """Return room for a layer; of those that stand the next one stays in memory."""
        if layer + 2 < len(self.layers) - 1:
            self.layers[layer + 2] = StoredLayer(self._files, layer + 2, self.shapes[layer + 2])
        return np.empty(self.shapes[layer])

    def put(self, layer: int, values: Values) -> None:
        """Write a finished layer."""
        self.layers[layer] = values
        self._files.write(layer, values)


AT_LEAST = 1 << 20
"""Bytes: of less the system is not asked to take it back."""


def release_pages(values: NDArray[np.float64]) -> None:
    """Hand the memory of contiguous numbers back to the system; they are lost.

    Where that is done page by page, which is Linux; elsewhere memory stays until the array goes.
    """
    if sys.platform == "linux" and values.nbytes >= AT_LEAST:
        page, first = mmap.PAGESIZE, values.ctypes.data
        start, stop = -(-first // page) * page, (first + values.nbytes) // page * page
        size = ctypes.c_size_t(stop - start)
        ctypes.CDLL(None).madvise(ctypes.c_void_p(start), size, mmap.MADV_DONTNEED)
