"""The penalty of an information relaxation in two-player games, by row and score difference.

The penalty is the effect of new information about the other player's final score. It is a sum over
the final scores: the change in the probability of each final score, times the approximate value of
the resulting score difference. The changes sum to 0. The approximate value is 0 below the window of
a row, and 1 above the window.

Each vector takes a read from the L1 cache, a multiplication, and a subtraction for each final
score.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rollwise.solving.kernels.compiler import compiled
from rollwise.solving.kernels.score import NONE, Rows
from rollwise.solving.kernels.vector import WIDTH, Floats, fill, load, mul, store, sub


class DistributionChange(NamedTuple):
    """A change in the distribution of a final score.

    Attributes
    ----------
    last : int
        The highest score.
    mass_S : float64 array of shape (S,)
        The change in the probability of each score, in descending order of the scores. The changes
        sum to 0.
    """

    last: int
    mass_S: Floats


class DifferenceValues(NamedTuple):
    """The approximate values of score differences, for the rows of a layer.

    Attributes
    ----------
    rows : Rows
        The windows of score differences.
    values : float32 array
        The approximate values, at the array indices that ``rows`` defines.
    """

    rows: Rows
    values: NDArray[np.float32]


@compiled
def subtract_penalty(
    first: int,
    last: int,
    wide: Floats,
    rows: Rows,
    values: Floats,
    approximate: DifferenceValues,
    change: DistributionChange,
) -> None:
    """Subtract the penalty from the values of rows ``first .. last - 1``.

    The values above each window are set to 1. ``wide`` is a scratch array. Its size must be at
    least the length of the longest window plus the number of final scores plus ``WIDTH``.
    """
    masses = len(change.mass_S)
    for x in range(first, last):
        if rows.low_X[x] == NONE:
            continue
        start, length = rows.start_X[x], rows.high_X[x] - rows.low_X[x]
        # wide[i] is the approximate value of the score difference ``least + i``.
        least = rows.low_X[x] - change.last
        size = length + WIDTH + masses
        low = min(max(approximate.rows.low_X[x] - least, 0), size)
        high = min(max(approximate.rows.high_X[x] - least, 0), size)
        index = approximate.rows.start_X[x] + least - approximate.rows.low_X[x]
        wide[:low] = 0.0
        for i in range(low, high):
            wide[i] = approximate.values[index + i]
        wide[high:size] = 1.0
        for j in range(0, length, WIDTH):
            value = load(values, start + j)
            for s in range(masses):
                value = sub(value, mul(fill(change.mass_S[s]), load(wide, j + s)))
            store(values, start + j, value)
        store(values, start + length, fill(1.0))
