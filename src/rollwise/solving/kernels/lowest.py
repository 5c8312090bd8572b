"""The lowest total that a strategy can end with: what it may do, with the dice as its enemy.

The outcomes that the strategy takes with a probability above 0 are known from every card, so that
``L(c, u) = min over those outcomes of points + L(after)``: one pass, from full cards to the empty
one. Chance is not averaged and nothing is chosen: all that counts is what can happen.
"""

import numpy as np

from rollwise.solving.kernels.compiler import compiled
from rollwise.solving.kernels.menu import Arrays, Menu, complete_row, list_outcomes, remaining
from rollwise.solving.kernels.policy import LayerPlay
from rollwise.solving.kernels.vector import (
    WIDTH,
    Floats,
    add,
    fill,
    load,
    minimum,
    store_at,
    where_reaches,
)

LEAST = np.finfo(np.float64).tiny
"""Below any probability of a turn, above 0."""


@compiled
def fill_lowest(
    first: int,
    last: int,
    menu: Menu,
    arrays: Arrays,
    played: LayerPlay,
    points_O: Floats,
    low_C_L: Floats,
) -> None:
    """Fill the rows of classes ``first .. last - 1`` of ``low_C_L``.

    Parameters
    ----------
    points_O : float64 array of shape (O,)
        The points of an outcome.
    low_C_L : float64 array of shape (C, stride)
        The lowest number of points still to come; the rows of all successors must stand.
    """
    never, least = fill(np.inf), fill(LEAST)
    for c in range(first, last):
        size = list_outcomes(arrays, c, menu)
        at = played.starts_C[c - played.first]
        for lane in range(arrays.class_C[c].first_lane, arrays.class_C[c].last_lane + 1, WIDTH):
            lowest = never
            for slot in range(1, size.slots):
                points = fill(points_O[menu.outcome_of_slot[slot]])
                total = add(remaining(arrays, lane, 0, slot, low_C_L, menu), points)
                probability = load(played.probabilities, at + slot * WIDTH)
                lowest = minimum(where_reaches(probability, least, total, never), lowest)
            store_at(low_C_L, c, lane, lowest)
            at += size.slots * WIDTH
        complete_row(arrays, c, c, low_C_L)
