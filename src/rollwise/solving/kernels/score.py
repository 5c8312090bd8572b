"""The backward sweep for values that depend on the points so far: lanes are scores.

A row stands for a card and an upper total, its lanes for consecutive scores s. An outcome of p
points reads the row after it at s + p: for all lanes the same distance, so again a contiguous read.
Outside its window a row is worth the same everywhere (:mod:`rollwise.solving.by_score.windows`), so
reads that leave a window are brought back to a vector of that value beside it.

What bounds it: as in :mod:`rollwise.solving.kernels.backward`, reads from L1 and L2; a hundred of
several thousand a block read the rows of the next layer.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rollwise.solving.kernels.backward import (
    class_after,
    empty_menu,
    lay_options,
    list_outcomes,
    turn_value,
)
from rollwise.solving.kernels.compiler import compiled
from rollwise.solving.kernels.turn import aligned
from rollwise.solving.kernels.vector import WIDTH, fill, load, maximum, store, sub

NONE = np.iinfo(np.int64).max
"""The lowest score of a row that no game reaches."""


class ScoreRows(NamedTuple):
    """The rows of a game: row r of class c is ``x = first_row_C[c] + r``.

    Row 0 stands for the first lane of the class's window (:mod:`rollwise.model.arrays`) and all
    before it.

    Attributes
    ----------
    first_row_C : int64 array of shape (C + 1,)
    low_X, high_X : int64 arrays of shape (X,)
        Scores ``low .. high - 1`` are computed. Below and above, all are worth the same.
    start_X : int64 array of shape (X,)
        Where ``low`` stands in the array of the row's layer, after ``WIDTH`` numbers for what is
        below; ``WIDTH`` numbers for what is above follow the last one.
    """

    first_row_C: NDArray[np.int64]
    low_X: NDArray[np.int64]
    high_X: NDArray[np.int64]
    start_X: NDArray[np.int64]


class Aims(NamedTuple):
    """Where the slots of one row read: scratch space, filled anew for each row.

    Attributes
    ----------
    row : int64 array of shape (O,)
        The row after the outcome of each slot.
    offset : int64 array of shape (O,)
        What to add to a score for its place in the next layer.
    first, last : int64 arrays of shape (O,)
        The first and last place that may be read there.
    """

    row: NDArray[np.int64]
    offset: NDArray[np.int64]
    first: NDArray[np.int64]
    last: NDArray[np.int64]


@compiled
def empty_aims(game: Any) -> Any:
    """Return the scratch space for the aims of a game."""
    size = len(game.points_O)
    return Aims(
        np.zeros(size, dtype=np.int64),
        np.zeros(size, dtype=np.int64),
        np.zeros(size, dtype=np.int64),
        np.zeros(size, dtype=np.int64),
    )


@compiled
def row_after(game: Any, rows: Any, c: int, lane: int, o: int) -> Any:
    """Return the row that outcome ``o`` leads to from class ``c`` at ``lane``."""
    after = class_after(game, c, o)
    lane_after = min(lane + game.shift_O[o], game.lanes - 1)
    return rows.first_row_C[after] + max(lane_after - game.first_lane_C[after], 0)


@compiled
def aim(
    game: Any, rows: Any, c: int, lane: int, n_slots: int, step_O: Any, menu: Any, aims: Any
) -> None:
    """Find where the slots of class ``c`` at ``lane`` read."""
    for slot in range(1, n_slots):
        o = menu.outcome_of_slot[slot]
        y = row_after(game, rows, c, lane, o)
        aims.row[slot] = y
        aims.offset[slot] = rows.start_X[y] - rows.low_X[y] + step_O[o]
        aims.first[slot] = rows.start_X[y] - WIDTH
        aims.last[slot] = rows.start_X[y] + rows.high_X[y] - rows.low_X[y]


@compiled
def place(aims: Any, slot: int, score: int) -> Any:
    """Return where the vector of scores from ``score`` on is read for a slot."""
    return min(max(score + aims.offset[slot], aims.first[slot]), aims.last[slot])


@compiled
def reach_scores(first_class: int, last_class: int, game: Any, rows: Any, step_O: Any) -> None:
    """Widen the windows of all rows that games from the windows already there can reach."""
    menu = empty_menu(game, 1)
    for c in range(first_class, last_class):
        n_slots = 0
        for x in range(rows.first_row_C[c], rows.first_row_C[c + 1]):
            if rows.low_X[x] == NONE:
                continue
            if n_slots == 0:
                _, n_slots = list_outcomes(game, c, menu)
            lane = game.first_lane_C[c] + x - rows.first_row_C[c]
            for slot in range(1, n_slots):
                o = menu.outcome_of_slot[slot]
                y = row_after(game, rows, c, lane, o)
                rows.low_X[y] = min(rows.low_X[y], rows.low_X[x] + step_O[o])
                rows.high_X[y] = max(rows.high_X[y], rows.high_X[x] + step_O[o])


@compiled
def pad(rows: Any, x: int, below: float, above: float, out: Any) -> None:
    """Write what row x is worth on both sides of its window."""
    start, end = rows.start_X[x], rows.start_X[x] + rows.high_X[x] - rows.low_X[x]
    store(out, start - WIDTH, fill(below))
    store(out, end, fill(above))


@compiled
def backward_by_score(
    first: int,
    last: int,
    classes: Any,
    game: Any,
    turn: Any,
    rows: Any,
    step_O: Any,
    below: float,
    above: float,
    price: float,
    floor: float,
    after: Any,
    out: Any,
) -> None:
    """Fill the rows of ``classes[first:last]``, all of one layer.

    Parameters
    ----------
    step_O : int64 array of shape (O,)
        The points of an outcome.
    below, above : float
        What every row is worth below and above its window.
    price, floor : float
        What a turn costs, and what a game can be given up for before any turn.
    after, out : float64 arrays
        The next layer and this one, laid out as ``rows`` says.
    """
    n_rolls = len(turn.ways_R)
    keeps = len(turn.keep_offsets)
    point = aligned((keeps + n_rolls) * WIDTH)
    menu, aims = empty_menu(game, n_rolls), empty_aims(game)
    for c in classes[first:last]:
        n_open, n_slots = list_outcomes(game, c, menu)
        lay_options(game, c, n_open, n_rolls, menu)
        for x in range(rows.first_row_C[c], rows.first_row_C[c + 1]):
            if rows.low_X[x] == NONE:
                continue
            lane = game.first_lane_C[c] + x - rows.first_row_C[c]
            aim(game, rows, c, lane, n_slots, step_O, menu, aims)
            for score in range(rows.low_X[x], rows.high_X[x], WIDTH):
                for slot in range(1, n_slots):
                    store(menu.outcome, slot * WIDTH, load(after, place(aims, slot, score)))
                value = sub(turn_value(game, c, menu, n_open, point, turn), fill(price))
                value = maximum(value, fill(floor))
                store(out, rows.start_X[x] + score - rows.low_X[x], value)
            pad(rows, x, below, above, out)
