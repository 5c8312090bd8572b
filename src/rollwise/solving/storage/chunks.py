"""How a layer is cut: parts, which are files, and the blocks of a part that are checked alone.

By its shape alone, so that whoever solves or reads it, with however many workers, cuts it alike.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Shape = tuple[int, ...]
Span = tuple[int, int]

PART = 1 << 25
"""The most bytes of a part: what one task solves, and what is lost with it."""

BLOCK = 1 << 16
"""About the bytes of a block: what is read for one card."""

LEAST_PARTS = 16
"""Parts that a layer has if it has so many rows, so that several can work on it."""


def bytes_of(shape: Shape) -> int:
    """Return the bytes of an array of float64."""
    return 8 * math.prod(shape)


@dataclass(frozen=True)
class Cuts:
    """The cuts of one layer.

    Attributes
    ----------
    rows : int
        What is cut: the layer's first axis; every number of it alone where a row is too large.
    row : tuple of int
        The shape of one of them.
    in_block, in_part : int
        Rows of a block and of a part, whole blocks; the last ones may be shorter.
    """

    rows: int
    row: Shape
    in_block: int
    in_part: int

    @classmethod
    def of(cls, shape: Shape) -> "Cuts":
        """Return the cuts of a layer of this shape."""
        rows, row = (shape[0], shape[1:]) if bytes_of(shape[1:]) <= PART else (math.prod(shape), ())
        size = bytes_of(row)
        most = min(PART // size, -(-rows // LEAST_PARTS)) or 1
        in_block = min(BLOCK // size or 1, most)
        return cls(rows, row, in_block, most // in_block * in_block)

    @property
    def parts(self) -> int:
        """How many parts there are."""
        return -(-self.rows // self.in_part)

    @property
    def blocks_of_part(self) -> int:
        """How many blocks a part has that is not shorter."""
        return self.in_part // self.in_block

    def part(self, number: int) -> Span:
        """Return the first row of a part, and the one past its last."""
        return number * self.in_part, min((number + 1) * self.in_part, self.rows)

    def shape(self, part: int) -> Shape:
        """Return the shape of a part."""
        first, last = self.part(part)
        return (last - first, *self.row)

    def runs(self, blocks: NDArray[np.int64]) -> list[Span]:
        """Return the first and one past the last block of runs without gaps, each in one part.

        ``blocks`` are numbers in the layer, sorted.
        """
        gap = (np.diff(blocks) != 1) | (blocks[1:] % self.blocks_of_part == 0)
        firsts = np.append(0, np.flatnonzero(gap) + 1)
        lasts = np.append(firsts[1:], len(blocks)) - 1
        return list(zip(blocks[firsts].tolist(), (blocks[lasts] + 1).tolist(), strict=True))
