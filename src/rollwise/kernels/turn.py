"""One turn on the dice lattice, for ``WIDTH`` lanes at a time.

The values of all points stand in one array, point p at ``p * WIDTH``:

* a keep is worth the mean over faces of the keep with one more die;
* a roll with a reroll left is worth its best keep, found on the way up the lattice as
  ``best(p) = max(value(p), best(p minus one die of each face))``;
* the turn is worth the mean over first rolls, by their integer weights.

Which points a step reads is laid out beforehand as streams of offsets, in the order of use.
"""

from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from rollwise.dice import ABSENT, Lattice
from rollwise.kernels.vector import (
    WIDTH,
    add,
    fill,
    follow,
    load,
    maximum,
    minimum,
    mul,
    put,
    store,
)

# Compiled code is kept under a hash of its own file. Naming the hashes of the files whose functions
# it inlines makes a change there a change here; a test holds them.
INLINES = {
    "vector.py": "fc3152ae68ab",
}

MEAN, WORST, BEST = 0, 1, 2
"""How chance is combined: by its weights, or as if dice were the player's enemy or friend."""

# nogil: layers are cut into chunks for threads. cache: the second start must not compile.
# error_model numpy: no branch for division by zero. No fastmath: sums stay in program order.
compiled = njit(nogil=True, cache=True, error_model="numpy")


class Turn(NamedTuple):
    """The lattice as streams of offsets into the array of points.

    Attributes
    ----------
    parent_offsets : uint32 array of shape (K * F,)
        For each keep, its points with one more die.
    segments : int64 array of shape (segments, 2)
        Points by size, then by number of different faces: how many follow, with how many
        children each. A constant inner trip count is one that the processor predicts.
    targets : uint32 array of shape (P - 1,)
        The points in that order.
    child_offsets : uint32 array
        For each target, its points with one die less, by face.
    child_starts : int64 array of shape (P,)
        Where the children of each target begin, and where the last ones end.
    sizes : float64 array of shape (P,)
        Dice of each point.
    ways_R : float64 array of shape (R,)
        In how many ordered ways each roll falls: integers below 2**53, so exact.
    ways : float
        All of them: faces to the power of dice.
    faces : int
    rolls : int
        Rolls a turn, saved ones not among them.
    chance : int
        ``MEAN``, ``WORST`` or ``BEST``.
    """

    parent_offsets: NDArray[np.uint32]
    segments: NDArray[np.int64]
    targets: NDArray[np.uint32]
    child_offsets: NDArray[np.uint32]
    child_starts: NDArray[np.int64]
    sizes: NDArray[np.float64]
    ways_R: NDArray[np.float64]
    ways: float
    faces: int
    rolls: int
    chance: int


def lay_out(lattice: Lattice, rolls: int, chance: int) -> Turn:
    """Return the streams of a turn of ``rolls`` rolls on a lattice."""
    has_child_P_F = lattice.child_P_F != ABSENT
    children_P = has_child_P_F.sum(axis=1)
    sizes_P = lattice.counts_P_F.sum(axis=1)
    targets = np.lexsort((children_P, sizes_P))[1:]  # all but the empty keep, which has no child
    children = children_P[targets]
    starts = np.flatnonzero(np.diff(children, prepend=0))
    segments = np.stack([np.diff(starts, append=len(targets)), children[starts]], axis=1)
    return Turn(
        parent_offsets=(lattice.parent_K_F * WIDTH).astype(np.uint32).ravel(),
        segments=segments.astype(np.int64),
        targets=(targets * WIDTH).astype(np.uint32),
        child_offsets=(lattice.child_P_F[targets][has_child_P_F[targets]] * WIDTH).astype(
            np.uint32
        ),
        child_starts=np.concatenate([[0], np.cumsum(children)]).astype(np.int64),
        sizes=sizes_P.astype(np.float64),
        ways_R=lattice.weight_R.astype(np.float64),
        ways=float(lattice.faces**lattice.dice),
        faces=lattice.faces,
        rolls=rolls,
        chance=chance,
    )


@compiled
def aligned(size: int) -> Any:
    """Return an uninitialised array that starts on a cache line: no vector in it straddles two."""
    buffer = np.empty(size + 8)
    start = (-(buffer.ctypes.data // 8)) % 8
    return buffer[start : start + size]


@compiled
def best_keeps(point: Any, turn: Any) -> None:
    """Raise each point to the best of itself and all that it contains."""
    target = 0
    edge = 0
    for s in range(len(turn.segments)):
        children = turn.segments[s, 1]
        for _ in range(turn.segments[s, 0]):
            best = follow(point, turn.targets, target)
            for _ in range(children):
                best = maximum(best, follow(point, turn.child_offsets, edge))
                edge += 1
            put(point, turn.targets, target, best)
            target += 1


@compiled
def keep_values(point: Any, turn: Any) -> None:
    """Set each keep to the mean (or the worst, or the best) over faces of one more die."""
    share = fill(1.0 / turn.faces)
    for p in range(len(turn.parent_offsets) // turn.faces - 1, -1, -1):
        edge = p * turn.faces
        value = follow(point, turn.parent_offsets, edge)
        if turn.chance == MEAN:
            for f in range(1, turn.faces):
                value = add(value, follow(point, turn.parent_offsets, edge + f))
            value = mul(value, share)
        elif turn.chance == WORST:
            for f in range(1, turn.faces):
                value = minimum(value, follow(point, turn.parent_offsets, edge + f))
        else:
            for f in range(1, turn.faces):
                value = maximum(value, follow(point, turn.parent_offsets, edge + f))
        store(point, p * WIDTH, value)


@compiled
def first_roll_value(point: Any, turn: Any) -> Any:
    """Return the mean (or the worst, or the best) over first rolls."""
    first = len(turn.parent_offsets) // turn.faces
    value = load(point, first * WIDTH)
    if turn.chance == MEAN:
        value = mul(value, fill(turn.ways_R[0]))
        for r in range(1, len(turn.ways_R)):
            value = add(value, mul(load(point, (first + r) * WIDTH), fill(turn.ways_R[r])))
        value = mul(value, fill(1.0 / turn.ways))
    elif turn.chance == WORST:
        for r in range(1, len(turn.ways_R)):
            value = minimum(value, load(point, (first + r) * WIDTH))
    else:
        for r in range(1, len(turn.ways_R)):
            value = maximum(value, load(point, (first + r) * WIDTH))
    return value
