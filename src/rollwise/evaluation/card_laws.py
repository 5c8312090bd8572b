"""What is still to come from cards with few open boxes, if they are played for points: whole laws.

One law a row of cards that cannot be told apart, from full cards backward: the mean of the laws
after each outcome, moved up by its points.
"""

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from rollwise.model.arrays import Model
from rollwise.solving.kernels.policy import LayerPlay
from rollwise.solving.kernels.vector import WIDTH
from rollwise.solving.play import Play
from rollwise.solving.values import Moments

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]
Integers = NDArray[np.int64]

FAR = 5.0
"""Standard deviations above the mean from which on points are not told apart."""

PAIRS = 2048
"""Pairs of laws that are compared at once: they stay in the cache of a core."""


def turn_law(model: Model, played: LayerPlay, c: int, lane_G: Integers) -> tuple[Floats, Integers]:
    """Return how likely each outcome of a class is on some lanes, shape (G, O), and which."""
    outcomes, blocks = model.outcomes_of(c), -(-int(model.rows_C[c]) // WIDTH)
    shape = blocks, len(outcomes), WIDTH
    start = int(played.starts_C[c - played.first])
    block = played.probabilities[start : start + int(np.prod(shape))].reshape(shape)
    row_G = np.maximum(lane_G - int(model.first_lane_C[c]), 0)
    return block[row_G // WIDTH, 1:, row_G % WIDTH], outcomes[1:]


class CardLaws:
    """The laws of some classes of cards, and of all that follow them.

    Parameters
    ----------
    play : Play
        For points.
    moments : Moments
        Of it.
    has_C : bool array
        Whether the cards of a class are to have laws; of those that follow one all are.
    """

    def __init__(self, play: Play, moments: Moments, has_C: NDArray[np.bool_]) -> None:
        model, self.has_C = play.sweep.model, has_C
        self._model, classes = model, np.flatnonzero(has_C)
        rows_C = np.where(self.has_C, model.rows_C, 0)
        self._first_row_C = np.append(0, np.cumsum(rows_C))
        mean_C_L = np.asarray(moments.mean_C_L)[classes]
        second_C_L = np.asarray(moments.second_C_L)[classes]
        sd_C_L = np.sqrt(np.maximum(second_C_L - mean_C_L**2, 0))
        self._width = int(np.nanmax(mean_C_L + FAR * sd_C_L)) + 2
        self._room = int(model.step_O.max())
        law_X_J = np.zeros((int(self._first_row_C[-1]), self._room + self._width), np.float32)
        self._law_X_J = law_X_J[:, self._room :]
        self._moved_X_S_J = sliding_window_view(law_X_J, self._width, axis=1)
        for layer in range(len(play.sweep.layers) - 1, -1, -1):
            self._fill(play, layer)

    def _fill(self, play: Play, layer: int) -> None:
        """Write the laws of a layer, from those of the next one."""
        model, (first, last) = self._model, play.sweep.layers[layer]
        here = (np.flatnonzero(self.has_C[first:last]) + first).tolist()
        if layer == len(play.sweep.layers) - 1:
            for c in here:
                lanes = self._lanes(c)
                bonus_R = np.minimum(model.bonus_L[lanes], self._width - 1)
                self._law_X_J[self.rows(c, lanes), bonus_R] = 1.0
            return
        if not here:
            return
        wanted_X = np.repeat(self.has_C[first:last], model.rows_C[first:last])
        played = play.of_layer(layer, wanted_X)
        for c in here:
            lanes = self._lanes(c)
            law_R_O, o = turn_law(model, played, c, lanes)
            after = self.rows(model.class_after(c, o), model.lane_after(lanes[:, None], o))
            moved_R_O_J = self._moved_X_S_J[after, self._room - model.step_O[o]]
            law_R_J = self._law_X_J[self.rows(c, lanes)]
            np.einsum("ro,roj->rj", law_R_O.astype(np.float32), moved_R_O_J, out=law_R_J)
            law_R_J[:, -1] += 1 - law_R_J.sum(axis=1)
            self._law_X_J[self.rows(c, lanes)] = law_R_J

    def _lanes(self, c: int) -> Integers:
        return np.asarray(self._model.first_lane_C[c] + np.arange(self._model.rows_C[c]))

    def rows(self, c: NDArray[np.integer] | int, lane: NDArray[np.integer]) -> Integers:
        """Return where the laws of classes and lanes stand."""
        row = np.maximum(lane - self._model.first_lane_C[c], 0)
        return np.asarray(self._first_row_C[c] + row)

    def chance(self, row: Integers, other: Integers, lead: Integers) -> Floats:
        """Return the chance that one card ends before another one, a tie counting half.

        Parameters
        ----------
        row, other : int64 arrays of shape (N,)
            Their rows.
        lead : int64 array of shape (N,)
            Points of the one less points of the other one, so far.
        """
        found, width = np.empty(len(row)), self._width
        from_N = width + np.clip(lead, -width, width)
        for first in range(0, len(row), PAIRS):
            some = slice(first, first + PAIRS)
            others, of = np.unique(other[some], return_inverse=True)
            law_U_J = self._law_X_J[others]
            below_U_J = np.zeros((len(others), 3 * width), np.float32)
            below_U_J[:, width : 2 * width] = np.cumsum(law_U_J, axis=1) - law_U_J / 2
            below_U_J[:, 2 * width :] = 1.0
            below_N_J = sliding_window_view(below_U_J, width, axis=1)[of, from_N[some]]
            found[some] = np.einsum("nj,nj->n", self._law_X_J[row[some]], below_N_J)
        return found
