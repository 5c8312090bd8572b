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
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from rollwise.evaluation.lead_sweep import End, LeadSweep
from rollwise.law import Law
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.kernels.news import Known, News
from rollwise.solving.progress import Progress

Floats = NDArray[np.float64]

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
            What the replier's points are worth after the turns that are told; unless told these
            are all, and the last law is a score.
        progress : callable, optional
            Called with the done share of the work, from 0 to 1.
        """

        def moved(filled: int, worth: Floats) -> None:
            turn = filled if second else filled - 1
            if 0 <= turn < len(laws) - 1:
                news = _news(laws[0], *laws[turn : turn + 2])
                self._sweep.pay(filled, self._points, worth, self._known_F[filled], news)

        end = end or self._sweep.over(round(laws[-1].mean))
        *_, worth = self._sweep.layers(self._points, moved, end, progress)
        return float(worth[self._points.rows.start_X[0]])


def _news(start: Law, before: Law, after: Law) -> News:
    """Return how a turn changes the law of the final score, which is a given one at the start."""
    ends = start.quantile(RARE), start.quantile(1 - RARE)
    scores = [np.clip(law.scores, *ends) for law in (before, after)]
    low, last = (int(edge(list(map(edge, scores)))) for edge in (np.min, np.max))
    mass_S = sum(
        sign * np.bincount(last - score, law.probabilities, last - low + 1)
        for sign, score, law in zip((-1.0, 1.0), scores, (before, after), strict=True)
    )
    return News(last, np.asarray(mass_S))
