"""A second quantity that follows the play which is best for the first, by score, backward.

The first quantity decides: the objective, and among options that are equally good for it the
expected score of playing on for points, as a *hint* too small to matter otherwise. The companion is
averaged over chance and follows the choices: the points still to come, say, or the turns.

Of equal options the first is taken: more dice kept, lower faces given up, categories in card order.

The forward sweep by score: how games fare under the best play for an objective of the score.

Rows of probability stand beside the rows of values, one number a score. The play at a score is
computed once and its outcomes pass the probability on, moved by their points: again whole vectors.
Ties as in :mod:`rollwise.solving.kernels.second_quantity`.

Two classes of one call must not lead to the same class: the caller sees to that, so that threads
write apart and every sum has a fixed order.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rollwise.solving.kernels.compiler import compiled, inlined
from rollwise.solving.kernels.lattice_index import ForwardIndex, LatticeIndex
from rollwise.solving.kernels.legal_outcomes import (
    Arrays,
    LegalOutcomes,
    lay_options,
    list_outcomes,
)
from rollwise.solving.kernels.policy import PolicyScratch, Tie, play_turn
from rollwise.solving.kernels.score import (
    NONE,
    Aims,
    Rows,
    ScoreLayer,
    Terms,
    aim,
    pad,
    read,
    row_after,
)
from rollwise.solving.kernels.turn import TiedScratch, mean_first_roll, tied_turn
from rollwise.solving.kernels.vector import (
    WIDTH,
    Floats,
    add,
    aligned,
    fill,
    load,
    maximum,
    mul,
    store,
    sub,
    where_reaches,
)


class Guide(NamedTuple):
    """What decides between options.

    Attributes
    ----------
    rows : Rows
    values, values_after : float64 arrays
        The objective in this layer and the next one, as
        :func:`rollwise.solving.kernels.score.backward_by_score` fills them.
    scale : float
        How much of the objective a point of the hint is worth.
    remaining_X : float64 array of shape (X,)
        The points to expect from each row when playing for points.
    """

    rows: Rows
    values: Floats
    values_after: Floats
    scale: float
    remaining_X: Floats


class Companion(NamedTuple):
    """What rides along.

    Attributes
    ----------
    added_O : float64 array of shape (O,)
        What an outcome adds to it.
    each_turn : float
        What a turn adds to it.
    outside_X : float64 array of shape (X,)
        What it is outside the window of each row.
    floor : float
        A game given up is one of this value; its companion is 0.
    """

    added_O: Floats
    each_turn: float
    outside_X: Floats
    floor: float


class CompanionScratch(NamedTuple):
    """What a sweep needs room for.

    Attributes
    ----------
    turn : TiedScratch
    aims : Aims
    hint : float64 array of shape (O,)
        Of each slot.
    """

    turn: TiedScratch
    aims: Aims
    hint: Floats

    @classmethod
    def of(cls, arrays: Arrays, lattice_index: LatticeIndex) -> "CompanionScratch":
        """Return the room for a game."""
        turn, hint = TiedScratch.of(arrays, lattice_index), np.zeros(len(arrays.outcome_O))
        return cls(turn, Aims.of(arrays), hint)


@inlined
def hint_outcomes(
    arrays: Arrays,
    slots: int,
    scale: float,
    guide: Guide,
    legal: LegalOutcomes,
    aims: Aims,
    hint: Floats,
) -> None:
    """Set the hint of each slot: ``scale`` times the score expected of playing on for points."""
    for slot in range(1, slots):
        step = arrays.outcome_O[legal.outcome_of_slot[slot]].step
        hint[slot] = scale * (step + guide.remaining_X[aims.row[slot]])


@inlined
def weigh_by_score(
    score: int, slots: int, after: Floats, hint: Floats, legal: LegalOutcomes, aims: Aims
) -> None:
    """Set each slot to what it is worth from ``score`` on, and its hint."""
    for slot in range(1, slots):
        store(legal.worth, slot * WIDTH, add(read(after, aims, slot, score), fill(hint[slot])))


@compiled
def companion_by_score(
    first: int,
    last: int,
    scratch: CompanionScratch,
    arrays: Arrays,
    lattice_index: LatticeIndex,
    guide: Guide,
    ride: Companion,
    terms: Terms,
    layer: ScoreLayer,
) -> None:
    """Fill the companion's rows of ``layer.classes[first:last]``.

    Without a hint those of the values as well: they are what decides.
    """
    turn, aims, rows = scratch.turn, scratch.aims, guide.rows
    legal = turn.legal
    tables = len(arrays.option_T_V_K)
    for i in range(first, last):
        c = layer.classes[i]
        here = arrays.class_C[c]
        size = list_outcomes(arrays, c, legal)
        lay_options(arrays, c, size.boxes, len(lattice_index.ways_R), legal)
        for x in range(rows.first_row_C[c], rows.first_row_C[c + 1]):
            if rows.low_X[x] == NONE:
                continue
            aim(arrays, rows, here.first_lane + x - rows.first_row_C[c], size.slots, legal, aims)
            hint_outcomes(arrays, size.slots, guide.scale, guide, legal, aims, scratch.hint)
            start = rows.start_X[x] - rows.low_X[x]
            for score in range(rows.low_X[x], rows.high_X[x], WIDTH):
                weigh_by_score(score, size.slots, guide.values_after, scratch.hint, legal, aims)
                for slot in range(1, size.slots):
                    added = fill(ride.added_O[legal.outcome_of_slot[slot]])
                    later = read(layer.after, aims, slot, score)
                    store(turn.second, slot * WIDTH, add(added, later))
                tied_turn(here.rerolls, tables, size.boxes, lattice_index, turn, 0.0, False)
                if guide.scale == 0.0:
                    value = sub(mean_first_roll(turn.point, lattice_index), fill(terms.price))
                    store(guide.values, start + score, maximum(value, fill(terms.floor)))
                going_on = add(mean_first_roll(turn.rest, lattice_index), fill(ride.each_turn))
                given_up = where_reaches(
                    fill(ride.floor), load(guide.values, start + score), fill(0.0), going_on
                )
                store(layer.values, start + score, given_up)
            if guide.scale == 0.0:
                pad(rows, x, terms.below, terms.above, guide.values)
            pad(rows, x, ride.outside_X[x], ride.outside_X[x], layer.values)


class ScoreFlow(NamedTuple):
    """The games of one layer, and of the next one.

    Attributes
    ----------
    first : int
        The first class of the layer.
    classes : int64 array
        Those that are played.
    spots : Rows
        The rows with all scores that games reach, and where their probabilities stand.
    here, after : float64 arrays
        The probability of each score of this layer and, added to, of the next one.
    taken_C_O : float64 array of shape (classes of the layer, O)
        Set to the probability that a game takes each outcome.
    """

    first: int
    classes: NDArray[np.int64]
    spots: Rows
    here: Floats
    after: Floats
    taken_C_O: Floats


class ScoreFlowScratch(NamedTuple):
    """What a sweep needs room for.

    Attributes
    ----------
    turn : rollwise.solving.kernels.policy.PolicyScratch
    aims : Aims
    hint : float64 array of shape (O,)
        Of each slot.
    offset : int64 array of shape (O,)
        What to add to a score for its place in the next layer.
    mass : float64 array of shape (WIDTH,)
        The probability of the scores that are played.
    total : float64 array of shape (O * WIDTH,)
        The probability of each slot on all rows of a class.
    """

    turn: PolicyScratch
    aims: Aims
    hint: Floats
    offset: NDArray[np.int64]
    mass: Floats
    total: Floats

    @classmethod
    def of(cls, arrays: Arrays, lattice_index: LatticeIndex) -> "ScoreFlowScratch":
        """Return the room for a game."""
        n_outcomes = len(arrays.outcome_O)
        return cls(
            PolicyScratch.of(arrays, lattice_index),
            Aims.of(arrays),
            np.zeros(n_outcomes),
            np.zeros(n_outcomes, dtype=np.int64),
            aligned(WIDTH),
            aligned(n_outcomes * WIDTH),
        )


@inlined
def take(here: Floats, start: int, length: int, mass: Floats) -> bool:
    """Copy up to ``WIDTH`` probabilities to ``mass``; return whether there are any."""
    some = False
    for i in range(WIDTH):
        mass[i] = here[start + i] if i < length else 0.0
        some = some or mass[i] > 0.0
    return some


@inlined
def hand_on(scratch: ScoreFlowScratch, slots: int, score: int, after: Floats) -> None:
    """Add the share of each slot to the row that it leads to."""
    mass = load(scratch.mass, 0)
    for slot in range(1, slots):
        share = mul(mass, load(scratch.turn.weight, slot * WIDTH))
        store(scratch.total, slot * WIDTH, add(load(scratch.total, slot * WIDTH), share))
        at = score + scratch.offset[slot]
        store(after, at, add(load(after, at), share))


@compiled
def forward_by_score(
    first: int,
    last: int,
    scratch: ScoreFlowScratch,
    arrays: Arrays,
    lattice_index: LatticeIndex,
    forward_index: ForwardIndex,
    guide: Guide,
    flow: ScoreFlow,
) -> None:
    """Play one turn from ``flow.classes[first:last]``; outside its window a row for points."""
    turn, aims, legal = scratch.turn, scratch.aims, scratch.turn.legal
    rows, spots = guide.rows, flow.spots
    tables, tie = len(arrays.option_T_V_K), Tie(0.0, 0.0)
    for i in range(first, last):
        c = flow.classes[i]
        rerolls = arrays.class_C[c].rerolls
        size = list_outcomes(arrays, c, legal)
        lay_options(arrays, c, size.boxes, len(lattice_index.ways_R), legal)
        for slot in range(1, size.slots):
            store(scratch.total, slot * WIDTH, fill(0.0))
        for x in range(rows.first_row_C[c], rows.first_row_C[c + 1]):
            if spots.low_X[x] == NONE:
                continue
            lane = arrays.class_C[c].first_lane + x - rows.first_row_C[c]
            aim(arrays, rows, lane, size.slots, legal, aims)
            for slot in range(1, size.slots):
                o = legal.outcome_of_slot[slot]
                y = row_after(arrays, spots.first_row_C, legal.row_of_slot[slot], lane, o)
                scratch.offset[slot] = spots.start_X[y] - spots.low_X[y] + arrays.outcome_O[o].step
            start = spots.start_X[x] - spots.low_X[x]
            low, high = rows.low_X[x], rows.high_X[x]
            # Outside the window: one way to play for all scores, found when first needed.
            known = False
            for part in range(2):
                begin = spots.low_X[x] if part == 0 else high
                end = low if part == 0 else spots.high_X[x]
                for score in range(begin, end, WIDTH):
                    if take(flow.here, start + score, end - score, scratch.mass):
                        if not known:
                            hint_outcomes(arrays, size.slots, 1.0, guide, legal, aims, scratch.hint)
                            for slot in range(1, size.slots):
                                store(legal.worth, slot * WIDTH, fill(scratch.hint[slot]))
                            play_turn(
                                rerolls, tables, size, lattice_index, forward_index, tie, turn
                            )
                            known = True
                        hand_on(scratch, size.slots, score, flow.after)
            hint_outcomes(arrays, size.slots, guide.scale, guide, legal, aims, scratch.hint)
            for score in range(low, high, WIDTH):
                if take(flow.here, start + score, high - score, scratch.mass):
                    weigh_by_score(score, size.slots, guide.values_after, scratch.hint, legal, aims)
                    play_turn(rerolls, tables, size, lattice_index, forward_index, tie, turn)
                    hand_on(scratch, size.slots, score, flow.after)
        for slot in range(1, size.slots):
            for i in range(WIDTH):
                taken = scratch.total[slot * WIDTH + i]
                flow.taken_C_O[c - flow.first, legal.outcome_of_slot[slot]] += taken
