"""Retention of layers while a game is solved: all or the last two in memory, or in files.

In mid-game a layer of a large game takes gigabytes. A finished layer can be saved to files as a
checkpoint, so that an interrupted run resumes from it. A damaged file is computed again.
"""

import ctypes
import logging
import math
import mmap
import sys
from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from rollwise.errors import TooLargeError
from rollwise.solving.progress import Progress, within_layer
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
"""The limit for two neighboring layers."""

ALWAYS_READ = 2
"""The first layers, which every question reads, and which are small."""


def check_memory(name: str, shapes: list[Shape], read: int = 1) -> None:
    """Check that a layer of a game fits in memory together with the next one.

    Parameters
    ----------
    read : int
        How many quantities are read of the next layer.

    Raises
    ------
    TooLargeError
        When it does not.
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
        The shape of each layer, such as: classes, numbers of saved rolls, lanes.
    layers : list of float64 array, StoredLayer or None
        None where a layer is not available.
    """

    def __init__(self, shapes: list[Shape]) -> None:
        self.shapes = shapes
        self.layers: list[Values | StoredLayer | None] = [None] * len(shapes)

    def fill(self, full_cards: Values, compute: Callable[[int], None], first: int = 0) -> bool:
        """Store the layer of full scorecards, and compute the others, the last one first.

        ``compute`` is called with the number of each layer that is not available, from ``first``
        on, when the layer after it is finished. It passes its result to :meth:`put`.

        Returns
        -------
        bool
            Whether all layers were available.
        """
        self.layers[-1] = full_cards
        missing = [layer for layer in self._missing() if layer >= first]
        for layer in missing:
            compute(layer)
        return not missing

    def backward_induction(
        self,
        full_cards: Values,
        step: Callable[[int, Values, Values, Progress | None], None],
        work: Sequence[float],
        progress: Progress | None = None,
        first: int = 0,
    ) -> bool:
        """Compute the missing layers, each from the one after it; return whether none was missing.

        Parameters
        ----------
        full_cards : float64 array
            The values of the last layer.
        step : callable
            ``step(layer, values, after, progress)`` writes the values of a layer, given the values
            of the layer after it, and reports the progress of this layer.
        work : sequence of float
            The work of each layer, in any unit: the weights of the layers in the progress.
        first : int
            The first layer to compute.
        """

        def compute(layer: int) -> None:
            values, after = self.room(layer), self.whole(layer + 1)
            step(layer, values, after, within_layer(progress, work, layer))
            self.put(layer, values)

        return self.fill(full_cards, compute, first)

    def _missing(self) -> list[int]:
        """Return the layers that are not available, the last one first; load the others."""
        return list(range(len(self.shapes) - 2, -1, -1))

    def room(self, layer: int) -> Values:
        """Return an array for a layer, when the layer after it is finished."""
        return np.empty(self.shapes[layer])

    def whole(self, layer: int) -> Values:
        """Return a finished layer as an array in memory."""
        values = self.layers[layer] = np.asarray(self.layers[layer])
        return values

    def release(self, layer: int, numbers: slice) -> None:
        """Note that these numbers along the last axis of a layer are not read again."""

    def put(self, layer: int, values: Values) -> None:
        """Store a finished layer."""
        self.layers[layer] = values


class InOneTable(LayerRetention):
    """All layers in memory as rows of one array, which is a table of all states."""

    def __init__(self, shapes: list[Shape]) -> None:
        super().__init__(shapes)
        starts = np.cumsum([0, *(math.prod(shape[:-1]) for shape in shapes)])
        rows = np.empty((starts[-1], shapes[-1][-1]))
        spans = pairwise(starts.tolist())
        self._rows = [
            rows[slice(*span)].reshape(shape) for span, shape in zip(spans, shapes, strict=True)
        ]

    def fill(self, full_cards: Values, compute: Callable[[int], None], first: int = 0) -> bool:
        """Store the layer of full scorecards in the array, and compute the others."""
        self._rows[-1][:] = full_cards
        return super().fill(self._rows[-1], compute, first)

    def room(self, layer: int) -> Values:
        """Return the rows of a layer."""
        return self._rows[layer]


class LastTwo(LayerRetention):
    """The last two layers in memory, and of the next one only what is still to be read."""

    def release(self, layer: int, numbers: slice) -> None:
        """Release the memory of these numbers, except in full scorecards and the first layers."""
        if ALWAYS_READ <= layer < len(self.layers) - 1:
            for table in self.whole(layer):
                release_pages(table[numbers])

    def room(self, layer: int) -> Values:
        """Return an array for a layer; drop the layer after the next."""
        if layer + 2 < len(self.layers):
            self.layers[layer + 2] = None
        return super().room(layer)


class Resumable(LastTwo):
    """The last two layers in memory and in files: an interrupted run resumes from there."""

    def __init__(self, shapes: list[Shape], files: LayerFiles) -> None:
        super().__init__(shapes)
        self._files = files

    def fill(self, full_cards: Values, compute: Callable[[int], None], first: int = 0) -> bool:
        """Compute the layers that are not in files, with a lock on the files."""
        whole = True
        with self._files.lock():
            while True:
                try:
                    return super().fill(full_cards, compute, first) and whole
                except DamagedError as error:
                    self._files.drop_damaged(error)
                    whole = False

    def _missing(self) -> list[int]:
        self._load()
        absent = [layer for layer, values in enumerate(self.layers) if values is None]
        needed = [layer for layer in absent if layer < ALWAYS_READ]
        if not needed:
            return []
        resumed = next(
            layer for layer in range(needed[-1], len(self.layers)) if layer not in absent
        )
        return list(range(resumed - 1, needed[0] - 1, -1))

    def _load(self) -> None:
        """Load the layers that are in files."""
        self.layers[:-1] = stored_layers(self._files, self.shapes)[:-1]
        for layer in range(min(ALWAYS_READ, len(self.shapes))):
            if self.layers[layer] is not None:
                self.whole(layer)

    def put(self, layer: int, values: Values) -> None:
        """Store a finished layer, and delete files that are not needed any more."""
        super().put(layer, values)
        try:
            self._files.write(layer, values)
            self._drop_after(layer)
        except OSError as error:
            log.warning("a finished layer could not be kept: %s", error)

    def _drop_after(self, layer: int) -> None:
        """Delete the files that are not needed once a layer is written."""
        if layer + 2 < len(self.layers) - 1:
            self._files.drop(layer + 2, self.shapes[layer + 2])


class AllInFiles(Resumable):
    """All layers in files, and the last two in memory.

    Parameters
    ----------
    wanted : bool
        Whether the user asked for them; otherwise the cache can evict them.
    """

    def __init__(self, shapes: list[Shape], files: LayerFiles, *, wanted: bool = True) -> None:
        super().__init__(shapes, files)
        self._wanted = wanted

    def _missing(self) -> list[int]:
        self._load()
        missing = [layer for layer, values in enumerate(self.layers) if values is None]
        size = sum(bytes_of(self.shapes[layer]) for layer in missing)
        if self._files.store.free_bytes() < size:
            location = self._files.store.location(self._files.folder)
            raise TooLargeError(f"{location}: expected room for {size / 2**30:,.0f} GiB more")
        if self._wanted:
            self._files.mark_wanted()
        return missing[::-1]

    def room(self, layer: int) -> Values:
        """Return an array for a layer; only the next layer stays in memory."""
        if layer + 2 < len(self.layers) - 1:
            self.layers[layer + 2] = StoredLayer(self._files, layer + 2, self.shapes[layer + 2])
        return np.empty(self.shapes[layer])

    def put(self, layer: int, values: Values) -> None:
        """Write a finished layer."""
        self.layers[layer] = values
        self._files.write(layer, values)


AT_LEAST = 1 << 20
"""Bytes: smaller arrays are not released."""


def release_pages(values: NDArray[np.float64]) -> None:
    """Release the memory of a contiguous array to the operating system; its numbers are lost.

    Only Linux releases memory page by page; elsewhere it stays until the array is deleted.
    """
    if sys.platform == "linux" and values.nbytes >= AT_LEAST:
        page, first = mmap.PAGESIZE, values.ctypes.data
        start, stop = -(-first // page) * page, (first + values.nbytes) // page * page
        size = ctypes.c_size_t(stop - start)
        ctypes.CDLL(None).madvise(ctypes.c_void_p(start), size, mmap.MADV_DONTNEED)
