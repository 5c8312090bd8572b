"""The backward sweep for values that depend on the points so far: lanes are scores.

A row stands for a card and an upper total, its lanes for consecutive scores s. An outcome of p
points reads the row after it at s + p: for all lanes the same distance, so again a contiguous read.
Outside its window a row is worth the same everywhere (:mod:`rollwise.solving.by_score.windows`), so
reads that leave a window are brought back to a vector of that value beside it.

What bounds it: as in :mod:`rollwise.solving.kernels.backward`, reads from L1 and L2; a hundred of
several thousand a block read the rows of the next layer.

Rows with their windows: where the numbers of each card stand in the array of its layer.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rollwise.solving.kernels.compiler import compiled, inlined
from rollwise.solving.kernels.lattice_index import LatticeIndex
from rollwise.solving.kernels.legal_outcomes import (
    Arrays,
    LegalOutcomes,
    lay_options,
    list_outcomes,
)
from rollwise.solving.kernels.turn import turn_value
from rollwise.solving.kernels.vector import (
    WIDTH,
    Floats,
    Vector,
    aligned,
    fill,
    load,
    maximum,
    store,
    sub,
)

NONE = np.iinfo(np.int64).max
"""The lowest score of a row that no game reaches."""


class Rows(NamedTuple):
    """The rows of consecutive classes, numbered from the first: ``x = first_row_C[i] + r``.

    Row 0 of a class stands for the first lane of its window (:mod:`rollwise.model.arrays`) and all
    before it, each other row for one lane.

    Attributes
    ----------
    first_row_C : int64 array of shape (C + 1,)
    low_X, high_X : int64 arrays of shape (X,)
        Scores ``low .. high - 1`` stand in the array; ``NONE`` and ``-NONE`` where there are none.
    start_X : int64 array of shape (X,)
        Where ``low`` stands.
    """

    first_row_C: NDArray[np.int64]
    low_X: NDArray[np.int64]
    high_X: NDArray[np.int64]
    start_X: NDArray[np.int64]

    @classmethod
    def empty(cls, rows_C: NDArray[np.int64]) -> "Rows":
        """Return rows that no game reaches yet, as many as told for each class."""
        first_row_C = np.append(0, np.cumsum(rows_C))
        n = int(first_row_C[-1])
        return cls(first_row_C, np.full(n, NONE), np.full(n, -NONE), np.zeros(n, dtype=np.int64))


class Terms(NamedTuple):
    """What a game is worth beside its points.

    Attributes
    ----------
    below, above : float
        What every row is worth below and above its window.
    price, floor : float
        What a turn costs, and what a game can be given up for before any turn.
    """

    below: float
    above: float
    price: float
    floor: float


class ScoreLayer(NamedTuple):
    """A layer to be solved and the next one, laid out as their rows say.

    Attributes
    ----------
    classes : int64 array
        Those to be solved.
    values, after : float64 arrays
    """

    classes: NDArray[np.int64]
    values: Floats
    after: Floats


class Aims(NamedTuple):
    """Where the slots of one row read, filled anew for each row.

    Attributes
    ----------
    row : int64 array of shape (O,)
        The row after the outcome of each slot.
    offset : int64 array of shape (O,)
        What to add to a score for its place in the next layer.
    first, last : int64 arrays of shape (O,)
        The first and last place that may be read there.
    """

    row: NDArray[np.int64]
    offset: NDArray[np.int64]
    first: NDArray[np.int64]
    last: NDArray[np.int64]

    @classmethod
    def of(cls, arrays: Arrays) -> "Aims":
        """Return the room for the aims of a game."""
        return cls(*np.zeros((4, len(arrays.outcome_O)), dtype=np.int64))


class ScoreScratch(NamedTuple):
    """What a sweep needs room for: a menu, its aims, the value of each point of the lattice."""

    legal: LegalOutcomes
    aims: Aims
    point: Floats

    @classmethod
    def of(cls, arrays: Arrays, lattice_index: LatticeIndex) -> "ScoreScratch":
        """Return the room for a game."""
        point = aligned((len(lattice_index.targets) + 1) * WIDTH)
        return cls(LegalOutcomes.of(arrays, lattice_index), Aims.of(arrays), point)


@inlined
def row_after(arrays: Arrays, first_row_C: NDArray[np.int64], after: int, lane: int, o: int) -> int:
    """Return the row that outcome ``o`` leads to in class ``after`` from ``lane``."""
    lane_after = min(lane + arrays.outcome_O[o].shift, arrays.lanes - 1)
    return first_row_C[after] + max(lane_after - arrays.class_C[after].first_lane, 0)


@inlined
def aim(
    arrays: Arrays, rows: Rows, lane: int, slots: int, legal: LegalOutcomes, aims: Aims
) -> None:
    """Find where the slots of a menu read at ``lane``."""
    for slot in range(1, slots):
        o = legal.outcome_of_slot[slot]
        y = row_after(arrays, rows.first_row_C, legal.row_of_slot[slot], lane, o)
        aims.row[slot] = y
        aims.offset[slot] = rows.start_X[y] - rows.low_X[y] + arrays.outcome_O[o].step
        aims.first[slot] = rows.start_X[y] - WIDTH
        aims.last[slot] = rows.start_X[y] + rows.high_X[y] - rows.low_X[y]


@inlined
def read(after: Floats, aims: Aims, slot: int, score: int) -> Vector:
    """Return what the next layer holds for a slot, for scores from ``score`` on."""
    place = min(max(score + aims.offset[slot], aims.first[slot]), aims.last[slot])
    return load(after, place)


@compiled
def reach_scores(first: int, last: int, legal: LegalOutcomes, arrays: Arrays, rows: Rows) -> None:
    """Widen the windows of all rows that games from the windows already there can reach."""
    for c in range(first, last):
        slots = 0
        for x in range(rows.first_row_C[c], rows.first_row_C[c + 1]):
            if rows.low_X[x] == NONE:
                continue
            if slots == 0:
                slots = list_outcomes(arrays, c, legal).slots
            lane = arrays.class_C[c].first_lane + x - rows.first_row_C[c]
            for slot in range(1, slots):
                o = legal.outcome_of_slot[slot]
                y = row_after(arrays, rows.first_row_C, legal.row_of_slot[slot], lane, o)
                step = arrays.outcome_O[o].step
                rows.low_X[y] = min(rows.low_X[y], rows.low_X[x] + step)
                rows.high_X[y] = max(rows.high_X[y], rows.high_X[x] + step)


@inlined
def pad(rows: Rows, x: int, below: float, above: float, values: Floats) -> None:
    """Write what row x is worth on both sides of its window."""
    start, end = rows.start_X[x], rows.start_X[x] + rows.high_X[x] - rows.low_X[x]
    store(values, start - WIDTH, fill(below))
    store(values, end, fill(above))


@compiled
def backward_by_score(
    first: int,
    last: int,
    scratch: ScoreScratch,
    arrays: Arrays,
    lattice_index: LatticeIndex,
    rows: Rows,
    terms: Terms,
    layer: ScoreLayer,
) -> None:
    """Fill the rows of ``layer.classes[first:last]``."""
    legal, aims = scratch.legal, scratch.aims
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
            for score in range(rows.low_X[x], rows.high_X[x], WIDTH):
                for slot in range(1, size.slots):
                    store(legal.worth, slot * WIDTH, read(layer.after, aims, slot, score))
                value = turn_value(
                    here.rerolls, tables, size.boxes, lattice_index, legal, scratch.point
                )
                value = maximum(sub(value, fill(terms.price)), fill(terms.floor))
                store(layer.values, rows.start_X[x] + score - rows.low_X[x], value)
            pad(rows, x, terms.below, terms.above, layer.values)
