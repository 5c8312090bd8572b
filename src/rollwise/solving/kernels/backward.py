"""The backward sweep: the values of all classes of one layer from those of the next.

A final roll is worth its best outcome, ``max over open k of gain * V'[lane + shift] + points``,
where V' is the row of the card after it: for given class and outcome the shift is the same for all
lanes, so this is a contiguous read. The rest of the turn is :mod:`rollwise.solving.kernels.turn`.

A turn is a *chain* of steps, with 0, 1, 2, … rolls left. Where rolls are carried over, the turns
from one card with different numbers of rolls saved have most of their work in common: a chain says
of each step how many rolls are saved if the turn ends there, and how many were saved at its start
if the step is its first roll. Where rolls are saved, a turn that ends with j left hands on j,
whatever there was: one chain serves all starts. Of extra rolls each number has a chain of its own:
its last step leaves one less.

What bounds it: some 6,000 vector reads a block of lanes for five ordinary dice, from L1 and L2;
nearly a third of them choose categories, the others climb the lattice.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rollwise.solving.kernels.compiler import compiled
from rollwise.solving.kernels.lattice_index import LatticeIndex
from rollwise.solving.kernels.legal_outcomes import (
    Arrays,
    LegalOutcomes,
    choose_categories,
    complete_row,
    lay_options,
    list_outcomes,
    weigh_outcomes,
)
from rollwise.solving.kernels.turn import best_keeps, first_roll_value, keep_values
from rollwise.solving.kernels.vector import WIDTH, Floats, aligned, store_at


class Chains(NamedTuple):
    """The turns from a card, one chain a row, one step a number of rolls left.

    Attributes
    ----------
    then_N_J : int64 array of shape (N, J)
        The rolls saved after a turn that ends there, -1 past the last step.
    start_N_J : int64 array of shape (N, J)
        The rolls saved before a turn that begins there, -1 if none does.
    """

    then_N_J: NDArray[np.int64]
    start_N_J: NDArray[np.int64]


class Layer(NamedTuple):
    """A layer to be solved, and the next one.

    Attributes
    ----------
    classes : int64 array
        Those to be solved.
    place_C : int64 array of shape (C,)
        The place of each class among those of its layer.
    saves, saves_after : int
        How many numbers of saved rolls there is room for, in this layer and the next one.
    values, after : float64 arrays of shape (classes * saves, stride)
        This layer and the next one: place i with s rolls saved is row ``i * saves + s``. Lanes past
        the last one repeat it; those beyond what any game reaches are NaN.
    """

    classes: NDArray[np.int64]
    place_C: NDArray[np.int64]
    saves: int
    saves_after: int
    values: Floats
    after: Floats


class BackwardScratch(NamedTuple):
    """What a sweep needs room for: a menu, and the value of each point of the lattice."""

    legal: LegalOutcomes
    point: Floats

    @classmethod
    def of(cls, arrays: Arrays, lattice_index: LatticeIndex) -> "BackwardScratch":
        """Return the room for a game."""
        n_points = len(lattice_index.targets) + 1
        return cls(LegalOutcomes.of(arrays, lattice_index), aligned(n_points * WIDTH))


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
        size = list_outcomes(arrays, c, legal)
        lay_options(arrays, c, size.boxes, len(lattice_index.ways_R), legal)
        row = layer.place_C[c] * layer.saves
        for slot in range(1, size.slots):
            legal.row_of_slot[slot] = layer.place_C[legal.row_of_slot[slot]] * layer.saves_after
        for lane in range(arrays.class_C[c].first_lane, arrays.class_C[c].last_lane + 1, WIDTH):
            for chain in range(len(chains.then_N_J)):
                before = -1
                for left in range(chains.then_N_J.shape[1]):
                    then, start = chains.then_N_J[chain, left], chains.start_N_J[chain, left]
                    if then < 0:
                        break
                    if left > 0:
                        keep_values(point, lattice_index)
                    # To stop for what the step before stopped for: the rolls hold as much or more.
                    if then != before:
                        weigh_outcomes(arrays, lane, then, size.slots, layer.after, legal)
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
