"""Backward induction over a layer: compute its values from the values of the next layer.

The value of a final roll is the maximum of ``gain * V'[lane + shift] + points`` over open
categories (Bellman equation). V' is the row of values of the class that the outcome leads to. For a
given class and outcome the shift is the same for all lanes, so this is a contiguous read. The rest
of the turn is in :mod:`rollwise.solving.kernels.turn`.

A turn is a *chain* of steps, with 0, 1, 2, … rolls left. In games that save rolls, turns from
states that differ only in the number of saved rolls share most of their computation. For each step
a chain has the number of saved rolls after a turn that ends with this step. It also has the number
of saved rolls before a turn that begins with this step. If unused rolls are saved, a turn that ends
with j rolls left saves j rolls, so one chain is enough. In games with a stock of extra rolls, the
last reroll of a turn can use one of them. Then there is one chain for each number of extra rolls.

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
    LegalOutcomes,
    choose_categories,
    complete_row,
    list_options,
    value_outcomes,
)
from rollwise.solving.kernels.turn import best_keeps, first_roll_value, keep_values
from rollwise.solving.kernels.vector import WIDTH, Floats, store_at
from rollwise.solving.kernels.work import Work


class Chains(NamedTuple):
    """The turns from a state: N chains with one step for each number of rolls left (axis J)."""

    # The saved rolls after a turn that ends with each step; -1 past the last step.
    saved_after_N_J: NDArray[np.int64]
    # The saved rolls before a turn that begins with each step; -1 if no turn begins with it.
    saved_before_N_J: NDArray[np.int64]


class Layer(NamedTuple):
    """A layer to solve, and the next layer.

    Row ``i * saves + s`` of ``values`` belongs to the class at position i of the layer if s rolls
    are saved. The padding repeats the value of the last lane; unreachable lanes are NaN.
    """

    # The classes to solve.
    classes: NDArray[np.int64]
    # The position of each class in its layer.
    index_C: NDArray[np.int64]
    # The rows per class in this and the next layer: one for each number of saved rolls.
    saves: int
    saves_after: int
    # The values of this and the next layer, shape (classes * saves, stride).
    values: Floats
    after: Floats


@inlined
def find_rows(layer: Layer, slots: int, legal: LegalOutcomes) -> None:
    """Replace the class that each slot leads to with the first row of this class in its layer."""
    for slot in range(1, slots):
        legal.row_of_slot[slot] = layer.index_C[legal.row_of_slot[slot]] * layer.saves_after


@compiled
def backward(
    first: int,
    last: int,
    work: Work,
    game: Game,
    chains: Chains,
    layer: Layer,
) -> None:
    """Compute the values of the states in ``layer.classes[first:last]``."""
    legal, point = work.legal, work.point
    arrays, lattice_index = game.arrays, game.lattice_index
    tables = len(arrays.option_T_V_K)
    for i in range(first, last):
        c = layer.classes[i]
        size = list_options(arrays, c, lattice_index, legal)
        find_rows(layer, size.slots, legal)
        row = layer.index_C[c] * layer.saves
        for lane in range(arrays.class_C[c].first_lane, arrays.class_C[c].last_lane + 1, WIDTH):
            for chain in range(len(chains.saved_after_N_J)):
                previous = -1
                for left in range(chains.saved_after_N_J.shape[1]):
                    saved_after, saved_before = (
                        chains.saved_after_N_J[chain, left],
                        chains.saved_before_N_J[chain, left],
                    )
                    if saved_after < 0:
                        break
                    if left > 0:
                        keep_values(point, lattice_index)
                    # If the outcomes are the same as in the previous step, no value can increase.
                    if saved_after != previous:
                        value_outcomes(arrays, lane, saved_after, size.slots, layer.after, legal)
                    if saved_after != previous or tables > 1:
                        table = min(left, tables - 1)
                        choose_categories(legal, size.boxes, table, lattice_index, point)
                    if left > 0:
                        best_keeps(point, lattice_index)
                    if saved_before >= 0:
                        store_at(
                            layer.values,
                            row + saved_before,
                            lane,
                            first_roll_value(point, lattice_index),
                        )
                    previous = saved_after
        for saved_before in range(layer.saves):
            complete_row(arrays, c, row + saved_before, layer.values)
