"""The chunks of a layer: each part is a file, and each block of a part has a checksum.

The chunks depend only on the shape of the layer, not on the number of workers.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Shape = tuple[int, ...]
Span = tuple[int, int]

PART = 1 << 25
"""The largest size of a part, in bytes. If a task fails, the part that it computes is lost."""

BLOCK = 1 << 16
"""The approximate size of a block, in bytes. To look up a state, one block is read."""

LEAST_PARTS = 16
"""The minimum number of parts of a layer with enough rows, so that workers can share its work."""


def bytes_of(shape: Shape) -> int:
    """Return the size in bytes of a float64 array with the given shape."""
    return 8 * math.prod(shape)


@dataclass(frozen=True)
class LayerChunks:
    """The chunks of one layer.

    Attributes
    ----------
    rows : int
        The length of the layer's first axis, or the number of values if one row is larger than a
        part.
    row : tuple of int
        The shape of one row.
    in_block, in_part : int
        The number of rows in a block and in a part. The last block and the last part can be
        shorter. A part consists of whole blocks.
    """

    rows: int
    row: Shape
    in_block: int
    in_part: int

    @classmethod
    def of(cls, shape: Shape) -> "LayerChunks":
        """Return the chunks of a layer with this shape."""
        rows, row = (shape[0], shape[1:]) if bytes_of(shape[1:]) <= PART else (math.prod(shape), ())
        size = bytes_of(row)
        most = min(PART // size, -(-rows // LEAST_PARTS)) or 1
        in_block = min(BLOCK // size or 1, most)
        return cls(rows, row, in_block, most // in_block * in_block)

    @property
    def parts(self) -> int:
        """The number of parts."""
        return -(-self.rows // self.in_part)

    @property
    def blocks_of_part(self) -> int:
        """The number of blocks in a full part."""
        return self.in_part // self.in_block

    def part(self, number: int) -> Span:
        """Return the first row of part ``number``, and one past its last row."""
        return number * self.in_part, min((number + 1) * self.in_part, self.rows)

    def shape(self, part: int) -> Shape:
        """Return the shape of a part."""
        first, last = self.part(part)
        return (last - first, *self.row)

    def runs(self, blocks: NDArray[np.int64]) -> list[Span]:
        """Group blocks into runs of consecutive numbers, each within one part.

        Parameters
        ----------
        blocks : int64 array
            Sorted numbers of blocks in the layer.

        Returns
        -------
        list of (int, int)
            The first block of each run, and one past the last block.
        """
        gap = (np.diff(blocks) != 1) | (blocks[1:] % self.blocks_of_part == 0)
        firsts = np.append(0, np.flatnonzero(gap) + 1)
        lasts = np.append(firsts[1:], len(blocks)) - 1
        return list(zip(blocks[firsts].tolist(), (blocks[lasts] + 1).tolist(), strict=True))
