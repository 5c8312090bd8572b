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
    choose_categories,
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
from rollwise.solving.kernels.turn import best_keeps, first_roll_value, keep_values
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
    def of(cls, arrays: Arrays, streams: LatticeIndex) -> "Announcing":
        """Return the room for a game."""
        size = len(streams.ways_R) * WIDTH
        return cls(PolicyScratch.of(arrays, streams), aligned(size), aligned(size))


@inlined
def lay_box(arrays: Arrays, c: int, k: int, streams: LatticeIndex, menu: LegalOutcomes) -> None:
    """Lay a menu of one box."""
    menu.categories[0] = k
    lay_options(arrays, c, 1, len(streams.ways_R), menu)


@inlined
def value_box(
    rerolls: int, tables: int, streams: LatticeIndex, menu: LegalOutcomes, point: Floats
) -> None:
    """Set each roll to what it is worth with so many rerolls, when one box alone may be filled."""
    choose_categories(menu, 1, 0, streams, point)
    for left in range(1, rerolls + 1):
        keep_values(point, streams)
        if tables > 1:
            choose_categories(menu, 1, left, streams, point)
        best_keeps(point, streams)


@inlined
def best_boxes(
    arrays: Arrays, c: int, streams: LatticeIndex, menu: LegalOutcomes, point: Floats, best: Floats
) -> None:
    """Set ``best`` to what each first roll is worth, with the box announced that is best for it."""
    keeps, n_rolls = len(streams.keep_offsets), len(streams.ways_R)
    for r in range(n_rolls):
        store(best, r * WIDTH, fill(-np.inf))
    for k in range(len(arrays.category_K)):
        if may_fill(arrays, c, k):
            lay_box(arrays, c, k, streams, menu)
            rerolls, tables = arrays.class_C[c].rerolls, len(arrays.option_T_V_K)
            value_box(rerolls, tables, streams, menu, point)
            for r in range(n_rolls):
                here = load(point, (keeps + r) * WIDTH)
                store(best, r * WIDTH, maximum(load(best, r * WIDTH), here))


@compiled
def backward_announced(
    first: int, last: int, scratch: Announcing, arrays: Arrays, streams: LatticeIndex, layer: Layer
) -> None:
    """Fill the rows of ``layer.classes[first:last]``."""
    menu, point, best = scratch.turn.menu, scratch.turn.point, scratch.best
    keeps, n_rolls = len(streams.keep_offsets), len(streams.ways_R)
    for i in range(first, last):
        c = layer.classes[i]
        size = list_outcomes(arrays, c, menu)
        row = layer.place_C[c]
        for slot in range(1, size.slots):
            menu.row_of_slot[slot] = layer.place_C[menu.row_of_slot[slot]]
        for lane in range(arrays.class_C[c].first_lane, arrays.class_C[c].last_lane + 1, WIDTH):
            weigh_outcomes(arrays, lane, 0, size.slots, layer.after, menu)
            best_boxes(arrays, c, streams, menu, point, best)
            for r in range(n_rolls):
                store(point, (keeps + r) * WIDTH, load(best, r * WIDTH))
            store_at(layer.values, row, lane, first_roll_value(point, streams))
        complete_row(arrays, c, row, layer.values)


@inlined
def play_announced(
    arrays: Arrays,
    c: int,
    size: Size,
    streams: LatticeIndex,
    falls: ForwardIndex,
    wanted: Wanted,
    scratch: Announcing,
) -> None:
    """Set the weight of each slot to its probability; of equal boxes the first is announced."""
    turn, menu = scratch.turn, scratch.turn.menu
    keeps, n_rolls = len(streams.keep_offsets), len(streams.ways_R)
    rerolls, tables = arrays.class_C[c].rerolls, len(arrays.option_T_V_K)
    best_boxes(arrays, c, streams, menu, turn.point, scratch.best)
    empty(turn.weight, 0, size.slots)
    for r in range(n_rolls):
        store(scratch.rest, r * WIDTH, fill(streams.ways_R[r] / streams.ways))
    for k in range(len(arrays.category_K)):
        if may_fill(arrays, c, k):
            lay_box(arrays, c, k, streams, menu)
            rate_turn(rerolls, tables, 1, streams, falls, wanted.tie, turn)
            if rerolls > 0:
                best_keeps(turn.point, streams)
            for r in range(n_rolls):
                goal = sub(load(scratch.best, r * WIDTH), fill(wanted.tie.slack))
                here, rest = load(turn.point, (keeps + r) * WIDTH), load(scratch.rest, r * WIDTH)
                taken = where_reaches(here, goal, rest, fill(0.0))
                store(turn.mass, (keeps + r) * WIDTH, taken)
                store(scratch.rest, r * WIDTH, sub(rest, taken))
            follow_keeps(rerolls, tables, 1, streams, falls, wanted.tie, turn)


@compiled
def best_play_announced(
    first: int,
    last: int,
    scratch: Announcing,
    arrays: Arrays,
    streams: LatticeIndex,
    falls: ForwardIndex,
    wanted: Wanted,
    played: LayerPolicy,
) -> None:
    """Write how classes ``first .. last - 1`` are played best to ``played``."""
    menu, weight = scratch.turn.menu, scratch.turn.weight
    for c in range(first, last):
        here = arrays.class_C[c]
        size = list_outcomes(arrays, c, menu)
        at = played.starts_C[c - played.first]
        for lane in range(here.first_lane, here.last_lane + 1, WIDTH):
            weigh_outcomes(arrays, lane, 0, size.slots, wanted.values_C_L, menu)
            play_announced(arrays, c, size, streams, falls, wanted, scratch)
            for slot in range(size.slots):
                store(played.probabilities, at + slot * WIDTH, load(weight, slot * WIDTH))
            at += size.slots * WIDTH
