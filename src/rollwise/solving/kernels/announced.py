r"""Backward induction and policies for turns in which the player announces a category (najava).

The player announces a category after the first roll. The rest of the turn is the same as if only
this category were open. The value of a state c is

.. math::
    V(c) = \sum_r P(r) \, \max_k W_k(r),

where :math:`P(r)` is the probability of the first roll r, and :math:`W_k(r)` is the value of this
roll if only category k is open.
"""

from typing import NamedTuple

import numpy as np

from rollwise.solving.kernels.backward import Layer, find_rows
from rollwise.solving.kernels.compiler import compiled, inlined
from rollwise.solving.kernels.lattice_index import ForwardIndex, LatticeIndex
from rollwise.solving.kernels.legal_outcomes import (
    Arrays,
    LegalOutcomes,
    Size,
    complete_row,
    list_outcomes,
    may_fill,
    value_outcomes,
    write_options,
)
from rollwise.solving.kernels.policy import (
    LayerPolicy,
    PolicyScratch,
    WantedRows,
    choose_turn,
    clear_points,
    forward_turn,
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


class AnnouncedScratch(NamedTuple):
    """Scratch arrays for turns with announcements.

    Attributes
    ----------
    best : float64 array of shape (R * WIDTH,)
        The value of each first roll after its best announcement.
    rest : float64 array of shape (R * WIDTH,)
        The probability of each first roll that is not yet assigned to an announcement.
    """

    turn: PolicyScratch
    best: Floats
    rest: Floats

    @classmethod
    def of(cls, arrays: Arrays, lattice_index: LatticeIndex) -> "AnnouncedScratch":
        """Return scratch arrays for a game."""
        size = len(lattice_index.ways_R) * WIDTH
        return cls(PolicyScratch.of(arrays, lattice_index), aligned(size), aligned(size))


@inlined
def list_announced(
    arrays: Arrays, c: int, k: int, lattice_index: LatticeIndex, legal: LegalOutcomes
) -> None:
    """Write the slots of final rolls of class ``c`` after category ``k`` is announced."""
    legal.categories[0] = k
    write_options(arrays, c, 1, len(lattice_index.ways_R), legal)


@inlined
def value_announcements(
    arrays: Arrays,
    c: int,
    lattice_index: LatticeIndex,
    legal: LegalOutcomes,
    point: Floats,
    best: Floats,
) -> None:
    """Set ``best`` to the value of each first roll of class ``c`` after its best announcement."""
    keeps, n_rolls = len(lattice_index.keep_offsets), len(lattice_index.ways_R)
    for r in range(n_rolls):
        store(best, r * WIDTH, fill(-np.inf))
    for k in range(len(arrays.category_K)):
        if may_fill(arrays, c, k):
            list_announced(arrays, c, k, lattice_index, legal)
            rerolls, tables = arrays.class_C[c].rerolls, len(arrays.option_T_V_K)
            value_rolls(rerolls, tables, 1, lattice_index, legal, point)
            for r in range(n_rolls):
                value = load(point, (keeps + r) * WIDTH)
                store(best, r * WIDTH, maximum(load(best, r * WIDTH), value))


@compiled
def backward_announced(
    first: int,
    last: int,
    scratch: AnnouncedScratch,
    arrays: Arrays,
    lattice_index: LatticeIndex,
    layer: Layer,
) -> None:
    """Compute the values of the states in ``layer.classes[first:last]``."""
    legal, point, best = scratch.turn.legal, scratch.turn.point, scratch.best
    keeps, n_rolls = len(lattice_index.keep_offsets), len(lattice_index.ways_R)
    for i in range(first, last):
        c = layer.classes[i]
        size = list_outcomes(arrays, c, legal)
        find_rows(layer, size.slots, legal)
        row = layer.index_C[c] * layer.saves
        for lane in range(arrays.class_C[c].first_lane, arrays.class_C[c].last_lane + 1, WIDTH):
            value_outcomes(arrays, lane, 0, size.slots, layer.after, legal)
            value_announcements(arrays, c, lattice_index, legal, point, best)
            for r in range(n_rolls):
                store(point, (keeps + r) * WIDTH, load(best, r * WIDTH))
            store_at(layer.values, row, lane, first_roll_value(point, lattice_index))
        complete_row(arrays, c, row, layer.values)


@inlined
def announced_turn_policy(
    arrays: Arrays,
    c: int,
    size: Size,
    lattice_index: LatticeIndex,
    forward_index: ForwardIndex,
    wanted: WantedRows,
    scratch: AnnouncedScratch,
) -> None:
    """Set the probability of each slot of class ``c`` under the optimal policy.

    If several announcements are tied, the policy announces the first category in scorecard order.
    """
    turn, legal = scratch.turn, scratch.turn.legal
    keeps, n_rolls = len(lattice_index.keep_offsets), len(lattice_index.ways_R)
    rerolls, tables = arrays.class_C[c].rerolls, len(arrays.option_T_V_K)
    value_announcements(arrays, c, lattice_index, legal, turn.point, scratch.best)
    clear_points(turn.slot_probability, 0, size.slots)
    for r in range(n_rolls):
        store(scratch.rest, r * WIDTH, fill(lattice_index.ways_R[r] / lattice_index.ways))
    for k in range(len(arrays.category_K)):
        if may_fill(arrays, c, k):
            list_announced(arrays, c, k, lattice_index, legal)
            choose_turn(rerolls, tables, 1, lattice_index, forward_index, wanted.tie, turn)
            if rerolls > 0:
                best_keeps(turn.point, lattice_index)
            for r in range(n_rolls):
                goal = sub(load(scratch.best, r * WIDTH), fill(wanted.tie.slack))
                value, rest = load(turn.point, (keeps + r) * WIDTH), load(scratch.rest, r * WIDTH)
                taken = where_reaches(value, goal, rest, fill(0.0))
                store(turn.mass, (keeps + r) * WIDTH, taken)
                store(scratch.rest, r * WIDTH, sub(rest, taken))
            forward_turn(
                rerolls, tables, tables > 1, 1, lattice_index, forward_index, wanted.tie, turn
            )


@compiled
def optimal_policy_announced(
    first: int,
    last: int,
    scratch: AnnouncedScratch,
    arrays: Arrays,
    lattice_index: LatticeIndex,
    forward_index: ForwardIndex,
    wanted: WantedRows,
    played: LayerPolicy,
) -> None:
    """Write the optimal policy of classes ``first .. last - 1`` to ``played``."""
    legal, slot_probability = scratch.turn.legal, scratch.turn.slot_probability
    for c in range(first, last):
        here = arrays.class_C[c]
        size = list_outcomes(arrays, c, legal)
        at = played.starts_C[c - played.first]
        for lane in range(here.first_lane, here.last_lane + 1, WIDTH):
            value_outcomes(arrays, lane, 0, size.slots, wanted.values_C_L, legal)
            announced_turn_policy(arrays, c, size, lattice_index, forward_index, wanted, scratch)
            for slot in range(size.slots):
                store(played.probabilities, at + slot * WIDTH, load(slot_probability, slot * WIDTH))
            at += size.slots * WIDTH
