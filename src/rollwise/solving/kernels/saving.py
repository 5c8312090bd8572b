"""The backward sweep where rolls are carried over: a third axis beside class and lane.

The turns from one card with different numbers of rolls saved have most of their work in common.
They are laid out as *chains*: steps with 0, 1, 2, … rolls left, each with the number of rolls saved
if the turn ends there, and the number saved at its start if the step is its first roll.

Where rolls are saved, a turn that ends with j left hands on j, whatever there was: one chain serves
all starts. Of extra rolls each number has a chain of its own: its last step leaves one less.

What bounds it: as in :mod:`rollwise.solving.kernels.backward`, reads from L1 and L2, but once for
each step.
"""

from typing import Any

import numpy as np

from rollwise.solving.kernels.backward import (
    choose_categories,
    class_after,
    complete_row,
    empty_menu,
    lay_options,
    list_outcomes,
)
from rollwise.solving.kernels.compiler import compiled
from rollwise.solving.kernels.turn import aligned, best_keeps, first_roll_value, keep_values
from rollwise.solving.kernels.vector import WIDTH, add, fill, load, mul, store


@compiled
def backward_saving(
    first: int,
    last: int,
    classes: Any,
    place_C: Any,
    then_N_J: Any,
    start_N_J: Any,
    saves: int,
    saves_after: int,
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
    then_N_J, start_N_J : int64 arrays of shape (N, J)
        For each chain and number of rolls left: the rolls saved after a turn that ends there, -1
        past the last step; the rolls saved before a turn that begins there, -1 if none does.
    saves, saves_after : int
        How many numbers of saved rolls there is room for, in this layer and the next one.
    after, out : float64 arrays of shape (classes * saves * stride,)
        The next layer and this one: lane l of place i with s rolls saved is at
        ``(i * saves + s) * stride + l``. Lanes past the last one repeat it.
    """
    n_rolls = len(turn.ways_R)
    keeps = len(turn.keep_offsets)
    point = aligned((keeps + n_rolls) * WIDTH)
    menu = empty_menu(game, n_rolls)
    row_of_slot = np.zeros(len(game.points_O), dtype=np.int64)
    for i in range(first, last):
        c = classes[i]
        n_open, n_slots = list_outcomes(game, c, menu)
        lay_options(game, c, n_open, n_rolls, menu)
        for slot in range(1, n_slots):
            o = menu.outcome_of_slot[slot]
            row_of_slot[slot] = place_C[class_after(game, c, o)] * saves_after * stride
        row = place_C[c] * saves * stride
        for lane in range(game.first_lane_C[c], game.last_lane_C[c] + 1, WIDTH):
            for chain in range(len(then_N_J)):
                for left in range(then_N_J.shape[1]):
                    then = then_N_J[chain, left]
                    if then < 0:
                        break
                    if left > 0:
                        keep_values(point, turn)
                    # To stop for what the step before stopped for: the rolls hold as much or more.
                    if left == 0 or then != then_N_J[chain, left - 1]:
                        for slot in range(1, n_slots):
                            o = menu.outcome_of_slot[slot]
                            lane_after = min(lane + game.shift_O[o], game.lanes - 1)
                            rest = load(after, row_of_slot[slot] + then * stride + lane_after)
                            worth = add(mul(fill(game.gain_O[o]), rest), fill(game.points_O[o]))
                            store(menu.outcome, slot * WIDTH, worth)
                        choose_categories(menu, n_open, keeps, keeps + n_rolls, 0, point)
                    if left > 0:
                        best_keeps(point, turn)
                    start = start_N_J[chain, left]
                    if start >= 0:
                        value = first_roll_value(point, turn)
                        store(out, row + start * stride + lane, value)
        for start in range(saves):
            complete_row(game, c, row + start * stride, stride, out)
