"""Backward induction for two-player games (zero-sum), with vectors over score differences.

A state is a pair of scorecards and their *score difference*: the score of the last mover minus the
score of the player to move. An outcome of p points changes only the scorecard of the player to
move. It shifts all score differences by p, so each vector is a contiguous read. The kernel computes
values for the player to move. It stores them as values for the last mover, in the opposite order,
so that the next reads are contiguous too.

The kernel can also compute the probability of a tie. Among options whose values differ by at most
``equal``, it chooses the option with the lowest probability of a tie. The value is the maximum over
all options.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rollwise.solving.kernels.compiler import compiled, inlined
from rollwise.solving.kernels.lattice_index import LatticeIndex
from rollwise.solving.kernels.legal_outcomes import (
    Arrays,
    LegalOutcomes,
    Size,
    list_outcomes,
    write_options,
)
from rollwise.solving.kernels.score import ReadOffsets, read, row_after
from rollwise.solving.kernels.turn import (
    TwoQuantityScratch,
    mean_first_roll,
    turn_value,
    two_quantity_turn,
)
from rollwise.solving.kernels.vector import WIDTH, Floats, fill, reverse, store, sub


class Movers(NamedTuple):
    """The scorecards of the player to move.

    Attributes
    ----------
    class_A, lane_A : int64 arrays of shape (A,)
        The class and the lane of each scorecard.
    first_row_C : int64 array of shape (C + 1,)
        The first row of each class.
    after_X : int32 array of shape (X,)
        The number of each row among the scorecards of this player in the next layer.
    """

    class_A: NDArray[np.int64]
    lane_A: NDArray[np.int64]
    first_row_C: NDArray[np.int64]
    after_X: NDArray[np.int32]


class Pairs(NamedTuple):
    """Pairs of scorecards, their windows of score differences, and their values.

    Scorecard b of the last mover and scorecard a of the player to move are pair ``b * A + a``. The
    players have B and A scorecards.

    Attributes
    ----------
    low_P, high_P : int32 arrays of shape (A * B,)
        The window of each pair: score differences ``low .. high - 1``.
    start_P : int64 array of shape (A * B,)
        The array index of the value for difference ``low``.
    values, ties : float64 arrays
        The value for the last mover, and the probability of a tie. ``ties`` is empty if this
        probability is not computed.
    """

    low_P: NDArray[np.int32]
    high_P: NDArray[np.int32]
    start_P: NDArray[np.int64]
    values: Floats
    ties: Floats


class DuelScratch(NamedTuple):
    """Scratch arrays for the backward induction.

    Attributes
    ----------
    aims : ReadOffsets
        The array indices that the legal outcomes read; ``row`` is the first pair after each slot.
    turn : TwoQuantityScratch
        The arrays of a turn whose second quantity is the probability of a tie.
    """

    aims: ReadOffsets
    turn: TwoQuantityScratch

    @classmethod
    def of(cls, arrays: Arrays, lattice_index: LatticeIndex) -> "DuelScratch":
        """Return scratch arrays for a game."""
        return cls(ReadOffsets.of(arrays), TwoQuantityScratch.of(arrays, lattice_index))


@inlined
def list_successors(
    arrays: Arrays,
    movers: Movers,
    a: int,
    others: int,
    slots: int,
    legal: LegalOutcomes,
    aims: ReadOffsets,
) -> None:
    """Set ``aims.row`` to the pair after each legal outcome, for the other player's scorecard 0.

    ``a`` is the scorecard of the player to move. ``others`` is the number of scorecards of the
    other player.
    """
    lane = movers.lane_A[a]
    for slot in range(1, slots):
        o = legal.outcome_of_slot[slot]
        x = row_after(arrays, movers.first_row_C, legal.row_of_slot[slot], lane, o)
        aims.row[slot] = movers.after_X[x] * others


@inlined
def locate_reads(
    arrays: Arrays, b: int, slots: int, after: Pairs, legal: LegalOutcomes, aims: ReadOffsets
) -> None:
    """Set the array indices that each legal outcome reads, for the other player's scorecard b."""
    for slot in range(1, slots):
        pair = aims.row[slot] + b
        start, low, high = after.start_P[pair], after.low_P[pair], after.high_P[pair]
        aims.offset[slot] = start - low + arrays.outcome_O[legal.outcome_of_slot[slot]].total_points
        aims.first[slot] = start - WIDTH
        aims.last[slot] = start + high - low


@compiled
def backward_by_difference(
    first: int,
    last: int,
    scratch: DuelScratch,
    arrays: Arrays,
    lattice_index: LatticeIndex,
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
    turn, legal, aims = scratch.turn, scratch.turn.legal, scratch.aims
    tables, n_movers = len(arrays.option_T_V_K), len(movers.class_A)
    n_others = len(here.start_P) // n_movers
    first_b, strip = others[0], others[1] - others[0]
    a, c, rerolls, size = -1, -1, 0, Size(0, 0)
    for number in range(first, last):
        if number // strip != a:
            a = number // strip
            if movers.class_A[a] != c:
                c = movers.class_A[a]
                rerolls = arrays.class_C[c].rerolls
                size = list_outcomes(arrays, c, legal)
                write_options(arrays, c, size.boxes, len(lattice_index.ways_R), legal)
            list_successors(arrays, movers, a, n_others, size.slots, legal, aims)
        b = first_b + number % strip
        pair = b * n_movers + a
        low, high = here.low_P[pair], here.high_P[pair]
        if low == high:
            continue
        start = here.start_P[pair] - low
        locate_reads(arrays, b, size.slots, after, legal, aims)
        for difference in range(low, high, WIDTH):
            ahead = 1 - WIDTH - difference  # the lowest difference, seen by the player to move
            for slot in range(1, size.slots):
                store(legal.value, slot * WIDTH, read(after.values, aims, slot, ahead))
            if len(here.ties) == 0:
                value = turn_value(rerolls, tables, size.boxes, lattice_index, legal, turn.point)
            else:
                for slot in range(1, size.slots):
                    store(turn.second, slot * WIDTH, read(after.ties, aims, slot, ahead))
                two_quantity_turn(rerolls, tables, size.boxes, lattice_index, turn, equal, True)
                value = mean_first_roll(turn.point, lattice_index)
                tie = mean_first_roll(turn.rest, lattice_index)
                store(here.ties, start + difference, reverse(tie))
            store(here.values, start + difference, reverse(sub(fill(1.0), value)))
        store(here.values, start + low - WIDTH, fill(0.0))
        store(here.values, start + high, fill(1.0))
        if len(here.ties) > 0:
            store(here.ties, start + low - WIDTH, fill(0.0))
            store(here.ties, start + high, fill(0.0))
