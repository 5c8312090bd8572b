"""The layers of a large game as files: written part by part, checked block by block when read.

A part is an array as numpy writes it, then the checksum of each of its blocks, then the seal: a
checksum of the file's name, of how it begins and of those sums. So every file answers for itself,
whoever wrote it and when, and a card is read and checked without reading the rest.

A finished layer in a store, of which no more is read than is asked for.
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
from rollwise.solving.storage.chunks import Cuts, Shape, Span, bytes_of
from rollwise.solving.storage.stores import Store

log = logging.getLogger("rollwise")

Values = NDArray[np.float64]
Item = TypeVar("Item")
Result = TypeVar("Result")

SUM = hashlib.sha256().digest_size

WANTED = "wanted"
"""The file beside the layers that is there if the user asked for all of them."""

AT_ONCE = 16
"""Files that are read or written at the same time: a distant store takes long to answer."""


def at_once(work: Callable[[Item], Result], items: Sequence[Item]) -> list[Result]:
    """Return the results of work that mostly waits for a store."""
    if len(items) == 1:
        return [work(items[0])]
    with ThreadPoolExecutor(AT_ONCE) as threads:
        return list(threads.map(work, items))


class DamagedError(InputError):
    """A part of a layer that is not what was written.

    Attributes
    ----------
    told : str
        Its file, as a person knows it.
    layer, part : int
    """

    def __init__(self, told: str, layer: int, part: int) -> None:
        super().__init__(told, layer, part)
        self.told, self.layer, self.part = told, layer, part

    def __str__(self) -> str:
        return (
            f"{self.told} is damaged: expected what was written; delete it, and solve the game "
            "again with all cards kept, which computes that part alone"
        )


@dataclass(frozen=True)
class LayerFiles:
    """Finished layers of one game, in a folder of their own.

    Attributes
    ----------
    store : Store
    folder : str
        Its name there says what the layers are of.
    """

    store: Store
    folder: str

    def name(self, layer: int, part: int) -> str:
        """Return the name of the file of a part."""
        return f"{self.folder}/layer-{layer:02}.{part:04}.npy"

    def missing(self, shapes: list[Shape]) -> list[list[int]]:
        """Return the parts of each layer that are not there, or not as long as they have to be."""
        there = self.store.sizes(self.folder)
        missing = []
        for layer, cuts in enumerate(map(Cuts.of, shapes)):
            names = [self.name(layer, part).rpartition("/")[2] for part in range(cuts.parts)]
            gone = []
            for part, name in enumerate(names):
                if there.get(name) != _length(cuts, part):
                    gone.append(part)
                    if name in there:
                        told = self.store.told(f"{self.folder}/{name}")
                        log.warning("%s is not what was written, computing it again", told)
            missing.append(gone)
        return missing

    def write(self, layer: int, values: Values) -> None:
        """Write all parts of a finished layer.

        Raises
        ------
        OSError
            When one cannot be written.
        """
        cuts = Cuts.of(values.shape)
        rows = values.reshape(cuts.rows, *cuts.row)

        def write(part: int) -> None:
            first, last = cuts.part(part)
            self.write_part(layer, part, cuts, rows[first:last])

        at_once(write, range(cuts.parts))

    def write_part(self, layer: int, part: int, cuts: Cuts, values: Values) -> None:
        """Write a part of a layer.

        Raises
        ------
        OSError
            When it cannot be written.
        """
        name, head = self.name(layer, part), _head(values.shape)
        content = values.reshape(-1).view(np.uint8).data
        sums = _sums(content, cuts)
        self.store.write(name, head, content, sums, _seal(name, head, sums))

    def read(self, layer: int, shape: Shape) -> Values:
        """Return all of a layer.

        Raises
        ------
        DamagedError
            When a part is not what was written.
        OSError
            When one cannot be read.
        """
        cuts = Cuts.of(shape)
        values = np.empty((cuts.rows, *cuts.row))

        def read(part: int) -> None:
            first, last = cuts.part(part)
            values[first:last] = self._read_part(layer, part, cuts)

        at_once(read, range(cuts.parts))
        return values.reshape(shape)

    def _read_part(self, layer: int, part: int, cuts: Cuts) -> Values:
        name, head = self.name(layer, part), _head(cuts.shape(part))
        found = memoryview(self.store.read(name, 0, _length(cuts, part)))
        begins, rest = found[: len(head)], found[len(head) :]
        content, ends = rest[: bytes_of(cuts.shape(part))], rest[bytes_of(cuts.shape(part)) :]
        sums = _sums(content, cuts)
        if begins != head or ends != sums + _seal(name, head, sums):
            raise DamagedError(self.store.told(name), layer, part)
        return np.frombuffer(content).reshape(cuts.shape(part))

    def read_sums(self, layer: int, part: int, cuts: Cuts) -> bytes:
        """Return the checksums of the blocks of a part; raises as :meth:`read` does."""
        name, head = self.name(layer, part), _head(cuts.shape(part))
        start, length = len(head) + bytes_of(cuts.shape(part)), _length(cuts, part)
        found = self.store.read(name, start, length)
        sums = found[:-SUM]
        if len(found) != length - start or found[-SUM:] != _seal(name, head, sums):
            raise DamagedError(self.store.told(name), layer, part)
        return sums

    def read_blocks(self, layer: int, cuts: Cuts, span: Span, sums: bytes) -> Values:
        """Return blocks of one part, given its checksums; raises as :meth:`read` does.

        ``span`` are the first block and the one past the last, by their numbers in the layer.
        """
        part, within = divmod(span[0], cuts.blocks_of_part)
        first, last = span[0] * cuts.in_block, min(span[1] * cuts.in_block, cuts.rows)
        name, size = self.name(layer, part), bytes_of((last - first, *cuts.row))
        start = len(_head(cuts.shape(part))) + bytes_of((within * cuts.in_block, *cuts.row))
        content = self.store.read(name, start, start + size)
        expected = sums[within * SUM : (within + span[1] - span[0]) * SUM]
        if len(content) != size or _sums(memoryview(content), cuts) != expected:
            raise DamagedError(self.store.told(name), layer, part)
        return np.frombuffer(content).reshape(last - first, *cuts.row)

    def drop(self, layer: int, shape: Shape) -> None:
        """Delete a layer, as far as it is there."""
        for part in range(Cuts.of(shape).parts):
            self.drop_part(layer, part)

    def drop_part(self, layer: int, part: int) -> None:
        """Delete a part of a layer, if it is there."""
        self.store.drop(self.name(layer, part))

    def drop_damaged(self, error: DamagedError) -> None:
        """Delete a part that is not what was written."""
        log.warning("%s is not what was written, computing it again", error.told)
        self.drop_part(error.layer, error.part)

    def alone(self) -> AbstractContextManager[None]:
        """Let no other process or thread write these layers meanwhile; wait while one does."""
        return self.store.alone(self.folder)

    def ask_for_all(self) -> None:
        """Note that the user asked for these layers: they make no room for others.

        Raises
        ------
        OSError
            When that cannot be written.
        """
        self.store.write(f"{self.folder}/{WANTED}", b"")


def _head(shape: Shape) -> bytes:
    """Return how numpy begins a file of such an array."""
    head = io.BytesIO()
    told = {"descr": "<f8", "fortran_order": False, "shape": shape}
    np.lib.format.write_array_header_1_0(head, told)
    return head.getvalue()


def _sums(content: memoryview, cuts: Cuts) -> bytes:
    """Return the checksums of blocks, one after another."""
    step = bytes_of((cuts.in_block, *cuts.row))
    blocks = (content[start : start + step] for start in range(0, len(content), step))
    return b"".join(hashlib.sha256(block).digest() for block in blocks)


def _seal(name: str, head: bytes, sums: bytes) -> bytes:
    return hashlib.sha256(b"".join([name.encode(), head, sums])).digest()


def _length(cuts: Cuts, part: int) -> int:
    """Return the bytes of the file of a part."""
    shape = cuts.shape(part)
    blocks = -(-shape[0] // cuts.in_block)
    return len(_head(shape)) + bytes_of(shape) + (blocks + 1) * SUM


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
