r"""How ``duel`` plays: to win against one opponent, in games of any size.

What he thinks of two cards, H, is the chance of who has just moved if both went on for points, a
tie counting half. Of cards with at most ``FEW`` open boxes each it is read off the laws of what is
still to come (:mod:`rollwise.two_player.card_distributions`); of others, with means m and
variances v, the difference of the final scores is taken to be normal,

.. math:: H = \Phi\left(\frac{m_a - m_b}{\sqrt{v_a + v_b}}\right).

A turn is played for the highest mean of H over the cards that it can lead to: who is behind looks
for spread, who leads avoids it. When both have at most ``NEAR`` open boxes the exact value of the
game of two stands in the place of H.
"""

from collections.abc import Callable
from functools import cached_property
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rollwise.errors import TooLargeError
from rollwise.model.outcomes import FORBIDDEN
from rollwise.model.turn import options_of_all
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.kernels.legal_outcomes import LegalOutcomes
from rollwise.solving.kernels.score import NONE, Rows, reach_scores
from rollwise.solving.place import CardPlace
from rollwise.solving.policy import OptimalPolicy
from rollwise.solving.turn_policy import Choices, best_turns
from rollwise.two_player.card_distributions import CardDistributions
from rollwise.two_player.layout import rows_at
from rollwise.two_player.solution import DuelSolution

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
CardArrays = tuple[NDArray[Any], NDArray[Any], NDArray[Any]]
"""Classes, lanes and points so far of some cards, of shapes that fit each other."""

NEAR = 2
"""Open boxes of either player up to which a turn is played exactly."""

FEW = 8
"""Open boxes of either player up to which he compares whole laws."""

MOST_DISTRIBUTIONS = 1 << 20
"""Laws that are worked out at once, for their memory."""

FAR = 8.0
"""Standard deviations from which on the normal law is 0 or 1 here."""

DEVIATIONS = np.linspace(-FAR, FAR, 3201)
NORMAL = np.array([NormalDist().cdf(deviation) for deviation in DEVIATIONS])
"""The normal law there; read on a straight line between them it is right to 1e-6."""

SURE = 1e-18
"""A variance for full cards, whose difference is certain."""


class WinPolicy:
    """What one thinks of a game who plays to win, and the turns that he plays.

    Parameters
    ----------
    points : CardSolution
        Of the game for the expected score, with moments.

    Attributes
    ----------
    model : Model
    distributions : CardDistributions or None
        Of cards with few open boxes, as far as they were asked for.

    Raises
    ------
    TooLargeError
        When the game is too large for them.
    """

    def __init__(self, points: CardSolution) -> None:
        if points.moments is None or not points.is_whole:
            raise TooLargeError(f"{points.rules.name}: its cards are too many for one table")
        self.model, self.moments = points.model, points.moments
        self.distributions: CardDistributions | None = None
        self._play = OptimalPolicy(points)

    def know_distributions(self) -> None:
        """Work out the laws of all cards with at most ``FEW`` open boxes, or fewer if so many."""
        rows_N = np.bincount(self.open_C, self.model.rows_C).cumsum()[: FEW + 1]
        most = np.flatnonzero(rows_N <= MOST_DISTRIBUTIONS)[-1]
        has_X = np.repeat(self.open_C <= most, self.model.rows_C)
        self.distributions = CardDistributions(self._play, self.moments, has_X)

    def look_from(self, mine: CardArrays, other: CardArrays, few: int) -> None:
        """Work out the laws of two cards and all they lead to, if so few boxes are open."""
        if self.are_within(few, mine[0], other[0]) and self._distributions_of(mine, other) is None:
            self.know_distributions_after(mine, other)

    def know_distributions_after(self, mine: CardArrays, other: CardArrays) -> None:
        """Work out the laws of two cards, and of all that they lead to."""
        sweep, rows = self._play.sweep, Rows.empty(np.asarray(self.model.rows_C))
        classes, lanes = (np.append(mine[axis], other[axis]) for axis in (0, 1))
        rows.low_X[rows_at(self.model, classes, lanes)] = 0
        legal = LegalOutcomes.of(sweep.arrays, sweep.lattice_index)
        reach_scores(int(classes.min()), self.model.n_classes, legal, sweep.arrays, rows)
        self.distributions = CardDistributions(self._play, self.moments, rows.low_X != NONE)

    @cached_property
    def open_C(self) -> Integers:
        """How many boxes each class has open."""
        mask_C = np.asarray(self.model.mask_C)
        return np.asarray(len(self.model.rules.categories) - np.bitwise_count(mask_C))

    def are_within(self, boxes: int, mine: Integers, other: Integers) -> bool:
        """Return whether cards of these classes have at most so many open boxes."""
        return bool(max(self.open_C[mine].max(), self.open_C[other].max()) <= boxes)

    def chance(
        self, moved: CardArrays, mover: CardArrays, ends: DuelSolution | None = None
    ) -> Floats:
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
        if (distributions := self._distributions_of(moved, mover)) is not None:
            return distributions.chance(*_compared(distributions, moved, mover))
        return self._normal(moved, mover)

    def tie(self, moved: CardArrays, mover: CardArrays) -> Floats:
        """Return the chance that two cards end level; parameters are as for :meth:`chance`."""
        if (distributions := self._distributions_of(moved, mover)) is not None:
            return distributions.tie(*_compared(distributions, moved, mover))
        return self._normal(moved, mover, 0.5) - self._normal(moved, mover, -0.5)

    def _distributions_of(self, moved: CardArrays, mover: CardArrays) -> CardDistributions | None:
        """Return the laws if all of these cards have one."""
        distributions = self.distributions
        both = (
            distributions is not None
            and distributions.has(*moved[:2])
            and distributions.has(*mover[:2])
        )
        return distributions if both else None

    def _normal(self, moved: CardArrays, mover: CardArrays, more: float = 0.0) -> Floats:
        """Return the chance to end ahead with so many points more, by the normal difference."""
        (mean, variance), (other, also) = (self._spread(cards) for cards in (moved, mover))
        lead, variance = moved[2] + mean - mover[2] - other + more, variance + also
        deviations = lead / np.sqrt(np.maximum(variance, SURE))
        return np.asarray(np.interp(deviations, DEVIATIONS, NORMAL))

    def _spread(self, cards: CardArrays) -> tuple[Floats, Floats]:
        """Return mean and variance of what is still to come."""
        mean = self.moments.mean_C_L[cards[:2]]
        return mean, self.moments.second_C_L[cards[:2]] - mean**2

    def worths(
        self, mine: CardArrays, other: CardArrays, ends: DuelSolution | None = None
    ) -> Floats:
        """Return what each outcome of a turn is worth to who is to move, shape (G, O).

        Those that cannot be are worth -inf. Parameters are as for :meth:`chance`, arrays of shape
        (G,), of classes with turns of one length.
        """
        return self._after_each(mine, other, lambda moved, mover: self.chance(moved, mover, ends))

    def ties(self, mine: CardArrays, other: CardArrays) -> Floats:
        """Return how likely a tie is after each outcome of a turn, as :meth:`worths` does."""
        return self._after_each(mine, other, self.tie)

    def _after_each(
        self,
        mine: CardArrays,
        other: CardArrays,
        quantity: Callable[[CardArrays, CardArrays], Floats],
    ) -> Floats:
        """Return a quantity of both cards after each outcome, shape (G, O); -inf if none."""
        model, (class_G, lane_G, points_G) = self.model, mine
        classes, class_of_G = np.unique(class_G, return_inverse=True)
        can_X_O = np.zeros((len(classes), len(model.points_O)), dtype=np.bool_)
        option_X_E_K = options_of_all(model, classes)
        can_X_O[np.arange(len(classes))[:, None, None], option_X_E_K] = True
        can_X_O[:, FORBIDDEN] = False
        g, o = np.nonzero(can_X_O[class_of_G])
        worth_G_O = np.full((len(class_G), len(model.points_O)), -np.inf)
        worth_G_O[g, o] = quantity(
            self.after((class_G[g], lane_G[g], points_G[g]), o),
            (other[0][g], other[1][g], other[2][g]),
        )
        return worth_G_O

    def after(self, cards: CardArrays, outcomes: Integers) -> CardArrays:
        """Return cards after outcomes of a turn."""
        model, (c, lane, points) = self.model, cards
        moved = model.class_after(c, outcomes), model.lane_after(lane, outcomes)
        return (*moved, np.asarray(points + model.step_O[outcomes]))

    def turns(self, mine: CardArrays, worth_G_O: Floats) -> Choices:
        """Return the best turns for what outcomes are worth on cards of one's own."""
        return best_turns(self.model, worth_G_O, np.arange(len(worth_G_O)), mine[0])


def cards_at(place: CardPlace) -> CardArrays:
    """Return the cards of one place."""
    return np.array([place.c]), np.array([place.lane]), np.array([place.score])


def _compared(
    distributions: CardDistributions, moved: CardArrays, mover: CardArrays
) -> tuple[Integers, Integers, Integers]:
    """Return the numbers of the laws of both cards, and how far the first one leads."""
    a, b = (distributions.number(c, lane) for c, lane, _ in (moved, mover))
    return a, b, moved[2] - mover[2]


def _turn(ends: DuelSolution, moved: CardArrays, mover: CardArrays) -> int:
    """Return which turn of a solution two cards stand before."""
    mask_C, start = ends.model.mask_C, ends.layers[0]
    filled = (int(np.bitwise_count(mask_C[cards[0].flat[0]])) for cards in (moved, mover))
    return sum(filled) - start.moved.turns - start.movers.turns
