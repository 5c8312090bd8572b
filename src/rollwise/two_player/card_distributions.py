"""What is still to come from cards with few open boxes, if they are played for points: whole laws.

One law a row of cards that cannot be told apart, from full cards backward: the mean of the laws
after each outcome, moved up by its points. Laws are numbered as their rows are, H.
"""

from collections.abc import Callable
from itertools import pairwise

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from rollwise.model.arrays import Model
from rollwise.solving.kernels.policy import LayerPolicy
from rollwise.solving.kernels.vector import WIDTH
from rollwise.solving.policy import Policy
from rollwise.solving.values import Moments

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]
Integers = NDArray[np.int64]

FAR = 5.0
"""Standard deviations above the mean from which on points are not told apart."""

PAIRS = 2048
"""Pairs of laws that are compared at once: they stay in the cache of a core."""


def turn_distribution(
    model: Model, played: LayerPolicy, c: int, lane_G: Integers
) -> tuple[Floats, Integers]:
    """Return how likely each outcome of a class is on some lanes, shape (G, O), and which."""
    outcomes, blocks = model.outcomes_of(c), -(-int(model.rows_C[c]) // WIDTH)
    shape = blocks, len(outcomes), WIDTH
    start = int(played.starts_C[c - played.first])
    block = played.probabilities[start : start + int(np.prod(shape))].reshape(shape)
    row_G = np.maximum(lane_G - int(model.first_lane_C[c]), 0)
    return block[row_G // WIDTH, 1:, row_G % WIDTH], outcomes[1:]


class CardDistributions:
    """The laws of some cards, and of all that follow them.

    Parameters
    ----------
    play : Policy
        For points.
    moments : Moments
        Of it.
    has_X : bool array
        Which rows of the game are to have laws; of those that follow one all are.
    """

    def __init__(self, play: Policy, moments: Moments, has_X: NDArray[np.bool_]) -> None:
        model = self._model = play.sweep.model
        self._has_X, self._first_row_C = has_X, np.append(0, np.cumsum(model.rows_C))
        self._distribution_X = np.cumsum(has_X) - 1
        self._class_H = np.repeat(np.arange(model.n_classes), model.rows_C)[has_X]
        row_H = np.flatnonzero(has_X) - self._first_row_C[self._class_H]
        self._lane_H = model.first_lane_C[self._class_H] + row_H
        tables = moments.mean_C_L, moments.second_C_L
        mean_H, second_H = (table[self._class_H, self._lane_H] for table in tables)
        sd_H = np.sqrt(np.maximum(second_H - mean_H**2, 0))
        self._width = int((mean_H + FAR * sd_H).max()) + 2
        self._room = int(model.step_O.max())
        distribution_H_J = np.zeros((len(row_H), self._room + self._width), np.float32)
        self._distribution_H_J = distribution_H_J[:, self._room :]
        self._moved_H_S_J = sliding_window_view(distribution_H_J, self._width, axis=1)
        for layer in range(len(play.sweep.layers) - 1, -1, -1):
            self._fill(play, layer)

    def _fill(self, play: Policy, layer: int) -> None:
        """Write the laws of a layer, from those of the next one."""
        model, (first, last) = self._model, play.sweep.layers[layer]
        start, end = np.searchsorted(self._class_H, (first, last)).tolist()
        if start == end:
            return
        if layer == len(play.sweep.layers) - 1:
            bonus = np.minimum(model.bonus_L[self._lane_H[start:end]], self._width - 1)
            self._distribution_H_J[np.arange(start, end), bonus] = 1.0
            return
        rows = slice(*self._first_row_C[[first, last]])
        played = play.of_layer(layer, self._has_X[rows])
        classes, starts = np.unique(self._class_H[start:end], return_index=True)
        for c, here in zip(classes.tolist(), pairwise([*(start + starts), end]), strict=True):
            lane_R, distribution_R_J = (
                self._lane_H[slice(*here)],
                self._distribution_H_J[slice(*here)],
            )
            distribution_R_O, o = turn_distribution(model, played, c, lane_R)
            taken_O = distribution_R_O.any(axis=0)
            distribution_R_O, o = distribution_R_O[:, taken_O], o[taken_O]
            after = self.number(model.class_after(c, o), model.lane_after(lane_R[:, None], o))
            moved_R_O_J = self._moved_H_S_J[after, self._room - model.step_O[o]]
            np.einsum(
                "ro,roj->rj", distribution_R_O.astype(np.float32), moved_R_O_J, out=distribution_R_J
            )
            distribution_R_J[:, -1] += 1 - distribution_R_J.sum(axis=1)

    def _rows(self, c: NDArray[np.integer] | int, lane: NDArray[np.integer]) -> Integers:
        row = np.maximum(lane - self._model.first_lane_C[c], 0)
        return np.asarray(self._first_row_C[c] + row)

    def has(self, c: Integers, lane: Integers) -> bool:
        """Return whether there are laws of all cards of these classes and lanes."""
        return bool(self._has_X[self._rows(c, lane)].all())

    def number(self, c: NDArray[np.integer] | int, lane: NDArray[np.integer]) -> Integers:
        """Return the numbers of the laws of cards of these classes and lanes."""
        return np.asarray(self._distribution_X[self._rows(c, lane)])

    def chance(self, distribution: Integers, other: Integers, lead: Integers) -> Floats:
        """Return the chance that one card ends before another one, a tie counting half.

        Parameters
        ----------
        distribution, other : int64 arrays of shape (N,)
            The numbers of their laws.
        lead : int64 array of shape (N,)
            Points of the one less points of the other one, so far.
        """
        return self._mean(distribution, other, lead, _below, 1.0)

    def tie(self, distribution: Integers, other: Integers, lead: Integers) -> Floats:
        """Return the chance that two cards end level; parameters are as for :meth:`chance`."""
        return self._mean(distribution, other, lead, lambda distribution_U_J: distribution_U_J, 0.0)

    def _mean(
        self,
        distribution: Integers,
        other: Integers,
        lead: Integers,
        worth: Callable[[Singles], Singles],
        above: float,
    ) -> Floats:
        """Return the mean, over the one law, of what each end is worth against the other one.

        Parameters
        ----------
        worth : callable
            Gives that from laws of the other card, of shape (U, J).
        above : float
            The worth of more points than those have; of fewer it is 0.
        """
        found, width = np.empty(len(distribution)), self._width
        from_N = width + np.clip(lead, -width, width)
        for first in range(0, len(distribution), PAIRS):
            some = slice(first, first + PAIRS)
            others, of = np.unique(other[some], return_inverse=True)
            worth_U_J = np.zeros((len(others), 3 * width), np.float32)
            worth_U_J[:, width : 2 * width] = worth(self._distribution_H_J[others])
            worth_U_J[:, 2 * width :] = above
            worth_N_J = sliding_window_view(worth_U_J, width, axis=1)[of, from_N[some]]
            found[some] = np.einsum(
                "nj,nj->n", self._distribution_H_J[distribution[some]], worth_N_J
            )
        return found


def _below(distribution_U_J: Singles) -> Singles:
    """Return how likely laws end below each number of points, a tie counting half."""
    return np.asarray(np.cumsum(distribution_U_J, axis=1) - distribution_U_J / 2, np.float32)
