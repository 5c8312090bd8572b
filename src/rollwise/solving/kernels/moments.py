"""Mean and second moment of what is still to come under given play, backward.

With X' what is still to come after an outcome of p points, the mean is that of p + E X', the second
moment that of E(p + X')² = p² + 2 p E X' + E X'².
"""

from typing import Any

from rollwise.solving.kernels.backward import class_after, complete_row, empty_menu, list_outcomes
from rollwise.solving.kernels.compiler import compiled
from rollwise.solving.kernels.vector import WIDTH, add, fill, load, mul, store


@compiled
def fill_mean(
    first_class: int, last_class: int, game: Any, played: Any, points_O: Any, mean_C_L: Any
) -> None:
    """Fill the rows of classes ``first_class .. last_class - 1`` of ``mean_C_L``.

    Parameters
    ----------
    played : rollwise.solving.kernels.policy.LayerPlay
    points_O : float64 array of shape (O,)
        What an outcome adds to what is counted.
    mean_C_L : float64 array of shape (C, stride)
        Laid out as ``values`` of :func:`rollwise.solving.kernels.backward.backward`; the rows of
        all successors must stand.
    """
    menu = empty_menu(game, 1)
    stride, mean = mean_C_L.shape[1], mean_C_L.reshape(-1)
    for c in range(first_class, last_class):
        _, n_slots = list_outcomes(game, c, menu)
        at = played.starts_C[c - played.first]
        row = c * stride
        for lane in range(game.first_lane_C[c], game.last_lane_C[c] + 1, WIDTH):
            total = fill(0.0)
            for slot in range(1, n_slots):
                o = menu.outcome_of_slot[slot]
                rest = load(mean, class_after(game, c, o) * stride + lane + game.shift_O[o])
                probability = load(played.probabilities, at + slot * WIDTH)
                total = add(total, mul(probability, add(fill(points_O[o]), rest)))
            store(mean, row + lane, total)
            at += n_slots * WIDTH
        complete_row(game, c, row, stride, mean)


@compiled
def fill_second(
    first_class: int,
    last_class: int,
    game: Any,
    played: Any,
    points_O: Any,
    mean_C_L: Any,
    second_C_L: Any,
) -> None:
    """Fill the same rows of ``second_C_L``, laid out alike; ``mean_C_L`` as :func:`fill_mean`."""
    menu = empty_menu(game, 1)
    stride, mean, second = mean_C_L.shape[1], mean_C_L.reshape(-1), second_C_L.reshape(-1)
    for c in range(first_class, last_class):
        _, n_slots = list_outcomes(game, c, menu)
        at = played.starts_C[c - played.first]
        row = c * stride
        for lane in range(game.first_lane_C[c], game.last_lane_C[c] + 1, WIDTH):
            total = fill(0.0)
            for slot in range(1, n_slots):
                o = menu.outcome_of_slot[slot]
                after = class_after(game, c, o) * stride + lane + game.shift_O[o]
                points, rest = fill(points_O[o]), load(mean, after)
                gain = mul(points, add(points, add(rest, rest)))
                probability = load(played.probabilities, at + slot * WIDTH)
                total = add(total, mul(probability, add(gain, load(second, after))))
            store(second, row + lane, total)
            at += n_slots * WIDTH
        complete_row(game, c, row, stride, second)
