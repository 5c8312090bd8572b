"""The forward sweep by score: how games fare under the best play for an objective of the score.

Rows of probability stand beside the rows of values, one number a score. The play at a score is
computed once and its outcomes pass the probability on, moved by their points: again whole vectors.
Ties as in :mod:`rollwise.solving.kernels.companion`.

Two classes of one call must not lead to the same class: the caller sees to that, so that threads
write apart and every sum has a fixed order.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rollwise.solving.kernels.companion import Guide, hint_outcomes, weigh_by_score
from rollwise.solving.kernels.compiler import compiled, inlined
from rollwise.solving.kernels.menu import Arrays, lay_options, list_outcomes
from rollwise.solving.kernels.policy import Scratch, Tie, play_turn
from rollwise.solving.kernels.rows import NONE, Rows
from rollwise.solving.kernels.score import Aims, aim, row_after
from rollwise.solving.kernels.streams import Falls, Streams
from rollwise.solving.kernels.vector import WIDTH, Floats, add, aligned, fill, load, mul, store


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
    turn : rollwise.solving.kernels.policy.Scratch
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

    turn: Scratch
    aims: Aims
    hint: Floats
    offset: NDArray[np.int64]
    mass: Floats
    total: Floats

    @classmethod
    def of(cls, arrays: Arrays, streams: Streams) -> "ScoreFlowScratch":
        """Return the room for a game."""
        n_outcomes = len(arrays.outcome_O)
        return cls(
            Scratch.of(arrays, streams),
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
    streams: Streams,
    falls: Falls,
    guide: Guide,
    flow: ScoreFlow,
) -> None:
    """Play one turn from ``flow.classes[first:last]``; outside its window a row for points."""
    turn, aims, menu = scratch.turn, scratch.aims, scratch.turn.menu
    rows, spots = guide.rows, flow.spots
    tables, tie = len(arrays.option_T_V_K), Tie(0.0, 0.0)
    for i in range(first, last):
        c = flow.classes[i]
        rerolls = arrays.class_C[c].rerolls
        size = list_outcomes(arrays, c, menu)
        lay_options(arrays, c, size.boxes, len(streams.ways_R), menu)
        for slot in range(1, size.slots):
            store(scratch.total, slot * WIDTH, fill(0.0))
        for x in range(rows.first_row_C[c], rows.first_row_C[c + 1]):
            if spots.low_X[x] == NONE:
                continue
            lane = arrays.class_C[c].first_lane + x - rows.first_row_C[c]
            aim(arrays, rows, lane, size.slots, menu, aims)
            for slot in range(1, size.slots):
                o = menu.outcome_of_slot[slot]
                y = row_after(arrays, spots.first_row_C, menu.row_of_slot[slot], lane, o)
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
                            hint_outcomes(arrays, size.slots, 1.0, guide, menu, aims, scratch.hint)
                            for slot in range(1, size.slots):
                                store(menu.worth, slot * WIDTH, fill(scratch.hint[slot]))
                            play_turn(rerolls, tables, size, streams, falls, tie, turn)
                            known = True
                        hand_on(scratch, size.slots, score, flow.after)
            hint_outcomes(arrays, size.slots, guide.scale, guide, menu, aims, scratch.hint)
            for score in range(low, high, WIDTH):
                if take(flow.here, start + score, high - score, scratch.mass):
                    weigh_by_score(score, size.slots, guide.values_after, scratch.hint, menu, aims)
                    play_turn(rerolls, tables, size, streams, falls, tie, turn)
                    hand_on(scratch, size.slots, score, flow.after)
        for slot in range(1, size.slots):
            for i in range(WIDTH):
                taken = scratch.total[slot * WIDTH + i]
                flow.taken_C_O[c - flow.first, menu.outcome_of_slot[slot]] += taken
