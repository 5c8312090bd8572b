"""Sets of filled boxes, numbered by how many they are without a list of them.

The code of a set is ``high * M + low``. Of the sets of as many boxes that come before it those with
a lower high half are counted in one table, by that half and the number of boxes; those with the
same high half in another one, by the low half alone. Both are as long as the root of the number of
sets.

Axis letters: ``H`` high halves, ``M`` low halves, ``F`` numbers of filled boxes.

Arrays that are worked out where they are read.

A game that saves rolls has tens of millions of classes, and a question about a card reads a few.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

Numbers = NDArray[np.int64]


def sets_of(chains: Sequence[Sequence[int]]) -> Numbers:
    """Return the sets of boxes that each code stands for, as bit masks.

    Of a chain the bits of its boxes; that of the first chain is the lowest digit.
    """
    masks = np.zeros(1, dtype=np.int64)
    for bits in chains:
        filled = np.cumsum([0, *bits])
        masks = (filled[:, None] | masks).ravel()
    return masks


@dataclass(frozen=True)
class Codes:
    """The two halves of all codes, and the sets that they stand for.

    Attributes
    ----------
    low_M, high_H : int64 arrays
        Bit masks.
    """

    low_M: Numbers
    high_H: Numbers

    @classmethod
    def of(cls, chains: Sequence[Sequence[int]]) -> "Codes":
        """Return the codes of chains, of which the bits of their boxes are told."""
        sizes = np.cumprod([len(bits) + 1 for bits in chains])
        half = int((sizes.astype(np.float64) ** 2 <= sizes[-1]).sum())
        return cls(sets_of(chains[:half]), sets_of(chains[half:]))

    def boxes(self, code: Numbers) -> Numbers:
        """Return the sets of codes, as bit masks."""
        high, low = np.divmod(code, len(self.low_M))
        return np.asarray(self.high_H[high] | self.low_M[low])


class Ranks:
    """Sets that have some boxes, each with its number among those of as many boxes.

    Parameters
    ----------
    codes : Codes
    boxes : int
        The boxes that they have, as a bit mask.
    most : int
        The number of boxes of the largest set.

    Attributes
    ----------
    count_F : int64 array of shape (most + 1,)
        How many sets there are of each number of boxes.
    """

    def __init__(self, codes: Codes, boxes: int, most: int) -> None:
        self._codes, self._boxes = codes, boxes
        low_fits, high_fits = (
            masks & boxes == boxes & reduce(int.__or__, masks.tolist())
            for masks in (codes.low_M, codes.high_H)
        )
        self._low_M = np.bitwise_count(codes.low_M).astype(np.int64)
        self._high_H = np.bitwise_count(codes.high_H).astype(np.int64)
        lows_F = np.bincount(self._low_M[low_fits], minlength=most + 1)
        # How many come before a high half, in a row; all of them in the last one.
        before_H_F = np.zeros((len(self._high_H) + 1, most + 1), dtype=np.int64)
        for high in np.flatnonzero(high_fits).tolist():
            before_H_F[high + 1, self._high_H[high] :] = lows_F[: most + 1 - self._high_H[high]]
        before_H_F = before_H_F.cumsum(axis=0)
        self.count_F = before_H_F[-1]
        self._before_F_H = np.ascontiguousarray(before_H_F[:-1].T)
        in_order = np.flatnonzero(low_fits)
        self._lows = in_order[np.argsort(self._low_M[in_order], kind="stable")]
        self._first_low_F = np.cumsum(lows_F) - lows_F
        self._rank_M = np.zeros(len(self._low_M), dtype=np.int64)
        self._rank_M[self._lows] = (
            np.arange(len(self._lows)) - self._first_low_F[self._low_M[self._lows]]
        )
        # The rows one after another, each far above the one before: one search serves them all.
        self._far = int(self.count_F.max()) + 1
        self._search = (self._before_F_H + self._far * np.arange(most + 1)[:, None]).ravel()

    def has(self, code: Numbers) -> NDArray[np.bool_]:
        """Return whether the sets of codes are among them."""
        return np.asarray(self._codes.boxes(code) & self._boxes == self._boxes)

    def rank(self, code: Numbers, filled: Numbers) -> Numbers:
        """Return the numbers of sets by their codes, ``filled`` boxes each."""
        high, low = np.divmod(code, len(self._low_M))
        return np.asarray(self._before_F_H[filled, high] + self._rank_M[low])

    def code(self, rank: Numbers, filled: Numbers) -> Numbers:
        """Return the codes of the sets of ``filled`` boxes with these numbers."""
        found = np.searchsorted(self._search, rank + self._far * filled, side="right") - 1
        high = found - filled * len(self._high_H)
        first = self._first_low_F[filled - self._high_H[high]]
        low = self._lows[first + rank - self._before_F_H[filled, high]]
        return np.asarray(high * len(self._low_M) + low)


TABLED = 1 << 16
"""Arrays of so many entries are worked out all when one is read."""

AT_ONCE = 1 << 13
"""Entries that are worked out together: what that takes fits a processor's cache."""


class Computed:
    """An array of known length whose entries follow from their numbers.

    It is read like an array, ``computed[numbers]``; ``np.asarray`` makes all of it.

    Parameters
    ----------
    length : int
    of : callable
        From int64 numbers of shape (N,) to their entries, of shape (N,) or (N, …).
    """

    def __init__(self, length: int, of: Callable[[NDArray[np.int64]], NDArray[Any]]) -> None:
        self._length, self._of = length, of

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, at: Any) -> Any:
        """Return the entries of numbers of any shape, or of a slice; or what else an array has."""
        if self._length <= TABLED or "_table" in vars(self) or isinstance(at, tuple):
            return self._table[at]
        if isinstance(at, slice):
            at = np.arange(*at.indices(self._length))
        at = np.asarray(at)
        at = np.flatnonzero(at) if at.dtype == np.bool_ else at.astype(np.int64)
        entries = self._of(at.ravel())
        return entries.reshape(at.shape + entries.shape[1:])[()]

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> NDArray[Any]:
        """Return all of it."""
        return np.asarray(self._table, dtype=dtype)

    @cached_property
    def _table(self) -> NDArray[Any]:
        starts = range(0, self._length, AT_ONCE)
        spans = pairwise([*starts, self._length])
        return np.concatenate([self._of(np.arange(*span)) for span in spans])
