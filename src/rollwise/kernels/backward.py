"""The backward sweep: the values of all classes of one layer from those of the next.

A final roll is worth its best outcome, ``max over open k of gain * V'[lane + shift] + points``,
where V' is the row of the card after it: for given class and outcome the shift is the same for all
lanes, so this is a contiguous read. The rest of the turn is :mod:`rollwise.kernels.turn`.

What bounds it: some 6,000 vector reads a block of lanes for five ordinary dice, from L1 and L2;
nearly a third of them choose categories, the others climb the lattice.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rollwise.kernels.turn import aligned, compiled, turn_value
from rollwise.kernels.vector import WIDTH, add, fill, follow, load, maximum, mul, store

INLINES = {"turn.py": "5872e28c574c", "vector.py": "bb953c3fd51d"}  # see turn.py


class Game(NamedTuple):
    """The arrays of :class:`rollwise.model.Model` that a sweep reads, and what outcomes are worth.

    ``gain_O`` and ``points_O``, float64: an outcome is worth ``gain * V' + points``.
    """

    lanes: int
    class_S: NDArray[np.int32]
    mask_C: NDArray[np.int64]
    armed_C: NDArray[np.int8]
    situation_C: NDArray[np.int8]
    first_lane_C: NDArray[np.int32]
    last_lane_C: NDArray[np.int32]
    gain_O: NDArray[np.float64]
    points_O: NDArray[np.float64]
    shift_O: NDArray[np.int32]
    arms_O: NDArray[np.int8]
    outcome_starts_K: NDArray[np.int32]
    option_V_K: NDArray[np.uint16]
    special_J: NDArray[np.int32]
    special_row_C_J: NDArray[np.int32]


@compiled
def open_categories(game: Any, c: int, out: Any) -> int:
    """Write the categories that class ``c`` may fill next to ``out``; return how many."""
    n = 0
    for k in range(len(game.outcome_starts_K)):
        if game.mask_C[c] >> k & 1 == 0 and game.class_S[0, game.mask_C[c] | 1 << k] >= 0:
            out[n] = k
            n += 1
    return n


@compiled
def lay_options(game: Any, c: int, categories: Any, n_rolls: int, out: Any) -> None:
    """Write, for each roll, the offset of its outcome in each open category of class ``c``."""
    n = len(categories)
    for r in range(n_rolls):
        for i in range(n):
            out[r * n + i] = game.option_V_K[r, categories[i]] * WIDTH
    if game.situation_C[c] > 0:
        for j in range(len(game.special_J)):
            for i in range(n):
                o = game.option_V_K[game.special_row_C_J[c, j], categories[i]]
                out[game.special_J[j] * n + i] = o * WIDTH


@compiled
def weigh_outcomes(
    game: Any, c: int, lane: int, categories: Any, values: Any, stride: int, out: Any
) -> None:
    """Set the outcomes that class ``c`` can have at ``lane`` and beyond to what they are worth."""
    situation = game.situation_C[c]
    for i in range(len(categories)):
        k = categories[i]
        mask = game.mask_C[c] | 1 << k
        for part in range(2 if situation > 0 else 1):
            s = situation if part == 1 else 0
            for o in range(game.outcome_starts_K[k, s], game.outcome_starts_K[k, s + 1]):
                after = game.class_S[game.armed_C[c] | game.arms_O[o], mask]
                remaining = load(values, after * stride + lane + game.shift_O[o])
                worth = add(mul(fill(game.gain_O[o]), remaining), fill(game.points_O[o]))
                store(out, o * WIDTH, worth)


@compiled
def choose_categories(
    outcome: Any, options: Any, n: int, first: int, last: int, point: Any
) -> None:
    """Set each final roll to the best of its ``n`` options."""
    edge = 0
    for p in range(first, last):
        best = follow(outcome, options, edge)
        edge += 1
        for _ in range(1, n):
            best = maximum(best, follow(outcome, options, edge))
            edge += 1
        store(point, p * WIDTH, best)


@compiled
def backward(
    values: Any, stride: int, first_class: int, last_class: int, game: Any, turn: Any
) -> None:
    """Fill the rows of classes ``first_class .. last_class - 1`` of ``values``.

    Parameters
    ----------
    values : float64 array of shape (C * stride,)
        Lane l of class c is at ``c * stride + l``; lanes past the last one repeat it. The rows
        of all successors must stand. Lanes beyond what any game reaches become NaN.
    """
    n_rolls = len(turn.ways_R)
    keeps = len(turn.parent_offsets) // turn.faces
    n_categories = len(game.outcome_starts_K)
    outcome = aligned(len(game.points_O) * WIDTH)
    point = aligned((keeps + n_rolls) * WIDTH)
    category_buffer = np.empty(n_categories, dtype=np.int64)
    options = np.empty(n_rolls * n_categories, dtype=np.uint32)
    store(outcome, 0, fill(-np.inf))  # the forbidden option
    for c in range(first_class, last_class):
        n_open = open_categories(game, c, category_buffer)
        categories = category_buffer[:n_open]
        lay_options(game, c, categories, n_rolls, options)
        row = c * stride
        first, last = game.first_lane_C[c], game.last_lane_C[c]
        lane = first
        while lane <= last:
            weigh_outcomes(game, c, lane, categories, values, stride, outcome)
            choose_categories(outcome, options, n_open, keeps, keeps + n_rolls, point)
            store(values, row + lane, turn_value(point, turn))
            lane += WIDTH
        for out_of_reach in range(first):
            values[row + out_of_reach] = values[row + first]
        beyond = values[row + last] if last == game.lanes - 1 else np.nan
        for unreachable in range(last + 1, stride):
            values[row + unreachable] = beyond
