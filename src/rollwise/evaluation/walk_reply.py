r"""The best reply to an opponent whose expected final score walks at random.

With a the own card and x the points on it less the opponent's expected final score,

.. math::
    A(a, x) = E \, B(a, x - \text{step}), \qquad B(a, x) = \max E \, A(a', x + p)

over the plays of one turn, and 1, ½ or 0 by the sign of x when both cards are full: lanes are
scores, as in :mod:`rollwise.solving.by_score`, and a step of the opponent is a convolution.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rollwise.evaluation.walk import Steps
from rollwise.solving.by_score.windows import by_row
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.kernels.rows import Rows
from rollwise.solving.kernels.score import ScoreLayer, ScoreScratch, Terms, backward_by_score
from rollwise.solving.kernels.vector import WIDTH
from rollwise.solving.layers import Sweep
from rollwise.solving.progress import Progress

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]
Table = NDArray[np.float32]

FAR = 4.0
"""Standard deviations of what is still to come to both from which on a lead is sure."""

AT_ONCE = 2048
"""Rows that are convolved at once, for their memory."""


@dataclass(frozen=True, eq=False)
class WalkLayer:
    """All cards with some boxes filled.

    Attributes
    ----------
    rows : Rows
        Their lanes are leads: points so far less the opponent's expected final score.
    before, after : float32 arrays
        What leads are worth before the own turn, and after it.
    """

    rows: Rows
    before: Table
    after: Table

    def at(self, values: Table, row: Indices, lead: Indices) -> Floats:
        """Return what whole leads are worth, of any shape."""
        low, high, start = self.rows.low_X[row], self.rows.high_X[row], self.rows.start_X[row]
        is_open = (low <= lead) & (lead < high)
        read = values[np.where(is_open, start + lead - low, 0)]
        return np.where(is_open, read, (lead >= high).astype(np.float64))

    def between(self, values: Table, row: Indices, lead: Floats) -> Floats:
        """Return what any leads are worth, on a straight line between whole ones."""
        whole = np.floor(lead).astype(np.int64)
        low, high = self.at(values, row, whole), self.at(values, row, whole + 1)
        return np.asarray(low + (lead - whole) * (high - low))


class WalkReply:
    """The best reply to a walk, from an empty card.

    Parameters
    ----------
    expected : CardSolution
        For points.
    steps : sequence of Steps
        Of each turn of the opponent.
    second : bool
        Whether the opponent moves first.
    threads : int, optional
        As many as the process may use unless told.
    progress : callable, optional
        Called with the done share of the work, from 0 to 1.

    Attributes
    ----------
    model : Model
    second : bool
    layers : list of WalkLayer
        By the boxes filled.
    """

    def __init__(
        self,
        expected: CardSolution,
        steps: Sequence[Steps],
        *,
        second: bool,
        threads: int | None = None,
        progress: Progress | None = None,
    ) -> None:
        self.model, self.second = expected.model, second
        self._steps = steps
        sweep = Sweep(self.model, expected.objective, threads)
        mean_X = by_row(sweep, expected.table_C_L)
        self.layers = list(self._solved(sweep, mean_X, progress))[::-1]

    def _solved(
        self, sweep: Sweep, mean_X: Floats, progress: Progress | None
    ) -> Iterator[WalkLayer]:
        """Yield the layers, that of full cards first."""
        first_row_C = np.append(0, np.cumsum(self.model.rows_C))
        rows = Rows(first_row_C, *np.zeros((3, len(mean_X)), dtype=np.int64))
        terms, after = Terms(0.0, 1.0, 0.0, -np.inf), np.empty(0)
        for filled in range(len(sweep.layers) - 1, -1, -1):
            first, last = sweep.layers[filled]
            here = slice(first_row_C[first], first_row_C[last])
            half = self._half(filled)
            room = 2 * (half + WIDTH)
            rows.low_X[here] = -np.round(mean_X[here]).astype(np.int64) - half
            rows.high_X[here] = rows.low_X[here] + 2 * half
            rows.start_X[here] = np.arange(here.stop - here.start) * room + WIDTH
            if filled == len(sweep.layers) - 1:
                lead_X_J = rows.low_X[here, None] + np.arange(-WIDTH, room - WIDTH)
                before = (1 + np.sign(lead_X_J + mean_X[here, None])).ravel() / 2
            else:
                before = np.empty((here.stop - here.start) * room)
                sweep.each_part(
                    0,
                    last - first,
                    backward_by_score,
                    sweep.arrays,
                    sweep.streams,
                    rows,
                    terms,
                    ScoreLayer(np.arange(first, last), before, after),
                    scratch=ScoreScratch.of,
                )
            after = self._awaiting(filled, before.reshape(-1, room)).ravel()
            yield WalkLayer(rows, before.astype(np.float32), after.astype(np.float32))
            if progress:
                progress(1 - first / self.model.n_classes)

    def _next(self, filled: int) -> int:
        """Return which turn of the opponent follows when so many boxes of the own are filled."""
        return filled if self.second else filled - 1

    def _half(self, filled: int) -> int:
        """Return how far from level leads are open, a multiple of ``WIDTH``."""
        left = self._steps[max(self._next(filled), 0) :] or self._steps[-1:]
        variance = sum(float(step.variance_X[0]) for step in left)
        far = max(FAR * np.sqrt(2 * variance), *(step.reach for step in left))
        return -(-int(far) // WIDTH) * WIDTH

    def _awaiting(self, filled: int, worth_X_J: Floats) -> Floats:
        """Return what leads are worth when the opponent is to move; as they are if he is not."""
        turn = self._next(filled)
        moves = 0 <= turn < len(self._steps)
        return convolved(worth_X_J, self._steps[turn]) if moves else worth_X_J


def convolved(worth_X_J: Floats, step: Steps) -> Floats:
    """Return the mean of rows read a step lower; before a row is 0, behind it 1."""
    beyond, width = step.reach, worth_X_J.shape[1]
    size = 1 << (width + 4 * beyond).bit_length()
    law = np.fft.rfft(step.mass_X_J[0], size)
    mean_X_J = np.empty_like(worth_X_J)
    for first in range(0, len(worth_X_J), AT_ONCE):
        rows = slice(first, first + AT_ONCE)
        wide = np.pad(worth_X_J[rows], ((0, 0), (beyond, 0)))
        wide = np.pad(wide, ((0, 0), (0, beyond)), constant_values=1.0)
        means = np.fft.irfft(np.fft.rfft(wide, size, axis=1) * law, size, axis=1)
        mean_X_J[rows] = means[:, beyond - step.low :][:, :width]
    return mean_X_J
