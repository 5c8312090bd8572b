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

A lead that is above the window of its card counts as won; to one below it points are given, up to
its edge. Both raise what the best reply gets.

References
----------
D. Brown, J. Smith, P. Sun, Information relaxations and duality in stochastic dynamic programs
(2010): the bound, for one who decides alone.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from rollwise.evaluation.lead_sweep import End, LeadSweep
from rollwise.law import Law
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.progress import Progress

Floats = NDArray[np.float64]
Table = NDArray[np.float32]

SMOOTH = 64
"""Lengths of which multiples are quickly transformed."""

AT_ONCE = 2048
"""Rows that are convolved at once, for their memory."""

RARE = 1e-4
"""Scores rarer than this on either side count as the nearest one that is not, in what is paid."""


class ForeseenReply:
    """The best reply to games that are known beforehand.

    Parameters
    ----------
    expected : CardSolution
        For points.
    half_F : list of int
        How far from level leads are looked at by the boxes filled, as in :class:`LeadSweep`.
    threads : int, optional
        As many as the process may use unless told.
    progress : callable, optional
        Called with the done share of the work, from 0 to 1.
    """

    def __init__(
        self,
        expected: CardSolution,
        half_F: list[int],
        threads: int | None = None,
        progress: Progress | None = None,
    ) -> None:
        self._sweep = LeadSweep(expected, half_F, threads)
        known = self._sweep.layers(lambda _, worth_X_J: worth_X_J, progress=progress)
        self._known_F = [leads.before.astype(np.float32) for leads in known][::-1]

    def value(
        self,
        laws: Sequence[Law],
        *,
        second: bool,
        end: End | None = None,
        progress: Progress | None = None,
    ) -> float:
        """Return what a game is worth to who replies: on average at least the best reply.

        Parameters
        ----------
        laws : sequence of Law
            Of the other player's final score: before his first turn, and after each that is told.
        second : bool
            Whether the other player moves first.
        end : End, optional
            What the rest is worth after the turns that are told, if these are not all: leads are
            those of the expected final score.
        progress : callable, optional
            Called with the done share of the work, from 0 to 1.
        """
        game = _Foreseen(laws, second)

        def moved(filled: int, worth_X_J: Floats) -> Floats:
            return game.paid(filled, worth_X_J, self._known_F[filled])

        *_, first = self._sweep.layers(moved, end, progress)
        worth_J = (first.after if second else first.before)[0]
        return float(worth_J[-game.means[0] - int(first.rows.low_X[0])])


class _Foreseen:
    """A game of the other player, told beforehand.

    Attributes
    ----------
    means : list of int
        His expected final score before his first turn, and after each: what leads are held against.
    """

    def __init__(self, laws: Sequence[Law], second: bool) -> None:
        self._laws, self._second = laws, second
        self.means = [round(law.mean) for law in laws]
        self._ends = laws[0].quantile(RARE), laws[0].quantile(1 - RARE)

    def paid(self, filled: int, worth_X_J: Floats, known_X_J: Table) -> Floats:
        """Return what leads are worth before the next turn of the other one, less what he pays.

        Parameters
        ----------
        filled : int
            Boxes on the own cards.
        worth_X_J : float64 array of shape (X, J + 1)
            What they are worth after it, as in :class:`rollwise.evaluation.lead_sweep.Leads`.
        known_X_J : float32 array of shape (X, J + 1)
            What they are worth to one who knows the final score.
        """
        turn = filled if self._second else filled - 1
        if not 0 <= turn < len(self._laws) - 1:
            return worth_X_J
        mean, mean_after = self.means[turn : turn + 2]
        low, news = self._news(turn)
        column = np.arange(worth_X_J.shape[1]) - (mean_after - mean)
        worth_X_J = worth_X_J[:, np.clip(column, 0, len(column) - 1)]
        if news.any():
            worth_X_J -= expected_against(known_X_J, low, news)
        worth_X_J[:, -1] = 1.0
        return worth_X_J

    def _news(self, turn: int) -> tuple[int, Floats]:
        """Return how a turn changes the law of the final score, from which score less the mean."""
        scores = [np.clip(law.scores, *self._ends) for law in self._laws[turn : turn + 2]]
        low = int(min(map(np.min, scores)))
        size = int(max(map(np.max, scores))) - low + 1
        before, after = (
            np.bincount(score - low, law.probabilities, size).astype(np.float64)
            for score, law in zip(scores, self._laws[turn : turn + 2], strict=True)
        )
        return low - self.means[turn], after - before


def expected_against(known_X_J: Table, low: int, mass: Floats) -> Floats:
    """Return what leads are worth against scores ``low``, ``low + 1``, … of some mass.

    Before a row it is worth 0, behind it 1.
    """
    beyond, width = max(-low, low + len(mass)), known_X_J.shape[1]
    size = -(-(width + 2 * beyond) // SMOOTH) * SMOOTH
    law = np.fft.rfft(mass, size)
    mean_X_J = np.empty(known_X_J.shape)
    for first in range(0, len(known_X_J), AT_ONCE):
        rows = slice(first, first + AT_ONCE)
        wide = np.pad(known_X_J[rows], ((0, 0), (beyond, 0)))
        wide = np.pad(wide, ((0, 0), (0, beyond)), constant_values=1.0)
        means = np.fft.irfft(np.fft.rfft(wide, size, axis=1) * law, size, axis=1)
        mean_X_J[rows] = means[:, beyond - low :][:, :width]
    return mean_X_J
