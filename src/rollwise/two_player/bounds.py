r"""A bound on every reply to a player who looks at his own card alone.

Let his law of the final score S be known after each of his turns: a sequence of laws, each the mean
of what can follow, and in the end one score. He who replies may be told a whole game of these laws
beforehand, if for every turn he pays what it has brought him more than could be expected. With K(a,
l) what a card a is worth to one who knows that he leads a final score by l,

.. math::
    \Delta_t(a, y) = E\bigl(K(a, y - S) \mid \text{after turn } t\bigr)
        - E\bigl(K(a, y - S) \mid \text{before}\bigr)

has mean 0 whatever he does who does not know: his chance is what it was. So the best value of the
game that was told, less all that is paid, is on average at least that of the best reply; the better
K says what news are worth, the less is it above.

Points that are above the window of their card count as won; to those below it points are given, up
to its edge. Both raise what the best reply gets; a narrower K only makes it pay otherwise.

References
----------
D. Brown, J. Smith, P. Sun, Information relaxations and duality in stochastic dynamic programs
(2010): the bound, for one who decides alone.

An interval that holds the value of a game of two of any size.

A player who looks at his own card alone may be given an opponent who knows beforehand what he will
end with: no real one does better. With P*(T) the best probability of at least T points, such an
opponent gets no more than (P*(s) + P*(s + 1)) / 2 out of a final score of s, ties half. So

.. math:: \underline W = \max E \, \bigl(1 - \tfrac12 P^*(S) - \tfrac12 P^*(S + 1)\bigr)

over all plays of one card is a chance that either player can be sure of, and the value to who moves
first lies between it and one less it.

A sweep over all cards whose lanes are leads: points so far less a score of the other player.

As :mod:`rollwise.solving.by_score`, in windows about what is expected of each card. Who leads by
more than his window has won; who is behind by more is given the points to its edge. Between the
turns of the player the other one moves, and what leads are worth changes by what he does.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rollwise.distribution import Distribution
from rollwise.solving.by_score.windows import (
    EMPTY_CARD,
    Layout,
    by_row,
    first_rows,
    laid_out,
    reached,
)
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.kernels.lattice_index import LatticeIndex
from rollwise.solving.kernels.legal_outcomes import Arrays
from rollwise.solving.kernels.penalty import Known, News, pay_for_news
from rollwise.solving.kernels.score import NONE, ScoreLayer, ScoreScratch, Terms, backward_by_score
from rollwise.solving.kernels.vector import WIDTH, aligned
from rollwise.solving.layers import Sweep
from rollwise.solving.objectives import ScoreObjective
from rollwise.solving.progress import Progress
from rollwise.solving.solver import Solver

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]

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
                    sweep.lattice_index,
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

        def room(_arrays: Arrays, _lattice_index: LatticeIndex) -> Floats:
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


RARE = 1e-4
"""Scores rarer than this on either side count as the nearest one that is not, in what is paid."""


class ForeseenReply:
    """The best reply to games that are known beforehand.

    Parameters
    ----------
    expected : CardSolution
        For points.
    half : int
        How far from what is expected final scores are looked at, and from level final leads.
    threads : int, optional
        As many as the process may use unless told.
    progress : callable, optional
        Called with the done share of the work, from 0 to 1.
    """

    def __init__(
        self,
        expected: CardSolution,
        half: int,
        threads: int | None = None,
        progress: Progress | None = None,
    ) -> None:
        self._sweep = LeadSweep(expected, threads)
        self._points = self._sweep.windows(round(expected.value()), half, had=True)
        leads = self._sweep.windows(0, half, had=False)
        known = self._sweep.layers(leads, progress=progress)
        self._known_F = [Known(leads.rows, worth.astype(np.float32)) for worth in known][::-1]

    def value(
        self,
        distributions: Sequence[Distribution],
        *,
        second: bool,
        end: End | None = None,
        progress: Progress | None = None,
    ) -> float:
        """Return what a game is worth to who replies: on average at least the best reply.

        Parameters
        ----------
        distributions : sequence of Distribution
            Of the other player's final score: before his first turn, and after each that is told.
        second : bool
            Whether the other player moves first.
        end : End, optional
            What the replier's points are worth after the turns that are told; unless told these
            are all, and the last law is a score.
        progress : callable, optional
            Called with the done share of the work, from 0 to 1.
        """

        def moved(filled: int, worth: Floats) -> None:
            turn = filled if second else filled - 1
            if 0 <= turn < len(distributions) - 1:
                news = _news(distributions[0], *distributions[turn : turn + 2])
                self._sweep.pay(filled, self._points, worth, self._known_F[filled], news)

        end = end or self._sweep.over(round(distributions[-1].mean))
        *_, worth = self._sweep.layers(self._points, moved, end, progress)
        return float(worth[self._points.rows.start_X[0]])


def _news(start: Distribution, before: Distribution, after: Distribution) -> News:
    """Return how a turn changes the law of the final score, which is a given one at the start."""
    ends = start.quantile(RARE), start.quantile(1 - RARE)
    scores = [np.clip(distribution.scores, *ends) for distribution in (before, after)]
    low, last = (int(edge(list(map(edge, scores)))) for edge in (np.min, np.max))
    mass_S = sum(
        sign * np.bincount(last - score, distribution.probabilities, last - low + 1)
        for sign, score, distribution in zip((-1.0, 1.0), scores, (before, after), strict=True)
    )
    return News(last, np.asarray(mass_S))


def bracket(solver: Solver) -> tuple[float, float]:
    """Return between what the chance of who moves first lies when both play best, ties half.

    Exact up to rounding, less than 1e-12; nothing is simulated.

    Raises
    ------
    TooLargeError
        When the game has too many states for objectives of the final score.
    """
    reach_T = np.concatenate([[1.0], solver.targets(), [0.0]])

    def utility(scores: NDArray[np.int64]) -> NDArray[np.float64]:
        return np.asarray(1 - (reach_T[scores] + reach_T[scores + 1]) / 2)

    sure = ScoreObjective(
        "sure-chance", "chance against one who knows the score", "probability", utility=utility
    )
    low = solver.solve(sure).value()
    return low, 1 - low
