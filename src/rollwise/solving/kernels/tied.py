"""The least of a second quantity among the options that are tied for the first.

The first quantity is the best there is, whatever the second. Both are averaged over chance: the
chance of a tie rides along with that of winning so, a second moment with the mean.
"""

from typing import NamedTuple

import numpy as np

from rollwise.solving.kernels.compiler import inlined, unrolled
from rollwise.solving.kernels.menu import Arrays, Menu
from rollwise.solving.kernels.streams import Streams
from rollwise.solving.kernels.turn import keep_values
from rollwise.solving.kernels.vector import (
    WIDTH,
    Floats,
    aligned,
    fill,
    follow,
    maximum,
    minimum,
    put,
    store,
    sub,
    where_reaches,
)


class TiedScratch(NamedTuple):
    """What a turn needs room for.

    Attributes
    ----------
    menu : Menu
    second : float64 array of shape (O * WIDTH,)
        The second quantity of each slot.
    point, rest : float64 arrays of shape (P * WIDTH,)
        The first quantity of each point of the lattice, and the second.
    """

    menu: Menu
    second: Floats
    point: Floats
    rest: Floats

    @classmethod
    def of(cls, arrays: Arrays, streams: Streams) -> "TiedScratch":
        """Return the room for a game."""
        size = (len(streams.targets) + 1) * WIDTH
        second = aligned(len(arrays.outcome_O) * WIDTH)
        second[:WIDTH] = np.inf
        return cls(Menu.of(arrays, streams), second, aligned(size), aligned(size))


@unrolled
def choose_tied(
    scratch: TiedScratch, first: int, last: int, edge: int, slack: float, boxes: int
) -> None:
    """Set each roll to the best of its options, and to the least of those tied."""
    menu, second = scratch.menu, scratch.second
    for p in range(first, last):
        best = follow(menu.worth, menu.options, edge)
        for i in range(1, boxes):
            best = maximum(best, follow(menu.worth, menu.options, edge + i))
        goal, least = sub(best, fill(slack)), fill(np.inf)
        for i in range(boxes):
            worth = follow(menu.worth, menu.options, edge + i)
            other = follow(second, menu.options, edge + i)
            least = where_reaches(worth, goal, minimum(least, other), least)
        store(scratch.point, p * WIDTH, best)
        store(scratch.rest, p * WIDTH, least)
        edge += boxes


@unrolled
def raise_tied(
    point: Floats,
    rest: Floats,
    streams: Streams,
    slack: float,
    first: int,
    edge: int,
    count: int,
    children: int,
) -> None:
    """Raise ``count`` points to the best of themselves and their children, and of those tied."""
    for target in range(first, first + count):
        own = follow(point, streams.targets, target)
        best = own
        for i in range(children):
            best = maximum(best, follow(point, streams.child_offsets, edge + i))
        goal, none = sub(best, fill(slack)), fill(np.inf)
        least = where_reaches(own, goal, follow(rest, streams.targets, target), none)
        for i in range(children):
            worth = follow(point, streams.child_offsets, edge + i)
            other = follow(rest, streams.child_offsets, edge + i)
            least = where_reaches(worth, goal, minimum(least, other), least)
        put(point, streams.targets, target, best)
        put(rest, streams.targets, target, least)
        edge += children


@inlined
def keep_tied(point: Floats, rest: Floats, streams: Streams, slack: float) -> None:
    """Raise each point to the best keep that it contains, and to the least of those tied."""
    target, edge = 0, 0
    for s in range(len(streams.segments)):
        count, children = streams.segments[s, 0], streams.segments[s, 1]
        raise_tied(point, rest, streams, slack, target, edge, count, children)
        target += count
        edge += count * children


@inlined
def tied_turn(
    rerolls: int, tables: int, boxes: int, streams: Streams, scratch: TiedScratch, slack: float
) -> None:
    """Set each point to both quantities before the first roll; slots of the menu have theirs."""
    first, last = len(streams.keep_offsets), len(streams.targets) + 1
    choose_tied(scratch, first, last, 0, slack, boxes)
    for left in range(1, rerolls + 1):
        keep_values(scratch.point, streams)
        keep_values(scratch.rest, streams)
        if tables > 1:  # to stop here is worth something else than to stop later
            choose_tied(scratch, first, last, left * (last - first) * boxes, slack, boxes)
        keep_tied(scratch.point, scratch.rest, streams, slack)
