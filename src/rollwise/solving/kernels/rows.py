"""Rows with their windows: where the numbers of each card stand in the array of its layer."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

NONE = np.iinfo(np.int64).max
"""The lowest score of a row that no game reaches."""


class Rows(NamedTuple):
    """The rows of consecutive classes, numbered from the first: ``x = first_row_C[i] + r``.

    Row 0 of a class stands for the first lane of its window (:mod:`rollwise.model.arrays`) and all
    before it, each other row for one lane.

    Attributes
    ----------
    first_row_C : int64 array of shape (C + 1,)
    low_X, high_X : int64 arrays of shape (X,)
        Scores ``low .. high - 1`` stand in the array; ``NONE`` and ``-NONE`` where there are none.
    start_X : int64 array of shape (X,)
        Where ``low`` stands.
    """

    first_row_C: NDArray[np.int64]
    low_X: NDArray[np.int64]
    high_X: NDArray[np.int64]
    start_X: NDArray[np.int64]

    @classmethod
    def empty(cls, rows_C: NDArray[np.int64]) -> "Rows":
        """Return rows that no game reaches yet, as many as told for each class."""
        first_row_C = np.append(0, np.cumsum(rows_C))
        n = int(first_row_C[-1])
        return cls(first_row_C, np.full(n, NONE), np.full(n, -NONE), np.zeros(n, dtype=np.int64))
