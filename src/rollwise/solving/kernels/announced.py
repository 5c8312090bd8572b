r"""Turns that end in a box announced after the first roll: back over all cards, and forward.

After the announcement a turn is one of a card with that box alone, so a menu of one box serves:

.. math::
    V(c) = \sum_r P(r) \, \max_k W_k(r),

with :math:`W_k` what a roll is worth with the other rolls to come, when only box k may be filled.
"""

from typing import NamedTuple

import numpy as np

from rollwise.solving.kernels.backward import Layer
from rollwise.solving.kernels.compiler import compiled, inlined
from rollwise.solving.kernels.lattice_index import ForwardIndex, LatticeIndex
from rollwise.solving.kernels.legal_outcomes import (
    Arrays,
    LegalOutcomes,
    Size,
    complete_row,
    lay_options,
    list_outcomes,
    may_fill,
    weigh_outcomes,
)
from rollwise.solving.kernels.policy import (
    LayerPolicy,
    PolicyScratch,
    Wanted,
    empty,
    follow_keeps,
    rate_turn,
)
from rollwise.solving.kernels.turn import best_keeps, first_roll_value, value_rolls
from rollwise.solving.kernels.vector import (
    WIDTH,
    Floats,
    aligned,
    fill,
    load,
    maximum,
    store,
    store_at,
    sub,
    where_reaches,
)


class Announcing(NamedTuple):
    """What turns with announcements need room for: that of a turn, and one value a roll more.

    Attributes
    ----------
    turn : PolicyScratch
    best, rest : float64 arrays of shape (R * WIDTH,)
        What the best announcement is worth; the probability of first rolls that have none yet.
    """

    turn: PolicyScratch
    best: Floats
    rest: Floats

    @classmethod
    def of(cls, arrays: Arrays, lattice_index: LatticeIndex) -> "Announcing":
        """Return the room for a game."""
        size = len(lattice_index.ways_R) * WIDTH
        return cls(PolicyScratch.of(arrays, lattice_index), aligned(size), aligned(size))


@inlined
def lay_box(
    arrays: Arrays, c: int, k: int, lattice_index: LatticeIndex, legal: LegalOutcomes
) -> None:
    """Lay a menu of one box."""
    legal.categories[0] = k
    lay_options(arrays, c, 1, len(lattice_index.ways_R), legal)


@inlined
def best_boxes(
    arrays: Arrays,
    c: int,
    lattice_index: LatticeIndex,
    legal: LegalOutcomes,
    point: Floats,
    best: Floats,
) -> None:
    """Set ``best`` to what each first roll is worth, with the box announced that is best for it."""
    keeps, n_rolls = len(lattice_index.keep_offsets), len(lattice_index.ways_R)
    for r in range(n_rolls):
        store(best, r * WIDTH, fill(-np.inf))
    for k in range(len(arrays.category_K)):
        if may_fill(arrays, c, k):
            lay_box(arrays, c, k, lattice_index, legal)
            rerolls, tables = arrays.class_C[c].rerolls, len(arrays.option_T_V_K)
            value_rolls(rerolls, tables, 1, lattice_index, legal, point)
            for r in range(n_rolls):
                here = load(point, (keeps + r) * WIDTH)
                store(best, r * WIDTH, maximum(load(best, r * WIDTH), here))


@compiled
def backward_announced(
    first: int,
    last: int,
    scratch: Announcing,
    arrays: Arrays,
    lattice_index: LatticeIndex,
    layer: Layer,
) -> None:
    """Fill the rows of ``layer.classes[first:last]``."""
    legal, point, best = scratch.turn.legal, scratch.turn.point, scratch.best
    keeps, n_rolls = len(lattice_index.keep_offsets), len(lattice_index.ways_R)
    for i in range(first, last):
        c = layer.classes[i]
        size = list_outcomes(arrays, c, legal)
        row = layer.place_C[c]
        for slot in range(1, size.slots):
            legal.row_of_slot[slot] = layer.place_C[legal.row_of_slot[slot]]
        for lane in range(arrays.class_C[c].first_lane, arrays.class_C[c].last_lane + 1, WIDTH):
            weigh_outcomes(arrays, lane, 0, size.slots, layer.after, legal)
            best_boxes(arrays, c, lattice_index, legal, point, best)
            for r in range(n_rolls):
                store(point, (keeps + r) * WIDTH, load(best, r * WIDTH))
            store_at(layer.values, row, lane, first_roll_value(point, lattice_index))
        complete_row(arrays, c, row, layer.values)


@inlined
def play_announced(
    arrays: Arrays,
    c: int,
    size: Size,
    lattice_index: LatticeIndex,
    forward_index: ForwardIndex,
    wanted: Wanted,
    scratch: Announcing,
) -> None:
    """Set the weight of each slot to its probability; of equal boxes the first is announced."""
    turn, legal = scratch.turn, scratch.turn.legal
    keeps, n_rolls = len(lattice_index.keep_offsets), len(lattice_index.ways_R)
    rerolls, tables = arrays.class_C[c].rerolls, len(arrays.option_T_V_K)
    best_boxes(arrays, c, lattice_index, legal, turn.point, scratch.best)
    empty(turn.weight, 0, size.slots)
    for r in range(n_rolls):
        store(scratch.rest, r * WIDTH, fill(lattice_index.ways_R[r] / lattice_index.ways))
    for k in range(len(arrays.category_K)):
        if may_fill(arrays, c, k):
            lay_box(arrays, c, k, lattice_index, legal)
            rate_turn(rerolls, tables, 1, lattice_index, forward_index, wanted.tie, turn)
            if rerolls > 0:
                best_keeps(turn.point, lattice_index)
            for r in range(n_rolls):
                goal = sub(load(scratch.best, r * WIDTH), fill(wanted.tie.slack))
                here, rest = load(turn.point, (keeps + r) * WIDTH), load(scratch.rest, r * WIDTH)
                taken = where_reaches(here, goal, rest, fill(0.0))
                store(turn.mass, (keeps + r) * WIDTH, taken)
                store(scratch.rest, r * WIDTH, sub(rest, taken))
            follow_keeps(rerolls, tables, 1, lattice_index, forward_index, wanted.tie, turn)


@compiled
def best_play_announced(
    first: int,
    last: int,
    scratch: Announcing,
    arrays: Arrays,
    lattice_index: LatticeIndex,
    forward_index: ForwardIndex,
    wanted: Wanted,
    played: LayerPolicy,
) -> None:
    """Write how classes ``first .. last - 1`` are played best to ``played``."""
    legal, weight = scratch.turn.legal, scratch.turn.weight
    for c in range(first, last):
        here = arrays.class_C[c]
        size = list_outcomes(arrays, c, legal)
        at = played.starts_C[c - played.first]
        for lane in range(here.first_lane, here.last_lane + 1, WIDTH):
            weigh_outcomes(arrays, lane, 0, size.slots, wanted.values_C_L, legal)
            play_announced(arrays, c, size, lattice_index, forward_index, wanted, scratch)
            for slot in range(size.slots):
                store(played.probabilities, at + slot * WIDTH, load(weight, slot * WIDTH))
            at += size.slots * WIDTH
