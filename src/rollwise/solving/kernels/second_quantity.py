"""Policy evaluation for objectives of the final score.

The policy maximizes the objective. Ties are broken in favor of the higher expected score: a *tie
breaker* is added to each value, and is too small to change other decisions. Among sets of dice that
are still tied, the policy keeps more dice, then the dice with the higher faces. Among categories
that are still tied, it scores in the first one in scorecard order.

:func:`second_quantity_by_score` evaluates a second quantity under this policy by backward
induction. Examples are the points to come and the number of turns.

Arrays, which are float64:

* By row and score, as :func:`rollwise.solving.kernels.score.backward_by_score` writes them: the
  values of the objective in this and the next layer (``values``, ``values_after``).
* By row, of shape (X,): the expected points to come under the optimal policy for the expected score
  (``remaining_X``), and the second quantity below and above the window of the row (``below_X``,
  ``above_X``).
* By outcome, of shape (O,): the amount that it adds to the second quantity (``added_O``).
* By slot, of shape (O,): its tie breaker (``tie_breaker``).
"""

from typing import NamedTuple

from rollwise.solving.kernels.compiler import compiled, inlined
from rollwise.solving.kernels.legal_outcomes import Arrays, Game, LegalOutcomes, list_options
from rollwise.solving.kernels.score import (
    NONE,
    Rows,
    ScoreLayer,
    ScoreParameters,
    find_reads,
    pad,
    read,
)
from rollwise.solving.kernels.turn import mean_first_roll, two_quantity_turn
from rollwise.solving.kernels.vector import (
    WIDTH,
    Floats,
    add,
    fill,
    load,
    maximum,
    store,
    sub,
    where_reaches,
)
from rollwise.solving.kernels.work import ReadOffsets, Work


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
    work: Work,
    game: Game,
    guide: DecisionValues,
    second: SecondQuantity,
    terms: ScoreParameters,
    layer: ScoreLayer,
) -> None:
    """Compute the second quantity for the rows of ``layer.classes[first:last]``.

    If there is no tie breaker, also write the values of these rows to ``guide.values``.
    """
    arrays, lattice_index = game.arrays, game.lattice_index
    legal, reads, rows = work.legal, work.reads, guide.rows
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
                arrays, size.slots, guide.scale, guide, legal, reads, work.tie_breaker
            )
            start = rows.start_X[x] - rows.low_X[x]
            for score in range(rows.low_X[x], rows.high_X[x], WIDTH):
                value_by_score(
                    score, size.slots, guide.values_after, work.tie_breaker, legal, reads
                )
                for slot in range(1, size.slots):
                    added = fill(second.added_O[legal.outcome_of_slot[slot]])
                    later = read(layer.after, reads, slot, score)
                    store(work.second, slot * WIDTH, add(added, later))
                two_quantity_turn(here.rerolls, tables, size.n_open, lattice_index, work, 0.0)
                if guide.scale == 0.0:
                    value = sub(mean_first_roll(work.point, lattice_index), fill(terms.price))
                    store(guide.values, start + score, maximum(value, fill(terms.floor)))
                continued = add(mean_first_roll(work.rest, lattice_index), fill(second.each_turn))
                quantity = where_reaches(
                    fill(second.floor), load(guide.values, start + score), fill(0.0), continued
                )
                store(layer.values, start + score, quantity)
            if guide.scale == 0.0:
                pad(rows, x, terms.below, terms.above, guide.values)
            pad(rows, x, second.below_X[x], second.above_X[x], layer.values)
