"""Probability on the dice lattice: from rolls down to the keeps that are played, and up again.

Ties as :mod:`rollwise.solving.kernels.policy` has them.
"""

from rollwise.solving.kernels.compiler import inlined
from rollwise.solving.kernels.streams import Falls, Streams
from rollwise.solving.kernels.turn import best_keeps
from rollwise.solving.kernels.vector import (
    WIDTH,
    Floats,
    add,
    fill,
    follow,
    load,
    mul,
    put,
    store,
    sub,
    where_reaches,
)


@inlined
def rate_keeps(
    point: Floats, streams: Streams, falls: Falls, die: float, own: Floats, best: Floats
) -> None:
    """Write what each point is worth as a keep, and the best that it contains, with the tie rule.

    ``point`` holds the values of all keeps and rolls.
    """
    for p in range(len(falls.sizes)):
        value = add(load(point, p * WIDTH), fill(falls.sizes[p] * die))
        store(own, p * WIDTH, value)
        store(best, p * WIDTH, value)
    best_keeps(best, streams)


@inlined
def let_go(
    mass: Floats, streams: Streams, falls: Falls, die: float, own: Floats, best: Floats
) -> None:
    """Move the mass of each roll to the keep that is played from it."""
    slack = fill(abs(die) / 4)  # rounding, far below the worth of a die
    zero = fill(0.0)
    for target in range(len(streams.targets) - 1, -1, -1):
        goal = sub(follow(best, streams.targets, target), slack)
        rest = follow(mass, streams.targets, target)
        stays = where_reaches(follow(own, streams.targets, target), goal, rest, zero)
        put(mass, streams.targets, target, stays)
        rest = sub(rest, stays)
        for edge in range(falls.child_starts[target], falls.child_starts[target + 1]):
            moves = where_reaches(follow(best, streams.child_offsets, edge), goal, rest, zero)
            there = add(follow(mass, streams.child_offsets, edge), moves)
            put(mass, streams.child_offsets, edge, there)
            rest = sub(rest, moves)


@inlined
def empty(mass: Floats, first: int, last: int) -> None:
    """Set the mass of points ``first .. last - 1`` to zero."""
    for p in range(first, last):
        store(mass, p * WIDTH, fill(0.0))


@inlined
def throw(mass: Floats, streams: Streams, falls: Falls) -> None:
    """Spread the mass of each keep over the rolls that it can become; leave the keeps empty."""
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
    empty(mass, 0, len(streams.keep_offsets))
