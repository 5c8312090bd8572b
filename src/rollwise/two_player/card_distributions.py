"""Exact distributions of the points to come from scorecards with few open categories.

Both players maximize points. Each row of equivalent scorecards has one distribution. Backward
induction computes it as the mean of the distributions after each outcome, shifted by the points of
the outcome.

Axis letters: ``H`` distributions in the order of their rows, ``J`` points, ``N`` pairs of
scorecards. Their arguments are int64 arrays of shape (N,).
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
"""The number of standard deviations above the mean at which distributions end.

All higher totals count as the last total.
"""

PAIRS = 2048
"""The number of pairs of distributions per batch; a batch fits into the cache of a core."""


def _turn_distribution(
    model: Model, played: LayerPolicy, c: int, lane_G: Integers
) -> tuple[Floats, Integers]:
    """Return the probabilities of the outcomes of G scorecards, shape (G, O), and the outcomes."""
    outcomes, blocks = model.outcomes_of(c), -(-int(model.rows_C[c]) // WIDTH)
    shape = blocks, len(outcomes), WIDTH
    start = int(played.starts_C[c - played.first])
    block = played.probabilities[start : start + int(np.prod(shape))].reshape(shape)
    row_G = np.maximum(lane_G - int(model.first_lane_C[c]), 0)
    return block[row_G // WIDTH, 1:, row_G % WIDTH], outcomes[1:]


class CardDistributions:
    """The distributions of the points to come from the rows in ``has_X``, bool of shape (X,).

    The successors of a row must have distributions too. ``moments`` belong to ``policy``, which
    maximizes points.
    """

    def __init__(self, policy: Policy, moments: Moments, has_X: NDArray[np.bool_]) -> None:
        model = self._model = policy.compiled.model
        self._has_X, self._first_row_C = has_X, np.append(0, np.cumsum(model.rows_C))
        self._distribution_X = np.cumsum(has_X) - 1
        self._class_H = np.repeat(np.arange(model.n_classes), model.rows_C)[has_X]
        row_H = np.flatnonzero(has_X) - self._first_row_C[self._class_H]
        self._lane_H = model.first_lane_C[self._class_H] + row_H
        tables = moments.mean_C_L, moments.second_C_L
        mean_H, second_H = (table[self._class_H, self._lane_H] for table in tables)
        sd_H = np.sqrt(np.maximum(second_H - mean_H**2, 0))
        self._width = int((mean_H + FAR * sd_H).max()) + 2
        self._max_step = int(model.total_points_O.max())
        distribution_H_J = np.zeros((len(row_H), self._max_step + self._width), np.float32)
        self._distribution_H_J = distribution_H_J[:, self._max_step :]
        self._shifted_H_S_J = sliding_window_view(distribution_H_J, self._width, axis=1)
        for layer in range(len(policy.compiled.layers) - 1, -1, -1):
            self._fill(policy, layer)

    def _fill(self, policy: Policy, layer: int) -> None:
        """Compute the distributions of a layer from the distributions of the next layer."""
        model, (first, last) = self._model, policy.compiled.layers[layer]
        start, end = np.searchsorted(self._class_H, (first, last)).tolist()
        if start == end:
            return
        if layer == len(policy.compiled.layers) - 1:
            bonus = np.minimum(model.bonus_L[self._lane_H[start:end]], self._width - 1)
            self._distribution_H_J[np.arange(start, end), bonus] = 1.0
            return
        rows = slice(*self._first_row_C[[first, last]])
        played = policy.of_layer(layer, self._has_X[rows])
        classes, starts = np.unique(self._class_H[start:end], return_index=True)
        for c, ends in zip(classes.tolist(), pairwise([*(start + starts), end]), strict=True):
            lane_R = self._lane_H[slice(*ends)]
            distribution_R_J = self._distribution_H_J[slice(*ends)]
            distribution_R_O, o = _turn_distribution(model, played, c, lane_R)
            taken_O = distribution_R_O.any(axis=0)
            distribution_R_O, o = distribution_R_O[:, taken_O], o[taken_O]
            after = self.number(model.class_after(c, o), model.lane_after(lane_R[:, None], o))
            shifted_R_O_J = self._shifted_H_S_J[after, self._max_step - model.total_points_O[o]]
            probability_R_O = distribution_R_O.astype(np.float32)
            np.einsum("ro,roj->rj", probability_R_O, shifted_R_O_J, out=distribution_R_J)
            distribution_R_J[:, -1] += 1 - distribution_R_J.sum(axis=1)

    def _rows(self, c: NDArray[np.integer] | int, lane: NDArray[np.integer]) -> Integers:
        row = np.maximum(lane - self._model.first_lane_C[c], 0)
        return np.asarray(self._first_row_C[c] + row)

    def has(self, c: Integers, lane: Integers) -> bool:
        """Return whether the scorecards with these classes and lanes all have a distribution."""
        return bool(self._has_X[self._rows(c, lane)].all())

    def number(self, c: NDArray[np.integer] | int, lane: NDArray[np.integer]) -> Integers:
        """Return the index of the distribution for each pair of class and lane."""
        return np.asarray(self._distribution_X[self._rows(c, lane)])

    def win_probability(
        self, distribution: Integers, other: Integers, difference: Integers
    ) -> Floats:
        """Return the probability of more points than the other scorecard; a tie counts as half.

        ``difference`` is the first scorecard's points so far minus the other's.
        """
        return self._mean(distribution, other, difference, _below, 1.0)

    def tie_probability(
        self, distribution: Integers, other: Integers, difference: Integers
    ) -> Floats:
        """Return the probability of a tie."""
        return self._mean(distribution, other, difference, lambda probability: probability, 0.0)

    def _mean(
        self,
        distribution: Integers,
        other: Integers,
        difference: Integers,
        value: Callable[[Singles], Singles],
        above: float,
    ) -> Floats:
        """Return the mean value of the first scorecard's final total.

        ``value`` maps the probabilities of U other distributions, shape (U, J), to the value of
        each total against them. A total above their range has the value ``above``, and a total
        below it 0.
        """
        mean_N, width = np.empty(len(distribution)), self._width
        start_N = width + np.clip(difference, -width, width)
        for first in range(0, len(distribution), PAIRS):
            part = slice(first, first + PAIRS)
            others, of = np.unique(other[part], return_inverse=True)
            value_U_J = np.zeros((len(others), 3 * width), np.float32)
            value_U_J[:, width : 2 * width] = value(self._distribution_H_J[others])
            value_U_J[:, 2 * width :] = above
            value_N_J = sliding_window_view(value_U_J, width, axis=1)[of, start_N[part]]
            mean_N[part] = np.einsum(
                "nj,nj->n", self._distribution_H_J[distribution[part]], value_N_J
            )
        return mean_N


def _below(distribution_U_J: Singles) -> Singles:
    """Return the win probability with each total, where a tie counts as half a win."""
    return np.asarray(np.cumsum(distribution_U_J, axis=1) - distribution_U_J / 2, np.float32)
