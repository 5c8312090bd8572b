"""The turn forward: with what probability the best play of a class ends in each of its outcomes.

Probability flows down the lattice that values went up. The mass of a roll stays where keeping is
best, else it moves to the first smaller point that contains a best keep; from the keeps it spreads
to the rolls of the next throw; the final rolls hand it to the best open category.

Ties: of keeps whose values differ by less than the tie the one with more dice is taken (or with
fewer), then the one that gives up the lower faces; of categories the first in card order. For that
a die kept counts ``die`` in itself, a share of the tie, negative if fewer dice are preferred.

Probability on the dice lattice: from rolls down to the keeps that are played, and up again.

The mass of a roll stays where it is kept whole, else it passes to the first smaller point that
contains a best keep: which, is found on the way up, where the values are, as a bit a lane. Ties as
:mod:`rollwise.solving.kernels.policy` has them.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rollwise.solving.kernels.compiler import compiled, inlined
from rollwise.solving.kernels.lattice_index import ForwardIndex, LatticeIndex
from rollwise.solving.kernels.legal_outcomes import (
    Arrays,
    LegalOutcomes,
    Size,
    choose_categories,
    lay_options,
    list_outcomes,
    weigh_outcomes,
)
from rollwise.solving.kernels.turn import best_keeps, keep_values
from rollwise.solving.kernels.vector import (
    ALL,
    WIDTH,
    Floats,
    add,
    aligned,
    fill,
    follow,
    load,
    maximum,
    mul,
    only,
    put,
    reaches,
    store,
    sub,
    where_reaches,
)

Lanes = NDArray[np.uint16]
"""Sets of lanes, a bit each."""


@inlined
def choose_keeps(
    point: Floats,
    lattice_index: LatticeIndex,
    forward_index: ForwardIndex,
    die: float,
    best: Floats,
    stays: Lanes,
    passes: Lanes,
) -> None:
    """Write on which lanes each point is kept whole, and on which it passes to each child.

    Whole, if that is as good as any keep that it contains; else it passes to the first child that
    contains one as good. ``point`` holds the values of all keeps and rolls; ``best`` is filled with
    the best keep that each contains, with what the dice count.
    """
    slack = fill(abs(die) / 4)  # rounding, far below the worth of a die
    store(best, 0, load(point, 0))
    stays[0] = ALL
    target, edge = 0, 0
    for s in range(len(lattice_index.segments)):
        children = lattice_index.segments[s, 1]
        for _ in range(lattice_index.segments[s, 0]):
            p = lattice_index.targets[target] // WIDTH
            whole = add(load(point, p * WIDTH), fill(forward_index.sizes[p] * die))
            most = whole
            for i in range(children):
                most = maximum(most, follow(best, lattice_index.child_offsets, edge + i))
            store(best, p * WIDTH, most)
            goal = sub(most, slack)
            stays[p] = reaches(whole, goal)
            rest = ALL - stays[p]
            for i in range(children):
                passed = rest & reaches(follow(best, lattice_index.child_offsets, edge + i), goal)
                passes[edge + i] = passed
                rest -= passed
            edge += children
            target += 1


@inlined
def let_go(
    mass: Floats,
    lattice_index: LatticeIndex,
    forward_index: ForwardIndex,
    stays: Lanes,
    passes: Lanes,
) -> None:
    """Move the mass of each roll to the keep that is played from it; the keeps have none before."""
    for keep in range(len(lattice_index.keep_offsets)):
        total = fill(0.0)
        for i in range(forward_index.passed_starts[keep], forward_index.passed_starts[keep + 1]):
            passed = only(
                passes[forward_index.passed_edges[i]], follow(mass, forward_index.passed_offsets, i)
            )
            total = add(total, passed)
        put(mass, lattice_index.keep_offsets, keep, total)
    for p in range(len(forward_index.sizes)):
        store(mass, p * WIDTH, only(stays[p], load(mass, p * WIDTH)))


@inlined
def empty(mass: Floats, first: int, last: int) -> None:
    """Set the mass of points ``first .. last - 1`` to zero."""
    for p in range(first, last):
        store(mass, p * WIDTH, fill(0.0))


@inlined
def throw(mass: Floats, lattice_index: LatticeIndex, forward_index: ForwardIndex) -> None:
    """Spread the mass of each keep over the rolls that it can become."""
    kinds = len(forward_index.share_of_kind)
    for target in range(len(lattice_index.targets)):
        for kind in range(kinds):
            edge = forward_index.thrown_starts[target * kinds + kind]
            end = forward_index.thrown_ends[target * kinds + kind]
            if edge == end:
                continue
            passed = follow(mass, lattice_index.child_offsets, edge)
            for other in range(edge + 1, end):
                passed = add(passed, follow(mass, lattice_index.child_offsets, other))
            passed = mul(passed, fill(forward_index.share_of_kind[kind]))
            there = add(follow(mass, lattice_index.targets, target), passed)
            put(mass, lattice_index.targets, target, there)


class LayerPolicy(NamedTuple):
    """How the cards of one layer are played.

    Attributes
    ----------
    first : int
        The first class of the layer.
    starts_C : int64 array
        Where the block of each class of the layer begins in ``probabilities``.
    probabilities : float64 array
        For each block of ``WIDTH`` lanes from the first lane of the class on, for each slot of the
        class, the probability on each lane that the turn ends in its outcome.
    """

    first: int
    starts_C: NDArray[np.int64]
    probabilities: Floats


class Tie(NamedTuple):
    """Which options are equally good.

    Attributes
    ----------
    slack : float
        Those closer than that.
    die : float
        What a die kept counts among them.
    """

    slack: float
    die: float


class Wanted(NamedTuple):
    """Whose best play is asked for.

    Attributes
    ----------
    values_C_L : float64 array of shape (C, stride)
        The values of all arrays.
    tie : Tie
    wanted_X : bool array
        Whether each row of the layer is wanted; blocks with no such row are left as they are.
    first_row_C : int64 array
        The first row of each class of the layer, and one past the last one.
    """

    values_C_L: Floats
    tie: Tie
    wanted_X: NDArray[np.bool_]
    first_row_C: NDArray[np.int64]


class PolicyScratch(NamedTuple):
    """What the play of a turn needs room for.

    Attributes
    ----------
    legal : LegalOutcomes
    point, mass : float64 arrays of shape (P * WIDTH,)
        The value of each point, and the probability.
    best : float64 array of shape (P * WIDTH,)
        The best keep that each point contains, with what the dice count.
    stays_J, passes_J : uint16 arrays of shapes (rerolls, P) and (rerolls, edges)
        For each number of rerolls left the lanes on which each point is kept whole, and those on
        which it passes to each of its children.
    final_J : float64 array of shape (rerolls + 1, R * WIDTH)
        What each roll is worth as a final one, by the rerolls left, if these matter.
    weight : float64 array of shape (O * WIDTH,)
        The probability of each slot.
    """

    legal: LegalOutcomes
    point: Floats
    mass: Floats
    best: Floats
    stays_J: Lanes
    passes_J: Lanes
    final_J: Floats
    weight: Floats

    @classmethod
    def of(cls, arrays: Arrays, lattice_index: LatticeIndex) -> "PolicyScratch":
        """Return the room for a game."""
        size = (len(lattice_index.targets) + 1) * WIDTH
        rolls = len(lattice_index.ways_R) * WIDTH
        stages = max(int(arrays.class_C.rerolls.max()), 1)
        return cls(
            LegalOutcomes.of(arrays, lattice_index),
            aligned(size),
            aligned(size),
            aligned(size),
            np.empty((stages, len(lattice_index.targets) + 1), dtype=np.uint16),
            np.empty((stages, len(lattice_index.child_offsets)), dtype=np.uint16),
            aligned((stages + 1) * rolls).reshape(stages + 1, rolls),
            aligned(len(arrays.outcome_O) * WIDTH),
        )


@inlined
def hand_over(
    scratch: PolicyScratch, boxes: int, slack: float, first: int, last: int, table: int
) -> None:
    """Give the mass of each final roll to its best category, the first in card order if equal."""
    mass, weight, legal = scratch.mass, scratch.weight, scratch.legal
    zero = fill(0.0)
    edge = table * (last - first) * boxes
    for p in range(first, last):
        goal = sub(load(scratch.final_J[table], (p - first) * WIDTH), fill(slack))
        rest = load(mass, p * WIDTH)
        for i in range(boxes):
            worth = follow(legal.worth, legal.options, edge + i)
            taken = where_reaches(worth, goal, rest, zero)
            put(
                weight, legal.options, edge + i, add(follow(weight, legal.options, edge + i), taken)
            )
            rest = sub(rest, taken)
        edge += boxes


@inlined
def choose_finals(
    scratch: PolicyScratch, boxes: int, table: int, lattice_index: LatticeIndex
) -> None:
    """Set each roll to the best of its options, and remember that."""
    first = len(lattice_index.keep_offsets)
    choose_categories(scratch.legal, boxes, table, lattice_index, scratch.point)
    for r in range(len(lattice_index.ways_R)):
        store(scratch.final_J[table], r * WIDTH, load(scratch.point, (first + r) * WIDTH))


@inlined
def rate_turn(
    rerolls: int,
    tables: int,
    boxes: int,
    lattice_index: LatticeIndex,
    forward_index: ForwardIndex,
    tie: Tie,
    scratch: PolicyScratch,
) -> None:
    """Choose the keeps of each stage; what first rolls are worth is left for the best of them."""
    point = scratch.point
    choose_finals(scratch, boxes, 0, lattice_index)
    for stage in range(rerolls):
        keep_values(point, lattice_index)
        if tables > 1:
            choose_finals(scratch, boxes, stage + 1, lattice_index)
        stays, passes = scratch.stays_J[stage], scratch.passes_J[stage]
        choose_keeps(point, lattice_index, forward_index, tie.die, scratch.best, stays, passes)
        if stage < rerolls - 1:
            best_keeps(point, lattice_index)


@inlined
def follow_keeps(
    rerolls: int,
    tables: int,
    boxes: int,
    lattice_index: LatticeIndex,
    forward_index: ForwardIndex,
    tie: Tie,
    scratch: PolicyScratch,
) -> None:
    """Lead the mass of first rolls by the best keeps to the slots that they end in."""
    mass, n_points = scratch.mass, len(forward_index.sizes)
    keeps = n_points - len(lattice_index.ways_R)
    for stage in range(rerolls - 1, -1, -1):
        let_go(mass, lattice_index, forward_index, scratch.stays_J[stage], scratch.passes_J[stage])
        if tables > 1:
            hand_over(scratch, boxes, tie.slack, keeps, n_points, stage + 1)
            empty(mass, keeps, n_points)
        throw(mass, lattice_index, forward_index)
    hand_over(scratch, boxes, tie.slack, keeps, n_points, 0)


@inlined
def play_turn(
    rerolls: int,
    tables: int,
    size: Size,
    lattice_index: LatticeIndex,
    forward_index: ForwardIndex,
    tie: Tie,
    scratch: PolicyScratch,
) -> None:
    """Set the weight of each slot to its probability under best play for what slots are worth."""
    mass, keeps = scratch.mass, len(lattice_index.keep_offsets)
    rate_turn(rerolls, tables, size.boxes, lattice_index, forward_index, tie, scratch)
    empty(scratch.weight, 0, size.slots)
    for r in range(len(lattice_index.ways_R)):
        store(mass, (keeps + r) * WIDTH, fill(lattice_index.ways_R[r] / lattice_index.ways))
    follow_keeps(rerolls, tables, size.boxes, lattice_index, forward_index, tie, scratch)


@compiled
def best_play(
    first: int,
    last: int,
    scratch: PolicyScratch,
    arrays: Arrays,
    lattice_index: LatticeIndex,
    forward_index: ForwardIndex,
    wanted: Wanted,
    played: LayerPolicy,
) -> None:
    """Write how classes ``first .. last - 1`` are played best to ``played``."""
    legal = scratch.legal
    for c in range(first, last):
        here = arrays.class_C[c]
        size = list_outcomes(arrays, c, legal)
        lay_options(arrays, c, size.boxes, len(lattice_index.ways_R), legal)
        at = played.starts_C[c - played.first]
        row, end = wanted.first_row_C[c - played.first], wanted.first_row_C[c - played.first + 1]
        for lane in range(here.first_lane, here.last_lane + 1, WIDTH):
            some = False
            for x in range(row, min(row + WIDTH, end)):
                some = some or wanted.wanted_X[x]
            if some:
                weigh_outcomes(arrays, lane, 0, size.slots, wanted.values_C_L, legal)
                tables = len(arrays.option_T_V_K)
                play_turn(
                    here.rerolls, tables, size, lattice_index, forward_index, wanted.tie, scratch
                )
                for slot in range(size.slots):  # numba takes a second to compile a copy of a slice
                    weight = load(scratch.weight, slot * WIDTH)
                    store(played.probabilities, at + slot * WIDTH, weight)
            row += WIDTH
            at += size.slots * WIDTH
