"""The forward pass over a layer: the distribution of scores in each row of states after a turn.

Each row has a distribution of the points so far, and a distribution of each *count* (axis
``T``), for example the number of jokers. An outcome adds its points to the score, and 0 or 1 to
each count.

A row is a lane in the window of a class (:mod:`rollwise.model.arrays`). The first row contains all
lanes from which the bonus is out of reach, because their policies and values are the same. In all
other rows the points do not include the upper-section total, which is the lane. This makes their
windows short.

One thread computes each row and adds its sources in a fixed order, so the number of threads does
not change the results.
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


class RowDistributions(NamedTuple):
    """The distributions of points and counts in each row of a layer."""

    # The first class of the layer.
    first: int
    # The window of possible points of each row.
    rows: Rows
    # A vector of zeros, then the probability of each number of points, row by row. Zeros fill the
    # last vector of each row, and another vector of zeros follows it.
    points: NDArray[np.float64]
    # A vector of zeros, then the distributions of the counts. The probability that count t equals n
    # in row x is at the index ``counts_X[x] + t * width + n``.
    counts: NDArray[np.float64]
    counts_X: NDArray[np.int64]
    # A multiple of ``WIDTH``, greater than the highest count; 0 if only the windows are computed.
    width: int


class Flow(NamedTuple):
    """The arguments of the forward pass from one layer to the next."""

    played: LayerPolicy
    # The first slot of each category in each class, and one past the last: (classes, K + 1).
    slot_C_K: NDArray[np.int64]
    # The number that each outcome adds to each count, 0 or 1.
    count_T_O: NDArray[np.int64]
    # The distributions before and after the turn.
    sources: RowDistributions
    targets: RowDistributions


class PullScratch(NamedTuple):
    """Scratch arrays for the M transitions from the R rows of one class to another class."""

    legal: LegalOutcomes
    # One outcome of each transition.
    outcome_M: NDArray[np.int64]
    # The probability of each transition from each row.
    share_M_R: Floats

    @classmethod
    def of(cls, arrays: Arrays, lattice_index: LatticeIndex) -> "PullScratch":
        """Return scratch arrays for a game."""
        moves, rows = len(arrays.outcome_O), -(-arrays.lanes // WIDTH) * WIDTH
        shares = aligned(moves * rows).reshape(moves, rows)
        return cls(LegalOutcomes.of(arrays, lattice_index), np.empty(moves, dtype=np.int64), shares)


@inlined
def same_transition(
    arrays: Arrays, legal: LegalOutcomes, slot: int, other: int, flow: Flow
) -> bool:
    """Return whether two slots cause the same transition in all rows."""
    o, p = legal.outcome_of_slot[slot], legal.outcome_of_slot[other]
    outcome, candidate = arrays.outcome_O[o], arrays.outcome_O[p]
    for t in range(len(flow.count_T_O)):
        if flow.count_T_O[t, o] != flow.count_T_O[t, p]:
            return False
    return (
        outcome.category == candidate.category
        and outcome.shift == candidate.shift
        and outcome.total_points == candidate.total_points
        and legal.row_of_slot[slot] == legal.row_of_slot[other]
    )


@inlined
def clear(distributions: RowDistributions, c: int, n_counts: int) -> None:
    """Set the distributions of points and of ``n_counts`` counts of class ``c`` to zero."""
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
    """Add ``share`` times the distribution of points of row x, shifted by ``step``, to row y.

    Row y is written in whole vectors. The first and the last vector can read row x outside its
    window, where it is zero.
    """
    part, rows, rows_after = fill(share), flow.sources.rows, flow.targets.rows
    moved = rows.low_X[x] + step - rows_after.low_X[y]
    write, read = rows_after.start_X[y], rows.start_X[x] - moved
    end = moved + rows.high_X[x] - rows.low_X[x]
    for i in range(moved // WIDTH * WIDTH, end, WIDTH):
        points = mul(part, load(flow.sources.points, read + i))
        total = add(load(flow.targets.points, write + i), points)
        store(flow.targets.points, write + i, total)


@inlined
def move_counts(flow: Flow, x: int, share: float, o: int, y: int) -> None:
    """Add ``share`` times the distributions of counts of row x, after outcome ``o``, to row y."""
    part, sources, targets = fill(share), flow.sources, flow.targets
    for t in range(len(flow.count_T_O)):
        read = sources.counts_X[x] + t * sources.width - flow.count_T_O[t, o]
        write = targets.counts_X[y] + t * targets.width
        for i in range(0, sources.width, WIDTH):
            moved = mul(part, load(sources.counts, read + i))
            store(targets.counts, write + i, add(load(targets.counts, write + i), moved))


@inlined
def transition_row(flow: Flow, x: int, share: float, step: int, o: int, y: int) -> None:
    """Add ``share`` times the distributions of row x to row y, after outcome ``o``.

    The outcome adds ``step`` points. If only windows are computed, widen the window of row y.
    """
    rows, rows_after = flow.sources.rows, flow.targets.rows
    if flow.targets.width == 0:
        rows_after.low_X[y] = min(rows_after.low_X[y], rows.low_X[x] + step)
        rows_after.high_X[y] = max(rows_after.high_X[y], rows.high_X[x] + step)
    else:
        move_points(flow, x, share, step, y)
        move_counts(flow, x, share, o, y)


@inlined
def list_transitions(
    source: int, k: int, target: int, scratch: PullScratch, arrays: Arrays, flow: Flow
) -> int:
    """Write the transitions between two classes by filling category ``k``; return their number."""
    legal, played, i = scratch.legal, flow.played, source - flow.played.first
    lanes = arrays.class_C[source].last_lane - arrays.class_C[source].first_lane + 1
    slot, last = flow.slot_C_K[i, k], flow.slot_C_K[i, k + 1]
    slots = flow.slot_C_K[i, len(arrays.category_K)]
    list_category(arrays, source, k, slot, legal)
    moves = 0
    while slot < last:
        end = slot + 1
        if legal.row_of_slot[slot] == target:
            while end < last and same_transition(arrays, legal, slot, end, flow):
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
def add_transitions(
    source: int, k: int, target: int, scratch: PullScratch, arrays: Arrays, flow: Flow
) -> None:
    """Add the distributions that reach ``target`` from ``source`` by filling category ``k``."""
    here, there = arrays.class_C[source], arrays.class_C[target]
    rows = flow.sources.rows
    first_x = rows.first_row_C[source - flow.sources.first]
    y = flow.targets.rows.first_row_C[target - flow.targets.first]
    moves = list_transitions(source, k, target, scratch, arrays, flow)
    for lane_after in range(there.first_lane, there.last_lane + 1):
        for m in range(moves):
            outcome = arrays.outcome_O[scratch.outcome_M[m]]
            # Only one lane leads to each row, with two exceptions. All lanes from which the bonus
            # will be out of reach lead to the first row. All lanes that reach the last bonus
            # threshold lead to the last lane.
            lane = lane_after - outcome.shift
            low = here.first_lane if lane_after == there.first_lane else max(lane, here.first_lane)
            high = here.last_lane if lane_after == arrays.lanes - 1 else min(lane, here.last_lane)
            for before in range(low, high + 1):
                r = before - here.first_lane
                share = scratch.share_M_R[m, r]
                if share > 0.0 and rows.low_X[first_x + r] < rows.high_X[first_x + r]:
                    step = outcome.total_points + (before if r > 0 else 0)
                    step -= lane_after if lane_after > there.first_lane else 0
                    transition_row(flow, first_x + r, share, step, scratch.outcome_M[m], y)
        y += 1


@compiled
def forward_classes(
    first: int, last: int, scratch: PullScratch, arrays: Arrays, flow: Flow
) -> None:
    """Compute the distributions of classes ``first .. last - 1`` of ``flow.targets``."""
    n_saved = arrays.class_S.shape[1] // arrays.sets  # how many numbers of saved rolls exist
    for target in range(first, last):
        there = arrays.class_C[target]
        if flow.targets.width > 0:
            clear(flow.targets, target, len(flow.count_T_O))
        for k in range(len(arrays.category_K)):
            category = arrays.category_K[k]
            if there.mask >> k & 1 == 0 or there.mask & category.following != 0:
                continue
            set_before = there.code % arrays.sets - category.stride
            for number in range(2 * n_saved):
                source = arrays.class_S[number % 2, set_before + number // 2 * arrays.sets]
                if source >= 0:
                    add_transitions(source, k, target, scratch, arrays, flow)


@compiled
def reach_probabilities(
    first: int,
    last: int,
    legal: LegalOutcomes,
    arrays: Arrays,
    distributions: RowDistributions,
    out: Floats,
) -> None:
    """Write the probability of reaching each row to ``out``, shape (classes, L)."""
    rows = distributions.rows
    for i in range(first - distributions.first, last - distributions.first):
        for x in range(rows.first_row_C[i], rows.first_row_C[i + 1]):
            if rows.low_X[x] < rows.high_X[x]:
                for n in range(distributions.width):
                    out[i, x - rows.first_row_C[i]] += distributions.counts[
                        distributions.counts_X[x] + n
                    ]


@compiled
def outcome_probabilities(
    first: int,
    last: int,
    legal: LegalOutcomes,
    arrays: Arrays,
    played: LayerPolicy,
    visits_C_L: Floats,
    out: Floats,
) -> None:
    """Write the probability of each outcome from each class to ``out``, shape (classes, O).

    ``visits_C_L`` has the probability of reaching each state of these classes.
    """
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
