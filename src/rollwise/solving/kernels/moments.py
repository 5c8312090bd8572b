"""What a play brings on average: the mean of points still to come and its second moment, backward.

With X' what is still to come after an outcome of p points, E(p + X')² = p² + 2 p E X' + E X'².

The least second moment of the final score among all plays that are best for the first.

Where options are equally good, the mean of what is still to come is the same after each of them,
and so the second moment of a mixture is a mean of second moments: backward, each decision takes the
least of those that are tied. The greatest one is the least of the negative.

The second moment of what is still to come, where the first one stands: one pass along best play.

With X' what is still to come after an outcome of p points, E(p + X')² = p² + 2 p E X' + E X'². The
turns are the chains of :mod:`rollwise.solving.kernels.backward`; the values choose, among equal
ones by the rule of :mod:`rollwise.solving.kernels.policy`, and the second moment follows.

The lowest total that a strategy can end with: what it may do, with the dice as its enemy.

The outcomes that the strategy takes with a probability above 0 are known from every card, so that
``L(c, u) = min over those outcomes of points + L(after)``: one pass, from full cards to the empty
one. Chance is not averaged and nothing is chosen: all that counts is what can happen.
"""

from typing import NamedTuple

import numpy as np

from rollwise.solving.kernels.backward import Chains, Layer
from rollwise.solving.kernels.compiler import compiled, inlined
from rollwise.solving.kernels.lattice_index import ForwardIndex, LatticeIndex
from rollwise.solving.kernels.legal_outcomes import (
    Arrays,
    LegalOutcomes,
    complete_row,
    lay_options,
    list_outcomes,
    remaining,
    weigh_outcomes,
)
from rollwise.solving.kernels.policy import LayerPolicy, Tie
from rollwise.solving.kernels.turn import (
    TiedScratch,
    best_keeps,
    choose_both,
    keep_both,
    keep_values,
    mean_first_roll,
    tied_turn,
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
    """Fill the rows of classes ``first .. last - 1`` of ``mean_C_L``.

    Parameters
    ----------
    points_O : float64 array of shape (O,)
        The points of an outcome, or a part of them.
    mean_C_L : float64 array of shape (C, stride)
        What is still to come of them; the rows of all successors must stand.
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
    """Fill ``mean_C_L`` as :func:`fill_mean` does, and the same rows of ``second_C_L``."""
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


class Tied(NamedTuple):
    """What is tied, and what is asked of it.

    Attributes
    ----------
    values_C_L : float64 array of shape (C, stride)
        The best mean of the points still to come.
    slack : float
        Options whose means differ by less are tied.
    sign : float
        1 for the least second moment, -1 for the greatest.
    """

    values_C_L: Floats
    slack: float
    sign: float


@inlined
def weigh_seconds(
    arrays: Arrays,
    lane: int,
    slots: int,
    tied: Tied,
    second_C_L: Floats,
    scratch: TiedScratch,
) -> None:
    """Set each slot to its mean, and to its second moment with its sign."""
    legal = scratch.legal
    weigh_outcomes(arrays, lane, 0, slots, tied.values_C_L, legal)
    for slot in range(1, slots):
        points = fill(float(arrays.outcome_O[legal.outcome_of_slot[slot]].step))
        rest = remaining(arrays, lane, 0, slot, tied.values_C_L, legal)
        gain = mul(mul(fill(tied.sign), points), add(points, add(rest, rest)))
        later = remaining(arrays, lane, 0, slot, second_C_L, legal)
        store(scratch.second, slot * WIDTH, add(gain, later))


@compiled
def fill_tied_second(
    first: int,
    last: int,
    scratch: TiedScratch,
    arrays: Arrays,
    lattice_index: LatticeIndex,
    tied: Tied,
    second_C_L: Floats,
) -> None:
    """Fill the rows of classes ``first .. last - 1`` of ``second_C_L``, with the sign."""
    legal = scratch.legal
    tables = len(arrays.option_T_V_K)
    for c in range(first, last):
        here = arrays.class_C[c]
        size = list_outcomes(arrays, c, legal)
        lay_options(arrays, c, size.boxes, len(lattice_index.ways_R), legal)
        for lane in range(here.first_lane, here.last_lane + 1, WIDTH):
            weigh_seconds(arrays, lane, size.slots, tied, second_C_L, scratch)
            tied_turn(here.rerolls, tables, size.boxes, lattice_index, scratch, tied.slack, True)
            store_at(second_C_L, c, lane, mean_first_roll(scratch.rest, lattice_index))
        complete_row(arrays, c, c, second_C_L)


class SecondScratch(NamedTuple):
    """What a sweep needs room for.

    Attributes
    ----------
    turn : TiedScratch
    own : float64 array of shape (P * WIDTH,)
        The value of each point with what the dice of the best keep that it contains count.
    """

    turn: TiedScratch
    own: Floats

    @classmethod
    def of(cls, arrays: Arrays, lattice_index: LatticeIndex) -> "SecondScratch":
        """Return the room for a game."""
        own = aligned((len(lattice_index.targets) + 1) * WIDTH)
        return cls(TiedScratch.of(arrays, lattice_index), own)


@inlined
def weigh_squares(
    arrays: Arrays,
    lane: int,
    saved: int,
    slots: int,
    values: Floats,
    squares: Floats,
    scratch: SecondScratch,
) -> None:
    """Set each slot to what it is worth, and to the second moment of that."""
    legal = scratch.turn.legal
    for slot in range(1, slots):
        points = fill(arrays.outcome_O[legal.outcome_of_slot[slot]].points)
        mean = remaining(arrays, lane, saved, slot, values, legal)
        square = remaining(arrays, lane, saved, slot, squares, legal)
        store(legal.worth, slot * WIDTH, add(mean, points))
        gain = mul(points, add(points, add(mean, mean)))
        store(scratch.turn.second, slot * WIDTH, add(gain, square))


@inlined
def keep_squares(
    die: float, lattice_index: LatticeIndex, forward_index: ForwardIndex, scratch: SecondScratch
) -> None:
    """Set each point to the second moment of the best keep that it contains."""
    turn, own = scratch.turn, scratch.own
    for p in range(len(forward_index.sizes)):
        dice = fill(forward_index.sizes[p] * die)
        store(own, p * WIDTH, add(load(turn.point, p * WIDTH), dice))
    keep_both(own, turn.rest, lattice_index, abs(die) / 4, False)


@compiled
def backward_second(
    first: int,
    last: int,
    scratch: SecondScratch,
    arrays: Arrays,
    lattice_index: LatticeIndex,
    chains: Chains,
    layer: Layer,
    values_after: Floats,
    forward_index: ForwardIndex,
    tie: Tie,
) -> None:
    """Fill the rows of ``layer.classes[first:last]`` with second moments.

    ``layer`` holds these, ``values_after`` the values of the next layer, laid out alike.
    """
    turn, legal = scratch.turn, scratch.turn.legal
    rolls, end = len(lattice_index.keep_offsets), len(lattice_index.targets) + 1
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
                    if left > 1:
                        best_keeps(turn.point, lattice_index)
                    if left > 0:
                        keep_values(turn.point, lattice_index)
                        keep_values(turn.rest, lattice_index)
                    if then != before:
                        weigh_squares(
                            arrays, lane, then, size.slots, values_after, layer.after, scratch
                        )
                    if then != before or tables > 1:
                        edge = min(left, tables - 1) * (end - rolls) * size.boxes
                        choose_both(turn, rolls, end, edge, tie.slack, False, size.boxes)
                    if left > 0:
                        keep_squares(tie.die, lattice_index, forward_index, scratch)
                    if start >= 0:
                        store_at(
                            layer.values,
                            row + start,
                            lane,
                            mean_first_roll(turn.rest, lattice_index),
                        )
                    before = then
        for start in range(layer.saves):
            complete_row(arrays, c, row + start, layer.values)


LEAST = np.finfo(np.float64).tiny
"""Below any probability of a turn, above 0."""


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
    """Fill the rows of classes ``first .. last - 1`` of ``low_C_L``.

    Parameters
    ----------
    points_O : float64 array of shape (O,)
        The points of an outcome.
    low_C_L : float64 array of shape (C, stride)
        The lowest number of points still to come; the rows of all successors must stand.
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
