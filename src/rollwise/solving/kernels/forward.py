"""The forward pass over a layer: the distribution of scores in each row of states after a turn.

Each row of states has the probability of each score so far. Each state adds its probabilities to
the rows of its successors: for each outcome it adds whole vectors, shifted by the points of the
outcome. Each sum has a fixed order, so the number of threads does not change the results.

:func:`forward_by_policy` follows a stored policy, which does not depend on the score. It also
computes the distribution of each *count* (axis ``T``), for example the number of jokers. An outcome
adds 0 or 1 to each count. One call fills one category, which leads from different sets of
categories to different sets. Threads with different sets therefore write to different rows.

:func:`forward_by_score` computes the policy of an objective of the final score, once for each
score. The caller must ensure that two classes of one call do not lead to the same class.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rollwise.solving.kernels.compiler import compiled, inlined
from rollwise.solving.kernels.legal_outcomes import (
    Arrays,
    Game,
    LegalOutcomes,
    list_options,
    list_outcomes,
    may_fill,
)
from rollwise.solving.kernels.policy import (
    LayerPolicy,
    TieRule,
    start_of_row,
    turn_policy,
)
from rollwise.solving.kernels.rows import find_reads, row_after
from rollwise.solving.kernels.score import (
    ScoreLayer,
    ScoreParameters,
    find_tie_breakers,
    read_with_tie_breakers,
)
from rollwise.solving.kernels.vector import (
    WIDTH,
    Floats,
    add,
    fill,
    load,
    mul,
    store,
)
from rollwise.solving.kernels.work import Work
from rollwise.solving.rows import NONE, Rows


class RowDistributions(NamedTuple):
    """The distributions of the score and of the counts in the rows of one layer."""

    # The first row of the layer.
    first: int
    # The probability of each score in the window of each row, indexed by :class:`Rows`. Zeros fill
    # the last vector of each row, and another vector of zeros follows.
    points: Floats
    # The probability of each number for each count, shape (1 + rows, T, N). N is a multiple of
    # ``WIDTH``, greater than the highest count. The first entry, before all rows, contains zeros.
    counts: Floats


class Flow(NamedTuple):
    """The distributions before and after a turn that starts in a layer."""

    # The first class of the layer.
    first: int
    # The windows of the rows of all classes. They contain all scores with a positive probability.
    rows: Rows
    # The number that each outcome adds to each count, 0 or 1.
    count_T_O: NDArray[np.int64]
    here: RowDistributions
    after: RowDistributions
    # The probability of each outcome from each class of the layer.
    taken_C_O: Floats


@inlined
def is_reached(rows: Rows, c: int) -> bool:
    """Return whether any row of class ``c`` is reachable."""
    reached = False
    for x in range(rows.first_row_C[c], rows.first_row_C[c + 1]):
        reached = reached or rows.low_X[x] != NONE
    return reached


@inlined
def same_transition(
    arrays: Arrays, legal: LegalOutcomes, slot: int, other: int, count_T_O: NDArray[np.int64]
) -> bool:
    """Return whether two slots cause the same transition in all rows."""
    o, p = legal.outcome_of_slot[slot], legal.outcome_of_slot[other]
    outcome, candidate = arrays.outcome_O[o], arrays.outcome_O[p]
    for t in range(len(count_T_O)):
        if count_T_O[t, o] != count_T_O[t, p]:
            return False
    return (
        outcome.category == candidate.category
        and outcome.shift == candidate.shift
        and outcome.total_points == candidate.total_points
        and legal.class_of_slot[slot] == legal.class_of_slot[other]
    )


@inlined
def move_points(flow: Flow, x: int, share: float, step: int, y: int) -> None:
    """Add ``share`` times the distribution of scores of row x, shifted by ``step``, to row y."""
    rows, part, here, after = flow.rows, fill(share), flow.here.points, flow.after.points
    write = rows.start_X[y] + rows.low_X[x] + step - rows.low_X[y]
    for i in range(0, rows.high_X[x] - rows.low_X[x], WIDTH):
        moved = mul(part, load(here, rows.start_X[x] + i))
        store(after, write + i, add(load(after, write + i), moved))


@inlined
def move_counts(flow: Flow, x: int, share: float, o: int, y: int) -> None:
    """Add ``share`` times the distributions of counts of row x, after outcome ``o``, to row y."""
    part, here, after = fill(share), flow.here, flow.after
    n_counts, width, width_after = here.counts.shape[1], here.counts.shape[2], after.counts.shape[2]
    read = (1 + x - here.first) * n_counts * width
    write = (1 + y - after.first) * n_counts * width_after
    for t in range(n_counts):
        added = flow.count_T_O[t, o]
        for i in range(0, width, WIDTH):
            moved = mul(part, load(here.counts, read + i - added))  # the element before is 0
            store(after.counts, write + i, add(load(after.counts, write + i), moved))
        read += width
        write += width_after


@compiled
def outcomes_by_policy(
    first: int,
    last: int,
    work: Work,
    game: Game,
    played: LayerPolicy,
    flow: Flow,
) -> None:
    """Add the probability of each outcome from classes ``first .. last - 1`` to ``taken_C_O``."""
    arrays, legal, rows = game.arrays, work.legal, flow.rows
    for c in range(first, last):
        slots = list_outcomes(arrays, c, legal).slots
        for x in range(rows.first_row_C[c], rows.first_row_C[c + 1]):
            if rows.low_X[x] == NONE:
                continue
            visited = 0.0
            for probability in flow.here.counts[1 + x - flow.here.first, 0]:
                visited += probability
            at = start_of_row(played, c, x - rows.first_row_C[c], slots)
            for slot in range(1, slots):
                taken = visited * played.probabilities[at + slot * WIDTH]
                flow.taken_C_O[c - flow.first, legal.outcome_of_slot[slot]] += taken


@inlined
def move(
    c: int, slot: int, end: int, slots: int, work: Work, game: Game, played: LayerPolicy, flow: Flow
) -> None:
    """Add the distributions after slots ``slot .. end - 1``, which cause the same transition."""
    arrays, legal, rows, vector = game.arrays, work.legal, flow.rows, work.vector
    o, after, first = legal.outcome_of_slot[slot], legal.class_of_slot[slot], rows.first_row_C[c]
    for x in range(first, rows.first_row_C[c + 1]):
        r = x - first
        if r % WIDTH == 0:
            at = start_of_row(played, c, r, slots)
            total = load(played.probabilities, at + slot * WIDTH)
            for other in range(slot + 1, end):
                total = add(total, load(played.probabilities, at + other * WIDTH))
            store(vector, 0, total)
        share = vector[r % WIDTH]
        if share > 0.0 and rows.low_X[x] != NONE:
            lane = arrays.class_C[c].first_lane + r
            y = row_after(arrays, rows.first_row_C, after, lane, o)
            move_points(flow, x, share, arrays.outcome_O[o].total_points, y)
            move_counts(flow, x, share, o, y)


@compiled
def forward_by_policy(
    first: int,
    last: int,
    work: Work,
    game: Game,
    k: int,
    copies: int,
    played: LayerPolicy,
    flow: Flow,
) -> None:
    """Add the distributions after one turn that fills category ``k`` to the next layer.

    The classes of the layer are in groups of ``copies`` classes that differ only in their saved
    rolls. The turn starts from groups ``first .. last - 1``.
    """
    arrays, legal = game.arrays, work.legal
    for c in range(flow.first + first * copies, flow.first + last * copies):
        if not (may_fill(arrays, c, k) and is_reached(flow.rows, c)):
            continue
        slots = list_outcomes(arrays, c, legal).slots
        slot = 1
        while slot < slots:
            end = slot + 1
            if arrays.outcome_O[legal.outcome_of_slot[slot]].category == k:
                while end < slots and same_transition(arrays, legal, slot, end, flow.count_T_O):
                    end += 1
                move(c, slot, end, slots, work, game, played, flow)
            slot = end


@inlined
def copy_probabilities(here: Floats, start: int, length: int, mass: Floats) -> bool:
    """Copy up to ``WIDTH`` probabilities to ``mass``, and return whether any is positive.

    The probabilities begin at ``here[start]``, and ``length`` of them remain.
    """
    positive = False
    for i in range(WIDTH):
        mass[i] = here[start + i] if i < length else 0.0
        positive = positive or mass[i] > 0.0
    return positive


@inlined
def add_outcomes(work: Work, slots: int, score: int, after: Floats) -> None:
    """Add the probability of each slot to its row in ``after``, for ``WIDTH`` scores."""
    mass = load(work.vector, 0)
    for slot in range(1, slots):
        share = mul(mass, load(work.slot_probability, slot * WIDTH))
        store(work.total, slot * WIDTH, add(load(work.total, slot * WIDTH), share))
        at = score + work.writes.offset[slot]
        store(after, at, add(load(after, at), share))


@compiled
def forward_by_score(
    first: int,
    last: int,
    work: Work,
    game: Game,
    rows: Rows,
    terms: ScoreParameters,
    layer: ScoreLayer,
    flow: Flow,
) -> None:
    """Add the distributions of scores after one turn to the next layer.

    The turn starts from the states in ``layer.classes[first:last]``. Outside the windows of
    ``rows``, the policy maximizes the expected score.
    """
    arrays = game.arrays
    legal, reads = work.legal, work.reads
    reached = flow.rows
    here, after = flow.here.points, flow.after.points
    tie = TieRule(0.0, 0.0)
    for i in range(first, last):
        c = layer.classes[i]
        if not is_reached(reached, c):
            continue
        turn = list_options(game, c, legal)
        for slot in range(1, turn.slots):
            store(work.total, slot * WIDTH, fill(0.0))
        for x in range(rows.first_row_C[c], rows.first_row_C[c + 1]):
            if reached.low_X[x] == NONE:
                continue
            lane = arrays.class_C[c].first_lane + x - rows.first_row_C[c]
            find_reads(arrays, rows, lane, turn.slots, legal, reads)
            find_reads(arrays, reached, lane, turn.slots, legal, work.writes)
            start = reached.start_X[x] - reached.low_X[x]
            low = min(max(rows.low_X[x], reached.low_X[x]), reached.high_X[x])
            high = min(max(rows.high_X[x], low), reached.high_X[x])
            # Below the window, above it, and in it.
            begins = reached.low_X[x], high, low
            ends = low, reached.high_X[x], high
            for part in range(3):
                inside, end = part == 2, ends[part]
                tie_weight = terms.tie_weight if inside else 1.0
                find_tie_breakers(arrays, turn.slots, tie_weight, terms.remaining_X, work)
                for slot in range(1, turn.slots):
                    store(legal.value, slot * WIDTH, fill(work.tie_breaker[slot]))
                solved = False  # outside the window, the policy is the same for all scores
                for score in range(begins[part], end, WIDTH):
                    if not copy_probabilities(here, start + score, end - score, work.vector):
                        continue
                    if inside:
                        read_with_tie_breakers(score, turn.slots, layer.after, work)
                    if inside or not solved:
                        turn_policy(turn, game, tie, work)
                        solved = True
                    add_outcomes(work, turn.slots, score, after)
        for slot in range(1, turn.slots):
            for i in range(WIDTH):
                taken = work.total[slot * WIDTH + i]
                flow.taken_C_O[c - flow.first, legal.outcome_of_slot[slot]] += taken
