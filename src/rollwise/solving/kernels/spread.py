"""The least second moment of the final score among all plays that are best for the first.

Where options are equally good, the mean of what is still to come is the same after each of them,
and so the second moment of a mixture is a mean of second moments: backward, each decision takes the
least of those that are tied. The greatest one is the least of the negative.
"""

from typing import NamedTuple

import numpy as np

from rollwise.solving.kernels.compiler import compiled, inlined
from rollwise.solving.kernels.menu import (
    Arrays,
    Menu,
    complete_row,
    lay_options,
    list_outcomes,
    remaining,
    weigh_outcomes,
)
from rollwise.solving.kernels.streams import Streams
from rollwise.solving.kernels.turn import keep_values, mean_first_roll
from rollwise.solving.kernels.vector import (
    WIDTH,
    Floats,
    add,
    aligned,
    fill,
    follow,
    maximum,
    minimum,
    mul,
    put,
    store,
    store_at,
    sub,
    where_reaches,
)


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


class SpreadScratch(NamedTuple):
    """What a sweep needs room for.

    Attributes
    ----------
    menu : Menu
    second : float64 array of shape (O * WIDTH,)
        The second moment of each slot, with its sign.
    point, rest : float64 arrays of shape (P * WIDTH,)
        The mean of each point of the lattice, and its second moment with its sign.
    """

    menu: Menu
    second: Floats
    point: Floats
    rest: Floats

    @classmethod
    def of(cls, arrays: Arrays, streams: Streams) -> "SpreadScratch":
        """Return the room for a game."""
        size = (len(streams.targets) + 1) * WIDTH
        second = aligned(len(arrays.outcome_O) * WIDTH)
        second[:WIDTH] = np.inf
        return cls(Menu.of(arrays, streams), second, aligned(size), aligned(size))


@inlined
def weigh_seconds(
    arrays: Arrays,
    lane: int,
    slots: int,
    tied: Tied,
    second_C_L: Floats,
    scratch: SpreadScratch,
) -> None:
    """Set each slot to its mean, and to its second moment with its sign."""
    menu = scratch.menu
    weigh_outcomes(arrays, lane, 0, slots, tied.values_C_L, menu)
    for slot in range(1, slots):
        points = fill(float(arrays.outcome_O[menu.outcome_of_slot[slot]].step))
        rest = remaining(arrays, lane, 0, slot, tied.values_C_L, menu)
        gain = mul(mul(fill(tied.sign), points), add(points, add(rest, rest)))
        later = remaining(arrays, lane, 0, slot, second_C_L, menu)
        store(scratch.second, slot * WIDTH, add(gain, later))


@inlined
def choose_tied(
    scratch: SpreadScratch, boxes: int, table: int, first: int, last: int, slack: float
) -> None:
    """Set each roll to the best of its options by a table, and to the least of those tied."""
    menu, second = scratch.menu, scratch.second
    edge = table * (last - first) * boxes
    for p in range(first, last):
        best = follow(menu.worth, menu.options, edge)
        for i in range(1, boxes):
            best = maximum(best, follow(menu.worth, menu.options, edge + i))
        goal, least = sub(best, fill(slack)), fill(np.inf)
        for i in range(boxes):
            worth = follow(menu.worth, menu.options, edge + i)
            other = follow(second, menu.options, edge + i)
            least = minimum(least, where_reaches(worth, goal, other, fill(np.inf)))
        store(scratch.point, p * WIDTH, best)
        store(scratch.rest, p * WIDTH, least)
        edge += boxes


@inlined
def keep_tied(point: Floats, rest: Floats, streams: Streams, slack: float) -> None:
    """Raise each point to the best keep that it contains, and to the least of those tied."""
    target, edge = 0, 0
    for s in range(len(streams.segments)):
        children = streams.segments[s, 1]
        for _ in range(streams.segments[s, 0]):
            own = follow(point, streams.targets, target)
            best = own
            for i in range(children):
                best = maximum(best, follow(point, streams.child_offsets, edge + i))
            goal, none = sub(best, fill(slack)), fill(np.inf)
            least = where_reaches(own, goal, follow(rest, streams.targets, target), none)
            for i in range(children):
                worth = follow(point, streams.child_offsets, edge + i)
                other = follow(rest, streams.child_offsets, edge + i)
                least = minimum(least, where_reaches(worth, goal, other, none))
            put(point, streams.targets, target, best)
            put(rest, streams.targets, target, least)
            target += 1
            edge += children


@compiled
def fill_tied_second(
    first: int,
    last: int,
    scratch: SpreadScratch,
    arrays: Arrays,
    streams: Streams,
    tied: Tied,
    second_C_L: Floats,
) -> None:
    """Fill the rows of classes ``first .. last - 1`` of ``second_C_L``, with the sign."""
    menu = scratch.menu
    begin, end = len(streams.keep_offsets), len(streams.targets) + 1
    tables = len(arrays.option_T_V_K)
    for c in range(first, last):
        here = arrays.class_C[c]
        size = list_outcomes(arrays, c, menu)
        lay_options(arrays, c, size.boxes, len(streams.ways_R), menu)
        for lane in range(here.first_lane, here.last_lane + 1, WIDTH):
            weigh_seconds(arrays, lane, size.slots, tied, second_C_L, scratch)
            choose_tied(scratch, size.boxes, 0, begin, end, tied.slack)
            for left in range(1, here.rerolls + 1):
                keep_values(scratch.point, streams)
                keep_values(scratch.rest, streams)
                if tables > 1:
                    choose_tied(scratch, size.boxes, left, begin, end, tied.slack)
                keep_tied(scratch.point, scratch.rest, streams, tied.slack)
            store_at(second_C_L, c, lane, mean_first_roll(scratch.rest, streams))
        complete_row(arrays, c, c, second_C_L)
