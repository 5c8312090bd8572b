"""A finished layer in a store, of which no more is read than is asked for."""

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rollwise.solving.storage.cuts import Cuts, Shape, Span, bytes_of
from rollwise.solving.storage.layer_files import LayerFiles, Values, at_once

KEPT = 1 << 26
"""Bytes of blocks that a layer keeps in memory once they are read."""


class StoredLayer:
    """A layer that stands in files, indexed like an array.

    Whatever is read is checked; :class:`rollwise.solving.storage.layer_files.DamagedError` says
    which file is not what was written.

    Attributes
    ----------
    shape : tuple of int
        Of the layer; its first axis numbers the rows.
    """

    def __init__(self, files: LayerFiles, layer: int, shape: Shape) -> None:
        self.files, self.layer, self.shape = files, layer, shape
        self.cuts = Cuts.of(shape)
        block = self.cuts.in_block * bytes_of(self.cuts.row)
        self._sums = lru_cache(maxsize=None)(self._read_sums)
        self._block = lru_cache(maxsize=KEPT // block or 1)(self._read_block)

    def __reduce__(self) -> tuple[Any, ...]:
        """Send to another process what it can read from, and nothing that was read."""
        return StoredLayer, (self.files, self.layer, self.shape)

    def __getitem__(self, key: tuple[NDArray[Any], ...]) -> Values:
        """Return values by arrays of rows and of numbers on the other axes, all of one length."""
        row, *rest = key
        block = row // self.cuts.in_block
        in_order = np.argsort(block, kind="stable")
        blocks, starts = np.unique(block[in_order], return_index=True)
        rows = at_once(self._block, blocks.tolist())
        found = np.empty(len(row))
        for values, here in zip(rows, np.split(in_order, starts)[1:], strict=True):
            found[here] = values[row[here] % self.cuts.in_block, *(axis[here] for axis in rest)]
        return found

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        """Read all of it."""
        return np.asarray(self.files.read(self.layer, self.shape), dtype)

    def gather(self, rows: NDArray[np.int64]) -> tuple[Values, NDArray[np.int64]]:
        """Return what holds some rows, and the place of each there.

        Read in runs of blocks, as few as there are, and not kept.

        Parameters
        ----------
        rows : int64 array
            Numbers on the first axis, sorted.
        """
        cuts = self.cuts
        blocks = np.unique(rows // cuts.in_block)
        values = np.empty((len(blocks) * cuts.in_block, *cuts.row))
        place = np.searchsorted(blocks, rows // cuts.in_block) * cuts.in_block

        def read(run: Span) -> None:
            first = int(np.searchsorted(blocks, run[0])) * cuts.in_block
            found = self._read_run(run)
            values[first : first + len(found)] = found

        at_once(read, cuts.runs(blocks))
        return values, place + rows % cuts.in_block

    def _read_block(self, block: int) -> Values:
        return self._read_run((block, block + 1))

    def _read_run(self, span: Span) -> Values:
        sums = self._sums(span[0] // self.cuts.blocks_of_part)
        return self.files.read_blocks(self.layer, self.cuts, span, sums)

    def _read_sums(self, part: int) -> bytes:
        return self.files.read_sums(self.layer, part, self.cuts)


def stored_layers(files: LayerFiles, shapes: list[Shape]) -> list[StoredLayer | None]:
    """Return the layers that are there in all their parts, None in place of others."""
    return [
        None if missing else StoredLayer(files, layer, shapes[layer])
        for layer, missing in enumerate(files.missing(shapes))
    ]
