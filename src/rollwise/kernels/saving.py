"""The backward sweep where rolls are saved: a third axis beside class and lane.

A turn that ends with j rolls left hands them on, so its final rolls are worth what the cards after
it are worth with j rolls saved. One chain over j serves all starts: with s rolls saved a turn may
take ``rolls + s`` rolls, so that the values before the first roll are met on the way up.

What bounds it: as in :mod:`rollwise.kernels.backward`, reads from L1 and L2, but once for each
number of rolls left.
"""

from typing import Any

import numpy as np

from rollwise.kernels.backward import (
    choose_categories,
    class_after,
    complete_row,
    empty_menu,
    lay_options,
    list_outcomes,
)
from rollwise.kernels.turn import aligned, best_keeps, compiled, first_roll_value, keep_values
from rollwise.kernels.vector import WIDTH, add, fill, load, mul, store

INLINES = {
    "backward.py": "ce6c87282d7a",
    "turn.py": "10180da6dcad",
    "vector.py": "fc3152ae68ab",
}  # see turn.py


@compiled
def backward_saving(
    first: int,
    last: int,
    classes: Any,
    place_C: Any,
    saved: int,
    game: Any,
    turn: Any,
    stride: int,
    after: Any,
    out: Any,
) -> None:
    """Fill the rows of ``classes[first:last]``, all of one layer.

    Parameters
    ----------
    place_C : int64 array of shape (C,)
        The place of each class among those of its layer.
    saved : int
        The most rolls that can be saved on these cards.
    after, out : float64 arrays of shape (classes * (saved + 1) * stride,)
        The next layer, with its own most rolls saved, and this one: lane l of place i with s rolls
        saved is at ``(i * (saved + 1) + s) * stride + l``. Lanes past the last one repeat it.
    """
    n_rolls = len(turn.ways_R)
    keeps = len(turn.parent_offsets) // turn.faces
    ends = saved + turn.rolls  # a turn can end with 0 .. ends - 1 rolls left
    point = aligned((keeps + n_rolls) * WIDTH)
    menu = empty_menu(game, n_rolls)
    row_of_slot = np.zeros(len(game.points_O), dtype=np.int64)
    for i in range(first, last):
        c = classes[i]
        n_open, n_slots = list_outcomes(game, c, menu)
        lay_options(game, c, n_open, n_rolls, menu)
        for slot in range(1, n_slots):
            o = menu.outcome_of_slot[slot]
            row_of_slot[slot] = place_C[class_after(game, c, o)] * ends * stride
        row = place_C[c] * (saved + 1) * stride
        for lane in range(game.first_lane_C[c], game.last_lane_C[c] + 1, WIDTH):
            for left in range(ends):
                for slot in range(1, n_slots):
                    o = menu.outcome_of_slot[slot]
                    lane_after = min(lane + game.shift_O[o], game.lanes - 1)
                    rest = load(after, row_of_slot[slot] + left * stride + lane_after)
                    worth = add(mul(fill(game.gain_O[o]), rest), fill(game.points_O[o]))
                    store(menu.outcome, slot * WIDTH, worth)
                if left > 0:
                    keep_values(point, turn)
                choose_categories(menu, n_open, keeps, keeps + n_rolls, 0, point)
                if left > 0:
                    best_keeps(point, turn)
                start = left - (turn.rolls - 1)
                if start >= 0:
                    value = first_roll_value(point, turn)
                    store(out, row + start * stride + lane, value)
        for start in range(saved + 1):
            complete_row(game, c, row + start * stride, stride, out)
