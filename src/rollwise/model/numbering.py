"""Lazy arrays and ranks of sets, computed on demand instead of stored in a table.

A game with saved rolls has tens of millions of classes, but a query about one scorecard reads only
a few.

The code of a set of filled categories is ``high * M + low``, where M is the number of low halves.
Sets of equal size are ranked in the order of their codes. The rank of a set is the sum of two table
entries. The first entry is the number of sets with a smaller high half. The second entry is the
number of sets with the same high half and a smaller low half. The length of each table is about the
square root of the number of sets.

Axis letters: ``H`` high halves, ``M`` low halves, ``F`` numbers of filled categories.
"""

from collections.abc import Callable, Sequence
from functools import cached_property, reduce
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

Numbers = NDArray[np.int64]

TABLED = 1 << 16
"""The maximum length of an array that is computed completely at the first access."""

AT_ONCE = 1 << 13
"""The number of entries computed together; their temporary arrays fit in the processor's cache."""


def sets_of(chains: Sequence[Sequence[int]]) -> Numbers:
    """Return the set of filled categories of each code, as a bit mask.

    ``chains`` contains the bits of the categories of each chain. The first chain is the lowest
    digit of a code.
    """
    masks = np.zeros(1, dtype=np.int64)
    for bits in chains:
        filled = np.cumsum([0, *bits])
        masks = (filled[:, None] | masks).ravel()
    return masks


class SetRanks:
    """The ranks of the sets that contain all required categories, separately for each size.

    ``chains`` are the chains of :func:`sets_of`, and ``required`` is a bit mask. ``count_F`` is the
    number of sets of each size that contain the required categories.
    """

    def __init__(self, chains: Sequence[Sequence[int]], required: int = 0) -> None:
        sizes, most = np.cumprod([len(bits) + 1 for bits in chains]), sum(map(len, chains))
        half = int((sizes.astype(np.float64) ** 2 <= sizes[-1]).sum())
        self._mask_M, self._mask_H = sets_of(chains[:half]), sets_of(chains[half:])
        self._required = required
        low_fits, high_fits = (
            masks & required == required & reduce(int.__or__, masks.tolist())
            for masks in (self._mask_M, self._mask_H)
        )
        size_M = np.bitwise_count(self._mask_M).astype(np.int64)
        self._size_H = np.bitwise_count(self._mask_H).astype(np.int64)
        lows_F = np.bincount(size_M[low_fits], minlength=most + 1)
        # Row h counts the sets with a high half before h. The last row counts all sets.
        before_H_F = np.zeros((len(self._size_H) + 1, most + 1), dtype=np.int64)
        for high in np.flatnonzero(high_fits).tolist():
            before_H_F[high + 1, self._size_H[high] :] = lows_F[: most + 1 - self._size_H[high]]
        before_H_F = before_H_F.cumsum(axis=0)
        self.count_F = before_H_F[-1]
        self._before_F_H = np.ascontiguousarray(before_H_F[:-1].T)
        fitting = np.flatnonzero(low_fits)
        self._lows = fitting[np.argsort(size_M[fitting], kind="stable")]
        self._first_low_F = np.cumsum(lows_F) - lows_F
        self._rank_M = np.zeros(len(self._mask_M), dtype=np.int64)
        self._rank_M[self._lows] = (
            np.arange(len(self._lows)) - self._first_low_F[size_M[self._lows]]
        )
        # In one sorted array with each row shifted above the row before it, one search is enough.
        self._far = int(self.count_F.max()) + 1
        self._search = (self._before_F_H + self._far * np.arange(most + 1)[:, None]).ravel()

    def filled(self, code: Numbers) -> Numbers:
        """Return the filled categories of each code, as bit masks."""
        high, low = np.divmod(code, len(self._mask_M))
        return np.asarray(self._mask_H[high] | self._mask_M[low])

    def has(self, code: Numbers) -> NDArray[np.bool_]:
        """Return whether the set of each code contains the required categories."""
        return np.asarray(self.filled(code) & self._required == self._required)

    def rank(self, code: Numbers, size: Numbers) -> Numbers:
        """Return the ranks of sets, given their codes and sizes."""
        high, low = np.divmod(code, len(self._mask_M))
        return np.asarray(self._before_F_H[size, high] + self._rank_M[low])

    def code(self, rank: Numbers, size: Numbers) -> Numbers:
        """Return the codes of sets, given their ranks and sizes."""
        row = np.searchsorted(self._search, rank + self._far * size, side="right") - 1
        high = row - size * len(self._size_H)
        first = self._first_low_F[size - self._size_H[high]]
        low = self._lows[first + rank - self._before_F_H[size, high]]
        return np.asarray(high * len(self._mask_M) + low)


class LazyArray:
    """An array of known length whose entries are computed from their indexes on demand.

    You can index it like an array, ``lazy[indexes]``; ``np.asarray`` computes all entries. The
    function ``entries_of`` maps int64 indexes of shape (N,) to their entries, of shape (N,) or
    (N, …).
    """

    def __init__(self, length: int, entries_of: Callable[[Numbers], NDArray[Any]]) -> None:
        self._length, self._entries_of = length, entries_of

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, index: Any) -> Any:
        """Return the entries at any NumPy index; an index tuple computes the whole array."""
        if self._length <= TABLED or "_table" in vars(self) or isinstance(index, tuple):
            return self._table[index]
        if isinstance(index, slice):
            index = np.arange(*index.indices(self._length))
        index = np.asarray(index)
        index = np.flatnonzero(index) if index.dtype == np.bool_ else index.astype(np.int64)
        entries = self._entries_of(index.ravel())
        return entries.reshape(index.shape + entries.shape[1:])[()]

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> NDArray[Any]:
        """Return the whole array."""
        return np.asarray(self._table, dtype=dtype)

    @cached_property
    def _table(self) -> NDArray[Any]:
        starts = range(0, self._length, AT_ONCE)
        spans = pairwise([*starts, self._length])
        return np.concatenate([self._entries_of(np.arange(*span)) for span in spans])
