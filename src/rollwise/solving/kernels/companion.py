"""A second quantity that follows the play which is best for the first, by score, backward.

The first quantity decides: the objective, and among options that are equally good for it the
expected score of playing on for points, as a *hint* too small to matter otherwise. The companion is
averaged over chance and follows the choices: the points still to come, say, or the turns.

Of equal options the first is taken: more dice kept, lower faces given up, categories in card order.
"""

from typing import Any

import numpy as np

from rollwise.solving.kernels.backward import empty_menu, lay_options, list_outcomes
from rollwise.solving.kernels.compiler import compiled
from rollwise.solving.kernels.score import NONE, aim, empty_aims, place
from rollwise.solving.kernels.turn import aligned, keep_values
from rollwise.solving.kernels.vector import (
    WIDTH,
    add,
    fill,
    follow,
    load,
    mul,
    put,
    store,
    where_reaches,
)


@compiled
def hint_outcomes(
    n_slots: int, step_O: Any, scale: float, remaining_X: Any, menu: Any, aims: Any, hint: Any
) -> None:
    """Set the hint of each slot: ``scale`` times the score expected of playing on for points."""
    for slot in range(1, n_slots):
        o = menu.outcome_of_slot[slot]
        hint[slot] = scale * (step_O[o] + remaining_X[aims.row[slot]])


@compiled
def weigh_by_score(score: int, n_slots: int, after: Any, hint: Any, menu: Any, aims: Any) -> None:
    """Set each slot to what it is worth from ``score`` on, and its hint."""
    for slot in range(1, n_slots):
        worth = add(load(after, place(aims, slot, score)), fill(hint[slot]))
        store(menu.outcome, slot * WIDTH, worth)


@compiled
def choose_with_companion(
    menu: Any, companion: Any, n_open: int, turn: Any, table: int, point: Any, rest: Any
) -> None:
    """Set each roll to the best of its options by a table, and to that option's companion."""
    first, last = len(turn.keep_offsets), len(turn.sizes)
    edge = table * (last - first) * n_open
    for p in range(first, last):
        best = follow(menu.outcome, menu.options, edge)
        chosen = follow(companion, menu.options, edge)
        edge += 1
        for _ in range(1, n_open):
            worth = follow(menu.outcome, menu.options, edge)
            chosen = where_reaches(best, worth, chosen, follow(companion, menu.options, edge))
            best = where_reaches(best, worth, best, worth)
            edge += 1
        store(point, p * WIDTH, best)
        store(rest, p * WIDTH, chosen)


@compiled
def keep_with_companion(point: Any, rest: Any, turn: Any) -> None:
    """Raise each point to the best keep that it contains, and to that keep's companion."""
    target, edge = 0, 0
    for s in range(len(turn.segments)):
        children = turn.segments[s, 1]
        for _ in range(turn.segments[s, 0]):
            best = follow(point, turn.targets, target)
            chosen = follow(rest, turn.targets, target)
            for _ in range(children):
                worth = follow(point, turn.child_offsets, edge)
                other = follow(rest, turn.child_offsets, edge)
                chosen = where_reaches(best, worth, chosen, other)
                best = where_reaches(best, worth, best, worth)
                edge += 1
            put(point, turn.targets, target, best)
            put(rest, turn.targets, target, chosen)
            target += 1


@compiled
def mean_first_roll(point: Any, turn: Any) -> Any:
    """Return the mean over first rolls."""
    first = len(turn.keep_offsets)
    value = fill(0.0)
    for r in range(len(turn.ways_R)):
        value = add(value, mul(load(point, (first + r) * WIDTH), fill(turn.ways_R[r])))
    return mul(value, fill(1.0 / turn.ways))


@compiled
def companion_by_score(
    first: int,
    last: int,
    classes: Any,
    game: Any,
    turn: Any,
    rows: Any,
    step_O: Any,
    scale: float,
    remaining_X: Any,
    added_O: Any,
    each_turn: float,
    outside_X: Any,
    floor: float,
    values: Any,
    values_after: Any,
    after: Any,
    out: Any,
) -> None:
    """Fill the companion's rows of ``classes[first:last]``, all of one layer.

    Parameters
    ----------
    scale : float
        How much of the objective a point of the hint is worth.
    remaining_X : float64 array of shape (X,)
        The points to expect from each row when playing for points.
    added_O : float64 array of shape (O,)
        What an outcome adds to the companion.
    each_turn : float
        What a turn adds to it.
    outside_X : float64 array of shape (X,)
        What it is outside the window of each row.
    floor : float
        A game given up is one of this value; its companion is 0.
    values, values_after : float64 arrays
        This layer and the next one, as :func:`rollwise.solving.kernels.score.backward_by_score`
        fills them.
    after, out : float64 arrays
        The companion of the next layer and this one, laid out like them.
    """
    n_rolls = len(turn.ways_R)
    keeps = len(turn.keep_offsets)
    point, rest = aligned((keeps + n_rolls) * WIDTH), aligned((keeps + n_rolls) * WIDTH)
    menu, aims = empty_menu(game, n_rolls), empty_aims(game)
    companion = aligned(len(game.points_O) * WIDTH)
    store(companion, 0, fill(0.0))
    hint = np.zeros(len(game.points_O))
    for c in classes[first:last]:
        n_open, n_slots = list_outcomes(game, c, menu)
        lay_options(game, c, n_open, n_rolls, menu)
        for x in range(rows.first_row_C[c], rows.first_row_C[c + 1]):
            if rows.low_X[x] == NONE:
                continue
            lane = game.first_lane_C[c] + x - rows.first_row_C[c]
            aim(game, rows, c, lane, n_slots, step_O, menu, aims)
            hint_outcomes(n_slots, step_O, scale, remaining_X, menu, aims, hint)
            start = rows.start_X[x] - rows.low_X[x]
            for score in range(rows.low_X[x], rows.high_X[x], WIDTH):
                weigh_by_score(score, n_slots, values_after, hint, menu, aims)
                for slot in range(1, n_slots):
                    added = fill(added_O[menu.outcome_of_slot[slot]])
                    later = load(after, place(aims, slot, score))
                    store(companion, slot * WIDTH, add(added, later))
                choose_with_companion(menu, companion, n_open, turn, 0, point, rest)
                for left in range(1, game.rerolls_C[c] + 1):
                    keep_values(point, turn)
                    keep_values(rest, turn)
                    if len(game.option_T_V_K) > 1:
                        choose_with_companion(menu, companion, n_open, turn, left, point, rest)
                    keep_with_companion(point, rest, turn)
                going_on = add(mean_first_roll(rest, turn), fill(each_turn))
                here = load(values, start + score)
                store(
                    out,
                    start + score,
                    where_reaches(fill(floor), here, fill(0.0), going_on),
                )
            store(out, rows.start_X[x] - WIDTH, fill(outside_X[x]))
            store(out, start + rows.high_X[x], fill(outside_X[x]))
