r"""How ``duel`` plays: to win against one opponent, in games of any size.

What a card will end with, if it is played for points, has a mean m and a variance v. Of two cards
the difference of the final scores is taken to be normal, so that who has just moved wins with

.. math:: H = \Phi\left(\frac{m_a - m_b}{\sqrt{v_a + v_b}}\right)

and the next turn is played for the highest mean of H over the cards that it can lead to: who is
behind looks for spread, who leads avoids it. When both have at most ``NEAR`` open boxes the exact
value of the game of two stands in the place of H.
"""

from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rollwise.errors import TooLargeError
from rollwise.model.outcomes import FORBIDDEN
from rollwise.model.turn import options_of_all
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.duel.solution import DuelSolution
from rollwise.strategies.best_turns import best_turns
from rollwise.strategies.strategy import Choices

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Cards = tuple[NDArray[Any], NDArray[Any], NDArray[Any]]
"""Classes, lanes and points so far of some cards, of shapes that fit each other."""

NEAR = 2
"""Open boxes of either player up to which a turn is played exactly."""

FAR = 8.0
"""Standard deviations from which on the normal law is 0 or 1 here."""

DEVIATIONS = np.linspace(-FAR, FAR, 3201)
NORMAL = np.array([NormalDist().cdf(deviation) for deviation in DEVIATIONS])
"""The normal law there; read on a straight line between them it is right to 1e-6."""

SURE = 1e-18
"""A variance for full cards, whose difference is certain."""


class DuelPlay:
    """What one thinks of a game who plays to win, and the turns that he plays.

    Parameters
    ----------
    points : CardSolution
        Of the game for the expected score, with moments.

    Raises
    ------
    TooLargeError
        When the game is too large for them.
    """

    def __init__(self, points: CardSolution) -> None:
        if points.moments is None:
            raise TooLargeError(f"{points.rules.name}: its cards are too many for one table")
        self.model = points.model
        self._mean_C_L = points.moments.mean_C_L
        self._variance_C_L = points.moments.second_C_L - self._mean_C_L**2

    def is_near(self, mine: Integers, other: Integers) -> bool:
        """Return whether the turn of who has cards of these classes is played exactly."""
        boxes = len(self.model.rules.categories)
        filled = (np.bitwise_count(self.model.mask_C[c]).min() for c in (mine, other))
        return bool(boxes - min(filled) <= NEAR)

    def chance(self, moved: Cards, mover: Cards, ends: DuelSolution | None = None) -> Floats:
        """Return the chance of who has just moved, a tie counting half.

        Parameters
        ----------
        moved, mover : tuples of int64 arrays
            The cards of who has just moved, and of who is to move.
        ends : DuelSolution, optional
            In which the exact chance stands.
        """
        if ends is not None:
            return ends.look_up(_turn(ends, moved, mover), moved, mover)
        lead = moved[2] + self._mean_C_L[moved[:2]] - mover[2] - self._mean_C_L[mover[:2]]
        variance = self._variance_C_L[moved[:2]] + self._variance_C_L[mover[:2]]
        deviations = lead / np.sqrt(np.maximum(variance, SURE))
        return np.asarray(np.interp(deviations, DEVIATIONS, NORMAL))

    def worths(self, mine: Cards, other: Cards, ends: DuelSolution | None = None) -> Floats:
        """Return what each outcome of a turn is worth to who is to move, shape (G, O).

        Those that cannot be are worth -inf. Parameters are as for :meth:`chance`, arrays of shape
        (G,), of classes with turns of one length.
        """
        model, (class_G, lane_G, points_G) = self.model, mine
        classes, class_of_G = np.unique(class_G, return_inverse=True)
        can_X_O = np.zeros((len(classes), len(model.points_O)), dtype=np.bool_)
        option_X_E_K = options_of_all(model, classes)
        can_X_O[np.arange(len(classes))[:, None, None], option_X_E_K] = True
        can_X_O[:, FORBIDDEN] = False
        g, o = np.nonzero(can_X_O[class_of_G])
        worth_G_O = np.full((len(class_G), len(model.points_O)), -np.inf)
        worth_G_O[g, o] = self.chance(
            self.after((class_G[g], lane_G[g], points_G[g]), o),
            (other[0][g], other[1][g], other[2][g]),
            ends,
        )
        return worth_G_O

    def after(self, cards: Cards, outcomes: Integers) -> Cards:
        """Return cards after outcomes of a turn."""
        model, (c, lane, points) = self.model, cards
        moved = model.class_after(c, outcomes), model.lane_after(lane, outcomes)
        return (*moved, np.asarray(points + model.step_O[outcomes]))

    def turns(self, mine: Cards, worth_G_O: Floats) -> Choices:
        """Return the best turns for what outcomes are worth on cards of one's own."""
        return best_turns(self.model, worth_G_O, np.arange(len(worth_G_O)), mine[0])


def _turn(ends: DuelSolution, moved: Cards, mover: Cards) -> int:
    """Return which turn of a solution two cards stand before."""
    mask_C, start = ends.model.mask_C, ends.layers[0]
    filled = (int(np.bitwise_count(mask_C[cards[0].flat[0]])) for cards in (moved, mover))
    return sum(filled) - start.moved.turns - start.movers.turns
