"""The penalty of an information relaxation: what a change of a distribution is worth to each row.

The penalty of a score is the mean of the approximate values of score differences over the change in
the probabilities of the other player's final scores; these changes sum to 0. The approximate value
of a score difference is 0 below the window of its row, and 1 above it.

The time is bounded by a load, a product and a difference per vector and mass, all from L1.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rollwise.solving.kernels.compiler import compiled
from rollwise.solving.kernels.score import NONE, Rows
from rollwise.solving.kernels.vector import WIDTH, Floats, fill, load, mul, store, sub


class DistributionChange(NamedTuple):
    """How the distribution of a final score changes.

    Attributes
    ----------
    last : int
        The highest score.
    mass_S : float64 array of shape (S,)
        The change in the probability of each score, the highest score first; they sum to 0.
    """

    last: int
    mass_S: Floats


class DifferenceValues(NamedTuple):
    """The values of score differences to a final score, for the rows of a layer.

    Attributes
    ----------
    rows : Rows
        The windows of score differences.
    values : float32 array
        In the order of the layer.
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
    """Subtract the penalty from the values of rows ``first .. last - 1``; write 1 above windows.

    ``wide`` is a scratch array for the longest window, all masses and a vector.
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
        place = approximate.rows.start_X[x] + least - approximate.rows.low_X[x]
        wide[:low] = 0.0
        for i in range(low, high):
            wide[i] = approximate.values[place + i]
        wide[high:size] = 1.0
        for j in range(0, length, WIDTH):
            value = load(values, start + j)
            for s in range(masses):
                value = sub(value, mul(fill(change.mass_S[s]), load(wide, j + s)))
            store(values, start + j, value)
        store(values, start + length, fill(1.0))
