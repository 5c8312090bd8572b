"""The lowest total that a strategy can end with: what it may do, with the dice as its enemy.

The outcomes that the strategy takes with a probability above 0 are known from every card, so that
``L(c, u) = min over those outcomes of points + L(after)``: one pass, from full cards to the empty
one. Chance is not averaged and nothing is chosen: all that counts is what can happen.
"""

from typing import Any

import numpy as np

from rollwise.solving.kernels.backward import class_after, complete_row, empty_menu, list_outcomes
from rollwise.solving.kernels.compiler import compiled
from rollwise.solving.kernels.vector import WIDTH, add, fill, load, minimum, store, where_reaches

LEAST = np.finfo(np.float64).tiny
"""Below any probability of a turn, above 0."""


@compiled
def fill_lowest(
    first_class: int,
    last_class: int,
    game: Any,
    played: Any,
    points_O: Any,
    low_C_L: Any,
) -> None:
    """Fill the rows of classes ``first_class .. last_class - 1`` of ``low_C_L``.

    Parameters
    ----------
    played : rollwise.solving.kernels.policy.LayerPlay
    points_O : float64 array of shape (O,)
        The points of an outcome.
    low_C_L : float64 array of shape (C, stride)
        The lowest number of points still to come, laid out as ``values`` of
        :func:`rollwise.solving.kernels.backward.backward`; the rows of all successors must stand.
    """
    menu = empty_menu(game, 1)
    stride, low = low_C_L.shape[1], low_C_L.reshape(-1)
    never = fill(np.inf)
    least = fill(LEAST)
    for c in range(first_class, last_class):
        _, n_slots = list_outcomes(game, c, menu)
        at = played.starts_C[c - played.first]
        row = c * stride
        lane = game.first_lane_C[c]
        while lane <= game.last_lane_C[c]:
            least_total = never
            for slot in range(1, n_slots):
                o = menu.outcome_of_slot[slot]
                rest = load(low, class_after(game, c, o) * stride + lane + game.shift_O[o])
                total = add(rest, fill(points_O[o]))
                probability = load(played.probabilities, at + slot * WIDTH)
                possible = where_reaches(probability, least, total, never)
                least_total = minimum(possible, least_total)
            store(low, row + lane, least_total)
            at += n_slots * WIDTH
            lane += WIDTH
        complete_row(game, c, row, stride, low)
