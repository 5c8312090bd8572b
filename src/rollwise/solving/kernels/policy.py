"""The optimal policy of a turn: a forward pass computes the probability of each outcome.

Probability mass moves through the dice lattice in the opposite direction of values. In lanes where
it is best to keep the whole roll, the mass of the roll does not move. In other lanes it moves to
the first smaller lattice point that contains the best dice to keep. These decisions are computed
together with the values, and saved as one bit per lane. From the kept dice the mass spreads to the
next rolls. The mass of a final roll moves to its best open category.

Ties: options are tied if their values differ by less than a small tolerance. Among tied sets of
dice, the policy keeps more dice, or fewer dice if the caller prefers this. If the numbers of dice
are equal, it keeps the dice with the higher faces. Among tied categories, it scores in the first
one in scorecard order. To choose among tied sets of dice, the kernels add ``die``, a fraction of
the tolerance, to the value for each die to keep. If fewer dice are preferred, ``die`` is negative.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rollwise.solving.kernels.compiler import compiled, inlined
from rollwise.solving.kernels.lattice_index import ForwardIndex, LatticeIndex
from rollwise.solving.kernels.legal_outcomes import (
    Game,
    Turn,
    list_options,
    value_outcomes,
)
from rollwise.solving.kernels.turn import best_keeps, choose_categories, keep_values
from rollwise.solving.kernels.vector import (
    ALL,
    WIDTH,
    Floats,
    add,
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
from rollwise.solving.kernels.work import Lanes, Work


@inlined
def choose_keeps(
    point: Floats,
    lattice_index: LatticeIndex,
    forward_index: ForwardIndex,
    die: float,
    best: Floats,
    whole_lanes: Lanes,
    moved_lanes: Lanes,
) -> None:
    """Find the lanes in which a lattice point is kept whole or moves to each of its children.

    A point is kept whole if no smaller point that it contains has a higher value. Otherwise it
    moves to the first child that contains the best dice to keep. ``point`` has the values of all
    points. ``best`` receives the value of the best dice to keep from each point, plus ``die`` for
    each of these dice.
    """
    slack = fill(abs(die) / 4)  # for rounding errors, which are far below ``die``
    store(best, 0, load(point, 0))
    whole_lanes[0] = ALL
    target, edge = 0, 0
    for s in range(len(lattice_index.target_runs)):
        children = lattice_index.target_runs[s, 1]
        for _ in range(lattice_index.target_runs[s, 0]):
            p = lattice_index.targets[target] // WIDTH
            whole = add(load(point, p * WIDTH), fill(forward_index.sizes[p] * die))
            most = whole
            for i in range(children):
                most = maximum(most, follow(best, lattice_index.child_offsets, edge + i))
            store(best, p * WIDTH, most)
            goal = sub(most, slack)
            whole_lanes[p] = reaches(whole, goal)
            rest = ALL - whole_lanes[p]
            for i in range(children):
                passed = rest & reaches(follow(best, lattice_index.child_offsets, edge + i), goal)
                moved_lanes[edge + i] = passed
                rest -= passed
            edge += children
            target += 1


@inlined
def move_to_keeps(
    mass: Floats,
    lattice_index: LatticeIndex,
    forward_index: ForwardIndex,
    whole_lanes: Lanes,
    moved_lanes: Lanes,
) -> None:
    """Move the mass of each roll to its best dice to keep.

    Before the call, lattice points with fewer dice than a roll must have no mass.
    """
    for keep in range(len(lattice_index.keep_offsets)):
        total = fill(0.0)
        for i in range(forward_index.source_starts[keep], forward_index.source_starts[keep + 1]):
            passed = only(
                moved_lanes[forward_index.source_edges[i]],
                follow(mass, forward_index.source_offsets, i),
            )
            total = add(total, passed)
        put(mass, lattice_index.keep_offsets, keep, total)
    for p in range(len(forward_index.sizes)):
        store(mass, p * WIDTH, only(whole_lanes[p], load(mass, p * WIDTH)))


@inlined
def clear_points(mass: Floats, first: int, last: int) -> None:
    """Set the mass of lattice points ``first .. last - 1`` to zero."""
    for p in range(first, last):
        store(mass, p * WIDTH, fill(0.0))


@inlined
def roll_dice(mass: Floats, lattice_index: LatticeIndex, forward_index: ForwardIndex) -> None:
    """Spread the mass of each set of kept dice over the next rolls."""
    kinds = len(forward_index.face_probabilities)
    for target in range(len(lattice_index.targets)):
        for kind in range(kinds):
            edge = forward_index.rolled_starts[target * kinds + kind]
            end = forward_index.rolled_ends[target * kinds + kind]
            if edge == end:
                continue
            passed = follow(mass, lattice_index.child_offsets, edge)
            for other in range(edge + 1, end):
                passed = add(passed, follow(mass, lattice_index.child_offsets, other))
            passed = mul(passed, fill(forward_index.face_probabilities[kind]))
            total = add(follow(mass, lattice_index.targets, target), passed)
            put(mass, lattice_index.targets, target, total)


class LayerPolicy(NamedTuple):
    """A policy in the states of one layer."""

    # The first class of the layer.
    first: int
    # The index in ``probabilities`` of the start of each class of the layer.
    starts_C: NDArray[np.int64]
    # The probability that the turn ends in each slot. Each class has blocks of ``WIDTH`` lanes that
    # begin with its first lane; each block has one vector per slot.
    probabilities: Floats


@inlined
def start_of_row(played: LayerPolicy, c: int, r: int, slots: int) -> int:
    """Return the array index of slot 0 in row r of class ``c``, which has ``slots`` slots."""
    return played.starts_C[c - played.first] + r // WIDTH * slots * WIDTH + r % WIDTH


class TieRule(NamedTuple):
    """The rule for ties: ``slack`` is the tolerance, and ``die`` is added for each die to keep."""

    slack: float
    die: float


class WantedRows(NamedTuple):
    """The rows of a layer for which the optimal policy is computed."""

    # The values of all states, shape (C, stride).
    values_C_L: Floats
    tie: TieRule
    # Whether to compute each row of the layer. Blocks without a wanted row are left unchanged.
    wanted_X: NDArray[np.bool_]
    # The first row of each class of the layer, and one past the last row.
    first_row_C: NDArray[np.int64]


@inlined
def move_to_slots(work: Work, n_open: int, slack: float, first: int, last: int, table: int) -> None:
    """Move the mass of each final roll to the slot of its best category."""
    mass, slot_probability, legal = work.mass, work.slot_probability, work.legal
    zero = fill(0.0)
    edge = table * (last - first) * n_open
    for p in range(first, last):
        goal = sub(load(work.final_J[table], (p - first) * WIDTH), fill(slack))
        rest = load(mass, p * WIDTH)
        for i in range(n_open):
            value = follow(legal.value, legal.options, edge + i)
            taken = where_reaches(value, goal, rest, zero)
            put(
                slot_probability,
                legal.options,
                edge + i,
                add(follow(slot_probability, legal.options, edge + i), taken),
            )
            rest = sub(rest, taken)
        edge += n_open


@inlined
def value_final_rolls(work: Work, n_open: int, table: int, lattice_index: LatticeIndex) -> None:
    """Set each roll to the value of its best category, and copy these values to ``final_J``."""
    first = len(lattice_index.keep_offsets)
    choose_categories(work.legal, n_open, table, lattice_index, work.point)
    for r in range(len(lattice_index.ways_R)):
        store(work.final_J[table], r * WIDTH, load(work.point, (first + r) * WIDTH))


@inlined
def choose_turn(turn: Turn, game: Game, tie: TieRule, work: Work) -> None:
    """Compute the best dice to keep before each reroll.

    ``work.point`` receives the value of keeping each lattice point before the first reroll.
    """
    arrays, lattice_index, forward_index = game
    point = work.point
    value_final_rolls(work, turn.n_open, 0, lattice_index)
    for stage in range(turn.rerolls):
        keep_values(point, lattice_index)
        if len(arrays.option_T_V_K) > 1:
            value_final_rolls(work, turn.n_open, stage + 1, lattice_index)
        whole_lanes, moved_lanes = work.whole_J[stage], work.moved_J[stage]
        choose_keeps(
            point, lattice_index, forward_index, tie.die, work.best, whole_lanes, moved_lanes
        )
        if stage < turn.rerolls - 1:
            best_keeps(point, lattice_index)


@inlined
def turn_policy(turn: Turn, game: Game, tie: TieRule, work: Work) -> None:
    """Set the probability of each slot under the policy that is optimal for the slots' values.

    With several tables, keeping the whole roll ends the turn.
    """
    choose_turn(turn, game, tie, work)
    arrays, lattice_index, forward_index = game
    mass, keeps = work.mass, len(lattice_index.keep_offsets)
    n_points = len(forward_index.sizes)
    clear_points(work.slot_probability, 0, turn.slots)
    for r in range(len(lattice_index.ways_R)):
        store(mass, (keeps + r) * WIDTH, fill(lattice_index.ways_R[r] / lattice_index.ways))
    for stage in range(turn.rerolls - 1, -1, -1):
        move_to_keeps(mass, lattice_index, forward_index, work.whole_J[stage], work.moved_J[stage])
        if len(arrays.option_T_V_K) > 1:
            move_to_slots(work, turn.n_open, tie.slack, keeps, n_points, stage + 1)
            clear_points(mass, keeps, n_points)
        roll_dice(mass, lattice_index, forward_index)
    move_to_slots(work, turn.n_open, tie.slack, keeps, n_points, 0)


@compiled
def optimal_policy(
    first: int,
    last: int,
    work: Work,
    game: Game,
    wanted: WantedRows,
    played: LayerPolicy,
) -> None:
    """Write the optimal policy of classes ``first .. last - 1`` to ``played``."""
    legal = work.legal
    arrays = game.arrays
    for c in range(first, last):
        here = arrays.class_C[c]
        turn = list_options(game, c, legal)
        at = played.starts_C[c - played.first]
        row, end = wanted.first_row_C[c - played.first], wanted.first_row_C[c - played.first + 1]
        for lane in range(here.first_lane, here.last_lane + 1, WIDTH):
            any_wanted = False
            for x in range(row, min(row + WIDTH, end)):
                any_wanted = any_wanted or wanted.wanted_X[x]
            if any_wanted:
                value_outcomes(
                    arrays, lane, turn.slots, legal.class_of_slot, 0, wanted.values_C_L, legal
                )
                turn_policy(turn, game, wanted.tie, work)
                for slot in range(turn.slots):  # Numba needs a second to compile a slice copy
                    slot_probability = load(work.slot_probability, slot * WIDTH)
                    store(played.probabilities, at + slot * WIDTH, slot_probability)
            row += WIDTH
            at += turn.slots * WIDTH
