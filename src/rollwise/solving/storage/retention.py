"""Retention and checkpoints of layers while a game is solved.

Memory holds either all layers or only two, because a layer in the middle of a large game takes
gigabytes. A finished layer can be saved to files as a checkpoint, so that an interrupted run
resumes from it. If a file is damaged, its values are computed again.
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
"""The largest size of two neighboring layers, in bytes."""

ALWAYS_READ = 2
"""The number of layers at the start of a game that always stay available.

These layers are small, and every request reads them.
"""


def check_memory(name: str, shapes: list[Shape]) -> None:
    """Check that each layer of a game fits in memory together with the next layer.

    Parameters
    ----------
    name : str
        The name of the game in error messages.
    shapes : list of tuple of int
        The shape of each layer.

    Raises
    ------
    TooLargeError
        If two neighboring layers take more than ``MAX_BYTES``.
    """
    taken = max(here + after for here, after in pairwise(map(bytes_of, shapes)))
    if taken > MAX_BYTES:
        raise TooLargeError(
            f"{name} needs about {taken / 2**30:,.1f} GiB of memory, and the limit is "
            f"{MAX_BYTES >> 30} GiB; use a game with fewer categories"
        )


class LayerRetention:
    """All finished layers in memory, filled from the last layer to the first.

    Attributes
    ----------
    shapes : list of tuple of int
        The shape of each layer, for example (classes, numbers of saved rolls, lanes).
    layers : list of float64 array, StoredLayer, or None
        The finished layers; None for a layer that is not available.
    """

    def __init__(self, shapes: list[Shape]) -> None:
        self.shapes = shapes
        self.layers: list[Values | StoredLayer | None] = [None] * len(shapes)

    def fill(self, full_cards: Values, compute: Callable[[int], None], first: int = 0) -> bool:
        """Store the layer of full scorecards, and compute the missing layers in descending order.

        Parameters
        ----------
        full_cards : float64 array
            The values of the last layer.
        compute : callable
            Computes the layer with a given number, and passes it to :meth:`put`.
        first : int
            The first layer to compute.

        Returns
        -------
        bool
            Whether all layers were already available.
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
        """Compute missing layers from the last to the first; return True if none was missing.

        Parameters
        ----------
        full_cards : float64 array
            The values of the last layer.
        step : callable
            ``step(layer, values, after, progress)`` writes the values of a layer to ``values``. It
            reads the next layer from ``after`` and reports the progress of the layer.
        work : sequence of float
            The weight of each layer in the progress, in any unit.
        first : int
            The first layer to compute.
        """

        def compute(layer: int) -> None:
            values, after = self.room(layer), self.whole(layer + 1)
            step(layer, values, after, within_layer(progress, work, layer))
            self.put(layer, values)

        return self.fill(full_cards, compute, first)

    def _missing(self) -> list[int]:
        """Load all available layers, and return the missing layers in descending order."""
        return list(range(len(self.shapes) - 2, -1, -1))

    def room(self, layer: int) -> Values:
        """Return an uninitialized array for a layer; the next layer must be finished."""
        return np.empty(self.shapes[layer])

    def whole(self, layer: int) -> Values:
        """Return a finished layer as an array in memory."""
        values = self.layers[layer] = np.asarray(self.layers[layer])
        return values

    def release(self, layer: int, numbers: slice) -> None:
        """Release memory of a layer if possible; its slice ``numbers`` is no longer needed."""

    def put(self, layer: int, values: Values) -> None:
        """Store a finished layer."""
        self.layers[layer] = values


class TableRetention(LayerRetention):
    """All layers in memory as rows of one array, the table of all states."""

    def __init__(self, shapes: list[Shape]) -> None:
        super().__init__(shapes)
        starts = np.cumsum([0, *(math.prod(shape[:-1]) for shape in shapes)])
        rows = np.empty((starts[-1], shapes[-1][-1]))
        spans = pairwise(starts.tolist())
        self._rows = [
            rows[slice(*span)].reshape(shape) for span, shape in zip(spans, shapes, strict=True)
        ]

    def fill(self, full_cards: Values, compute: Callable[[int], None], first: int = 0) -> bool:
        """Store the layer of full scorecards in the array, and compute the missing layers."""
        self._rows[-1][:] = full_cards
        return super().fill(self._rows[-1], compute, first)

    def room(self, layer: int) -> Values:
        """Return the rows of the array that belong to a layer."""
        return self._rows[layer]


class TwoLayers(LayerRetention):
    """The layer being computed and the needed part of the next layer, both in memory."""

    def release(self, layer: int, numbers: slice) -> None:
        """Release the memory of the slice, unless the layer is the last or must stay available."""
        if ALWAYS_READ <= layer < len(self.layers) - 1:
            for table in self.whole(layer):
                release_pages(table[numbers])

    def room(self, layer: int) -> Values:
        """Return an uninitialized array for a layer, and keep only the next layer in memory."""
        if layer + 2 < len(self.layers):
            self.layers[layer + 2] = None
        return super().room(layer)


class Resumable(TwoLayers):
    """Two layers in memory, which are also saved in files so that an interrupted run can resume."""

    def __init__(self, shapes: list[Shape], files: LayerFiles) -> None:
        super().__init__(shapes)
        self._files = files

    def fill(self, full_cards: Values, compute: Callable[[int], None], first: int = 0) -> bool:
        """Lock the files, and compute the layers that they do not contain.

        Delete damaged parts, and compute them again.
        """
        none_damaged = True
        with self._files.lock():
            while True:
                try:
                    return super().fill(full_cards, compute, first) and none_damaged
                except DamagedError as error:
                    self._files.drop_damaged(error)
                    none_damaged = False

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
        """Make the layers in files available, and read the first layers into memory."""
        self.layers[:-1] = stored_layers(self._files, self.shapes)[:-1]
        for layer in range(min(ALWAYS_READ, len(self.shapes))):
            if self.layers[layer] is not None:
                self.whole(layer)

    def put(self, layer: int, values: Values) -> None:
        """Store a finished layer in memory and in files, and delete files that are not needed."""
        super().put(layer, values)
        try:
            self._files.write(layer, values)
            self._drop_after(layer)
        except OSError as error:
            log.warning("cannot save a finished layer: %s", error)

    def _drop_after(self, layer: int) -> None:
        """Delete the files that are not needed after ``layer`` is written."""
        if layer + 2 < len(self.layers) - 1:
            self._files.drop(layer + 2, self.shapes[layer + 2])


class FileRetention(Resumable):
    """All layers in files, and two of them in memory.

    Parameters
    ----------
    wanted : bool
        Whether the user asked for the files; otherwise the cache can evict them.
    """

    def __init__(self, shapes: list[Shape], files: LayerFiles, *, wanted: bool = True) -> None:
        super().__init__(shapes, files)
        self._wanted = wanted

    def _missing(self) -> list[int]:
        self._load()
        missing = [layer for layer, values in enumerate(self.layers) if values is None]
        size = sum(bytes_of(self.shapes[layer]) for layer in missing)
        free = self._files.store.free_bytes()
        if free < size:
            location = self._files.store.location(self._files.folder)
            raise TooLargeError(
                f"{location} needs {size / 2**30:,.1f} GiB more disk space, but only "
                f"{free / 2**30:,.1f} GiB is free; delete other files, or use a folder on a "
                "larger disk"
            )
        if self._wanted:
            self._files.mark_wanted()
        return missing[::-1]

    def room(self, layer: int) -> Values:
        """Return an uninitialized array for a layer, and keep only the next layer in memory."""
        if layer + 2 < len(self.layers) - 1:
            self.layers[layer + 2] = StoredLayer(self._files, layer + 2, self.shapes[layer + 2])
        return np.empty(self.shapes[layer])

    def put(self, layer: int, values: Values) -> None:
        """Store a finished layer in memory and in files."""
        self.layers[layer] = values
        self._files.write(layer, values)


AT_LEAST = 1 << 20
"""The smallest size of an array to release, in bytes."""


def release_pages(values: NDArray[np.float64]) -> None:
    """Return the memory of a contiguous array to the operating system.

    The values of the array are lost. This works only on Linux. Elsewhere the memory stays in use
    until the array is deleted.
    """
    if sys.platform == "linux" and values.nbytes >= AT_LEAST:
        page, first = mmap.PAGESIZE, values.ctypes.data
        start, stop = -(-first // page) * page, (first + values.nbytes) // page * page
        size = ctypes.c_size_t(stop - start)
        ctypes.CDLL(None).madvise(ctypes.c_void_p(start), size, mmap.MADV_DONTNEED)
