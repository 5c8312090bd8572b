"""Mean and second moment of the final score under given play, backward.

With X' what is still to come after an outcome of p points, E(p + X')² = p² + 2 p E X' + E X'².
"""

from typing import Any

from rollwise.solving.kernels.backward import class_after, complete_row, empty_menu, list_outcomes
from rollwise.solving.kernels.compiler import compiled
from rollwise.solving.kernels.vector import WIDTH, add, fill, load, mul, store


@compiled
def moments(
    first_class: int,
    last_class: int,
    layer_start: int,
    game: Any,
    weight_starts: Any,
    weights: Any,
    points_O: Any,
    stride: int,
    mean: Any,
    second: Any,
) -> None:
    """Write mean and second moment of what is still to come, for classes ``first .. last - 1``.

    Parameters
    ----------
    weight_starts, weights : arrays
        How the layer that begins at ``layer_start`` is played, as
        :func:`rollwise.solving.kernels.policy.best_play` writes it.
    points_O : float64 array of shape (O,)
    mean, second : float64 arrays of shape (C * stride,)
        Laid out as ``values`` of the backward sweep; the rows of all successors must stand.
    """
    menu = empty_menu(game, 1)
    for c in range(first_class, last_class):
        _, n_slots = list_outcomes(game, c, menu)
        at = weight_starts[c - layer_start]
        row = c * stride
        lane = game.first_lane_C[c]
        while lane <= game.last_lane_C[c]:
            first_moment, second_moment = fill(0.0), fill(0.0)
            for slot in range(1, n_slots):
                o = menu.outcome_of_slot[slot]
                share = load(weights, at + slot * WIDTH)
                points = fill(points_O[o])
                after = class_after(game, c, o) * stride + lane + game.shift_O[o]
                rest = load(mean, after)
                gain = mul(points, add(points, add(rest, rest)))
                first_moment = add(first_moment, mul(share, add(points, rest)))
                second_moment = add(second_moment, mul(share, add(gain, load(second, after))))
            store(mean, row + lane, first_moment)
            store(second, row + lane, second_moment)
            at += n_slots * WIDTH
            lane += WIDTH
        complete_row(game, c, row, stride, mean)
        complete_row(game, c, row, stride, second)
