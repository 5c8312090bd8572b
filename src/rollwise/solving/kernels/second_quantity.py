"""Policy evaluation and the forward pass for objectives of the final score.

The policy maximizes the objective. Ties are broken in favor of the higher expected score: a *tie
breaker* is added to each value, and is too small to change other decisions. Among sets of dice that
are still tied, the policy keeps more dice, then the dice with the higher faces. Among categories
that are still tied, it scores in the first one in scorecard order.

:func:`second_quantity_by_score` evaluates a second quantity under this policy by backward
induction. Examples are the points to come and the number of turns.

:func:`forward_by_score` computes the distribution of scores in each row by a forward pass. It
computes the policy for each score once. For each outcome, it adds whole vectors of probabilities to
the next layer, shifted by the points of the outcome. The caller must ensure that two classes of one
call do not lead to the same class. Then threads write to different rows, and each sum has a fixed
order.

Arrays, which are float64 except for ``offset`` and ``classes`` (int64):

* By row and score, as :func:`rollwise.solving.kernels.score.backward_by_score` writes them: the
  values of the objective in this and the next layer (``values``, ``values_after``), and the
  probabilities of scores in this and the next layer (``here``, ``after``).
* By row, of shape (X,): the expected points to come under the optimal policy for the expected score
  (``remaining_X``), and the second quantity below and above the window of the row (``below_X``,
  ``above_X``).
* By outcome, of shape (O,): the amount that it adds to the second quantity (``added_O``).
* By slot, of shape (O,): its tie breaker (``tie_breaker``), and the array index in the next layer
  minus the score (``offset``). Of shape (O * WIDTH,): its probability in a class (``total``).
* ``mass``, of shape (WIDTH,), has the probabilities of adjacent scores. ``taken_C_O``, of shape
  (classes of the layer, O), receives the probability of each outcome from each class.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rollwise.solving.kernels.compiler import compiled, inlined
from rollwise.solving.kernels.lattice_index import ForwardIndex, LatticeIndex
from rollwise.solving.kernels.legal_outcomes import Arrays, LegalOutcomes, list_options
from rollwise.solving.kernels.policy import PolicyScratch, TieRule, turn_policy
from rollwise.solving.kernels.score import (
    NONE,
    ReadOffsets,
    Rows,
    ScoreLayer,
    ScoreParameters,
    find_reads,
    pad,
    read,
    row_after,
)
from rollwise.solving.kernels.turn import TwoQuantityScratch, mean_first_roll, two_quantity_turn
from rollwise.solving.kernels.vector import (
    WIDTH,
    Floats,
    add,
    aligned,
    fill,
    load,
    maximum,
    mul,
    store,
    sub,
    where_reaches,
)


class DecisionValues(NamedTuple):
    """The values by which the policy chooses among options.

    ``scale`` is the weight of an expected point in the tie breaker, or 0 for no tie breaker.
    """

    rows: Rows
    values: Floats
    values_after: Floats
    scale: float
    remaining_X: Floats


class SecondQuantity(NamedTuple):
    """A second quantity, to which each turn adds ``each_turn``.

    ``floor`` is the value of restarting. The quantity is 0 where the player restarts.
    """

    added_O: Floats
    each_turn: float
    below_X: Floats
    above_X: Floats
    floor: float


class SecondQuantityScratch(NamedTuple):
    """Scratch arrays for a second quantity."""

    turn: TwoQuantityScratch
    reads: ReadOffsets
    tie_breaker: Floats

    @classmethod
    def of(cls, arrays: Arrays, lattice_index: LatticeIndex) -> "SecondQuantityScratch":
        """Return scratch arrays for a game."""
        turn = TwoQuantityScratch.of(arrays, lattice_index)
        return cls(turn, ReadOffsets.of(arrays), np.zeros(len(arrays.outcome_O)))


@inlined
def find_tie_breakers(
    arrays: Arrays,
    slots: int,
    scale: float,
    guide: DecisionValues,
    legal: LegalOutcomes,
    reads: ReadOffsets,
    tie_breaker: Floats,
) -> None:
    """Set each tie breaker to ``scale`` times the sum of the slot's points and points to come."""
    for slot in range(1, slots):
        step = arrays.outcome_O[legal.outcome_of_slot[slot]].total_points
        tie_breaker[slot] = scale * (step + guide.remaining_X[reads.row[slot]])


@inlined
def value_by_score(
    score: int,
    slots: int,
    after: Floats,
    tie_breaker: Floats,
    legal: LegalOutcomes,
    reads: ReadOffsets,
) -> None:
    """Set each slot to its value plus its tie breaker, for ``WIDTH`` scores from ``score``."""
    for slot in range(1, slots):
        store(
            legal.value, slot * WIDTH, add(read(after, reads, slot, score), fill(tie_breaker[slot]))
        )


@compiled
def second_quantity_by_score(
    first: int,
    last: int,
    scratch: SecondQuantityScratch,
    arrays: Arrays,
    lattice_index: LatticeIndex,
    guide: DecisionValues,
    second: SecondQuantity,
    terms: ScoreParameters,
    layer: ScoreLayer,
) -> None:
    """Compute the second quantity for the rows of ``layer.classes[first:last]``.

    If there is no tie breaker, also write the values of these rows to ``guide.values``.
    """
    turn, reads, rows = scratch.turn, scratch.reads, guide.rows
    legal = turn.legal
    tables = len(arrays.option_T_V_K)
    for i in range(first, last):
        c = layer.classes[i]
        here = arrays.class_C[c]
        size = list_options(arrays, c, lattice_index, legal)
        for x in range(rows.first_row_C[c], rows.first_row_C[c + 1]):
            if rows.low_X[x] == NONE:
                continue
            find_reads(
                arrays, rows, here.first_lane + x - rows.first_row_C[c], size.slots, legal, reads
            )
            find_tie_breakers(
                arrays, size.slots, guide.scale, guide, legal, reads, scratch.tie_breaker
            )
            start = rows.start_X[x] - rows.low_X[x]
            for score in range(rows.low_X[x], rows.high_X[x], WIDTH):
                value_by_score(
                    score, size.slots, guide.values_after, scratch.tie_breaker, legal, reads
                )
                for slot in range(1, size.slots):
                    added = fill(second.added_O[legal.outcome_of_slot[slot]])
                    later = read(layer.after, reads, slot, score)
                    store(turn.second, slot * WIDTH, add(added, later))
                two_quantity_turn(here.rerolls, tables, size.boxes, lattice_index, turn, 0.0)
                if guide.scale == 0.0:
                    value = sub(mean_first_roll(turn.point, lattice_index), fill(terms.price))
                    store(guide.values, start + score, maximum(value, fill(terms.floor)))
                continued = add(mean_first_roll(turn.rest, lattice_index), fill(second.each_turn))
                quantity = where_reaches(
                    fill(second.floor), load(guide.values, start + score), fill(0.0), continued
                )
                store(layer.values, start + score, quantity)
            if guide.scale == 0.0:
                pad(rows, x, terms.below, terms.above, guide.values)
            pad(rows, x, second.below_X[x], second.above_X[x], layer.values)


class ScoreFlow(NamedTuple):
    """The distributions of scores in this and the next layer.

    ``first`` is the first class of the layer, and ``classes`` are the classes that the turn starts
    from. The windows of ``reached`` contain all reachable scores.
    """

    first: int
    classes: NDArray[np.int64]
    reached: Rows
    here: Floats
    after: Floats
    taken_C_O: Floats


class ScoreFlowScratch(NamedTuple):
    """Scratch arrays for the forward pass by score."""

    turn: PolicyScratch
    reads: ReadOffsets
    tie_breaker: Floats
    offset: NDArray[np.int64]
    mass: Floats
    total: Floats

    @classmethod
    def of(cls, arrays: Arrays, lattice_index: LatticeIndex) -> "ScoreFlowScratch":
        """Return scratch arrays for a game."""
        n_outcomes = len(arrays.outcome_O)
        return cls(
            PolicyScratch.of(arrays, lattice_index),
            ReadOffsets.of(arrays),
            np.zeros(n_outcomes),
            np.zeros(n_outcomes, dtype=np.int64),
            aligned(WIDTH),
            aligned(n_outcomes * WIDTH),
        )


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
def add_outcomes(scratch: ScoreFlowScratch, slots: int, score: int, after: Floats) -> None:
    """Add the probability of each slot to its row in ``after``, for ``WIDTH`` scores."""
    mass = load(scratch.mass, 0)
    for slot in range(1, slots):
        share = mul(mass, load(scratch.turn.slot_probability, slot * WIDTH))
        store(scratch.total, slot * WIDTH, add(load(scratch.total, slot * WIDTH), share))
        at = score + scratch.offset[slot]
        store(after, at, add(load(after, at), share))


@compiled
def forward_by_score(
    first: int,
    last: int,
    scratch: ScoreFlowScratch,
    arrays: Arrays,
    lattice_index: LatticeIndex,
    forward_index: ForwardIndex,
    guide: DecisionValues,
    flow: ScoreFlow,
) -> None:
    """Add the distributions of scores after one turn to the next layer.

    The turn starts from the states in ``flow.classes[first:last]``. Outside the windows, the policy
    maximizes the expected score.
    """
    turn, reads, legal = scratch.turn, scratch.reads, scratch.turn.legal
    rows, reached = guide.rows, flow.reached
    tables, tie = len(arrays.option_T_V_K), TieRule(0.0, 0.0)
    for i in range(first, last):
        c = flow.classes[i]
        rerolls = arrays.class_C[c].rerolls
        size = list_options(arrays, c, lattice_index, legal)
        for slot in range(1, size.slots):
            store(scratch.total, slot * WIDTH, fill(0.0))
        for x in range(rows.first_row_C[c], rows.first_row_C[c + 1]):
            if reached.low_X[x] == NONE:
                continue
            lane = arrays.class_C[c].first_lane + x - rows.first_row_C[c]
            find_reads(arrays, rows, lane, size.slots, legal, reads)
            for slot in range(1, size.slots):
                o = legal.outcome_of_slot[slot]
                y = row_after(arrays, reached.first_row_C, legal.row_of_slot[slot], lane, o)
                scratch.offset[slot] = (
                    reached.start_X[y] - reached.low_X[y] + arrays.outcome_O[o].total_points
                )
            start = reached.start_X[x] - reached.low_X[x]
            low, high = rows.low_X[x], rows.high_X[x]
            # Outside the window the policy is the same for all scores. Compute it when needed.
            solved = False
            for part in range(2):
                begin = reached.low_X[x] if part == 0 else high
                end = low if part == 0 else reached.high_X[x]
                for score in range(begin, end, WIDTH):
                    if copy_probabilities(flow.here, start + score, end - score, scratch.mass):
                        if not solved:
                            find_tie_breakers(
                                arrays, size.slots, 1.0, guide, legal, reads, scratch.tie_breaker
                            )
                            for slot in range(1, size.slots):
                                store(legal.value, slot * WIDTH, fill(scratch.tie_breaker[slot]))
                            turn_policy(
                                rerolls, tables, size, lattice_index, forward_index, tie, turn
                            )
                            solved = True
                        add_outcomes(scratch, size.slots, score, flow.after)
            find_tie_breakers(
                arrays, size.slots, guide.scale, guide, legal, reads, scratch.tie_breaker
            )
            for score in range(low, high, WIDTH):
                if copy_probabilities(flow.here, start + score, high - score, scratch.mass):
                    value_by_score(
                        score, size.slots, guide.values_after, scratch.tie_breaker, legal, reads
                    )
                    turn_policy(rerolls, tables, size, lattice_index, forward_index, tie, turn)
                    add_outcomes(scratch, size.slots, score, flow.after)
        for slot in range(1, size.slots):
            for i in range(WIDTH):
                taken = scratch.total[slot * WIDTH + i]
                flow.taken_C_O[c - flow.first, legal.outcome_of_slot[slot]] += taken
