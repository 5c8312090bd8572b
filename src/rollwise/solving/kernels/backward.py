"""The backward sweep: the values of all classes of one layer from those of the next.

A final roll is worth its best outcome, ``max over open k of gain * V'[lane + shift] + points``,
where V' is the row of the card after it: for given class and outcome the shift is the same for all
lanes, so this is a contiguous read. The rest of the turn is :mod:`rollwise.solving.kernels.turn`.

What bounds it: some 6,000 vector reads a block of lanes for five ordinary dice, from L1 and L2;
nearly a third of them choose categories, the others climb the lattice.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rollwise.solving.kernels.compiler import compiled
from rollwise.solving.kernels.turn import aligned, best_keeps, first_roll_value, keep_values
from rollwise.solving.kernels.vector import WIDTH, add, fill, follow, load, maximum, mul, store


class Game(NamedTuple):
    """The arrays of a :class:`rollwise.model.arrays.Model`, and what outcomes are worth.

    ``gain_O`` and ``points_O``, float64: an outcome is worth ``gain * V' + points``.
    """

    lanes: int
    sets: int
    class_S: NDArray[np.int32]
    mask_C: NDArray[np.int64]
    code_C: NDArray[np.int64]
    armed_C: NDArray[np.int8]
    situation_C: NDArray[np.int8]
    rerolls_C: NDArray[np.int16]
    table_C: NDArray[np.int16]
    first_lane_C: NDArray[np.int32]
    last_lane_C: NDArray[np.int32]
    stride_K: NDArray[np.int64]
    before_K: NDArray[np.int64]
    behind_K: NDArray[np.int64]
    category_O: NDArray[np.int32]
    gain_O: NDArray[np.float64]
    points_O: NDArray[np.float64]
    shift_O: NDArray[np.int32]
    code_O: NDArray[np.int64]
    from_O: NDArray[np.int64]
    to_O: NDArray[np.int64]
    arms_O: NDArray[np.int8]
    outcome_starts_K: NDArray[np.int32]
    option_T_V_K: NDArray[np.uint16]
    special_J: NDArray[np.int32]
    special_row_C_J: NDArray[np.int32]


class Menu(NamedTuple):
    """What one class may do: scratch space, filled anew for each class.

    The outcomes that it can have are numbered again, from 0, so that they stand close together;
    these numbers are called slots. Slot 0 is the forbidden option.

    Attributes
    ----------
    outcome : float64 array
        What each slot is worth, ``WIDTH`` lanes a slot.
    outcome_of_slot, slot_of_outcome : int64 arrays of shape (O,)
    categories : int64 array of shape (K,)
        The open categories.
    options : uint32 array of shape (T * R * K,)
        For each number of rolls left, if it matters, and each roll, the offset of the slot of each
        open category.
    """

    outcome: NDArray[np.float64]
    outcome_of_slot: NDArray[np.int64]
    slot_of_outcome: NDArray[np.int64]
    categories: NDArray[np.int64]
    options: NDArray[np.uint32]


@compiled
def empty_menu(game: Any, n_rolls: int) -> Any:
    """Return the scratch space for the menus of a game."""
    n_categories, n_outcomes = len(game.outcome_starts_K), len(game.points_O)
    outcome = aligned(n_outcomes * WIDTH)
    store(outcome, 0, fill(-np.inf))
    return Menu(
        outcome,
        np.zeros(n_outcomes, dtype=np.int64),
        np.zeros(n_outcomes, dtype=np.int64),
        np.empty(n_categories, dtype=np.int64),
        np.empty(len(game.option_T_V_K) * n_rolls * n_categories, dtype=np.uint32),
    )


@compiled
def may_fill(game: Any, c: int, k: int) -> Any:
    """Return whether class ``c`` may fill category ``k`` next."""
    mask, before = game.mask_C[c], game.before_K[k]
    return mask >> k & 1 == 0 and mask & before == before


@compiled
def list_outcomes(game: Any, c: int, menu: Any) -> Any:
    """List what class ``c`` can do; return the number of open categories and of slots."""
    n_open = 0
    slot = 1
    situation = game.situation_C[c]
    last_table = game.table_C[c] + game.rerolls_C[c]
    for k in range(len(game.outcome_starts_K)):
        if not may_fill(game, c, k):
            continue
        menu.categories[n_open] = k
        n_open += 1
        for part in range(2 if situation > 0 else 1):
            s = situation if part == 1 else 0
            for o in range(game.outcome_starts_K[k, s], game.outcome_starts_K[k, s + 1]):
                if game.from_O[o] <= last_table and game.to_O[o] >= game.table_C[c]:
                    menu.outcome_of_slot[slot] = o
                    menu.slot_of_outcome[o] = slot
                    slot += 1
    return n_open, slot


@compiled
def lay_options(game: Any, c: int, n_open: int, n_rolls: int, menu: Any) -> None:
    """Write, for each number of rolls left and roll, the offset of its slot in each open box."""
    for t in range(min(len(game.option_T_V_K), game.rerolls_C[c] + 1)):
        start = t * n_rolls * n_open
        table = game.table_C[c] + t
        for r in range(n_rolls):
            for i in range(n_open):
                o = game.option_T_V_K[table, r, menu.categories[i]]
                menu.options[start + r * n_open + i] = menu.slot_of_outcome[o] * WIDTH
        if game.situation_C[c] > 0:
            for j in range(len(game.special_J)):
                for i in range(n_open):
                    o = game.option_T_V_K[table, game.special_row_C_J[c, j], menu.categories[i]]
                    slot = menu.slot_of_outcome[o] if o > 0 else 0
                    menu.options[start + game.special_J[j] * n_open + i] = slot * WIDTH


@compiled
def class_after(game: Any, c: int, o: int) -> Any:
    """Return the class that outcome ``o`` leads to from class ``c``."""
    armed = game.armed_C[c] | game.arms_O[o]
    return game.class_S[armed, game.code_C[c] + game.code_O[o]]


@compiled
def weigh_outcomes(
    game: Any, c: int, lane: int, n_slots: int, values: Any, stride: int, menu: Any
) -> None:
    """Set each slot of class ``c`` to what it is worth at ``lane`` and beyond."""
    for slot in range(1, n_slots):
        o = menu.outcome_of_slot[slot]
        remaining = load(values, class_after(game, c, o) * stride + lane + game.shift_O[o])
        worth = add(mul(fill(game.gain_O[o]), remaining), fill(game.points_O[o]))
        store(menu.outcome, slot * WIDTH, worth)


@compiled
def choose_categories(
    menu: Any, n_open: int, first: int, last: int, table: int, point: Any
) -> None:
    """Set each roll to the best of its options, by one of the option tables."""
    edge = table * (last - first) * n_open
    for p in range(first, last):
        best = follow(menu.outcome, menu.options, edge)
        edge += 1
        for _ in range(1, n_open):
            best = maximum(best, follow(menu.outcome, menu.options, edge))
            edge += 1
        store(point, p * WIDTH, best)


@compiled
def turn_value(game: Any, c: int, menu: Any, n_open: int, point: Any, turn: Any) -> Any:
    """Return the value of a turn before its first roll, from what the slots are worth."""
    keeps = len(turn.keep_offsets)
    choose_categories(menu, n_open, keeps, keeps + len(turn.ways_R), 0, point)
    for left in range(1, game.rerolls_C[c] + 1):
        keep_values(point, turn)
        if len(game.option_T_V_K) > 1:  # to stop here is worth something else than to stop later
            choose_categories(menu, n_open, keeps, keeps + len(turn.ways_R), left, point)
        best_keeps(point, turn)
    return first_roll_value(point, turn)


@compiled
def complete_row(game: Any, c: int, row: int, stride: int, values: Any) -> None:
    """Fill the lanes of a row that need no computing, once its window stands."""
    first, last = game.first_lane_C[c], game.last_lane_C[c]
    for out_of_reach in range(first):
        values[row + out_of_reach] = values[row + first]
    beyond = values[row + last] if last == game.lanes - 1 else np.nan
    for unreachable in range(last + 1, stride):
        values[row + unreachable] = beyond


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
    keeps = len(turn.keep_offsets)
    point = aligned((keeps + n_rolls) * WIDTH)
    menu = empty_menu(game, n_rolls)
    for c in range(first_class, last_class):
        n_open, n_slots = list_outcomes(game, c, menu)
        lay_options(game, c, n_open, n_rolls, menu)
        row = c * stride
        for lane in range(game.first_lane_C[c], game.last_lane_C[c] + 1, WIDTH):
            weigh_outcomes(game, c, lane, n_slots, values, stride, menu)
            store(values, row + lane, turn_value(game, c, menu, n_open, point, turn))
        complete_row(game, c, row, stride, values)
