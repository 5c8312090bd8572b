"""A sweep over all cards whose lanes are leads: points so far less a score of the other player.

As :mod:`rollwise.solving.by_score`, in windows about what is expected of each card: a lead far
enough from level is worth the same whatever it is. Between the turns of the player the other one
moves, and what leads are worth changes by what he does.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rollwise.solving.by_score.windows import by_row
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.kernels.rows import Rows
from rollwise.solving.kernels.score import ScoreLayer, ScoreScratch, Terms, backward_by_score
from rollwise.solving.kernels.vector import WIDTH
from rollwise.solving.layers import Sweep
from rollwise.solving.progress import Progress

Floats = NDArray[np.float64]


class Leads(NamedTuple):
    """All cards with some boxes filled, X of them.

    Attributes
    ----------
    filled : int
    rows : Rows
    before, after : float64 arrays of shape (X, J)
        What leads are worth before the own turn, and after it: from ``WIDTH`` below the window of
        a row to ``WIDTH`` above it.
    """

    filled: int
    rows: Rows
    before: Floats
    after: Floats


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

    def layers(
        self,
        moved: Callable[[int, Floats], Floats],
        below: float = 0.0,
        progress: Progress | None = None,
    ) -> Iterator[Leads]:
        """Yield the layers, that of full cards first.

        Parameters
        ----------
        moved : callable
            Returns what leads are worth after the own turn, by the boxes filled and what they are
            worth before the next one, as in :class:`Leads`.
        below : float
            What leads are worth that are lower than all that is looked at.
        progress : callable, optional
            Called with the done share of the work, from 0 to 1.
        """
        sweep, terms, after = self._sweep, Terms(below, 1.0, 0.0, -np.inf), np.empty((0, 0))
        first_row_C = np.append(0, np.cumsum(self._model.rows_C))
        rows = Rows(first_row_C, *np.zeros((3, len(self._mean_X)), dtype=np.int64))
        for filled in range(len(sweep.layers) - 1, -1, -1):
            first, last = sweep.layers[filled]
            here = slice(first_row_C[first], first_row_C[last])
            half = self.half_F[filled]
            room = 2 * (half + WIDTH)
            rows.low_X[here] = -np.round(self._mean_X[here]).astype(np.int64) - half
            rows.high_X[here] = rows.low_X[here] + 2 * half
            rows.start_X[here] = np.arange(here.stop - here.start) * room + WIDTH
            if filled == len(sweep.layers) - 1:
                lead_X_J = rows.low_X[here, None] + np.arange(-WIDTH, room - WIDTH)
                before = (1 + np.sign(lead_X_J + self._mean_X[here, None])).ravel() / 2
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
                    ScoreLayer(np.arange(first, last), before, after.ravel()),
                    scratch=ScoreScratch.of,
                )
            after = moved(filled, before.reshape(-1, room))
            yield Leads(filled, rows, before.reshape(-1, room), after)
            if progress:
                progress(1 - first / self._model.n_classes)
