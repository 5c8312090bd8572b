"""One turn on the dice lattice, for ``WIDTH`` lanes at a time.

The values of all points stand in one array, point p at ``p * WIDTH``:

* a keep is worth the mean over faces of the keep with one more die, of the first kind it lacks;
* a roll with a reroll left is worth its best keep, found on the way up the lattice as
  ``best(p) = max(value(p), best(p minus one die of each face))``;
* the turn is worth the mean over first rolls, by their integer weights.

Which points a step reads is laid out beforehand: :mod:`rollwise.solving.kernels.streams`.
"""

from rollwise.solving.kernels.compiler import inlined, unrolled
from rollwise.solving.kernels.streams import MEAN, WORST, Streams
from rollwise.solving.kernels.vector import (
    WIDTH,
    Floats,
    Vector,
    add,
    fill,
    follow,
    load,
    maximum,
    minimum,
    mul,
    put,
)


@unrolled
def raise_points(
    point: Floats, streams: Streams, first: int, edge: int, count: int, children: int
) -> None:
    """Raise ``count`` points from ``first`` on to the best of themselves and so many children."""
    for target in range(first, first + count):
        best = follow(point, streams.targets, target)
        for i in range(children):
            best = maximum(best, follow(point, streams.child_offsets, edge + i))
        put(point, streams.targets, target, best)
        edge += children


@inlined
def best_keeps(point: Floats, streams: Streams) -> None:
    """Raise each point to the best of itself and all that it contains."""
    target, edge = 0, 0
    for s in range(len(streams.segments)):
        count, children = streams.segments[s, 0], streams.segments[s, 1]
        raise_points(point, streams, target, edge, count, children)
        target += count
        edge += count * children


@unrolled
def mean_throws(
    point: Floats, streams: Streams, first: int, edge: int, count: int, faces: int
) -> None:
    """Set ``count`` keeps from ``first`` on to the mean over so many faces of one more die."""
    share = fill(1.0 / faces)
    for keep in range(first, first + count):
        value = follow(point, streams.parent_offsets, edge)
        for f in range(1, faces):
            value = add(value, follow(point, streams.parent_offsets, edge + f))
        put(point, streams.keep_offsets, keep, mul(value, share))
        edge += faces


@inlined
def extreme_throws(
    point: Floats, streams: Streams, first: int, edge: int, count: int, faces: int
) -> None:
    """Set ``count`` keeps from ``first`` on to the worst over so many faces, or to the best."""
    for keep in range(first, first + count):
        value = follow(point, streams.parent_offsets, edge)
        for f in range(1, faces):
            other = follow(point, streams.parent_offsets, edge + f)
            value = minimum(value, other) if streams.chance == WORST else maximum(value, other)
        put(point, streams.keep_offsets, keep, value)
        edge += faces


@inlined
def keep_values(point: Floats, streams: Streams) -> None:
    """Set each keep to the mean (or the worst, or the best) over faces of one more die."""
    keep, edge = 0, 0
    for s in range(len(streams.throws)):
        count, faces = streams.throws[s, 0], streams.throws[s, 1]
        if streams.chance == MEAN:
            mean_throws(point, streams, keep, edge, count, faces)
        else:
            extreme_throws(point, streams, keep, edge, count, faces)
        keep += count
        edge += count * faces


@inlined
def mean_first_roll(point: Floats, streams: Streams) -> Vector:
    """Return the mean over first rolls."""
    first = len(streams.keep_offsets)
    value = mul(load(point, first * WIDTH), fill(streams.ways_R[0]))
    for r in range(1, len(streams.ways_R)):
        value = add(value, mul(load(point, (first + r) * WIDTH), fill(streams.ways_R[r])))
    return mul(value, fill(1.0 / streams.ways))


@inlined
def first_roll_value(point: Floats, streams: Streams) -> Vector:
    """Return the mean (or the worst, or the best) over first rolls."""
    if streams.chance == MEAN:
        return mean_first_roll(point, streams)
    first = len(streams.keep_offsets)
    value = load(point, first * WIDTH)
    for r in range(1, len(streams.ways_R)):
        other = load(point, (first + r) * WIDTH)
        value = minimum(value, other) if streams.chance == WORST else maximum(value, other)
    return value
