"""Arrays that are worked out where they are read.

A game that saves rolls has tens of millions of classes, and a question about a card reads a few.
"""

from collections.abc import Callable
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

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
