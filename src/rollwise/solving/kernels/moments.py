"""Policy evaluation: the mean, the second moment, and the minimum of the points to come.

Let X' be the points to come after an outcome of p points. Then E(p + X')² = p² + 2 p E X' + E X'².
All kernels use backward induction over classes:

* A given policy is stored as the probability of each outcome from each state. For this policy,
  :func:`fill_mean` computes the mean, :func:`fill_moments` computes the mean and the second moment,
  and :func:`fill_lowest` computes the lowest points to come with a positive probability.
* For the optimal policy, if the values are available, :func:`fill_second_moments` computes the
  second moment. Ties are broken as in :mod:`rollwise.solving.kernels.policy`.
"""

from typing import NamedTuple

import numpy as np

from rollwise.solving.kernels.backward import Chains, Layer, find_rows
from rollwise.solving.kernels.compiler import compiled, inlined
from rollwise.solving.kernels.lattice_index import ForwardIndex, LatticeIndex
from rollwise.solving.kernels.legal_outcomes import (
    Arrays,
    LegalOutcomes,
    complete_row,
    list_options,
    list_outcomes,
    remaining,
)
from rollwise.solving.kernels.policy import LayerPolicy, TieRule
from rollwise.solving.kernels.turn import (
    TwoQuantityScratch,
    best_keeps,
    choose_both,
    keep_both,
    keep_values,
    mean_first_roll,
)
from rollwise.solving.kernels.vector import (
    WIDTH,
    Floats,
    add,
    aligned,
    fill,
    load,
    minimum,
    mul,
    store,
    store_at,
    where_reaches,
)


@compiled
def fill_mean(
    first: int,
    last: int,
    legal: LegalOutcomes,
    arrays: Arrays,
    played: LayerPolicy,
    points_O: Floats,
    mean_C_L: Floats,
) -> None:
    """Compute the mean of the points to come from classes ``first .. last - 1``.

    Parameters
    ----------
    points_O : float64 array of shape (O,)
        The points of each outcome, or only some of its points, such as its bonus.
    mean_C_L : float64 array of shape (C, stride)
        Receives the mean of these points to come. The rows of all successors must be filled.
    """
    for c in range(first, last):
        size = list_outcomes(arrays, c, legal)
        at = played.starts_C[c - played.first]
        for lane in range(arrays.class_C[c].first_lane, arrays.class_C[c].last_lane + 1, WIDTH):
            total = fill(0.0)
            for slot in range(1, size.slots):
                points = fill(points_O[legal.outcome_of_slot[slot]])
                rest = remaining(arrays, lane, 0, slot, mean_C_L, legal)
                probability = load(played.probabilities, at + slot * WIDTH)
                total = add(total, mul(probability, add(points, rest)))
            store_at(mean_C_L, c, lane, total)
            at += size.slots * WIDTH
        complete_row(arrays, c, c, mean_C_L)


@compiled
def fill_moments(
    first: int,
    last: int,
    legal: LegalOutcomes,
    arrays: Arrays,
    played: LayerPolicy,
    points_O: Floats,
    mean_C_L: Floats,
    second_C_L: Floats,
) -> None:
    """Compute the mean and the second moment of points to come from classes ``first .. last - 1``.

    ``second_C_L`` receives the second moment. The other parameters are the same as for
    :func:`fill_mean`.
    """
    for c in range(first, last):
        size = list_outcomes(arrays, c, legal)
        at = played.starts_C[c - played.first]
        for lane in range(arrays.class_C[c].first_lane, arrays.class_C[c].last_lane + 1, WIDTH):
            mean = fill(0.0)
            second = fill(0.0)
            for slot in range(1, size.slots):
                points = fill(points_O[legal.outcome_of_slot[slot]])
                rest = remaining(arrays, lane, 0, slot, mean_C_L, legal)
                square = remaining(arrays, lane, 0, slot, second_C_L, legal)
                gain = mul(points, add(points, add(rest, rest)))
                probability = load(played.probabilities, at + slot * WIDTH)
                mean = add(mean, mul(probability, add(points, rest)))
                second = add(second, mul(probability, add(gain, square)))
            store_at(mean_C_L, c, lane, mean)
            store_at(second_C_L, c, lane, second)
            at += size.slots * WIDTH
        complete_row(arrays, c, c, mean_C_L)
        complete_row(arrays, c, c, second_C_L)


class SecondMomentScratch(NamedTuple):
    """Scratch arrays for second moments under the optimal policy.

    Attributes
    ----------
    own : float64 array of shape (P * WIDTH,)
        The value of each lattice point, plus the number that is added to break ties.
    """

    turn: TwoQuantityScratch
    own: Floats

    @classmethod
    def of(cls, arrays: Arrays, lattice_index: LatticeIndex) -> "SecondMomentScratch":
        """Return scratch arrays for a game."""
        own = aligned((len(lattice_index.targets) + 1) * WIDTH)
        return cls(TwoQuantityScratch.of(arrays, lattice_index), own)


@inlined
def value_second_moments(
    arrays: Arrays,
    lane: int,
    saved: int,
    slots: int,
    values: Floats,
    squares: Floats,
    scratch: SecondMomentScratch,
) -> None:
    """Set the value of each slot, and the second moment of its points to come."""
    legal = scratch.turn.legal
    for slot in range(1, slots):
        points = fill(arrays.outcome_O[legal.outcome_of_slot[slot]].points)
        mean = remaining(arrays, lane, saved, slot, values, legal)
        square = remaining(arrays, lane, saved, slot, squares, legal)
        store(legal.value, slot * WIDTH, add(mean, points))
        gain = mul(points, add(points, add(mean, mean)))
        store(scratch.turn.second, slot * WIDTH, add(gain, square))


@inlined
def keep_second_moments(
    die: float,
    lattice_index: LatticeIndex,
    forward_index: ForwardIndex,
    scratch: SecondMomentScratch,
) -> None:
    """Set the second moment of each lattice point to the second moment of its best dice to keep.

    To break ties, ``die`` is added to the value for each die to keep.
    """
    turn, own = scratch.turn, scratch.own
    for p in range(len(forward_index.sizes)):
        dice = fill(forward_index.sizes[p] * die)
        store(own, p * WIDTH, add(load(turn.point, p * WIDTH), dice))
    keep_both(own, turn.rest, lattice_index, abs(die) / 4)


@compiled
def fill_second_moments(
    first: int,
    last: int,
    scratch: SecondMomentScratch,
    arrays: Arrays,
    lattice_index: LatticeIndex,
    chains: Chains,
    layer: Layer,
    values_after: Floats,
    forward_index: ForwardIndex,
    tie: TieRule,
) -> None:
    """Compute the second moments of the points to come under the optimal policy.

    The states are in the classes ``layer.classes[first:last]``. ``layer`` has the second moments of
    both layers, and ``values_after`` has the values of the next layer.
    """
    turn, legal = scratch.turn, scratch.turn.legal
    rolls, end = len(lattice_index.keep_offsets), len(lattice_index.targets) + 1
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
                    if left > 1:
                        best_keeps(turn.point, lattice_index)
                    if left > 0:
                        keep_values(turn.point, lattice_index)
                        keep_values(turn.rest, lattice_index)
                    if saved_after != previous:
                        value_second_moments(
                            arrays,
                            lane,
                            saved_after,
                            size.slots,
                            values_after,
                            layer.after,
                            scratch,
                        )
                    if saved_after != previous or tables > 1:
                        edge = min(left, tables - 1) * (end - rolls) * size.boxes
                        choose_both(turn, rolls, end, edge, tie.slack, size.boxes)
                    if left > 0:
                        keep_second_moments(tie.die, lattice_index, forward_index, scratch)
                    if saved_before >= 0:
                        second = mean_first_roll(turn.rest, lattice_index)
                        store_at(layer.values, row + saved_before, lane, second)
                    previous = saved_after
        for saved_before in range(layer.saves):
            complete_row(arrays, c, row + saved_before, layer.values)


LEAST = np.finfo(np.float64).tiny
"""A positive number that is smaller than the probability of any possible outcome of a turn."""


@compiled
def fill_lowest(
    first: int,
    last: int,
    legal: LegalOutcomes,
    arrays: Arrays,
    played: LayerPolicy,
    points_O: Floats,
    low_C_L: Floats,
) -> None:
    """Compute the lowest points to come from the states of classes ``first .. last - 1``.

    Parameters
    ----------
    points_O : float64 array of shape (O,)
        The points of each outcome.
    low_C_L : float64 array of shape (C, stride)
        Receives the lowest points to come with a positive probability. The rows of all successors
        must be filled.
    """
    never, least = fill(np.inf), fill(LEAST)
    for c in range(first, last):
        size = list_outcomes(arrays, c, legal)
        at = played.starts_C[c - played.first]
        for lane in range(arrays.class_C[c].first_lane, arrays.class_C[c].last_lane + 1, WIDTH):
            lowest = never
            for slot in range(1, size.slots):
                points = fill(points_O[legal.outcome_of_slot[slot]])
                total = add(remaining(arrays, lane, 0, slot, low_C_L, legal), points)
                probability = load(played.probabilities, at + slot * WIDTH)
                lowest = minimum(where_reaches(probability, least, total, never), lowest)
            store_at(low_C_L, c, lane, lowest)
            at += size.slots * WIDTH
        complete_row(arrays, c, c, low_C_L)
