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
def lowest(
    first_class: int,
    last_class: int,
    layer_start: int,
    game: Any,
    weight_starts: Any,
    weights: Any,
    stride: int,
    low: Any,
) -> None:
    """Fill the rows of classes ``first_class .. last_class - 1`` of ``low``.

    Parameters
    ----------
    layer_start : int
        The first class of the layer.
    weight_starts, weights : arrays
        Outcome probabilities of the layer, as :func:`rollwise.solving.kernels.policy.best_play`
        lays them.
    low : float64 array of shape (C * stride,)
        Points still to come, laid out as ``values`` of
        :func:`rollwise.solving.kernels.backward.backward`; the rows of all successors must stand.
    """
    menu = empty_menu(game, 1)
    never = fill(np.inf)
    least = fill(LEAST)
    for c in range(first_class, last_class):
        _, n_slots = list_outcomes(game, c, menu)
        at = weight_starts[c - layer_start]
        row = c * stride
        lane = game.first_lane_C[c]
        while lane <= game.last_lane_C[c]:
            least_total = never
            for slot in range(1, n_slots):
                o = menu.outcome_of_slot[slot]
                rest = load(low, class_after(game, c, o) * stride + lane + game.shift_O[o])
                total = add(rest, fill(game.points_O[o]))
                share = load(weights, at + slot * WIDTH)
                least_total = minimum(where_reaches(share, least, total, never), least_total)
            store(low, row + lane, least_total)
            at += n_slots * WIDTH
            lane += WIDTH
        complete_row(game, c, row, stride, low)
