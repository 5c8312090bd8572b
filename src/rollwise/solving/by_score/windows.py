"""The windows of scores to compute for each state, for objectives of the final score.

A window contains only scores that games from the start can reach. It also excludes scores from
which the utility of the final score is certain. Utilities are often constant below one score and
above another score. If every game from a state ends in the same constant range, the value of the
state is the constant utility.
"""

import numpy as np
from numpy.typing import NDArray

from rollwise.solving.by_score.solution import ConstantRanges, Layout
from rollwise.solving.compiled_game import CompiledGame
from rollwise.solving.kernels.rows import reach_scores
from rollwise.solving.kernels.vector import WIDTH
from rollwise.solving.position_index import Start
from rollwise.solving.rows import NONE, Rows, row_of


def reach(compiled: CompiledGame, rows: Rows, first: int) -> None:
    """Widen the windows of all rows that games reach; no class before ``first`` has a window."""
    last = compiled.model.n_classes
    reach_scores(first, last, compiled.work(), compiled.game, rows, None)


def reached(compiled: CompiledGame, start: Start) -> Layout:
    """Return the layout whose windows contain all scores that games from ``start`` can reach."""
    rows = Rows.empty(np.asarray(compiled.model.rows_C))
    x = row_of(compiled.model, start.c, start.lane)
    rows.low_X[x], rows.high_X[x] = start.low, start.high
    reach(compiled, rows, start.c)
    return lay_out(compiled, rows)


def clipped(
    compiled: CompiledGame,
    layout: Layout,
    flat: ConstantRanges,
    most_X: NDArray[np.int64],
    bonus_X: NDArray[np.int64],
) -> Layout:
    """Return a layout without the scores from which the utility is certain.

    ``most_X`` is the maximum possible points to come from each row, including the upper bonus.
    ``bonus_X`` is the upper bonus if it is already earned, which is the minimum points to come.
    """
    low_X, high_X = layout.rows.low_X, layout.rows.high_X
    reachable = low_X != NONE
    low, high, most, bonus = (
        low_X[reachable],
        high_X[reachable],
        most_X[reachable],
        bonus_X[reachable],
    )
    first, end = low, high
    if flat.to is not None:
        first = np.clip(flat.to + 1 - most, low, high)
    if flat.since is not None:
        end = np.clip(flat.since - bonus, low, high)
    rows = layout.rows._replace(low_X=low_X.copy(), high_X=high_X.copy())
    rows.low_X[reachable] = np.minimum(first, end)
    rows.high_X[reachable] = end
    return lay_out(compiled, rows, layout.reach)


def narrowed(
    compiled: CompiledGame, layout: Layout, values: list[NDArray[np.float64]], least: float
) -> Layout:
    """Return the layout whose windows start at the first score with a value above ``least``."""
    first_row_C, low_X, high_X, start_X = layout.rows
    narrow_X = low_X.copy()
    for (begin, end), layer_values in zip(compiled.layers, values, strict=True):
        rows = np.arange(first_row_C[begin], first_row_C[end])
        rows = rows[(low_X[rows] != NONE) & (low_X[rows] < high_X[rows])]
        if len(rows):
            start, length = start_X[rows], high_X[rows] - low_X[rows]
            index = np.where(layer_values > least, np.arange(len(layer_values)), len(layer_values))
            spans = np.stack([start, start + length], axis=1).ravel()
            firsts = np.minimum.reduceat(index, spans)[::2]
            narrow_X[rows] = low_X[rows] + np.minimum(firsts - start, length)
    narrow = layout.rows._replace(low_X=narrow_X, high_X=high_X.copy())
    return lay_out(compiled, narrow, layout.reach)


def lay_out(compiled: CompiledGame, rows: Rows, reach: Rows | None = None) -> Layout:
    """Return the layout of rows with the given windows, and assign array indices to the rows.

    In the array, ``WIDTH`` values for scores below the window precede each row, and ``WIDTH``
    values for scores above the window follow it. Each row has space for whole vectors.
    """
    reachable = rows.low_X != NONE
    length_X = np.where(reachable, rows.high_X, 0) - np.where(reachable, rows.low_X, 0)
    size_X = np.where(reachable, -(-length_X // WIDTH) + 2, 0) * WIDTH
    ends = np.append(0, np.cumsum(size_X))
    rows_before = np.append(0, np.cumsum(reachable))
    first = rows.first_row_C
    start_X = np.zeros(len(size_X), dtype=np.int64)
    classes, sizes = [], []
    for begin, end in compiled.layers:
        span = slice(first[begin], first[end])
        origin = ends[first[begin]]
        start_X[span] = ends[:-1][span] - origin + WIDTH
        sizes.append(int(ends[first[end]] - origin))
        has_rows = np.diff(rows_before[first[begin : end + 1]]) > 0
        classes.append(np.flatnonzero(has_rows) + begin)
    return Layout(rows._replace(start_X=start_X), classes, sizes, reach or rows)
