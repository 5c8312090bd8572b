"""What a play brings on average: the mean of points still to come and its second moment, backward.

With X' what is still to come after an outcome of p points, E(p + X')² = p² + 2 p E X' + E X'².
"""

from rollwise.solving.kernels.compiler import compiled
from rollwise.solving.kernels.menu import Arrays, Menu, complete_row, list_outcomes, remaining
from rollwise.solving.kernels.policy import LayerPlay
from rollwise.solving.kernels.vector import WIDTH, Floats, add, fill, load, mul, store_at


@compiled
def fill_mean(
    first: int,
    last: int,
    menu: Menu,
    arrays: Arrays,
    played: LayerPlay,
    points_O: Floats,
    mean_C_L: Floats,
) -> None:
    """Fill the rows of classes ``first .. last - 1`` of ``mean_C_L``.

    Parameters
    ----------
    points_O : float64 array of shape (O,)
        The points of an outcome, or a part of them.
    mean_C_L : float64 array of shape (C, stride)
        What is still to come of them; the rows of all successors must stand.
    """
    for c in range(first, last):
        size = list_outcomes(arrays, c, menu)
        at = played.starts_C[c - played.first]
        for lane in range(arrays.class_C[c].first_lane, arrays.class_C[c].last_lane + 1, WIDTH):
            total = fill(0.0)
            for slot in range(1, size.slots):
                points = fill(points_O[menu.outcome_of_slot[slot]])
                rest = remaining(arrays, lane, 0, slot, mean_C_L, menu)
                probability = load(played.probabilities, at + slot * WIDTH)
                total = add(total, mul(probability, add(points, rest)))
            store_at(mean_C_L, c, lane, total)
            at += size.slots * WIDTH
        complete_row(arrays, c, c, mean_C_L)


@compiled
def fill_moments(
    first: int,
    last: int,
    menu: Menu,
    arrays: Arrays,
    played: LayerPlay,
    points_O: Floats,
    mean_C_L: Floats,
    second_C_L: Floats,
) -> None:
    """Fill ``mean_C_L`` as :func:`fill_mean` does, and the same rows of ``second_C_L``."""
    for c in range(first, last):
        size = list_outcomes(arrays, c, menu)
        at = played.starts_C[c - played.first]
        for lane in range(arrays.class_C[c].first_lane, arrays.class_C[c].last_lane + 1, WIDTH):
            mean = fill(0.0)
            second = fill(0.0)
            for slot in range(1, size.slots):
                points = fill(points_O[menu.outcome_of_slot[slot]])
                rest = remaining(arrays, lane, 0, slot, mean_C_L, menu)
                square = remaining(arrays, lane, 0, slot, second_C_L, menu)
                gain = mul(points, add(points, add(rest, rest)))
                probability = load(played.probabilities, at + slot * WIDTH)
                mean = add(mean, mul(probability, add(points, rest)))
                second = add(second, mul(probability, add(gain, square)))
            store_at(mean_C_L, c, lane, mean)
            store_at(second_C_L, c, lane, second)
            at += size.slots * WIDTH
        complete_row(arrays, c, c, mean_C_L)
        complete_row(arrays, c, c, second_C_L)
