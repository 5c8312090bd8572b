"""Backward induction over a layer: the values of its states from the values of the next layer.

The value of a final roll is the maximum over open categories of ``gain * V'[lane + shift] +
points`` (Bellman equation), where V' is the row of values of the class after the outcome. For a
given class and outcome the shift is the same for all lanes, so this is a contiguous read. The rest
of the turn is in :mod:`rollwise.solving.kernels.turn`.

A turn is a *chain* of steps, with 0, 1, 2, … rolls left. In games that save rolls, turns from
states that differ only in the number of saved rolls share most of their computation. For each step
a chain has the number of rolls saved if the turn ends there, and the number saved before the turn
if the step is its first roll. If unused rolls are saved, a turn that ends with j rolls left saves
j, so one chain serves all numbers of saved rolls. For a stock of extra rolls there is one chain for
each number, since the last step uses one of them.

The time is bounded by about 6,000 vector reads from L1 and L2 per block of lanes, for five ordinary
dice. Nearly a third of them choose categories; the others are on the lattice.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rollwise.solving.kernels.compiler import compiled, inlined
from rollwise.solving.kernels.lattice_index import LatticeIndex
from rollwise.solving.kernels.legal_outcomes import (
    Arrays,
    LegalOutcomes,
    choose_categories,
    complete_row,
    list_options,
    value_outcomes,
)
from rollwise.solving.kernels.turn import best_keeps, first_roll_value, keep_values
from rollwise.solving.kernels.vector import WIDTH, Floats, aligned, store_at


class Chains(NamedTuple):
    """The turns from a state: one chain a row, one step for each number of rolls left.

    Attributes
    ----------
    then_N_J : int64 array of shape (N, J)
        The number of rolls saved after a turn that ends with this step; -1 past the last step.
    start_N_J : int64 array of shape (N, J)
        The number of rolls saved before a turn that begins with this step; -1 if none does.
    """

    saved_after_N_J: NDArray[np.int64]
    saved_before_N_J: NDArray[np.int64]


class Layer(NamedTuple):
    """A layer to solve, and the next one.

    Attributes
    ----------
    classes : int64 array
        The classes to solve.
    place_C : int64 array of shape (C,)
        The position of each class in its layer.
    saves, saves_after : int
        The number of rows for each class, one a number of saved rolls, in this and the next layer.
    values, after : float64 arrays of shape (classes * saves, stride)
        The values of this and the next layer: the class at position i with s rolls saved is row
        ``i * saves + s``. Lanes past the last one repeat it; unreachable lanes are NaN.
    """

    classes: NDArray[np.int64]
    place_C: NDArray[np.int64]
    saves: int
    saves_after: int
    values: Floats
    after: Floats


class BackwardScratch(NamedTuple):
    """Scratch arrays: the legal outcomes of a class, and the value of each lattice point."""

    legal: LegalOutcomes
    point: Floats

    @classmethod
    def of(cls, arrays: Arrays, lattice_index: LatticeIndex) -> "BackwardScratch":
        """Return scratch arrays for a game."""
        n_points = len(lattice_index.targets) + 1
        return cls(LegalOutcomes.of(arrays, lattice_index), aligned(n_points * WIDTH))


@inlined
def find_rows(layer: Layer, slots: int, legal: LegalOutcomes) -> None:
    """Replace the class after each slot by its row in the next layer."""
    for slot in range(1, slots):
        legal.row_of_slot[slot] = layer.place_C[legal.row_of_slot[slot]] * layer.saves_after


@compiled
def backward(
    first: int,
    last: int,
    scratch: BackwardScratch,
    arrays: Arrays,
    lattice_index: LatticeIndex,
    chains: Chains,
    layer: Layer,
) -> None:
    """Fill the rows of ``layer.classes[first:last]``."""
    legal, point = scratch.legal, scratch.point
    tables = len(arrays.option_T_V_K)
    for i in range(first, last):
        c = layer.classes[i]
        size = list_options(arrays, c, lattice_index, legal)
        find_rows(layer, size.slots, legal)
        row = layer.place_C[c] * layer.saves
        for lane in range(arrays.class_C[c].first_lane, arrays.class_C[c].last_lane + 1, WIDTH):
            for chain in range(len(chains.saved_after_N_J)):
                before = -1
                for left in range(chains.saved_after_N_J.shape[1]):
                    then, start = (
                        chains.saved_after_N_J[chain, left],
                        chains.saved_before_N_J[chain, left],
                    )
                    if then < 0:
                        break
                    if left > 0:
                        keep_values(point, lattice_index)
                    # With the same outcomes as the step before, no roll would get a better value.
                    if then != before:
                        value_outcomes(arrays, lane, then, size.slots, layer.after, legal)
                    if then != before or tables > 1:
                        table = min(left, tables - 1)
                        choose_categories(legal, size.boxes, table, lattice_index, point)
                    if left > 0:
                        best_keeps(point, lattice_index)
                    if start >= 0:
                        store_at(
                            layer.values, row + start, lane, first_roll_value(point, lattice_index)
                        )
                    before = then
        for start in range(layer.saves):
            complete_row(arrays, c, row + start, layer.values)
