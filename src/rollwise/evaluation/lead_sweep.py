"""A sweep over all cards whose lanes are leads: points so far less a score of the other player.

As :mod:`rollwise.solving.by_score`, in windows about what is expected of each card. Who leads by
more than his window has won; who is behind by more is given the points to its edge. Between the
turns of the player the other one moves, and what leads are worth changes by what he does.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rollwise.solving.by_score.windows import by_row, first_rows
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.kernels.rows import Rows
from rollwise.solving.kernels.score import ScoreLayer, ScoreScratch, Terms, backward_by_score
from rollwise.solving.kernels.vector import WIDTH
from rollwise.solving.layers import Sweep
from rollwise.solving.progress import Progress

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Worth = Callable[[Integers, Integers, Integers], Floats]

WON = Terms(below=0.0, above=1.0, price=0.0, floor=-np.inf)
"""What is above a window is won; what is below it is written by the sweep itself."""


class Leads(NamedTuple):
    """All cards with some boxes filled, X of them.

    Attributes
    ----------
    filled : int
    rows : Rows
    before, after : float64 arrays of shape (X, J + 1)
        What leads are worth before the own turn, and after it: the J of the window of a row, and
        the first that is won.
    """

    filled: int
    rows: Rows
    before: Floats
    after: Floats


class End(NamedTuple):
    """A layer from which on nothing is to be worked out.

    Attributes
    ----------
    filled : int
    worth : callable
        Returns what leads are worth there, of shape (X, J), by the class and the lane of each card,
        of shape (X, 1), and the leads.
    """

    filled: int
    worth: Worth


class LeadSweep:
    """One game, to be swept as often as wished.

    Parameters
    ----------
    expected : CardSolution
        For points.
    half_F : list of int
        How far from level leads are looked at by the boxes filled, multiples of ``WIDTH``.
    threads : int, optional
        As many as the process may use unless told.

    Attributes
    ----------
    half_F : list of int
    """

    def __init__(
        self, expected: CardSolution, half_F: list[int], threads: int | None = None
    ) -> None:
        self.half_F, self._model = half_F, expected.model
        self._sweep = Sweep(expected.model, expected.objective, threads)
        self._mean_X = by_row(self._sweep, expected.table_C_L)
        self._first_row_C = first_rows(self._sweep)
        self._c_X = np.repeat(np.arange(self._model.n_classes), self._model.rows_C)
        row_X = np.arange(len(self._c_X)) - self._first_row_C[self._c_X]
        self._lane_X = row_X + self._model.first_lane_C[self._c_X]

    def layers(
        self,
        moved: Callable[[int, Floats], Floats],
        end: End | None = None,
        progress: Progress | None = None,
    ) -> Iterator[Leads]:
        """Yield the layers, the last one first.

        Parameters
        ----------
        moved : callable
            Returns what leads are worth after the own turn, by the boxes filled and what they are
            worth before the next one, as in :class:`Leads`.
        end : End, optional
            The last layer; that of full cards unless told.
        progress : callable, optional
            Called with the done share of the work, from 0 to 1.
        """
        sweep, after = self._sweep, np.empty((0, 0))
        end = end or End(len(sweep.layers) - 1, self._final)
        rows = Rows(self._first_row_C, *np.zeros((3, len(self._mean_X)), dtype=np.int64))
        for filled in range(end.filled, -1, -1):
            first, last = sweep.layers[filled]
            here = slice(self._first_row_C[first], self._first_row_C[last])
            half = self.half_F[filled]
            room = 2 * (half + WIDTH)
            rows.low_X[here] = -np.round(self._mean_X[here]).astype(np.int64) - half
            rows.high_X[here] = rows.low_X[here] + 2 * half
            rows.start_X[here] = np.arange(here.stop - here.start) * room + WIDTH
            looked = slice(WIDTH, room - WIDTH + 1)
            before = np.ones((here.stop - here.start, room))
            if filled == end.filled:
                x = np.arange(here.start, here.stop)[:, None]
                lead_X_J = rows.low_X[here, None] + np.arange(2 * half)
                before[:, looked][:, :-1] = end.worth(self._c_X[x], self._lane_X[x], lead_X_J)
            else:
                sweep.each_part(
                    0,
                    last - first,
                    backward_by_score,
                    sweep.arrays,
                    sweep.streams,
                    rows,
                    WON,
                    ScoreLayer(np.arange(first, last), before.ravel(), after.ravel()),
                    scratch=ScoreScratch.of,
                )
            after = np.ones_like(before)
            after[:, looked] = moved(filled, before[:, looked])
            after[:, :WIDTH] = after[:, WIDTH, None]
            yield Leads(filled, rows, before[:, looked], after[:, looked])
            if progress:
                progress(1 - first / self._model.n_classes)

    def _final(self, c: Integers, lane: Integers, lead: Integers) -> Floats:
        """Return what leads are worth to full cards: upper bonuses are counted now."""
        return np.asarray((1 + np.sign(lead + self._model.bonus_L[lane])) / 2)
