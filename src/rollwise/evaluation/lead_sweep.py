"""A sweep over all cards whose lanes are leads: points so far less a score of the other player.

As :mod:`rollwise.solving.by_score`, in windows about what is expected of each card. Who leads by
more than his window has won; who is behind by more is given the points to its edge. Between the
turns of the player the other one moves, and what leads are worth changes by what he does.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rollwise.solving.by_score.start import EMPTY_CARD
from rollwise.solving.by_score.windows import Layout, by_row, first_rows, laid_out, reached
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.kernels.menu import Arrays
from rollwise.solving.kernels.news import Known, News, pay_for_news
from rollwise.solving.kernels.rows import NONE
from rollwise.solving.kernels.score import ScoreLayer, ScoreScratch, Terms, backward_by_score
from rollwise.solving.kernels.streams import Streams
from rollwise.solving.kernels.vector import WIDTH, aligned
from rollwise.solving.layers import Sweep
from rollwise.solving.progress import Progress

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Worth = Callable[[Integers, Integers, Integers], Floats]

WON = Terms(below=0.0, above=1.0, price=0.0, floor=-np.inf)
"""What is above a window is won; what is below it is written by the sweep itself."""


class End(NamedTuple):
    """A layer from which on nothing is to be worked out.

    Attributes
    ----------
    filled : int
    worth : callable
        Returns what leads are worth there by the class and the lane of a card and the lead, all of
        shape (N,).
    """

    filled: int
    worth: Worth


class LeadSweep:
    """One game, to be swept as often as wished.

    Parameters
    ----------
    expected : CardSolution
        For points.
    threads : int, optional
        As many as the process may use unless told.
    """

    def __init__(self, expected: CardSolution, threads: int | None = None) -> None:
        self._model = expected.model
        self._sweep = Sweep(expected.model, expected.objective, threads)
        self._reached = reached(self._sweep, EMPTY_CARD)
        self._mean_X = np.round(by_row(self._sweep, expected.table_C_L)).astype(np.int64)
        first_row_C = first_rows(self._sweep)
        self._c_X = np.repeat(np.arange(self._model.n_classes), self._model.rows_C)
        row_X = np.arange(len(self._c_X)) - first_row_C[self._c_X]
        self._lane_X = row_X + self._model.first_lane_C[self._c_X]
        self._layer_X = np.bitwise_count(self._model.mask_C[self._c_X])

    def windows(self, level: int, half: int, *, had: bool) -> Layout:
        """Return which leads are looked at, of the cards that games have.

        Parameters
        ----------
        level : int
            About which expected lead at the end.
        half : int
            How far from it.
        had : bool
            Only leads that are points which some game has on that card.
        """
        known = self._reached.rows.low_X != NONE
        middle = (level - self._mean_X)[known]
        low, high = middle - half, middle + half
        if had:
            low, high = (
                np.clip(self._reached.rows.low_X[known], low, high - 1),
                np.clip(self._reached.rows.high_X[known], low + 1, high),
            )
        rows = self._reached.rows._replace(
            low_X=self._reached.rows.low_X.copy(), high_X=self._reached.rows.high_X.copy()
        )
        rows.low_X[known], rows.high_X[known] = low, np.maximum(low + 1, high)
        return laid_out(self._sweep, rows)

    def layers(
        self,
        windows: Layout,
        moved: Callable[[int, Floats], None] | None = None,
        end: End | None = None,
        progress: Progress | None = None,
    ) -> Iterator[Floats]:
        """Yield what leads are worth after the own turn, layer by layer, the last one first.

        Parameters
        ----------
        windows : Layout
            As of :meth:`windows`, which says where the leads of each card stand.
        moved : callable, optional
            Changes what leads are worth before the own turn into what they are worth after the one
            before, by the boxes filled; nothing changes unless told.
        end : End, optional
            The last layer; that of full cards unless told.
        progress : callable, optional
            Called with the done share of the work, from 0 to 1.
        """
        sweep, after = self._sweep, np.empty(0)
        end = end or self.over(0)
        for filled in range(end.filled, -1, -1):
            classes, worth = windows.classes[filled], np.ones(windows.sizes[filled])
            if filled == end.filled:
                self._fill(worth, windows, end)
            else:
                sweep.each_part(
                    0,
                    len(classes),
                    backward_by_score,
                    sweep.arrays,
                    sweep.streams,
                    windows.rows,
                    WON,
                    ScoreLayer(classes, worth, after),
                    scratch=ScoreScratch.of,
                )
            if moved:
                moved(filled, worth)
            start = windows.rows.start_X[self._rows(filled)]
            worth[start[:, None] - np.arange(1, WIDTH + 1)] = worth[start, None]
            yield worth
            after = worth
            if progress:
                progress(1 - sweep.layers[filled][0] / self._model.n_classes)

    def over(self, score: int) -> End:
        """Return the end of the game: full cards, whose leads are over a final score."""

        def worth(_: Integers, lane: Integers, lead: Integers) -> Floats:
            bonus = self._model.bonus_L[lane]  # counted now
            return np.asarray((1 + np.sign(lead + bonus - score)) / 2)

        return End(len(self._sweep.layers) - 1, worth)

    def pay(self, filled: int, windows: Layout, worth: Floats, known: Known, news: News) -> None:
        """Take from what leads are worth what is paid for news of the score that they are over."""
        rows = self._rows(filled)
        longest = int((windows.rows.high_X[rows] - windows.rows.low_X[rows]).max())

        def room(_arrays: Arrays, _streams: Streams) -> Floats:
            return aligned(longest + 2 * WIDTH + len(news.mass_S))

        self._sweep.each_part(
            int(rows[0]),
            int(rows[-1]) + 1,
            pay_for_news,
            windows.rows,
            worth,
            known,
            news,
            scratch=room,
        )

    def _rows(self, filled: int) -> Integers:
        """Return the rows of a layer that games have."""
        return np.flatnonzero((self._layer_X == filled) & (self._reached.rows.low_X != NONE))

    def _fill(self, worth: Floats, windows: Layout, end: End) -> None:
        """Write what the last layer is worth."""
        rows = self._rows(end.filled)
        low, start = windows.rows.low_X[rows], windows.rows.start_X[rows]
        length = windows.rows.high_X[rows] - low
        ahead = np.arange(length.sum()) - np.repeat(np.cumsum(length) - length, length)
        x = np.repeat(rows, length)
        leads = np.repeat(low, length) + ahead
        worth[np.repeat(start, length) + ahead] = end.worth(self._c_X[x], self._lane_X[x], leads)
