"""Rows of values by score: one row for each class and upper-section total.

A row has a value for each score s in a window of consecutive scores. Outside its window the value
of a row is constant (:mod:`rollwise.solving.by_score.windows`).
"""

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:  # kernels know no rules
    from rollwise.model.arrays import Model

NONE = np.iinfo(np.int64).max
"""The lowest score of an unreachable row."""


class Rows(NamedTuple):
    """The rows of consecutive classes: row r of class i is number ``first_row_C[i] + r``.

    Row 0 of a class contains the first lane to compute (:mod:`rollwise.model.arrays`) and all lower
    lanes. Each other row contains one lane.
    """

    # The first row of each class, and one past the last row, shape (C + 1,).
    first_row_C: NDArray[np.int64]
    # The window of row x: the scores ``low_X[x] .. high_X[x] - 1``; ``NONE`` and ``-NONE`` if the
    # row is unreachable.
    low_X: NDArray[np.int64]
    high_X: NDArray[np.int64]
    # The array index of the value of row x for the score ``low_X[x]``.
    start_X: NDArray[np.int64]

    @classmethod
    def empty(cls, rows_C: NDArray[np.int64]) -> "Rows":
        """Return rows without windows, given the number of rows of each class."""
        first_row_C = np.append(0, np.cumsum(rows_C))
        n = int(first_row_C[-1])
        return cls(first_row_C, np.full(n, NONE), np.full(n, -NONE), np.zeros(n, dtype=np.int64))


def by_row(model: "Model", values_C_L: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the value of each row, float64 of shape (X,), given the values by class and lane."""
    c_X = np.repeat(np.arange(model.n_classes), model.rows_C)
    first_row_C = np.cumsum(model.rows_C) - model.rows_C
    lane_X = np.arange(len(c_X)) - first_row_C[c_X] + model.first_lane_C[c_X]
    return np.asarray(values_C_L[c_X, lane_X])


def row_of(model: "Model", c: Any, lane: Any) -> NDArray[np.int64]:
    """Return the number of the row of each pair of class and lane; the arguments broadcast."""
    first_row_C = np.append(0, np.cumsum(model.rows_C))
    return np.asarray(first_row_C[c] + np.maximum(lane - model.first_lane_C[c], 0))
