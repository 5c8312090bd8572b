"""The reads and the reachable scores of rows of values by score.

An outcome of p points reads the next row at s + p. The offset is the same for all scores, so this
is a contiguous read. A read outside the window of a row (:mod:`rollwise.solving.rows`) is clamped
to a vector of a constant next to the window.
"""

import numpy as np
from numpy.typing import NDArray

from rollwise.solving.kernels.compiler import compiled, inlined
from rollwise.solving.kernels.legal_outcomes import Arrays, Game, LegalOutcomes, list_outcomes
from rollwise.solving.kernels.policy import LayerPolicy, start_of_row
from rollwise.solving.kernels.vector import WIDTH, Floats, Vector, fill, load, store
from rollwise.solving.kernels.work import ReadOffsets, Work
from rollwise.solving.rows import NONE, Rows


@inlined
def row_after(arrays: Arrays, first_row_C: NDArray[np.int64], after: int, lane: int, o: int) -> int:
    """Return the row of class ``after`` that outcome ``o`` leads to from ``lane``."""
    lane_after = min(lane + arrays.outcome_O[o].shift, arrays.lanes - 1)
    return first_row_C[after] + max(lane_after - arrays.class_C[after].first_lane, 0)


@inlined
def find_reads(
    arrays: Arrays, rows: Rows, lane: int, slots: int, legal: LegalOutcomes, reads: ReadOffsets
) -> None:
    """Set the array indices that the slots of a class read, for states in lane ``lane``."""
    for slot in range(1, slots):
        o = legal.outcome_of_slot[slot]
        y = row_after(arrays, rows.first_row_C, legal.class_of_slot[slot], lane, o)
        reads.row[slot] = y
        reads.offset[slot] = rows.start_X[y] - rows.low_X[y] + arrays.outcome_O[o].total_points
        reads.first[slot] = rows.start_X[y] - WIDTH
        reads.last[slot] = rows.start_X[y] + rows.high_X[y] - rows.low_X[y]


@inlined
def read(after: Floats, reads: ReadOffsets, slot: int, score: int) -> Vector:
    """Return the values that a slot leads to, for ``WIDTH`` consecutive scores from ``score``."""
    index = min(max(score + reads.offset[slot], reads.first[slot]), reads.last[slot])
    return load(after, index)


@compiled
def reach_scores(
    first: int,
    last: int,
    work: Work,
    game: Game,
    rows: Rows,
    played: LayerPolicy | None,
) -> None:
    """Widen the windows of all rows that turns from classes ``first .. last - 1`` lead to.

    Afterward, the windows contain all scores that these turns can reach, or that they reach with a
    positive probability under the policy ``played``.
    """
    arrays, legal = game.arrays, work.legal
    for c in range(first, last):
        slots = 0
        for x in range(rows.first_row_C[c], rows.first_row_C[c + 1]):
            if rows.low_X[x] == NONE:
                continue
            if slots == 0:
                slots = list_outcomes(arrays, c, legal).slots
            r = x - rows.first_row_C[c]
            lane = arrays.class_C[c].first_lane + r
            for slot in range(1, slots):
                if played is not None:
                    at = start_of_row(played, c, r, slots)
                    if played.probabilities[at + slot * WIDTH] == 0.0:
                        continue
                o = legal.outcome_of_slot[slot]
                y = row_after(arrays, rows.first_row_C, legal.class_of_slot[slot], lane, o)
                step = arrays.outcome_O[o].total_points
                rows.low_X[y] = min(rows.low_X[y], rows.low_X[x] + step)
                rows.high_X[y] = max(rows.high_X[y], rows.high_X[x] + step)


@inlined
def pad(rows: Rows, x: int, below: float, above: float, values: Floats) -> None:
    """Write the constant values of row x on both sides of its window."""
    start, end = rows.start_X[x], rows.start_X[x] + rows.high_X[x] - rows.low_X[x]
    store(values, start - WIDTH, fill(below))
    store(values, end, fill(above))
