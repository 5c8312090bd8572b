"""The forward sweep by score: how games fare under the best play for an objective of the score.

Rows of probability stand beside the rows of values, one number a score. The play at a score is
computed once and its outcomes pass the probability on, moved by their points: again whole vectors.
Ties as in :mod:`rollwise.solving.kernels.companion`.

Two classes of one call must not lead to the same class: the caller sees to that, so that threads
write apart and every sum has a fixed order.
"""

from typing import Any

import numpy as np

from rollwise.solving.kernels.backward import empty_menu, lay_options, list_outcomes
from rollwise.solving.kernels.companion import hint_outcomes, weigh_by_score
from rollwise.solving.kernels.compiler import compiled
from rollwise.solving.kernels.policy import play_turn
from rollwise.solving.kernels.score import NONE, aim, empty_aims, row_after
from rollwise.solving.kernels.turn import aligned
from rollwise.solving.kernels.vector import WIDTH, add, fill, load, mul, store


@compiled
def take(masses: Any, start: int, length: int, here: Any) -> bool:
    """Copy up to ``WIDTH`` probabilities to ``here``; return whether there are any."""
    some = False
    for i in range(WIDTH):
        here[i] = masses[start + i] if i < length else 0.0
        some = some or here[i] > 0.0
    return some


@compiled
def hand_on(
    n_slots: int, weight: Any, here: Any, score: int, offset: Any, total: Any, out: Any
) -> None:
    """Add the share of each slot to the row that it leads to."""
    mass = load(here, 0)
    for slot in range(1, n_slots):
        share = mul(mass, load(weight, slot * WIDTH))
        store(total, slot * WIDTH, add(load(total, slot * WIDTH), share))
        at = score + offset[slot]
        store(out, at, add(load(out, at), share))


@compiled
def forward_by_score(
    first: int,
    last: int,
    classes: Any,
    layer_start: int,
    game: Any,
    turn: Any,
    rows: Any,
    step_O: Any,
    scale: float,
    remaining_X: Any,
    values_after: Any,
    spots: Any,
    masses: Any,
    out: Any,
    taken_C_O: Any,
) -> None:
    """Play one turn from ``classes[first:last]``, all of one layer.

    Parameters
    ----------
    rows, values_after
        As for :func:`rollwise.solving.kernels.companion.companion_by_score`, like what is not named
        here. Outside its window a row is played for points.
    spots : ScoreRows
        The same rows with all scores that games reach, and where their probabilities stand.
    masses, out : float64 arrays
        The probability of each score of this layer and, added to, of the next one.
    taken_C_O : float64 array of shape (classes of the layer, O)
        Set to the probability that a game takes each outcome.
    """
    n_points, n_rolls = len(turn.sizes), len(turn.ways_R)
    stages = max(turn.rolls, len(game.option_T_V_K), 2) - 1
    size = n_points * WIDTH
    point, mass = aligned(size), aligned(size)
    own, best = aligned(stages * size), aligned(stages * size)
    menu, aims = empty_menu(game, n_rolls), empty_aims(game)
    n_outcomes = len(game.points_O)
    weight, total = aligned(n_outcomes * WIDTH), aligned(n_outcomes * WIDTH)
    here = aligned(WIDTH)
    hint, offset = np.zeros(n_outcomes), np.zeros(n_outcomes, dtype=np.int64)
    for c in classes[first:last]:
        n_open, n_slots = list_outcomes(game, c, menu)
        lay_options(game, c, n_open, n_rolls, menu)
        total[:] = 0.0
        for x in range(rows.first_row_C[c], rows.first_row_C[c + 1]):
            if spots.low_X[x] == NONE:
                continue
            lane = game.first_lane_C[c] + x - rows.first_row_C[c]
            aim(game, rows, c, lane, n_slots, step_O, menu, aims)
            for slot in range(1, n_slots):
                o = menu.outcome_of_slot[slot]
                y = row_after(game, spots, c, lane, o)
                offset[slot] = spots.start_X[y] - spots.low_X[y] + step_O[o]
            start = spots.start_X[x] - spots.low_X[x]
            low, high = rows.low_X[x], rows.high_X[x]
            # Outside the window: one way to play for all scores, found when first needed.
            known = False
            for part in range(2):
                begin = spots.low_X[x] if part == 0 else high
                end = low if part == 0 else spots.high_X[x]
                for score in range(begin, end, WIDTH):
                    if take(masses, start + score, end - score, here):
                        if not known:
                            hint_outcomes(n_slots, step_O, 1.0, remaining_X, menu, aims, hint)
                            for slot in range(1, n_slots):
                                store(menu.outcome, slot * WIDTH, fill(hint[slot]))
                            play_turn(
                                game, c, turn, menu, n_open, n_slots, 0.0, 0.0, point, mass, own,
                                best, weight,
                            )  # fmt: skip
                            known = True
                        hand_on(n_slots, weight, here, score, offset, total, out)
            hint_outcomes(n_slots, step_O, scale, remaining_X, menu, aims, hint)
            for score in range(low, high, WIDTH):
                if take(masses, start + score, high - score, here):
                    weigh_by_score(score, n_slots, values_after, hint, menu, aims)
                    play_turn(
                                game, c, turn, menu, n_open, n_slots, 0.0, 0.0, point, mass, own,
                                best, weight,
                            )  # fmt: skip
                    hand_on(n_slots, weight, here, score, offset, total, out)
        for slot in range(1, n_slots):
            for i in range(WIDTH):
                taken_C_O[c - layer_start, menu.outcome_of_slot[slot]] += total[slot * WIDTH + i]
