"""The layers of a large game in files, written part by part and verified block by block.

A file contains a part in NumPy's file format, then the checksum of each block, then a seal. The
seal is a checksum of the file's name, its header, and the other checksums. So each file can be
verified alone, and each block can be verified without the other blocks. :class:`LayerFiles`
reads and writes the files of a game. A :class:`StoredLayer` is one layer, indexed like an array.
"""

import hashlib
import io
import logging
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from rollwise.errors import InputError
from rollwise.solving.storage.chunks import LayerChunks, Shape, Span, bytes_of
from rollwise.solving.storage.stores import Store

log = logging.getLogger("rollwise")

Values = NDArray[np.float64]
Item = TypeVar("Item")
Result = TypeVar("Result")

SUM = hashlib.sha256().digest_size

WANTED = "wanted"
"""The name of the file that marks layers as requested by the user."""

THREADS = 16
"""The number of files that are read or written at once, to hide the latency of remote stores."""


def map_threads(work: Callable[[Item], Result], items: Sequence[Item]) -> list[Result]:
    """Return the results of ``work`` for all items, computed in concurrent threads."""
    if len(items) == 1:
        return [work(items[0])]
    with ThreadPoolExecutor(THREADS) as threads:
        return list(threads.map(work, items))


class DamagedError(InputError):
    """An error for a part of a layer whose content has changed since it was written.

    Attributes
    ----------
    location : str
        The location of the file, to show in messages.
    layer, part : int
        The number of the layer, and the number of the part in the layer.
    """

    def __init__(self, location: str, layer: int, part: int) -> None:
        super().__init__(location, layer, part)
        self.location, self.layer, self.part = location, layer, part

    def __str__(self) -> str:
        return (
            f"{self.location} is damaged; delete it, and run `rollwise solve --save` for this "
            "game again to compute only this part"
        )


@dataclass(frozen=True)
class LayerFiles:
    """The finished layers of one game in a folder.

    Attributes
    ----------
    store : Store
    folder : str
        The name of the folder, which identifies the game and the version of the code.
    """

    store: Store
    folder: str

    def name(self, layer: int, part: int) -> str:
        """Return the name of the file of a part."""
        return f"{self.folder}/layer-{layer:02}.{part:04}.npy"

    def missing(self, shapes: list[Shape]) -> list[list[int]]:
        """Return the numbers of the parts of each layer that are missing or have the wrong size."""
        size_of = self.store.sizes(self.folder)
        missing = []
        for layer, cuts in enumerate(map(LayerChunks.of, shapes)):
            names = [self.name(layer, part).rpartition("/")[2] for part in range(cuts.parts)]
            absent = []
            for part, name in enumerate(names):
                if size_of.get(name) != _length(cuts, part):
                    absent.append(part)
                    if name in size_of:
                        location = self.store.location(f"{self.folder}/{name}")
                        log.warning("%s is damaged; computing it again", location)
            missing.append(absent)
        return missing

    def write(self, layer: int, values: Values) -> None:
        """Write all parts of a finished layer."""
        cuts = LayerChunks.of(values.shape)
        rows = values.reshape(cuts.rows, *cuts.row)

        def write(part: int) -> None:
            first, last = cuts.part(part)
            self.write_part(layer, part, cuts, rows[first:last])

        map_threads(write, range(cuts.parts))

    def write_part(self, layer: int, part: int, cuts: LayerChunks, values: Values) -> None:
        """Write the values of one part of a layer; ``cuts`` are the chunks of the layer."""
        name, head = self.name(layer, part), _head(values.shape)
        content = values.reshape(-1).view(np.uint8).data
        sums = _sums(content, cuts)
        self.store.write(name, head, content, sums, _seal(name, head, sums))

    def read(self, layer: int, shape: Shape) -> Values:
        """Return a whole layer of the given shape, after checking it against its checksums."""
        cuts = LayerChunks.of(shape)
        values = np.empty((cuts.rows, *cuts.row))

        def read(part: int) -> None:
            first, last = cuts.part(part)
            values[first:last] = self._read_part(layer, part, cuts)

        map_threads(read, range(cuts.parts))
        return values.reshape(shape)

    def _read_part(self, layer: int, part: int, cuts: LayerChunks) -> Values:
        name, head = self.name(layer, part), _head(cuts.shape(part))
        data = memoryview(self.store.read(name, 0, _length(cuts, part)))
        begins, rest = data[: len(head)], data[len(head) :]
        content, ends = rest[: bytes_of(cuts.shape(part))], rest[bytes_of(cuts.shape(part)) :]
        sums = _sums(content, cuts)
        if begins != head or ends != sums + _seal(name, head, sums):
            raise DamagedError(self.store.location(name), layer, part)
        return np.frombuffer(content).reshape(cuts.shape(part))

    def read_sums(self, layer: int, part: int, cuts: LayerChunks) -> bytes:
        """Return the checksums of the blocks of a part.

        Raises
        ------
        DamagedError
            If the seal does not match the checksums.
        """
        name, head = self.name(layer, part), _head(cuts.shape(part))
        start, length = len(head) + bytes_of(cuts.shape(part)), _length(cuts, part)
        data = self.store.read(name, start, length)
        sums = data[:-SUM]
        if len(data) != length - start or data[-SUM:] != _seal(name, head, sums):
            raise DamagedError(self.store.location(name), layer, part)
        return sums

    def read_blocks(self, layer: int, cuts: LayerChunks, span: Span, sums: bytes) -> Values:
        """Return blocks of one part, after checking them against their checksums.

        Parameters
        ----------
        span : (int, int)
            The first block and one past the last block, by their numbers in the layer.
        sums : bytes
            The checksums of all blocks of the part.

        Raises
        ------
        DamagedError
            If a block does not match its checksum.
        """
        part, within = divmod(span[0], cuts.blocks_of_part)
        first, last = span[0] * cuts.in_block, min(span[1] * cuts.in_block, cuts.rows)
        name, size = self.name(layer, part), bytes_of((last - first, *cuts.row))
        start = len(_head(cuts.shape(part))) + bytes_of((within * cuts.in_block, *cuts.row))
        content = self.store.read(name, start, start + size)
        expected = sums[within * SUM : (within + span[1] - span[0]) * SUM]
        if len(content) != size or _sums(memoryview(content), cuts) != expected:
            raise DamagedError(self.store.location(name), layer, part)
        return np.frombuffer(content).reshape(last - first, *cuts.row)

    def drop(self, layer: int, shape: Shape) -> None:
        """Delete the parts of a layer that exist."""
        for part in range(LayerChunks.of(shape).parts):
            self.drop_part(layer, part)

    def drop_part(self, layer: int, part: int) -> None:
        """Delete a part of a layer if it exists."""
        self.store.drop(self.name(layer, part))

    def drop_damaged(self, error: DamagedError) -> None:
        """Delete the damaged part that an error names."""
        log.warning("%s is damaged; computing it again", error.location)
        self.drop_part(error.layer, error.part)

    def lock(self) -> AbstractContextManager[None]:
        """Lock these layers, and wait while another process or thread holds the lock."""
        return self.store.lock(self.folder)

    def mark_wanted(self) -> None:
        """Mark these layers as requested by the user, so that the cache does not evict them."""
        self.store.write(f"{self.folder}/{WANTED}", b"")


def _head(shape: Shape) -> bytes:
    """Return the header of a NumPy file with a float64 array of this shape."""
    head = io.BytesIO()
    header = {"descr": "<f8", "fortran_order": False, "shape": shape}
    np.lib.format.write_array_header_1_0(head, header)
    return head.getvalue()


def _sums(content: memoryview, cuts: LayerChunks) -> bytes:
    """Return the checksums of all blocks of a part, concatenated."""
    step = bytes_of((cuts.in_block, *cuts.row))
    blocks = (content[start : start + step] for start in range(0, len(content), step))
    return b"".join(hashlib.sha256(block).digest() for block in blocks)


def _seal(name: str, head: bytes, sums: bytes) -> bytes:
    return hashlib.sha256(b"".join([name.encode(), head, sums])).digest()


def _length(cuts: LayerChunks, part: int) -> int:
    """Return the size in bytes of the file of part ``part``."""
    shape = cuts.shape(part)
    blocks = -(-shape[0] // cuts.in_block)
    return len(_head(shape)) + bytes_of(shape) + (blocks + 1) * SUM


KEPT = 1 << 26
"""The largest total size of the blocks that a layer caches in memory, in bytes."""


class StoredLayer:
    """A layer in files, indexed like an array.

    Each read is verified. A :class:`DamagedError` names a file that has changed.

    Attributes
    ----------
    shape : tuple of int
        The shape of the layer; its first axis numbers the rows.
    """

    def __init__(self, files: LayerFiles, layer: int, shape: Shape) -> None:
        self.files, self.layer, self.shape = files, layer, shape
        self.cuts = LayerChunks.of(shape)
        block = self.cuts.in_block * bytes_of(self.cuts.row)
        self._sums = lru_cache(maxsize=None)(self._read_sums)
        self._block = lru_cache(maxsize=KEPT // block or 1)(self._read_block)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the location of the layer without its values."""
        return StoredLayer, (self.files, self.layer, self.shape)

    def __getitem__(self, key: tuple[NDArray[Any], ...]) -> Values:
        """Return the values at the given indices: one array per axis, all of the same length."""
        row, *rest = key
        block = row // self.cuts.in_block
        in_order = np.argsort(block, kind="stable")
        blocks, starts = np.unique(block[in_order], return_index=True)
        rows = map_threads(self._block, blocks.tolist())
        result = np.empty(len(row))
        for values, items in zip(rows, np.split(in_order, starts)[1:], strict=True):
            result[items] = values[row[items] % self.cuts.in_block, *(axis[items] for axis in rest)]
        return result

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        """Return the whole layer as an array in memory."""
        return np.asarray(self.files.read(self.layer, self.shape), dtype)

    def gather(self, rows: NDArray[np.int64]) -> tuple[Values, NDArray[np.int64]]:
        """Return an array that contains the given rows, and the index of each row in the array.

        Neighboring blocks are read together. They are not cached.

        Parameters
        ----------
        rows : int64 array
            Sorted indices on the first axis.
        """
        cuts = self.cuts
        blocks = np.unique(rows // cuts.in_block)
        values = np.empty((len(blocks) * cuts.in_block, *cuts.row))
        block_start = np.searchsorted(blocks, rows // cuts.in_block) * cuts.in_block

        def read(run: Span) -> None:
            first = int(np.searchsorted(blocks, run[0])) * cuts.in_block
            blocks_read = self._read_run(run)
            values[first : first + len(blocks_read)] = blocks_read

        map_threads(read, cuts.runs(blocks))
        return values, block_start + rows % cuts.in_block

    def _read_block(self, block: int) -> Values:
        return self._read_run((block, block + 1))

    def _read_run(self, span: Span) -> Values:
        sums = self._sums(span[0] // self.cuts.blocks_of_part)
        return self.files.read_blocks(self.layer, self.cuts, span, sums)

    def _read_sums(self, part: int) -> bytes:
        return self.files.read_sums(self.layer, part, self.cuts)


def stored_layers(files: LayerFiles, shapes: list[Shape]) -> list[StoredLayer | None]:
    """Return each layer whose parts all exist, and None for each incomplete layer."""
    return [
        None if missing else StoredLayer(files, layer, shapes[layer])
        for layer, missing in enumerate(files.missing(shapes))
    ]
