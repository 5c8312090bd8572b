"""Backward induction for zero-sum games of two players.

Each vector contains the values for ``WIDTH`` score differences, one step apart.

A state is a pair of scorecards and their *score difference*: the score of the last mover minus the
score of the player to move. An outcome of p points changes only the scorecard of the player to
move. It shifts all score differences by p, so each vector is a contiguous read. The kernels compute
values for the player to move. They store them as values for the last mover, in the opposite order,
so that the next reads are contiguous too.

Only some scorecards of a player have values: the *nodes* (:mod:`rollwise.two_player.nodes`). The
exact kernel reads one node for each outcome. It can also compute the probability of a tie. Among
options whose values differ by at most ``equal``, it chooses the first one
(:func:`rollwise.solving.kernels.turn.two_quantity_turn`). The value is the maximum over all
options. The kernel on a grid reads up to ``NODES`` nodes for each outcome, and interpolates between
the score differences of a pair of scorecards, which can be several points apart.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rollwise.solving.kernels.compiler import compiled, inlined
from rollwise.solving.kernels.legal_outcomes import (
    Arrays,
    Game,
    Turn,
    list_options,
    list_outcomes,
)
from rollwise.solving.kernels.rows import read
from rollwise.solving.kernels.turn import (
    mean_first_roll,
    turn_value,
    two_quantity_turn,
)
from rollwise.solving.kernels.vector import (
    CERTAIN,
    WIDTH,
    Floats,
    Vector,
    add,
    even_lanes,
    fill,
    load,
    load_between,
    load_inside,
    maximum,
    minimum,
    mul,
    reverse,
    store,
    sub,
    write,
)
from rollwise.solving.kernels.work import ReadOffsets, Work
from rollwise.solving.rows import NONE

Narrow = NDArray[np.uint16] | NDArray[np.float32]

TAPS = 4
"""The number of score differences between which a value is interpolated."""


class Movers(NamedTuple):
    """The A possible scorecards of the player to move, and the nodes of the rows they become."""

    # The class and the lane of each scorecard.
    class_A: NDArray[np.int64]
    lane_A: NDArray[np.int64]
    # The first row of each class, shape (C + 1,).
    first_row_C: NDArray[np.int64]
    # The number of each node among the scorecards of this player in the next layer.
    after_X: NDArray[np.int32]
    # The nodes of each row, up to the first negative number, shape (X, N).
    node_X_N: NDArray[np.int32]
    # The points that are added to the score for each node, and the weight of each node.
    points_X_N: NDArray[np.int32]
    weight_X_N: Floats


class Pairs(NamedTuple):
    """Pairs of scorecards, their windows of score differences, and their values.

    Pair ``b * A + a`` consists of scorecard b of the last mover and scorecard a of the player to
    move. B and A are the numbers of possible scorecards of these players, and axis P has A * B
    pairs.
    """

    # The window of each pair: the score differences ``low_P .. high_P - 1``, in steps.
    low_P: NDArray[np.int32]
    high_P: NDArray[np.int32]
    # The array index of the value for the difference ``low_P``.
    start_P: NDArray[np.int64]
    # The value for the last mover, and the probability of a tie (empty if it is not computed).
    values: Floats
    ties: Floats


class GridPairs(NamedTuple):
    """Pairs of scorecards as in :class:`Pairs`, whose score differences can have other steps."""

    low_P: NDArray[np.int32]
    high_P: NDArray[np.int32]
    start_P: NDArray[np.int64]
    # The step between the score differences of each pair: a power of 2.
    step_P: NDArray[np.uint8]
    # The value for the last mover, times ``CERTAIN``: uint16 or float32.
    values: Narrow


@inlined
def row_after(arrays: Arrays, first_row_C: NDArray[np.int64], after: int, lane: int, o: int) -> int:
    """Return the row of class ``after`` that outcome ``o`` leads to from ``lane``."""
    lane_after = min(lane + arrays.outcome_O[o].shift, arrays.lanes - 1)
    row = first_row_C[after] + max(lane_after - arrays.class_C[after].first_lane, 0)
    return min(row, first_row_C[after + 1] - 1)


@compiled
def reach_nodes(
    first: int,
    last: int,
    work: Work,
    game: Game,
    first_row_C: NDArray[np.int64],
    lane_X: NDArray[np.int64],
    node_X_N: NDArray[np.int32],
    points_X_N: NDArray[np.int32],
    low_X: NDArray[np.int64],
    high_X: NDArray[np.int64],
) -> None:
    """Widen the scores ``low .. high - 1`` of the nodes that follow the classes from ``first``."""
    arrays, legal = game.arrays, work.legal
    for c in range(first, last):
        slots = 0
        for x in range(first_row_C[c], first_row_C[c + 1]):
            if low_X[x] == NONE:
                continue
            if slots == 0:
                slots = list_outcomes(arrays, c, legal).slots
            for slot in range(1, slots):
                o = legal.outcome_of_slot[slot]
                y = row_after(arrays, first_row_C, legal.class_of_slot[slot], lane_X[x], o)
                for n in range(node_X_N.shape[1]):
                    node = node_X_N[y, n]
                    if node >= 0:
                        points = arrays.outcome_O[o].total_points + points_X_N[y, n]
                        low_X[node] = min(low_X[node], low_X[x] + points)
                        high_X[node] = max(high_X[node], high_X[x] + points)


@inlined
def list_successors(
    arrays: Arrays, movers: Movers, a: int, others: int, slots: int, work: Work
) -> None:
    """Set the pair, the points, and the weight of each node that the outcomes lead to.

    ``a`` is the scorecard of the player to move. ``others`` is the number of scorecards of the
    other player; the pairs are those with the first of them.
    """
    reads, legal, count = work.reads, work.legal, movers.node_X_N.shape[1]
    for slot in range(1, slots):
        o = legal.outcome_of_slot[slot]
        lane = movers.lane_A[a]
        x = row_after(arrays, movers.first_row_C, legal.class_of_slot[slot], lane, o)
        for n in range(count):
            node = movers.node_X_N[x, n]
            reads.row[count * slot + n] = movers.after_X[node] * others if node >= 0 else -1
            reads.points[count * slot + n] = (
                arrays.outcome_O[o].total_points + movers.points_X_N[x, n]
            )
            work.weights[count * slot + n] = movers.weight_X_N[x, n]


@inlined
def locate_reads(b: int, slots: int, after: Pairs, reads: ReadOffsets) -> None:
    """Set the array indices that each legal outcome reads, for the other player's scorecard b."""
    for slot in range(1, slots):
        pair = reads.row[slot] + b
        start, low, high = after.start_P[pair], after.low_P[pair], after.high_P[pair]
        reads.offset[slot] = start - low + reads.points[slot]
        reads.first[slot] = start - WIDTH
        reads.last[slot] = start + high - low


@inlined
def read_successors(
    values: Floats, result: Floats, reads: ReadOffsets, slots: int, difference: int
) -> None:
    """Write the values that all slots lead to, for ``WIDTH`` differences from ``difference``."""
    ahead = 1 - WIDTH - difference  # the lowest difference, as the player to move sees it
    for slot in range(1, slots):
        store(result, slot * WIDTH, read(values, reads, slot, ahead))


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
) -> None:
    """Compute the values of pairs ``first .. last - 1``.

    Pairs are numbered by the scorecard of the player to move, then by the other player's scorecard,
    which is one of ``others[0] .. others[1] - 1``. Options whose values differ by at most ``equal``
    are tied.
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
            list_successors(arrays, movers, a, n_others, turn.slots, work)
        b = first_b + number % strip
        pair = b * n_movers + a
        low, high = here.low_P[pair], here.high_P[pair]
        if low == high:
            continue
        start = here.start_P[pair] - low
        locate_reads(b, turn.slots, after, reads)
        for difference in range(low, high, WIDTH):
            read_successors(after.values, legal.value, reads, turn.slots, difference)
            if len(here.ties) == 0:
                value = turn_value(turn, game, work)
            else:
                read_successors(after.ties, work.second, reads, turn.slots, difference)
                two_quantity_turn(turn, game, work, equal)
                value = mean_first_roll(work.point, lattice_index)
                tie = mean_first_roll(work.rest, lattice_index)
                store(here.ties, start + difference, reverse(tie))
            store(here.values, start + difference, reverse(sub(fill(1.0), value)))
        store(here.values, start + low - WIDTH, fill(0.0))
        store(here.values, start + high, fill(1.0))
        if len(here.ties) > 0:
            store(here.ties, start + low - WIDTH, fill(0.0))
            store(here.ties, start + high, fill(0.0))


@inlined
def locate_on_grid(b: int, slots: int, count: int, after: GridPairs, reads: ReadOffsets) -> None:
    """Do the same as :func:`locate_reads` for ``count`` nodes of each outcome.

    The points of a node are divided by the step of the pair, and ``reads.rest`` is the remainder.
    """
    for number in range(count, count * slots):
        if reads.row[number] >= 0:
            pair = reads.row[number] + b
            start, low, step = after.start_P[pair], after.low_P[pair], np.int64(after.step_P[pair])
            steps = reads.points[number] // step
            reads.step[number] = step
            reads.rest[number] = reads.points[number] - steps * step
            reads.offset[number] = start - low + steps
            reads.first[number] = start
            reads.last[number] = start + after.high_P[pair] - low


@inlined
def read_apart(values: Narrow, index: int, ratio: int, first: int, last: int) -> Vector:
    """Return ``WIDTH`` values of a pair that are ``ratio`` steps apart: 1, 2, 4, or 8."""
    if ratio == 1:
        return load_between(values, index, first, last)
    far = ratio * WIDTH // 2
    near = read_half(values, index, ratio, first, last)
    return even_lanes(near, read_half(values, index + far, ratio, first, last))


@inlined
def read_half(values: Narrow, index: int, ratio: int, first: int, last: int) -> Vector:
    """Return ``WIDTH`` values that are half of ``ratio`` steps apart."""
    near = load_between(values, index, first, last)
    if ratio == 2:
        return near
    second = load_between(values, index + WIDTH, first, last)
    near = even_lanes(near, second)
    if ratio == 4:
        return near
    third = load_between(values, index + 2 * WIDTH, first, last)
    fourth = load_between(values, index + 3 * WIDTH, first, last)
    return even_lanes(near, even_lanes(third, fourth))


@inlined
def read_between_steps(
    values: Narrow,
    reads: ReadOffsets,
    number: int,
    step: int,
    farthest: int,
    tap_S_N: Floats,
    gathered: Floats,
) -> Vector:
    """Return ``WIDTH`` values, ``step`` points apart, of a pair with larger steps."""
    apart = reads.step[number]
    for lane in range(WIDTH):
        points = reads.offset[number] * apart + reads.rest[number] + step * (lane - farthest)
        index = points // apart
        rest = points - index * apart
        value = 0.0
        for i in range(TAPS):
            at = index + i - 1
            if at >= reads.last[number]:
                value += tap_S_N[apart + rest, i] * CERTAIN
            elif at >= reads.first[number]:
                value += tap_S_N[apart + rest, i] * values[at]
        gathered[lane] = value
    return load(gathered, 0)


@inlined
def read_node(
    values: Narrow, work: Work, number: int, step: int, farthest: int, tap_S_N: Floats
) -> Vector:
    """Return the values of a node for ``WIDTH`` score differences that are ``step`` points apart.

    ``farthest`` is the highest of them, in steps.
    """
    reads = work.reads
    ratio, first, last = step // reads.step[number], reads.first[number], reads.last[number]
    if ratio == 0:
        return read_between_steps(values, reads, number, step, farthest, tap_S_N, work.second)
    index, rest = reads.offset[number] - ratio * farthest, reads.rest[number]
    if rest == 0:
        return read_apart(values, index, ratio, first, last)
    value, tap = fill(np.float32(0)), reads.step[number] + rest
    if ratio == 1:  # masks, which most vectors do not need, take more time than loads
        if first <= index - 1 and index + TAPS - 2 + WIDTH <= last:
            for i in range(TAPS):
                value = add(value, mul(load_inside(values, index + i - 1), tap_S_N[tap, i]))
            return value
        if index - 1 >= last:
            return fill(np.float32(CERTAIN))
        if index + TAPS - 2 + WIDTH <= first:
            return value
    for i in range(TAPS):
        at = read_apart(values, index + i - 1, ratio, first, last)
        value = add(value, mul(at, tap_S_N[tap, i]))
    return value


@inlined
def interpolate_successors(
    values: Narrow,
    work: Work,
    slots: int,
    count: int,
    step: int,
    farthest: int,
    tap_S_N: Floats,
) -> None:
    """Do the same as :func:`read_successors` for outcomes with up to ``count`` nodes."""
    for slot in range(1, slots):
        value = fill(np.float32(0))
        for number in range(count * slot, count * slot + count):
            if work.reads.row[number] >= 0:
                node = read_node(values, work, number, step, farthest, tap_S_N)
                value = add(value, mul(node, work.weights[number]))
        value = minimum(maximum(value, 0.0), CERTAIN)
        store(work.legal.value, slot * WIDTH, value)


@compiled
def backward_on_grid(
    first: int,
    last: int,
    work: Work,
    game: Game,
    movers: Movers,
    others: tuple[int, int],
    here: GridPairs,
    after: GridPairs,
    tap_S_N: Floats,
) -> None:
    """Do the same as :func:`backward_by_difference` on a grid, and write rounded values.

    ``tap_S_N[step + rest]`` has the weights of ``TAPS`` neighboring differences of a pair with this
    step, for a difference that is ``rest`` points above the second one.
    """
    legal, reads, vector = work.legal, work.reads, work.vector
    n_movers, count = len(movers.class_A), movers.node_X_N.shape[1]
    n_others = len(here.start_P) // n_movers
    first_b, strip = others[0], others[1] - others[0]
    a, c, turn = -1, -1, Turn(np.int64(0), 0, 0)
    for number in range(first, last):
        if number // strip != a:
            a = number // strip
            if movers.class_A[a] != c:
                c = movers.class_A[a]
                turn = list_options(game, c, legal)
            list_successors(game.arrays, movers, a, n_others, turn.slots, work)
        b = first_b + number % strip
        pair = b * n_movers + a
        low, high, step = here.low_P[pair], here.high_P[pair], int(here.step_P[pair])
        if low == high:
            continue
        start = here.start_P[pair] - low
        locate_on_grid(b, turn.slots, count, after, reads)
        for difference in range(low, high, WIDTH):
            farthest = difference + WIDTH - 1
            interpolate_successors(after.values, work, turn.slots, count, step, farthest, tap_S_N)
            value = sub(fill(CERTAIN), turn_value(turn, game, work))
            store(vector, 0, reverse(value))
            for lane in range(min(WIDTH, high - difference)):
                write(here.values, start + difference + lane, vector[lane])
