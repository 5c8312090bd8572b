"""The chunks of a layer: parts, which are files, and blocks, which have checksums of their own.

The shape of a layer alone determines its chunks, whoever reads or writes it with how many workers.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Shape = tuple[int, ...]
Span = tuple[int, int]

PART = 1 << 25
"""The largest size of a part, in bytes: one task computes it, and one failure loses it."""

BLOCK = 1 << 16
"""The approximate size of a block, in bytes: what one scorecard needs to read."""

LEAST_PARTS = 16
"""The lowest number of parts, if a layer has as many rows, so that several workers share it."""


def bytes_of(shape: Shape) -> int:
    """Return the size, in bytes, of a float64 array."""
    return 8 * math.prod(shape)


@dataclass(frozen=True)
class Cuts:
    """The chunks of one layer.

    Attributes
    ----------
    rows : int
        The length of the layer's first axis; the number of values where a row is too large.
    row : tuple of int
        The shape of one row.
    in_block, in_part : int
        Rows of a block and of a part, which has whole blocks; the last ones can be shorter.
    """

    rows: int
    row: Shape
    in_block: int
    in_part: int

    @classmethod
    def of(cls, shape: Shape) -> "Cuts":
        """Return the chunks of a layer of this shape."""
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
        """The number of blocks of a full part."""
        return self.in_part // self.in_block

    def part(self, number: int) -> Span:
        """Return the first row of a part, and the row after its last."""
        return number * self.in_part, min((number + 1) * self.in_part, self.rows)

    def shape(self, part: int) -> Shape:
        """Return the shape of a part."""
        first, last = self.part(part)
        return (last - first, *self.row)

    def runs(self, blocks: NDArray[np.int64]) -> list[Span]:
        """Return first and one-past-last blocks of runs without gaps, each within one part.

        ``blocks`` are sorted numbers of blocks in the layer.
        """
        gap = (np.diff(blocks) != 1) | (blocks[1:] % self.blocks_of_part == 0)
        firsts = np.append(0, np.flatnonzero(gap) + 1)
        lasts = np.append(firsts[1:], len(blocks)) - 1
        return list(zip(blocks[firsts].tolist(), (blocks[lasts] + 1).tolist(), strict=True))
