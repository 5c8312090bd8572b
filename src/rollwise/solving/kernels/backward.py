"""Backward induction over a layer: compute its values from the values of the next layer.

The value of a final roll is the maximum of ``gain * V'[lane + shift] + points`` over open
categories (Bellman equation). V' is the row of values of the state that the outcome leads to. For a
given class and outcome the shift is the same for all lanes, so this is a contiguous read. The rest
of the turn is in :mod:`rollwise.solving.kernels.turn`.

Saved rolls
-----------
A turn is a *chain* of steps, with 0, 1, 2, … rolls left. In games that save rolls, turns from
states that differ only in the number of saved rolls share most of their computation. For each step
a chain has the number of saved rolls after a turn that ends with this step. It also has the number
of saved rolls before a turn that begins with this step. If unused rolls are saved, a turn that ends
with j rolls left saves j rolls, so one chain is enough. In games with a stock of extra rolls, the
last reroll of a turn can use one of them. Then there is one chain for each number of extra rolls.

Several columns
---------------
In a game with several columns, the lanes of a row belong to the last column. The states of all
other columns together are a *joint node* (:mod:`rollwise.solving.columns`). A class has several
joint nodes, whose options are the same. An outcome in another column changes the joint node, and
has no shift.

With five ordinary dice, each block of lanes takes about 6,000 vector reads from the L1 and L2
caches, which limit the speed. Nearly a third of the reads are needed to choose categories. The
other reads are in the dice lattice.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rollwise.solving.kernels.compiler import compiled, inlined
from rollwise.solving.kernels.legal_outcomes import (
    Game,
    Turn,
    complete_row,
    list_options,
    value_outcomes,
)
from rollwise.solving.kernels.turn import (
    best_keeps,
    choose_categories,
    first_roll_value,
    keep_values,
)
from rollwise.solving.kernels.vector import WIDTH, Floats, store_at
from rollwise.solving.kernels.work import Work


class Chains(NamedTuple):
    """The turns from a state: N chains with one step for each number of rolls left (axis J)."""

    # The saved rolls after a turn that ends with each step; -1 past the last step.
    saved_after_N_J: NDArray[np.int64]
    # The saved rolls before a turn that begins with each step; -1 if no turn begins with it.
    saved_before_N_J: NDArray[np.int64]


class OtherColumns(NamedTuple):
    """The joint nodes of a game with several columns."""

    # The joint nodes of class c are ``first_C[c] .. end_C[c] - 1``.
    first_C: NDArray[np.int64]
    end_C: NDArray[np.int64]
    # The joint node that each outcome leads to; -1 if its category is filled.
    after_N_O: NDArray[np.int32]


class Layer(NamedTuple):
    """A layer to solve, and the next layer.

    The state of class c and joint node n with s saved rolls has row
    ``(row_C[c] + n) * saves + s``. A game with one column has only joint node 0. The padding of a
    row repeats the value of its last lane; unreachable lanes are NaN.
    """

    # The classes to solve.
    classes: NDArray[np.int64]
    # The number of earlier states of the layer, minus the first joint node of the class. Saved
    # rolls do not count.
    row_C: NDArray[np.int64]
    # The rows for each state in this and the next layer: one for each number of saved rolls.
    saves: int
    saves_after: int
    # The values of this and the next layer, shape (rows, stride).
    values: Floats
    after: Floats


@inlined
def find_rows(node: int, slots: int, others: OtherColumns | None, layer: Layer, work: Work) -> None:
    """Set ``work.reads.row`` to the row that each slot leads to if the turn saves no rolls."""
    legal, node_after = work.legal, node
    for slot in range(1, slots):
        if others is not None:
            node_after = others.after_N_O[node, legal.outcome_of_slot[slot]]
        row = layer.row_C[legal.class_of_slot[slot]] + node_after
        work.reads.row[slot] = row * layer.saves_after


@inlined
def fill_block(
    row: int, lane: int, turn: Turn, work: Work, game: Game, chains: Chains, layer: Layer
) -> None:
    """Compute the values for ``WIDTH`` lanes, in a row for each number of saved rolls."""
    arrays, lattice_index, _ = game
    legal, point, tables = work.legal, work.point, len(arrays.option_T_V_K)
    for chain in range(len(chains.saved_after_N_J)):
        previous = -1
        for left in range(chains.saved_after_N_J.shape[1]):
            saved_after = chains.saved_after_N_J[chain, left]
            saved_before = chains.saved_before_N_J[chain, left]
            if saved_after < 0:
                break
            if left > 0:
                keep_values(point, lattice_index)
            # If the outcomes are the same as in the previous step, no value can increase.
            if saved_after != previous:
                rows, after = work.reads.row, layer.after
                value_outcomes(arrays, lane, turn.slots, rows, saved_after, after, legal)
            if saved_after != previous or tables > 1:
                choose_categories(legal, turn.n_open, min(left, tables - 1), lattice_index, point)
            if left > 0:
                best_keeps(point, lattice_index)
            if saved_before >= 0:
                value = first_roll_value(point, lattice_index)
                store_at(layer.values, row + saved_before, lane, value)
            previous = saved_after


@compiled
def backward(
    first: int,
    last: int,
    work: Work,
    game: Game,
    chains: Chains,
    others: OtherColumns | None,
    layer: Layer,
) -> None:
    """Compute the values of the states in ``layer.classes[first:last]``."""
    arrays, node, end = game.arrays, 0, 1
    for i in range(first, last):
        c = layer.classes[i]
        here = arrays.class_C[c]
        turn = list_options(game, c, work.legal)
        if others is not None:
            node, end = others.first_C[c], others.end_C[c]
        for n in range(node, end):
            find_rows(n, turn.slots, others, layer, work)
            row = (layer.row_C[c] + n) * layer.saves
            for lane in range(here.first_lane, here.last_lane + 1, WIDTH):
                fill_block(row, lane, turn, work, game, chains, layer)
            for saved in range(layer.saves):
                complete_row(arrays, c, row + saved, layer.values)
