"""Probability on the dice lattice: from rolls down to the keeps that are played, and up again.

The mass of a roll stays where it is kept whole, else it passes to the first smaller point that
contains a best keep: which, is found on the way up, where the values are, as a bit a lane. Ties as
:mod:`rollwise.solving.kernels.policy` has them.
"""

import numpy as np
from numpy.typing import NDArray

from rollwise.solving.kernels.compiler import inlined
from rollwise.solving.kernels.streams import Falls, Streams
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
)

Lanes = NDArray[np.uint16]
"""Sets of lanes, a bit each."""


@inlined
def choose_keeps(
    point: Floats,
    streams: Streams,
    falls: Falls,
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
    for s in range(len(streams.segments)):
        children = streams.segments[s, 1]
        for _ in range(streams.segments[s, 0]):
            p = streams.targets[target] // WIDTH
            whole = add(load(point, p * WIDTH), fill(falls.sizes[p] * die))
            most = whole
            for i in range(children):
                most = maximum(most, follow(best, streams.child_offsets, edge + i))
            store(best, p * WIDTH, most)
            goal = sub(most, slack)
            stays[p] = reaches(whole, goal)
            rest = ALL - stays[p]
            for i in range(children):
                passed = rest & reaches(follow(best, streams.child_offsets, edge + i), goal)
                passes[edge + i] = passed
                rest -= passed
            edge += children
            target += 1


@inlined
def let_go(mass: Floats, streams: Streams, falls: Falls, stays: Lanes, passes: Lanes) -> None:
    """Move the mass of each roll to the keep that is played from it; the keeps have none before."""
    for keep in range(len(streams.keep_offsets)):
        total = fill(0.0)
        for i in range(falls.passed_starts[keep], falls.passed_starts[keep + 1]):
            passed = only(passes[falls.passed_edges[i]], follow(mass, falls.passed_offsets, i))
            total = add(total, passed)
        put(mass, streams.keep_offsets, keep, total)
    for p in range(len(falls.sizes)):
        store(mass, p * WIDTH, only(stays[p], load(mass, p * WIDTH)))


@inlined
def empty(mass: Floats, first: int, last: int) -> None:
    """Set the mass of points ``first .. last - 1`` to zero."""
    for p in range(first, last):
        store(mass, p * WIDTH, fill(0.0))


@inlined
def throw(mass: Floats, streams: Streams, falls: Falls) -> None:
    """Spread the mass of each keep over the rolls that it can become."""
    kinds = len(falls.share_of_kind)
    for target in range(len(streams.targets)):
        for kind in range(kinds):
            edge = falls.thrown_starts[target * kinds + kind]
            end = falls.thrown_ends[target * kinds + kind]
            if edge == end:
                continue
            passed = follow(mass, streams.child_offsets, edge)
            for other in range(edge + 1, end):
                passed = add(passed, follow(mass, streams.child_offsets, other))
            passed = mul(passed, fill(falls.share_of_kind[kind]))
            there = add(follow(mass, streams.targets, target), passed)
            put(mass, streams.targets, target, there)
