"""The forward sweep: where a strategy's games are after each turn, and how they fared.

Two things are known of the games on each row of cards: the law of their points, and the laws of
some *counts* (jokers, say). An outcome moves the points on by its worth, each count by 0 or 1.

Rows stand for the lanes of a class's window (:mod:`rollwise.model.arrays`). The first one stands
for all lanes from which the bonus is out of reach: they are played alike, and end alike. The total
of points is upper + the rest, so the other rows leave their lane out of the points, and are short.

Every row is summed by one thread, over sources in a fixed order: the result does not depend on
threads.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rollwise.solving.kernels.compiler import compiled, inlined
from rollwise.solving.kernels.lattice_index import LatticeIndex
from rollwise.solving.kernels.legal_outcomes import (
    Arrays,
    LegalOutcomes,
    list_category,
    list_outcomes,
)
from rollwise.solving.kernels.policy import LayerPolicy
from rollwise.solving.kernels.score import Rows
from rollwise.solving.kernels.vector import (
    WIDTH,
    Floats,
    add,
    aligned,
    fill,
    load,
    mul,
    store,
    store_at,
)


class Laws(NamedTuple):
    """What is known of the games on each row of a layer.

    Attributes
    ----------
    first : int
        The first class of the layer.
    rows : Rows
        With the points that can occur.
    points : float64 array
        A vector of zeros, then the probability of each number of points, laid out so; after each
        row zeros up to a whole vector and one vector more.
    counts : float64 array
        A vector of zeros, then the probability of n in count t at ``counts_X[x] + t * width + n``.
    counts_X : int64 array of shape (X,)
    width : int
        Whole vectors, at least one number longer than what can occur; 0 where there is no room
        yet, and only the windows of rows are asked for.
    """

    first: int
    rows: Rows
    points: NDArray[np.float64]
    counts: NDArray[np.float64]
    counts_X: NDArray[np.int64]
    width: int


class Flow(NamedTuple):
    """One turn of all games.

    Attributes
    ----------
    played : rollwise.solving.kernels.policy.LayerPolicy
        How the layer is played that they come from.
    slot_C_K : int64 array of shape (classes, K + 1)
        The first slot of each category of its classes, and one past the last one.
    count_T_O : int64 array of shape (counts, O)
        What an outcome adds to each count, 0 or 1.
    sources, targets : Laws
        Of that layer, and of the next one.
    """

    played: LayerPolicy
    slot_C_K: NDArray[np.int64]
    count_T_O: NDArray[np.int64]
    sources: Laws
    targets: Laws


class PullScratch(NamedTuple):
    """What a sweep needs room for: a menu, and moves from one class to another.

    Attributes
    ----------
    legal : LegalOutcomes
    outcome_M : int64 array
        An outcome that each move stands for.
    share_M_R : float64 array
        The probability of each move on each row of the class, whole vectors a move.
    """

    legal: LegalOutcomes
    outcome_M: NDArray[np.int64]
    share_M_R: Floats

    @classmethod
    def of(cls, arrays: Arrays, lattice_index: LatticeIndex) -> "PullScratch":
        """Return the room for a game."""
        moves, rows = len(arrays.outcome_O), -(-arrays.lanes // WIDTH) * WIDTH
        shares = aligned(moves * rows).reshape(moves, rows)
        return cls(LegalOutcomes.of(arrays, lattice_index), np.empty(moves, dtype=np.int64), shares)


@inlined
def same_move(arrays: Arrays, legal: LegalOutcomes, slot: int, other: int, flow: Flow) -> bool:
    """Return whether two slots move all rows alike."""
    o, p = legal.outcome_of_slot[slot], legal.outcome_of_slot[other]
    one, two = arrays.outcome_O[o], arrays.outcome_O[p]
    for t in range(len(flow.count_T_O)):
        if flow.count_T_O[t, o] != flow.count_T_O[t, p]:
            return False
    return (
        one.category == two.category
        and one.shift == two.shift
        and one.step == two.step
        and legal.row_of_slot[slot] == legal.row_of_slot[other]
    )


@inlined
def clear(distributions: Laws, c: int, n_counts: int) -> None:
    """Set the laws of class ``c`` to zero."""
    rows = distributions.rows
    for x in range(
        rows.first_row_C[c - distributions.first], rows.first_row_C[c - distributions.first + 1]
    ):
        if rows.low_X[x] < rows.high_X[x]:
            vectors = (rows.high_X[x] - rows.low_X[x] + WIDTH - 1) // WIDTH + 1
            for i in range(vectors):
                store(distributions.points, rows.start_X[x] + i * WIDTH, fill(0.0))
            for i in range(n_counts * (distributions.width // WIDTH)):
                store(distributions.counts, distributions.counts_X[x] + i * WIDTH, fill(0.0))


@inlined
def move_points(flow: Flow, x: int, share: float, step: int, y: int) -> None:
    """Add ``share`` of the points of row x, moved on by ``step``, to those of row y.

    Whole vectors of row y are written, and those of row x read where they stand then: in zeros, at
    the ends.
    """
    part, rows, rows_after = fill(share), flow.sources.rows, flow.targets.rows
    moved = rows.low_X[x] + step - rows_after.low_X[y]
    write, read = rows_after.start_X[y], rows.start_X[x] - moved
    end = moved + rows.high_X[x] - rows.low_X[x]
    for i in range(moved // WIDTH * WIDTH, end, WIDTH):
        points = mul(part, load(flow.sources.points, read + i))
        there = add(load(flow.targets.points, write + i), points)
        store(flow.targets.points, write + i, there)


@inlined
def move_counts(flow: Flow, x: int, share: float, o: int, y: int) -> None:
    """Add ``share`` of the counts of row x, moved on as outcome ``o`` does, to those of row y."""
    part, sources, targets = fill(share), flow.sources, flow.targets
    for t in range(len(flow.count_T_O)):
        read = sources.counts_X[x] + t * sources.width - flow.count_T_O[t, o]
        write = targets.counts_X[y] + t * targets.width
        for i in range(0, sources.width, WIDTH):
            moved = mul(part, load(sources.counts, read + i))
            store(targets.counts, write + i, add(load(targets.counts, write + i), moved))


@inlined
def move_row(flow: Flow, x: int, share: float, step: int, o: int, y: int) -> None:
    """Add ``share`` of row x, ``step`` points on and as outcome ``o`` counts, to row y."""
    rows, rows_after = flow.sources.rows, flow.targets.rows
    if flow.targets.width == 0:
        rows_after.low_X[y] = min(rows_after.low_X[y], rows.low_X[x] + step)
        rows_after.high_X[y] = max(rows_after.high_X[y], rows.high_X[x] + step)
    else:
        move_points(flow, x, share, step, y)
        move_counts(flow, x, share, o, y)


@inlined
def list_moves(
    source: int, k: int, target: int, scratch: PullScratch, arrays: Arrays, flow: Flow
) -> int:
    """List the moves that fill category ``k`` from one class to another; return how many."""
    legal, played, i = scratch.legal, flow.played, source - flow.played.first
    lanes = arrays.class_C[source].last_lane - arrays.class_C[source].first_lane + 1
    slot, last = flow.slot_C_K[i, k], flow.slot_C_K[i, k + 1]
    slots = flow.slot_C_K[i, len(arrays.category_K)]
    list_category(arrays, source, k, slot, legal)
    moves = 0
    while slot < last:
        end = slot + 1
        if legal.row_of_slot[slot] == target:
            while end < last and same_move(arrays, legal, slot, end, flow):
                end += 1
            at = played.starts_C[i]
            for r in range(0, lanes, WIDTH):
                total = load(played.probabilities, at + slot * WIDTH)
                for other in range(slot + 1, end):
                    total = add(total, load(played.probabilities, at + other * WIDTH))
                store_at(scratch.share_M_R, moves, r, total)
                at += slots * WIDTH
            scratch.outcome_M[moves] = legal.outcome_of_slot[slot]
            moves += 1
        slot = end
    return moves


@inlined
def pull_from(
    source: int, k: int, target: int, scratch: PullScratch, arrays: Arrays, flow: Flow
) -> None:
    """Move the games that fill category ``k`` from one class to another, row by row of that."""
    here, there = arrays.class_C[source], arrays.class_C[target]
    rows = flow.sources.rows
    first_x = rows.first_row_C[source - flow.sources.first]
    y = flow.targets.rows.first_row_C[target - flow.targets.first]
    moves = list_moves(source, k, target, scratch, arrays, flow)
    for lane_after in range(there.first_lane, there.last_lane + 1):
        for m in range(moves):
            outcome = arrays.outcome_O[scratch.outcome_M[m]]
            # One lane leads there; but all to the first row from which the bonus is out of reach
            # then, and all to the last lane from which it is reached.
            lane = lane_after - outcome.shift
            low = here.first_lane if lane_after == there.first_lane else max(lane, here.first_lane)
            high = here.last_lane if lane_after == arrays.lanes - 1 else min(lane, here.last_lane)
            for before in range(low, high + 1):
                r = before - here.first_lane
                share = scratch.share_M_R[m, r]
                if share > 0.0 and rows.low_X[first_x + r] < rows.high_X[first_x + r]:
                    step = outcome.step + (before if r > 0 else 0)
                    step -= lane_after if lane_after > there.first_lane else 0
                    move_row(flow, first_x + r, share, step, scratch.outcome_M[m], y)
        y += 1


@compiled
def pull(first: int, last: int, scratch: PullScratch, arrays: Arrays, flow: Flow) -> None:
    """Fill the rows of classes ``first .. last - 1`` of ``flow.targets``."""
    n_saved = arrays.class_S.shape[1] // arrays.sets  # how many rolls can be saved, and none
    for target in range(first, last):
        there = arrays.class_C[target]
        if flow.targets.width > 0:
            clear(flow.targets, target, len(flow.count_T_O))
        for k in range(len(arrays.category_K)):
            category = arrays.category_K[k]
            if there.mask >> k & 1 == 0 or there.mask & category.behind != 0:
                continue
            set_before = there.code % arrays.sets - category.stride
            for number in range(2 * n_saved):
                source = arrays.class_S[number % 2, set_before + number // 2 * arrays.sets]
                if source >= 0:
                    pull_from(source, k, target, scratch, arrays, flow)


@compiled
def visits(
    first: int, last: int, legal: LegalOutcomes, arrays: Arrays, distributions: Laws, out: Floats
) -> None:
    """Write the probability of being on each row of each class to ``out``, (classes, L)."""
    rows = distributions.rows
    for i in range(first - distributions.first, last - distributions.first):
        for x in range(rows.first_row_C[i], rows.first_row_C[i + 1]):
            if rows.low_X[x] < rows.high_X[x]:
                for n in range(distributions.width):
                    out[i, x - rows.first_row_C[i]] += distributions.counts[
                        distributions.counts_X[x] + n
                    ]


@compiled
def outcome_masses(
    first: int,
    last: int,
    legal: LegalOutcomes,
    arrays: Arrays,
    played: LayerPolicy,
    visits_C_L: Floats,
    out: Floats,
) -> None:
    """Write the probability that a game takes each outcome from each class to ``out``, (C, O)."""
    for c in range(first, last):
        i = c - played.first
        slots = list_outcomes(arrays, c, legal).slots
        for r in range(arrays.class_C[c].last_lane - arrays.class_C[c].first_lane + 1):
            if visits_C_L[i, r] == 0.0:
                continue
            block = played.starts_C[i] + r // WIDTH * slots * WIDTH + r % WIDTH
            for slot in range(1, slots):
                probability = played.probabilities[block + slot * WIDTH]
                out[i, legal.outcome_of_slot[slot]] += visits_C_L[i, r] * probability
