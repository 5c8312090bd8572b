"""Grids of score differences and upper-section totals for near-exact two-player values.

The win probability is a smooth function of the score difference and of the upper-section totals. A
grid contains only some differences and totals. Other values are computed by cubic interpolation
between four grid points. Near the end of a game the function is not smooth, so a grid contains all
differences and all totals there.
"""

from dataclasses import dataclass
from itertools import permutations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rollwise.errors import InputError
from rollwise.model.arrays import Model
from rollwise.solving.kernels.two_player import GridReads
from rollwise.solving.kernels.work import POINTS

CUT = 1e-7
"""The maximum distance from 0 or 1 of a win probability that is replaced by 0 or 1.

The total error is at most ``CUT`` times the number of turns, because a turn takes means and maxima.
"""

DIFFERENCE, UPPER = "difference", "upper"
"""The keys of the text form of a grid."""

MAX_STEP = 64
"""The maximum step of a grid."""


@dataclass(frozen=True)
class Grid:
    """The grid points of a two-player solution.

    Attributes
    ----------
    difference : int
        The largest step in the score difference: a power of 2.
    upper : int
        The largest step in the upper-section total.
    fine_difference : int
        The number of open categories of the player to move up to which all differences are kept.
        With each further open category the step doubles, up to ``difference``.
    fine_upper : int
        The number of open categories of a scorecard up to which all upper-section totals are kept.
        They are also kept with fewer than two open upper categories.
    cut : float
        Win probabilities within ``cut`` of 0 or 1 are replaced by 0 or 1.
    """

    difference: int = 8
    upper: int = 6
    fine_difference: int = 3
    fine_upper: int = 2
    cut: float = CUT

    @classmethod
    def parse(cls, text: str) -> "Grid":
        """Return the grid for a text such as ``difference=4,upper=8``.

        Raises
        ------
        InputError
            If the text is not a grid.
        """
        steps = {}
        for part in text.split(","):
            key, _, number = part.strip().partition("=")
            is_step = number.isdecimal() and 1 <= int(number) <= MAX_STEP
            if key not in (DIFFERENCE, UPPER) or key in steps or not is_step:
                raise InputError(
                    f"Unknown grid '{text}'. Use auto, exact, or steps from 1 to {MAX_STEP}, such "
                    f"as {DIFFERENCE}=4,{UPPER}=8."
                )
            steps[key] = int(number)
        grid = cls(**steps)
        if grid.difference.bit_count() != 1:
            raise InputError(
                f"The step in the score difference must be a power of 2, not {grid.difference}. "
                f"Use {DIFFERENCE}=4 or {DIFFERENCE}=8."
            )
        return grid

    def __str__(self) -> str:
        return f"{DIFFERENCE}={self.difference},{UPPER}={self.upper}"

    @property
    def coarser(self) -> "Grid":
        """The grid with twice the steps, and one more open category with steps."""
        fine = max(self.fine_difference - 1, 1), max(self.fine_upper - 1, 0)
        return Grid(2 * self.difference, 2 * self.upper, *fine, self.cut)

    @property
    def numbers(self) -> tuple[int, ...]:
        """The numbers that define the grid, except ``cut``, as part of a cache key."""
        return self.difference, self.upper, self.fine_difference, self.fine_upper

    def step(self, open_categories: int) -> int:
        """Return the step in the score difference for this many open categories."""
        doublings = min(max(open_categories - self.fine_difference, 0), MAX_STEP)
        return int(min(self.difference, 1 << doublings))


def cubic_weights(at: NDArray[Any], points: NDArray[Any]) -> NDArray[np.float64]:
    """Return the weights of Lagrange interpolation for X arguments and their N points, (X, N).

    Missing points are NaN and have the weight 0.
    """
    absent = np.isnan(points)
    weights = np.where(absent, 0.0, 1.0)
    for i, j in permutations(range(points.shape[1]), 2):
        apart = points[:, i] - points[:, j]
        missing = absent[:, i] | absent[:, j]
        factor = (at - points[:, j]) / np.where(missing, 1.0, apart)
        weights[:, i] *= np.where(missing, 1.0, factor)
    return weights


class Interpolation(NamedTuple):
    """The grid points and weights for rows or for differences.

    Attributes
    ----------
    point_X_N : int array of shape (X, 4)
        The grid points of each row; -1 for a missing point, after all others.
    weight_X_N : float64 array of shape (X, 4)
        The weight of each grid point.
    """

    point_X_N: NDArray[Any]
    weight_X_N: NDArray[np.float64]


class GridPoints:
    """The grid points ``rows`` of the scorecards that one player can have.

    A row is a class and an upper-section total; ``reachable_X`` is bool of shape (X,).
    """

    def __init__(self, grid: Grid, model: Model, reachable_X: NDArray[np.bool_]) -> None:
        self.grid = grid
        rows_C = np.asarray(model.rows_C).astype(np.int64)
        first_C, keeps_all_C = np.cumsum(rows_C) - rows_C, _keeps_all(grid, model)
        points_X_N = np.full((len(reachable_X), POINTS), -1, dtype=np.int32)
        weights_X_N = np.zeros((len(reachable_X), POINTS))
        for c in np.flatnonzero(np.logical_or.reduceat(reachable_X, first_C)).tolist():
            row = first_C[c] + np.flatnonzero(reachable_X[first_C[c] : first_C[c] + rows_C[c]])
            node = row if keeps_all_C[c] else _nodes(row, grid.upper)
            points_X_N[row], weights_X_N[row] = _between(row, node)
        self.rows = Interpolation(points_X_N, weights_X_N)

    def reads(self, step: int, after: int) -> GridReads:
        """Return how a layer with ``step`` reads the next layer, whose step is ``after``."""
        rest = np.arange(after, dtype=np.float64)
        weights = cubic_weights(rest / after, np.tile([-1.0, 0.0, 1.0, 2.0], (after, 1)))
        return GridReads(step // after, after, weights, *self.rows, self.grid.cut)


PlayerPoints = tuple[GridPoints, GridPoints]
"""The grid points of the player who moves first, and those of the opponent."""


def _nodes(row: NDArray[np.int64], step: int) -> NDArray[np.int64]:
    """Return the rows of one class that are grid points: about ``step`` apart, and both ends."""
    intervals = -(-(row[-1] - row[0]) // step)
    if len(row) <= intervals + 1:
        return row
    wanted = row[0] + (row[-1] - row[0]) * np.arange(intervals + 1) / intervals
    nearest = np.unique(np.abs(row[:, None] - wanted).argmin(axis=0))
    return np.asarray(row[nearest])


def _between(
    row: NDArray[np.int64], node: NDArray[np.int64]
) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
    """Return the grid points of each row of one class and their weights, shape (X, 4)."""
    interval = np.searchsorted(node, row, side="right") - 1
    is_node = node[interval] == row
    begin = np.clip(interval - 1, 0, max(len(node) - POINTS, 0))
    number = np.where(is_node, interval, begin)[:, None] + np.arange(POINTS)
    absent = (number >= len(node)) | (is_node[:, None] & (np.arange(POINTS) > 0))
    point = np.where(absent, -1, node[np.minimum(number, len(node) - 1)])
    return point.astype(np.int32), cubic_weights(row, np.where(absent, np.nan, point))


def _keeps_all(grid: Grid, model: Model) -> NDArray[np.bool_]:
    """Return whether all upper-section totals of each class are grid points."""
    mask_C = np.asarray(model.mask_C)
    open_C = len(model.rules.categories) - np.bitwise_count(mask_C)
    upper = 0
    for k, (first, last) in enumerate(model.outcome_starts_K[:, [0, 3]].tolist()):
        upper |= int(model.shift_O[first:last].max() > 0) << k
    upper_C = upper.bit_count() - np.bitwise_count(mask_C & upper)
    return np.asarray((open_C <= grid.fine_upper) | (upper_C < 2) | bool(model.rules.columns))
