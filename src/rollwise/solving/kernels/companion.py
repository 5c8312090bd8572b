"""A second quantity that follows the play which is best for the first, by score, backward.

The first quantity decides: the objective, and among options that are equally good for it the
expected score of playing on for points, as a *hint* too small to matter otherwise. The companion is
averaged over chance and follows the choices: the points still to come, say, or the turns.

Of equal options the first is taken: more dice kept, lower faces given up, categories in card order.
"""

from typing import NamedTuple

import numpy as np

from rollwise.solving.kernels.compiler import compiled, inlined
from rollwise.solving.kernels.menu import Arrays, Menu, lay_options, list_outcomes
from rollwise.solving.kernels.rows import NONE, Rows
from rollwise.solving.kernels.score import Aims, ScoreLayer, Terms, aim, pad, read
from rollwise.solving.kernels.streams import Streams
from rollwise.solving.kernels.turn import keep_values, mean_first_roll
from rollwise.solving.kernels.vector import (
    WIDTH,
    Floats,
    add,
    aligned,
    fill,
    follow,
    load,
    maximum,
    put,
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
    menu : Menu
    aims : Aims
    hint : float64 array of shape (O,)
        Of each slot.
    companion : float64 array of shape (O * WIDTH,)
        What each slot brings, ``WIDTH`` scores a slot.
    point, rest : float64 arrays of shape (P * WIDTH,)
        The value of each point of the lattice, and what it brings.
    """

    menu: Menu
    aims: Aims
    hint: Floats
    companion: Floats
    point: Floats
    rest: Floats

    @classmethod
    def of(cls, arrays: Arrays, streams: Streams) -> "CompanionScratch":
        """Return the room for a game."""
        n_points, n_outcomes = len(streams.targets) + 1, len(arrays.outcome_O)
        companion = aligned(n_outcomes * WIDTH)
        companion[:WIDTH] = 0.0
        return cls(
            Menu.of(arrays, streams),
            Aims.of(arrays),
            np.zeros(n_outcomes),
            companion,
            aligned(n_points * WIDTH),
            aligned(n_points * WIDTH),
        )


@inlined
def hint_outcomes(
    arrays: Arrays, slots: int, scale: float, guide: Guide, menu: Menu, aims: Aims, hint: Floats
) -> None:
    """Set the hint of each slot: ``scale`` times the score expected of playing on for points."""
    for slot in range(1, slots):
        step = arrays.outcome_O[menu.outcome_of_slot[slot]].step
        hint[slot] = scale * (step + guide.remaining_X[aims.row[slot]])


@inlined
def weigh_by_score(
    score: int, slots: int, after: Floats, hint: Floats, menu: Menu, aims: Aims
) -> None:
    """Set each slot to what it is worth from ``score`` on, and its hint."""
    for slot in range(1, slots):
        store(menu.worth, slot * WIDTH, add(read(after, aims, slot, score), fill(hint[slot])))


@inlined
def choose_with_companion(
    scratch: CompanionScratch, boxes: int, table: int, first: int, last: int
) -> None:
    """Set each roll to the best of its options by a table, and to that option's companion."""
    menu, companion = scratch.menu, scratch.companion
    edge = table * (last - first) * boxes
    for p in range(first, last):
        best = follow(menu.worth, menu.options, edge)
        chosen = follow(companion, menu.options, edge)
        edge += 1
        for _ in range(1, boxes):
            worth = follow(menu.worth, menu.options, edge)
            chosen = where_reaches(best, worth, chosen, follow(companion, menu.options, edge))
            best = where_reaches(best, worth, best, worth)
            edge += 1
        store(scratch.point, p * WIDTH, best)
        store(scratch.rest, p * WIDTH, chosen)


@inlined
def keep_with_companion(point: Floats, rest: Floats, streams: Streams) -> None:
    """Raise each point to the best keep that it contains, and to that keep's companion."""
    target, edge = 0, 0
    for s in range(len(streams.segments)):
        children = streams.segments[s, 1]
        for _ in range(streams.segments[s, 0]):
            best = follow(point, streams.targets, target)
            chosen = follow(rest, streams.targets, target)
            for _ in range(children):
                worth = follow(point, streams.child_offsets, edge)
                other = follow(rest, streams.child_offsets, edge)
                chosen = where_reaches(best, worth, chosen, other)
                best = where_reaches(best, worth, best, worth)
                edge += 1
            put(point, streams.targets, target, best)
            put(rest, streams.targets, target, chosen)
            target += 1


@inlined
def turn_with_companion(
    rerolls: int, tables: int, boxes: int, streams: Streams, scratch: CompanionScratch
) -> None:
    """Set each point to its value before the first roll, and to what it brings."""
    first, last = len(streams.keep_offsets), len(streams.targets) + 1
    choose_with_companion(scratch, boxes, 0, first, last)
    for left in range(1, rerolls + 1):
        keep_values(scratch.point, streams)
        keep_values(scratch.rest, streams)
        if tables > 1:
            choose_with_companion(scratch, boxes, left, first, last)
        keep_with_companion(scratch.point, scratch.rest, streams)


@compiled
def companion_by_score(
    first: int,
    last: int,
    scratch: CompanionScratch,
    arrays: Arrays,
    streams: Streams,
    guide: Guide,
    ride: Companion,
    terms: Terms,
    layer: ScoreLayer,
) -> None:
    """Fill the companion's rows of ``layer.classes[first:last]``.

    Without a hint those of the values as well: they are what decides.
    """
    menu, aims, rows = scratch.menu, scratch.aims, guide.rows
    tables = len(arrays.option_T_V_K)
    for i in range(first, last):
        c = layer.classes[i]
        here = arrays.class_C[c]
        size = list_outcomes(arrays, c, menu)
        lay_options(arrays, c, size.boxes, len(streams.ways_R), menu)
        for x in range(rows.first_row_C[c], rows.first_row_C[c + 1]):
            if rows.low_X[x] == NONE:
                continue
            aim(arrays, rows, here.first_lane + x - rows.first_row_C[c], size.slots, menu, aims)
            hint_outcomes(arrays, size.slots, guide.scale, guide, menu, aims, scratch.hint)
            start = rows.start_X[x] - rows.low_X[x]
            for score in range(rows.low_X[x], rows.high_X[x], WIDTH):
                weigh_by_score(score, size.slots, guide.values_after, scratch.hint, menu, aims)
                for slot in range(1, size.slots):
                    added = fill(ride.added_O[menu.outcome_of_slot[slot]])
                    later = read(layer.after, aims, slot, score)
                    store(scratch.companion, slot * WIDTH, add(added, later))
                turn_with_companion(here.rerolls, tables, size.boxes, streams, scratch)
                if guide.scale == 0.0:
                    value = sub(mean_first_roll(scratch.point, streams), fill(terms.price))
                    store(guide.values, start + score, maximum(value, fill(terms.floor)))
                going_on = add(mean_first_roll(scratch.rest, streams), fill(ride.each_turn))
                given_up = where_reaches(
                    fill(ride.floor), load(guide.values, start + score), fill(0.0), going_on
                )
                store(layer.values, start + score, given_up)
            if guide.scale == 0.0:
                pad(rows, x, terms.below, terms.above, guide.values)
            pad(rows, x, ride.outside_X[x], ride.outside_X[x], layer.values)
