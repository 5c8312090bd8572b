"""Backward induction for zero-sum games of two players.

Each vector contains the values for ``WIDTH`` consecutive score differences.

A state is a pair of scorecards and their *score difference*: the score of the last mover minus the
score of the player to move. An outcome of p points changes only the scorecard of the player to
move. It shifts all score differences by p, so each vector is a contiguous read. The kernel computes
values for the player to move. It stores them as values for the last mover, in the opposite order,
so that the next reads are contiguous too.

The kernel can also compute the probability of a tie. Among options whose values differ by at most
``equal``, it chooses the first one (:func:`rollwise.solving.kernels.turn.two_quantity_turn`). The
value is the maximum over all options.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rollwise.solving.kernels.compiler import compiled, inlined
from rollwise.solving.kernels.legal_outcomes import (
    Arrays,
    Game,
    LegalOutcomes,
    Turn,
    list_options,
)
from rollwise.solving.kernels.rows import read, row_after
from rollwise.solving.kernels.turn import (
    mean_first_roll,
    turn_value,
    two_quantity_turn,
)
from rollwise.solving.kernels.vector import (
    WIDTH,
    Floats,
    Vector,
    add,
    fill,
    load,
    maximum,
    minimum,
    mul,
    reverse,
    store,
    sub,
)
from rollwise.solving.kernels.work import POINTS, ReadOffsets, Work


class Movers(NamedTuple):
    """The A possible scorecards of the player to move."""

    # The class and the lane of each scorecard.
    class_A: NDArray[np.int64]
    lane_A: NDArray[np.int64]
    # The first row of each class, shape (C + 1,).
    first_row_C: NDArray[np.int64]
    # The number of each row among the scorecards of this player in the next layer.
    after_X: NDArray[np.int32]


class Pairs(NamedTuple):
    """Pairs of scorecards, their windows of score differences, and their values.

    Pair ``b * A + a`` consists of scorecard b of the last mover and scorecard a of the player to
    move. B and A are the numbers of possible scorecards of these players, and axis P has A * B
    pairs.
    """

    # The window of each pair: the score differences ``low_P .. high_P - 1``.
    low_P: NDArray[np.int32]
    high_P: NDArray[np.int32]
    # The array index of the value for the difference ``low_P``.
    start_P: NDArray[np.int64]
    # The value for the last mover, and the probability of a tie (empty if it is not computed).
    values: Floats
    ties: Floats


class GridReads(NamedTuple):
    """How a layer on a grid reads the next layer."""

    # The step of this layer in the score difference, divided by the step of the next layer.
    ratio: int
    # The step of the next layer.
    step: int
    # The weights of four neighboring differences of the next layer, for each number of points above
    # the second one, shape (step, 4).
    weight_F_N: Floats
    # The rows between which each row is interpolated, up to the first negative number,
    # shape (X, 4).
    point_X_N: NDArray[np.int32]
    # The weights of these rows.
    weight_X_N: Floats
    # Values within ``cut`` of 0 or 1 are replaced by 0 or 1 beyond the first vector of them.
    cut: float


@inlined
def list_successors(
    arrays: Arrays,
    movers: Movers,
    a: int,
    others: int,
    slots: int,
    legal: LegalOutcomes,
    work: Work,
    grid: GridReads | None,
) -> None:
    """Set ``reads.row`` to the pair of each legal outcome with scorecard 0 of the other player.

    ``a`` is the scorecard of the player to move. ``others`` is the number of scorecards of the
    other player. On a grid, each outcome leads to up to four pairs; the others are negative.
    """
    reads, lane = work.reads, movers.lane_A[a]
    for slot in range(1, slots):
        o = legal.outcome_of_slot[slot]
        x = row_after(arrays, movers.first_row_C, legal.class_of_slot[slot], lane, o)
        if grid is None:
            reads.row[slot] = movers.after_X[x] * others
        else:
            for n in range(POINTS):
                point = grid.point_X_N[x, n]
                pair = movers.after_X[point] * others if point >= 0 else -1
                reads.row[POINTS * slot + n] = pair
                work.weights[POINTS * slot + n] = grid.weight_X_N[x, n]


@inlined
def locate_reads(
    arrays: Arrays,
    b: int,
    slots: int,
    after: Pairs,
    legal: LegalOutcomes,
    reads: ReadOffsets,
    grid: GridReads | None,
) -> None:
    """Set the array indices that each legal outcome reads, for the other player's scorecard b."""
    for slot in range(1, slots):
        points = arrays.outcome_O[legal.outcome_of_slot[slot]].total_points
        if grid is None:
            locate_read(slot, reads.row[slot] + b, points, after, reads)
        else:
            for number in range(POINTS * slot, POINTS * slot + POINTS):
                if reads.row[number] >= 0:
                    locate_read(number, reads.row[number] + b, points // grid.step, after, reads)


@inlined
def locate_read(number: int, pair: int, points: int, after: Pairs, reads: ReadOffsets) -> None:
    """Set the array indices of one read of a pair, for an outcome of ``points``, in steps."""
    start, low, high = after.start_P[pair], after.low_P[pair], after.high_P[pair]
    reads.offset[number] = start - low + points
    reads.first[number] = start - WIDTH
    reads.last[number] = start + high - low


@inlined
def read_apart(
    values: Floats, reads: ReadOffsets, number: int, ahead: int, grid: GridReads, gathered: Floats
) -> Vector:
    """Return ``WIDTH`` values from the next layer, ``grid.ratio`` apart."""
    if grid.ratio == 1:
        return read(values, reads, number, ahead)
    index = ahead + reads.offset[number]
    for lane in range(WIDTH):
        gathered[lane] = values[min(max(index, reads.first[number]), reads.last[number])]
        index += grid.ratio
    return load(gathered, 0)


@inlined
def interpolate(
    values: Floats, work: Work, slot: int, points: int, ahead: int, grid: GridReads
) -> Vector:
    """Return the interpolated values that a slot leads to, for ``WIDTH`` differences.

    ``points`` are the points of the outcome, and ``ahead`` is the lowest difference in steps of
    the next layer.
    """
    reads, gathered = work.reads, work.vector
    rest = points - points // grid.step * grid.step
    number = POINTS * slot
    if rest == 0 and reads.row[number + 1] < 0:
        return read_apart(values, reads, number, ahead, grid, gathered)
    value = fill(0.0)
    for n in range(number, number + POINTS):
        if reads.row[n] >= 0:
            if rest == 0:
                part = read_apart(values, reads, n, ahead, grid, gathered)
            else:
                part = fill(0.0)
                for i in range(POINTS):
                    at = read_apart(values, reads, n, ahead + i - 1, grid, gathered)
                    part = add(part, mul(fill(grid.weight_F_N[rest, i]), at))
            value = add(value, mul(fill(work.weights[n]), part))
    return minimum(maximum(value, fill(0.0)), fill(1.0))


@inlined
def read_successors(
    values: Floats,
    result: Floats,
    arrays: Arrays,
    work: Work,
    slots: int,
    difference: int,
    grid: GridReads | None,
) -> None:
    """Write the values that all slots lead to, for ``WIDTH`` differences from ``difference``."""
    ahead = 1 - WIDTH - difference  # the lowest difference, as the player to move sees it
    for slot in range(1, slots):
        if grid is None:
            store(result, slot * WIDTH, read(values, work.reads, slot, ahead))
        else:
            o = work.legal.outcome_of_slot[slot]
            points = arrays.outcome_O[o].total_points
            value = interpolate(values, work, slot, points, ahead * grid.ratio, grid)
            store(result, slot * WIDTH, value)


@compiled
def backward_by_difference(
    first: int,
    last: int,
    work: Work,
    game: Game,
    movers: Movers,
    others: tuple[int, int],
    here: Pairs,
    after: Pairs,
    equal: float,
    grid: GridReads | None,
) -> None:
    """Compute the values of pairs ``first .. last - 1``.

    Pairs are numbered by the scorecard of the player to move, then by the other player's scorecard,
    which is one of ``others[0] .. others[1] - 1``. Options whose values differ by at most ``equal``
    are tied. Without a grid, all differences are computed. With a grid, the vectors of differences
    are computed from the middle up and then down, until all values are within ``grid.cut`` of 1 or
    0; the values beyond are 1 or 0.
    """
    arrays, lattice_index = game.arrays, game.lattice_index
    legal, reads = work.legal, work.reads
    n_movers = len(movers.class_A)
    n_others = len(here.start_P) // n_movers
    first_b, strip = others[0], others[1] - others[0]
    a, c, turn = -1, -1, Turn(np.int64(0), 0, 0)
    for number in range(first, last):
        if number // strip != a:
            a = number // strip
            if movers.class_A[a] != c:
                c = movers.class_A[a]
                turn = list_options(game, c, legal)
            list_successors(arrays, movers, a, n_others, turn.slots, legal, work, grid)
        b = first_b + number % strip
        pair = b * n_movers + a
        low, high = here.low_P[pair], here.high_P[pair]
        if low == high:
            continue
        start = here.start_P[pair] - low
        locate_reads(arrays, b, turn.slots, after, legal, reads, grid)
        difference, up = low, True
        if grid is not None:
            difference += (high - low) // (2 * WIDTH) * WIDTH
        middle = difference
        while difference >= low:
            read_successors(after.values, legal.value, arrays, work, turn.slots, difference, grid)
            if len(here.ties) == 0:
                value = turn_value(turn, game, work)
            else:
                read_successors(after.ties, work.second, arrays, work, turn.slots, difference, grid)
                two_quantity_turn(turn, game, work, equal)
                value = mean_first_roll(work.point, lattice_index)
                tie = mean_first_roll(work.rest, lattice_index)
                store(here.ties, start + difference, reverse(tie))
            store(here.values, start + difference, reverse(sub(fill(1.0), value)))
            if grid is None:
                difference += WIDTH
                if difference >= high:
                    break
            elif up:
                certain = here.values[start + difference] >= 1.0 - grid.cut
                difference += WIDTH
                if certain:
                    for rest in range(difference, high, WIDTH):
                        store(here.values, start + rest, fill(1.0))
                        if len(here.ties) > 0:
                            store(here.ties, start + rest, fill(0.0))
                if certain or difference >= high:
                    difference, up = middle - WIDTH, False
            else:
                certain = here.values[start + difference + WIDTH - 1] <= grid.cut
                difference -= WIDTH
                if certain:
                    for rest in range(low, difference + 1, WIDTH):
                        store(here.values, start + rest, fill(0.0))
                        if len(here.ties) > 0:
                            store(here.ties, start + rest, fill(0.0))
                    break
        store(here.values, start + low - WIDTH, fill(0.0))
        store(here.values, start + high, fill(1.0))
        if len(here.ties) > 0:
            store(here.ties, start + low - WIDTH, fill(0.0))
            store(here.ties, start + high, fill(0.0))
