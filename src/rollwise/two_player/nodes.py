"""The scorecards of a player that have values of their own in a two-player game: the *nodes*.

Two upper-section totals are alike if no sum of the open upper categories tells them apart. For
example, if only Sixes is open and the bonus needs 63 points, the totals 51 to 56 are alike, because
each needs two sixes. A player who has earned the whole bonus is like a player who cannot earn any,
except for the points of the bonus. Scorecards that are alike have one node, and the solution
remains exact.

On a grid, other totals are read from two nodes (:mod:`rollwise.two_player.grid`). The expected
bonus to come tells how near a total is to each of them, because a win probability depends on the
total mainly through this number. A total from which no bonus, or the whole bonus, will be earned is
always a node.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rollwise.model.arrays import Model
from rollwise.solving.kernels.work import NODES

Indices = NDArray[np.int64]
Floats = NDArray[np.float64]

TINY = 1e-9
"""The smallest difference of expected points by which a difference is divided."""

Choice = Callable[[int, int, Indices, Floats], NDArray[np.bool_]]
"""Chooses nodes, given the number of open categories, the open upper categories as a mask, the
lanes of the totals, and the expected bonus to come from each total, as a fraction of the highest
bonus."""


class CardRows:
    """The rows of scorecards: for each class, the lanes to compute, and the highest lane.

    A class has a row for the highest lane, in which the whole bonus is earned, even if no game
    reaches it. Axis ``X`` numbers all rows.
    """

    def __init__(self, model: Model) -> None:
        self.model, self.top = model, model.lanes - 1
        self.first_lane_C = np.asarray(model.first_lane_C).astype(np.int64)
        rows_C = np.asarray(model.rows_C).astype(np.int64) + 1
        self.first_row_C: Indices = np.append(0, np.cumsum(rows_C))
        self.class_X: Indices = np.repeat(np.arange(len(rows_C)), rows_C)
        offset_C = self.first_lane_C - self.first_row_C[:-1]
        self.lane_X: Indices = np.arange(len(self.class_X)) + offset_C[self.class_X]
        self.lane_X[self.first_row_C[1:] - 1] = self.top

    def __len__(self) -> int:
        return len(self.class_X)

    def row_of(self, c: NDArray[np.integer] | int, lane: NDArray[np.integer] | int) -> Indices:
        """Return the row of each pair of class and lane; the arguments broadcast."""
        row = self.first_row_C[c] + np.maximum(lane - self.first_lane_C[c], 0)
        return np.asarray(np.minimum(row, self.first_row_C[np.add(c, 1)] - 1))

    def by_open_upper(self) -> Iterator[tuple[int, int, Indices]]:
        """Yield the rows of all classes with the same open upper categories, and as many others.

        They are yielded as the number of open categories, the open upper categories as a mask, and
        the rows, an array of shape (C, L), because these classes have the same lanes.
        """
        model, mask_C = self.model, np.asarray(self.model.mask_C)
        upper = sum(1 << k for k, shifts in enumerate(shifts_of(model)) if shifts.any())
        open_C = len(model.rules.categories) - np.bitwise_count(mask_C)
        key_C = np.stack([open_C, ~mask_C & upper])
        keys, key_of_C = np.unique(key_C, axis=1, return_inverse=True)
        for number, (open_categories, mask) in enumerate(keys.T.tolist()):
            c = np.flatnonzero(key_of_C.ravel() == number)
            lanes = self.first_row_C[c[0] + 1] - self.first_row_C[c[0]]
            yield open_categories, mask, self.first_row_C[c][:, None] + np.arange(lanes)


class Nodes(NamedTuple):
    """The nodes from which each row is read.

    Attributes
    ----------
    node_X_N : int32 array of shape (X, N)
        The rows of the nodes; -1 for a missing node, after all others. N is 1 if all rows have one
        node, so that the solution is exact.
    points_X_N : int32 array of shape (X, N)
        The points that are added to the score to read the node.
    weight_X_N : float64 array of shape (X, N)
        The weight of the node.
    """

    node_X_N: NDArray[np.int32]
    points_X_N: NDArray[np.int32]
    weight_X_N: Floats


def shifts_of(model: Model) -> list[Indices]:
    """Return the different shifts of the lane that each category can cause."""
    starts_K = np.asarray(model.outcome_starts_K)[:, [0, 3]].tolist()
    return [np.unique(model.shift_O[first:last]) for first, last in starts_K]


def alike(rows: CardRows) -> Nodes:
    """Return the nodes if scorecards that are alike have one node."""
    model, ones = rows.model, np.broadcast_to(1.0, (len(rows), 1))
    node_X, points_X = np.arange(len(rows), dtype=np.int32), np.zeros(len(rows), dtype=np.int32)
    if not model.rules.columns and model.lanes > 1:
        for _, mask, row_C_L in rows.by_open_upper():
            lane_L = rows.lane_X[row_C_L[0]]
            first_L, earned_L = (of_lane[lane_L] for of_lane in alike_lanes(model, mask))
            node_X[row_C_L] = rows.row_of(rows.class_X[row_C_L], first_L)
            points_X[row_C_L] = earned_L
    return Nodes(node_X[:, None], points_X[:, None], ones)


def alike_lanes(model: Model, mask: int) -> tuple[Indices, Indices]:
    """Return the lane that stands for each lane, and the bonus earned, minus that of this lane.

    ``mask`` is the set of open upper categories.
    """
    top = model.lanes - 1
    to_come = np.zeros(1, dtype=np.int64)
    for k, shifts in enumerate(shifts_of(model)):
        if mask >> k & 1:
            to_come = np.unique(np.minimum(np.add.outer(to_come, shifts), top))
    bonus_L = np.asarray(model.bonus_L)
    lane_L = np.arange(model.lanes)
    to_earn_L_N = bonus_L[np.minimum(lane_L[:, None] + to_come, top)] - bonus_L[:, None]
    _, first, group_L = np.unique(to_earn_L_N, axis=0, return_index=True, return_inverse=True)
    first_L = np.where(to_earn_L_N.any(axis=1), first[group_L.ravel()], top)
    return first_L, bonus_L - bonus_L[first_L]


def on_grid(
    rows: CardRows, exact: Nodes, reached_X: NDArray[np.bool_], mean_X: Floats, choose: Choice
) -> Nodes:
    """Return the nodes if only some totals are nodes.

    Parameters
    ----------
    exact : Nodes
        The nodes of the exact solution.
    reached_X : bool array of shape (X,)
        Which of them the player can reach.
    mean_X : float64 array of shape (X,)
        The expected points to come from each row.
    choose : callable
        Chooses the nodes.
    """
    model = rows.model
    node_X_N = np.full((len(rows), NODES), -1, dtype=np.int32)
    node_X_N[:, 0] = np.arange(len(rows))
    points_X_N = np.zeros((len(rows), NODES), dtype=np.int32)
    weight_X_N = np.tile([1.0, 0.0], (len(rows), 1))
    bonuses = np.unique(model.bonus_L)
    earned = bonuses - bonuses[-1]  # by a player who has no bonus to come, beside the highest bonus
    by_totals = rows.by_open_upper() if len(bonuses) > 1 and not model.rules.columns else ()
    for open_categories, mask, row_C_L in by_totals:
        row_C_L = row_C_L[reached_X[row_C_L].any(axis=1)]
        if len(row_C_L) == 0:
            continue
        lane_L = rows.lane_X[row_C_L[0]]
        own = np.flatnonzero(reached_X[row_C_L].any(axis=0) & (lane_L < rows.top))
        top_C = rows.row_of(rows.class_X[row_C_L[:, 0]], rows.top)
        to_come_C_N = 1 + (mean_X[row_C_L[:, own]] - mean_X[top_C][:, None]) / -earned[0]
        is_node = choose(open_categories, mask, lane_L[own], to_come_C_N.mean(axis=0))
        rows_C_M = np.hstack([np.repeat(top_C[:, None], len(earned), 1), row_C_L[:, own[is_node]]])
        points_M = np.append(earned, np.zeros(is_node.sum(), dtype=np.int64))
        skipped_C_N = row_C_L[:, own[~is_node]]
        value_C_M = mean_X[rows_C_M] + points_M
        order_C_M = np.argsort(value_C_M, axis=1)
        value_C_M = np.take_along_axis(value_C_M, order_C_M, axis=1)
        value_C_N = mean_X[skipped_C_N]
        at_C_N = (value_C_M[:, None] <= value_C_N[..., None]).sum(axis=2)
        at_C_N = np.clip(at_C_N, 1, len(points_M) - 1)
        low, high = (np.take_along_axis(value_C_M, at_C_N - i, axis=1) for i in (1, 0))
        share_C_N = np.clip((value_C_N - low) / np.maximum(high - low, TINY), 0, 1)
        for n, weight in enumerate((1 - share_C_N, share_C_N)):
            m = np.take_along_axis(order_C_M, at_C_N - 1 + n, axis=1)
            node_X_N[skipped_C_N, n] = np.take_along_axis(rows_C_M, m, axis=1)
            points_X_N[skipped_C_N, n] = points_M[m]
            weight_X_N[skipped_C_N, n] = weight
    node_X = exact.node_X_N[:, 0]
    points_X_N = points_X_N[node_X] + exact.points_X_N
    return Nodes(node_X_N[node_X], points_X_N, weight_X_N[node_X])
