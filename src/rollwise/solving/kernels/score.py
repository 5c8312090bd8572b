r"""Backward induction for values that depend on the points so far.

Each vector contains the values for ``WIDTH`` consecutive scores of a row
(:mod:`rollwise.solving.kernels.rows`).

For row x and score s, let :math:`V'_o = V(y_o, s + p_o)` be the value after outcome o, which has
:math:`p_o` points and leads to row :math:`y_o`. A turn that costs q has the value

.. math:: V(x, s) = \max(T[V'_o] - q, f)

Here T is the value of a turn (:mod:`rollwise.solving.kernels.turn`), and f is the value of
restarting before the turn.

A *second quantity*, such as the points to come or the number of turns, is evaluated under the
policy that maximizes the value. Ties are broken in favor of the higher expected score: a *tie
breaker* of :math:`w (p_o + R(y_o))` is added to each :math:`V'_o`, where w is the weight of an
expected point, and R is the expected points to come under the optimal policy for the expected
score. The tie breakers are too small to change other decisions, and the values do not include them.
Among sets of dice that are still tied, the policy keeps more dice, then the dice with the higher
faces. Among categories that are still tied, it scores in the first one in scorecard order. Outcome
o adds :math:`a_o` to the second quantity, and each turn adds t:

.. math:: Z(x, s) = t + E[a_o + Z(y_o, s + p_o)] \text{ if } V(x, s) > f, \text{ otherwise } 0

As in :mod:`rollwise.solving.kernels.backward`, reads from the L1 and L2 caches limit the speed.
Only about a hundred of the several thousand reads per block are from the next layer.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rollwise.solving.kernels.compiler import compiled, inlined
from rollwise.solving.kernels.legal_outcomes import Arrays, Game, list_options
from rollwise.solving.kernels.rows import find_reads, pad, read
from rollwise.solving.kernels.turn import mean_first_roll, turn_value, two_quantity_turn
from rollwise.solving.kernels.vector import (
    WIDTH,
    Floats,
    add,
    fill,
    maximum,
    store,
    sub,
    where_reaches,
)
from rollwise.solving.kernels.work import Work
from rollwise.solving.rows import NONE, Rows


class ScoreParameters(NamedTuple):
    """The parameters of the Bellman equation for objectives of the final score."""

    # The value of each row below and above its window.
    below: float
    above: float
    # The cost of a turn, and the value of restarting before a turn.
    price: float
    floor: float
    # The weight of an expected point in the tie breakers, or 0 for no tie breakers.
    tie_weight: float
    # The expected points to come from each row under the optimal policy for the expected score,
    # shape (X,).
    remaining_X: Floats


class ScoreLayer(NamedTuple):
    """The classes to solve, and the values of this and the next layer, indexed by :class:`Rows`."""

    classes: NDArray[np.int64]
    values: Floats
    after: Floats


class SecondQuantity(NamedTuple):
    """A second quantity in this and the next layer, indexed by :class:`Rows`."""

    values: Floats
    after: Floats
    # The amounts that each outcome adds, shape (O,), and that each turn adds.
    added_O: Floats
    each_turn: float
    # The second quantity of each row below and above its window, shape (X,).
    below_X: Floats
    above_X: Floats


@inlined
def find_tie_breakers(
    arrays: Arrays, slots: int, tie_weight: float, remaining_X: Floats, work: Work
) -> None:
    """Set each tie breaker to the weight times the sum of the slot's points and points to come."""
    for slot in range(1, slots):
        step = arrays.outcome_O[work.legal.outcome_of_slot[slot]].total_points
        work.tie_breaker[slot] = tie_weight * (step + remaining_X[work.reads.row[slot]])


@inlined
def read_with_tie_breakers(score: int, slots: int, after: Floats, work: Work) -> None:
    """Set each slot to its value plus its tie breaker, for ``WIDTH`` scores from ``score``."""
    for slot in range(1, slots):
        value = add(read(after, work.reads, slot, score), fill(work.tie_breaker[slot]))
        store(work.legal.value, slot * WIDTH, value)


@compiled
def backward_by_score(
    first: int,
    last: int,
    work: Work,
    game: Game,
    rows: Rows,
    terms: ScoreParameters,
    layer: ScoreLayer,
    second: SecondQuantity | None,
) -> None:
    """Compute V in the rows of ``layer.classes[first:last]``, and the second quantity Z if given.

    V goes to ``layer.values``, and Z goes to ``second.values``.
    """
    arrays, lattice_index = game.arrays, game.lattice_index
    legal, reads, breaks_ties = work.legal, work.reads, terms.tie_weight > 0.0
    for i in range(first, last):
        c = layer.classes[i]
        turn = list_options(game, c, legal)
        for x in range(rows.first_row_C[c], rows.first_row_C[c + 1]):
            if rows.low_X[x] == NONE:
                continue
            lane = arrays.class_C[c].first_lane + x - rows.first_row_C[c]
            find_reads(arrays, rows, lane, turn.slots, legal, reads)
            if second is not None:
                find_tie_breakers(arrays, turn.slots, terms.tie_weight, terms.remaining_X, work)
            start = rows.start_X[x] - rows.low_X[x]
            for score in range(rows.low_X[x], rows.high_X[x], WIDTH):
                if second is None or breaks_ties:
                    for slot in range(1, turn.slots):
                        store(legal.value, slot * WIDTH, read(layer.after, reads, slot, score))
                    value = turn_value(turn, game, work)
                if second is not None:
                    read_with_tie_breakers(score, turn.slots, layer.after, work)
                    for slot in range(1, turn.slots):
                        added = fill(second.added_O[legal.outcome_of_slot[slot]])
                        later = read(second.after, reads, slot, score)
                        store(work.second, slot * WIDTH, add(added, later))
                    two_quantity_turn(turn, game, work, 0.0)
                    if not breaks_ties:
                        value = mean_first_roll(work.point, lattice_index)
                value = maximum(sub(value, fill(terms.price)), fill(terms.floor))
                store(layer.values, start + score, value)
                if second is not None:
                    later = add(mean_first_roll(work.rest, lattice_index), fill(second.each_turn))
                    quantity = where_reaches(fill(terms.floor), value, fill(0.0), later)
                    store(second.values, start + score, quantity)
            pad(rows, x, terms.below, terms.above, layer.values)
            if second is not None:
                pad(rows, x, second.below_X[x], second.above_X[x], second.values)
