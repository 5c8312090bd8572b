"""Backward induction for games with several columns; states combine the states of the columns.

A *node* is a combination of the states of all columns except the last column. Each pair of a node
and a class of the last column has a row of values, with one value for each lane of the last column.
An outcome in the last column changes the class and the lane. An outcome in another column changes
only the node.

Nodes with the same filled categories form a group. They have the same options, which are computed
once.

Axis letters: ``N`` nodes, ``G`` groups of nodes, and ``C`` classes of the last column. The others
are explained in :mod:`rollwise.model.arrays`.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rollwise.solving.kernels.compiler import compiled, inlined
from rollwise.solving.kernels.legal_outcomes import Game, LegalOutcomes, Size, complete_row
from rollwise.solving.kernels.turn import turn_value
from rollwise.solving.kernels.vector import (
    WIDTH,
    Floats,
    add,
    fill,
    load_at,
    store,
    store_at,
)
from rollwise.solving.kernels.work import Work


class ColumnsGame(NamedTuple):
    """The arrays of a game with several columns."""

    # The outcome of each roll in each category; T is 1 unless the number of rolls left matters.
    option_T_R_K: NDArray[np.uint16]
    # The first outcome of each category, and one past the last outcome, shape (K + 1,).
    starts_K: NDArray[np.int64]
    # The categories that must be filled before each category, as a bit mask.
    before_K: NDArray[np.int64]
    points_O: Floats
    # The lane shift of each outcome, which is 0 outside the last column.
    shift_O: NDArray[np.int64]
    # The filled categories of each class and of each group, as a bit mask.
    mask_C: NDArray[np.int64]
    mask_G: NDArray[np.int64]
    # The nodes, sorted by group: group g has ``nodes[starts_G[g] .. starts_G[g + 1] - 1]``.
    nodes: NDArray[np.int64]
    starts_G: NDArray[np.int64]
    # The node that each outcome outside the last column leads to; -1 for other outcomes.
    after_N_O: NDArray[np.int32]
    # The class that each outcome in the last column leads to; -1 for other outcomes.
    after_C_O: NDArray[np.int32]


class ColumnsLayer(NamedTuple):
    """A layer to solve, and the next layer.

    The row of a state is the offset of its node in the layer plus the class of its last column.
    """

    # The group of nodes and the class of the last column for each task, shape (tasks, 2).
    tasks: NDArray[np.int64]
    offset_N: NDArray[np.int64]
    offset_after_N: NDArray[np.int64]
    # The values of this and the next layer, shape (rows, stride).
    values: Floats
    after: Floats


@inlined
def list_columns(mask: int, board: ColumnsGame, legal: LegalOutcomes) -> Size:
    """List the open categories and outcomes for a mask of filled categories; return both sizes."""
    n_open, slot = 0, 1
    for k in range(len(board.before_K)):
        before = board.before_K[k]
        if mask >> k & 1 != 0 or mask & before != before:
            continue
        legal.categories[n_open] = k
        n_open += 1
        for o in range(board.starts_K[k], board.starts_K[k + 1]):
            legal.outcome_of_slot[slot] = o
            legal.slot_of_outcome[o] = slot
            slot += 1
    return Size(n_open, slot)


@inlined
def write_column_options(boxes: int, board: ColumnsGame, legal: LegalOutcomes) -> None:
    """Write the slot of each open category, for each number of rolls left and each roll."""
    edge = 0
    for t in range(board.option_T_R_K.shape[0]):
        for r in range(board.option_T_R_K.shape[1]):
            for i in range(boxes):
                o = board.option_T_R_K[t, r, legal.categories[i]]
                legal.options[edge] = legal.slot_of_outcome[o] * WIDTH
                edge += 1


@inlined
def find_rows(
    node: int,
    c: int,
    slots: int,
    board: ColumnsGame,
    offset_after_N: NDArray[np.int64],
    legal: LegalOutcomes,
) -> None:
    """Set ``legal.row_of_slot`` to the row in the next layer that each slot leads to."""
    for slot in range(1, slots):
        o = legal.outcome_of_slot[slot]
        moved = board.after_N_O[node, o]
        if moved >= 0:
            legal.row_of_slot[slot] = offset_after_N[moved] + c
        else:
            legal.row_of_slot[slot] = offset_after_N[node] + board.after_C_O[c, o]


@compiled
def backward_columns(
    first: int,
    last: int,
    work: Work,
    game: Game,
    rerolls: int,
    board: ColumnsGame,
    layer: ColumnsLayer,
) -> None:
    """Compute the values of some tasks; ``game`` is the game with only the last column."""
    arrays, lattice_index, legal = game.arrays, game.lattice_index, work.legal
    tables = board.option_T_R_K.shape[0]
    for task in range(first, last):
        g, c = layer.tasks[task, 0], layer.tasks[task, 1]
        size = list_columns(board.mask_G[g] | board.mask_C[c], board, legal)
        write_column_options(size.boxes, board, legal)
        here = arrays.class_C[c]
        for i in range(board.starts_G[g], board.starts_G[g + 1]):
            node = board.nodes[i]
            find_rows(node, c, size.slots, board, layer.offset_after_N, legal)
            row = layer.offset_N[node] + c
            for lane in range(here.first_lane, here.last_lane + 1, WIDTH):
                for slot in range(1, size.slots):
                    o = legal.outcome_of_slot[slot]
                    lane_after = min(lane + board.shift_O[o], arrays.lanes - 1)
                    later = load_at(layer.after, legal.row_of_slot[slot], lane_after)
                    store(legal.value, slot * WIDTH, add(later, fill(board.points_O[o])))
                value = turn_value(rerolls, tables, size.boxes, lattice_index, legal, work.point)
                store_at(layer.values, row, lane, value)
            complete_row(arrays, c, row, layer.values)
