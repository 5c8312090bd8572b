"""What is paid for news: a law that changes, against what is known of each row's scores.

A row is worth its values less their mean over masses of the other player's final scores, which sum
to nothing. What is known of a lead is 0 before the window of its row, and 1 behind it.

What bounds it: a load, a product and a difference for each vector and each mass, from L1.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rollwise.solving.kernels.compiler import compiled
from rollwise.solving.kernels.score import NONE, Rows
from rollwise.solving.kernels.vector import WIDTH, Floats, fill, load, mul, store, sub


class News(NamedTuple):
    """How the law of a final score changes.

    Attributes
    ----------
    last : int
        The highest score.
    mass_S : float64 array of shape (S,)
        What each becomes more likely by, the highest first; they sum to 0.
    """

    last: int
    mass_S: Floats


class Known(NamedTuple):
    """What leads over a final score are worth.

    Attributes
    ----------
    rows : Rows
        Their windows.
    worth : float32 array
        As they stand in the array of their layer.
    """

    rows: Rows
    worth: NDArray[np.float32]


@compiled
def pay_for_news(
    first: int, last: int, wide: Floats, rows: Rows, values: Floats, known: Known, news: News
) -> None:
    """Take from the values of rows ``first .. last - 1`` what is paid; above windows stands 1.

    ``wide`` is room for the longest window, all masses and a vector.
    """
    masses = len(news.mass_S)
    for x in range(first, last):
        if rows.low_X[x] == NONE:
            continue
        start, length = rows.start_X[x], rows.high_X[x] - rows.low_X[x]
        # wide[i] is what is known of the lead of the lowest score over the highest one, and i more.
        least = rows.low_X[x] - news.last
        size = length + WIDTH + masses
        low = min(max(known.rows.low_X[x] - least, 0), size)
        high = min(max(known.rows.high_X[x] - least, 0), size)
        place = known.rows.start_X[x] + least - known.rows.low_X[x]
        wide[:low] = 0.0
        for i in range(low, high):
            wide[i] = known.worth[place + i]
        wide[high:size] = 1.0
        for j in range(0, length, WIDTH):
            value = load(values, start + j)
            for s in range(masses):
                value = sub(value, mul(fill(news.mass_S[s]), load(wide, j + s)))
            store(values, start + j, value)
        store(values, start + length, fill(1.0))
