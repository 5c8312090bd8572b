r"""The policy of the strategy ``duel``: it plays to win against one opponent, in games of any size.

The policy evaluates two scorecards by H, the probability that the last mover wins if both players
maximize points from there; a tie counts half. If both scorecards have at most
``DISTRIBUTION_CATEGORIES`` open categories, H comes from the exact distributions of the points to
come (:mod:`rollwise.two_player.card_distributions`). Otherwise, with means m and variances v, the
difference of the final scores is taken to be normal,

.. math:: H = \Phi\left(\frac{m_a - m_b}{\sqrt{v_a + v_b}}\right).

Each turn maximizes the mean of H after the turn, which is one step of policy improvement from
maximizing points: a player who is behind seeks variance, a player who is ahead avoids it. When both
players have at most ``EXACT_CATEGORIES`` open categories, the exact value replaces H.
"""

from collections.abc import Callable
from functools import cached_property
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rollwise.errors import TooLargeError
from rollwise.model.arrays import Model
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
"""Classes, lanes and points so far of scorecards, of shapes that broadcast."""

EXACT_CATEGORIES = 2
"""Up to this many open categories of either player, a turn is played exactly."""

DISTRIBUTION_CATEGORIES = 8
"""Up to this many open categories of either player, H comes from distributions."""

MAX_DISTRIBUTIONS = 1 << 20
"""Distributions that are computed at once, because of their memory."""

FAR = 8.0
"""At this many standard deviations the normal distribution function is taken to be 0 or 1."""

DEVIATIONS = np.linspace(-FAR, FAR, 3201)
NORMAL = np.array([NormalDist().cdf(deviation) for deviation in DEVIATIONS])
"""The normal distribution function at ``DEVIATIONS``; linear interpolation is right to 1e-6."""

MIN_VARIANCE = 1e-18
"""The variance of full scorecards, whose score difference is certain."""


class WinPolicy:
    """The win probabilities H of two scorecards, and the turns that maximize them.

    Parameters
    ----------
    points : CardSolution
        Of the game for the expected score, with moments.

    Attributes
    ----------
    model : Model
    distributions : CardDistributions or None
        The distributions that were computed last.

    Raises
    ------
    TooLargeError
        If the game is too large for moments.
    """

    def __init__(self, points: CardSolution) -> None:
        if points.moments is None or not points.is_whole:
            raise TooLargeError(f"{points.rules.name}: its cards are too many for one table")
        self.model, self.moments = points.model, points.moments
        self.distributions: CardDistributions | None = None
        self._policy = OptimalPolicy(points)

    def compute_distributions(self) -> None:
        """Compute the distributions of all scorecards with few open categories.

        Few are ``DISTRIBUTION_CATEGORIES``, or less if there are too many such scorecards.
        """
        rows_N = np.bincount(self.open_C, self.model.rows_C).cumsum()[: DISTRIBUTION_CATEGORIES + 1]
        most = np.flatnonzero(rows_N <= MAX_DISTRIBUTIONS)[-1]
        has_X = np.repeat(self.open_C <= most, self.model.rows_C)
        self.distributions = CardDistributions(self._policy, self.moments, has_X)

    def compute_distributions_after(self, mine: CardArrays, other: CardArrays) -> None:
        """Compute the distributions of two scorecards and of all that follow them."""
        sweep, rows = self._policy.sweep, Rows.empty(np.asarray(self.model.rows_C))
        classes, lanes = (np.append(mine[axis], other[axis]) for axis in (0, 1))
        rows.low_X[rows_at(self.model, classes, lanes)] = 0
        legal = LegalOutcomes.of(sweep.arrays, sweep.lattice_index)
        reach_scores(int(classes.min()), self.model.n_classes, legal, sweep.arrays, rows)
        self.distributions = CardDistributions(self._policy, self.moments, rows.low_X != NONE)

    def prepare(self, mine: CardArrays, other: CardArrays, max_open: int) -> None:
        """Compute the distributions of two scorecards if at most this many categories are open."""
        if self.at_most(max_open, mine[0], other[0]) and self._known(mine, other) is None:
            self.compute_distributions_after(mine, other)

    @cached_property
    def open_C(self) -> Integers:
        """The number of open categories of each class."""
        mask_C = np.asarray(self.model.mask_C)
        return np.asarray(len(self.model.rules.categories) - np.bitwise_count(mask_C))

    def at_most(self, open_categories: int, mine: Integers, other: Integers) -> bool:
        """Return whether scorecards of these classes have at most this many open categories."""
        return bool(max(self.open_C[mine].max(), self.open_C[other].max()) <= open_categories)

    def win_probability(
        self, moved: CardArrays, mover: CardArrays, endgames: DuelSolution | None = None
    ) -> Floats:
        """Return the probability that the last mover wins; a tie counts half.

        Parameters
        ----------
        moved, mover : tuples of int64 arrays
            The scorecards of the last mover, and of the player to move.
        endgames : DuelSolution, optional
            It has the exact values; default: H.
        """
        if endgames is not None:
            return endgames.look_up(_turn(endgames, moved, mover), moved, mover)
        if (distributions := self._known(moved, mover)) is not None:
            return distributions.win_probability(*_compared(distributions, moved, mover))
        return self._normal(moved, mover)

    def tie_probability(self, moved: CardArrays, mover: CardArrays) -> Floats:
        """Return the probability of a tie by H, with the parameters of :meth:`win_probability`."""
        if (distributions := self._known(moved, mover)) is not None:
            return distributions.tie_probability(*_compared(distributions, moved, mover))
        return self._normal(moved, mover, 0.5) - self._normal(moved, mover, -0.5)

    def _known(self, moved: CardArrays, mover: CardArrays) -> CardDistributions | None:
        """Return the distributions if they contain all of these scorecards."""
        distributions = self.distributions
        complete = (
            distributions is not None
            and distributions.has(*moved[:2])
            and distributions.has(*mover[:2])
        )
        return distributions if complete else None

    def _normal(self, moved: CardArrays, mover: CardArrays, extra: float = 0.0) -> Floats:
        """Return the probability to end ahead with extra points, by the normal difference."""
        (mean, variance), (other, also) = (self._moments(cards) for cards in (moved, mover))
        difference, variance = moved[2] + mean - mover[2] - other + extra, variance + also
        deviations = difference / np.sqrt(np.maximum(variance, MIN_VARIANCE))
        return np.asarray(np.interp(deviations, DEVIATIONS, NORMAL))

    def _moments(self, cards: CardArrays) -> tuple[Floats, Floats]:
        """Return mean and variance of the points to come."""
        mean = self.moments.mean_C_L[cards[:2]]
        return mean, self.moments.second_C_L[cards[:2]] - mean**2

    def outcome_values(
        self, mine: CardArrays, other: CardArrays, endgames: DuelSolution | None = None
    ) -> Floats:
        """Return the win probability after each outcome of a turn to the mover, shape (G, O).

        Impossible outcomes have the value -inf. The parameters are those of
        :meth:`win_probability`: arrays of shape (G,), of classes with turns of equal length.
        """
        return outcome_values(
            self.model,
            mine,
            other,
            lambda moved, mover: self.win_probability(moved, mover, endgames),
        )

    def outcome_ties(self, mine: CardArrays, other: CardArrays) -> Floats:
        """Return the probability of a tie after each outcome, as :meth:`outcome_values` does."""
        return outcome_values(self.model, mine, other, self.tie_probability)

    def turns(self, mine: CardArrays, value_G_O: Floats) -> Choices:
        """Return the best turns of the mover for the values of outcomes."""
        return best_turns(self.model, value_G_O, np.arange(len(value_G_O)), mine[0])


def outcome_values(
    model: Model,
    mine: CardArrays,
    other: CardArrays,
    quantity: Callable[[CardArrays, CardArrays], Floats],
) -> Floats:
    """Return a quantity of both scorecards after each outcome of a turn.

    Parameters
    ----------
    mine, other : tuples of int64 arrays of shape (G,)
        The scorecards of the mover, of classes with turns of equal length, and of the opponent.
    quantity : callable
        Returns it from scorecards of the last mover and of the player to move.

    Returns
    -------
    float64 array of shape (G, O)
        -inf for impossible outcomes.
    """
    class_G, lane_G, points_G = mine
    classes, class_of_G = np.unique(class_G, return_inverse=True)
    possible_X_O = np.zeros((len(classes), len(model.points_O)), dtype=np.bool_)
    option_X_E_K = options_of_all(model, classes)
    possible_X_O[np.arange(len(classes))[:, None, None], option_X_E_K] = True
    possible_X_O[:, FORBIDDEN] = False
    g, o = np.nonzero(possible_X_O[class_of_G])
    value_G_O = np.full((len(class_G), len(model.points_O)), -np.inf)
    value_G_O[g, o] = quantity(
        cards_after(model, (class_G[g], lane_G[g], points_G[g]), o),
        (other[0][g], other[1][g], other[2][g]),
    )
    return value_G_O


def cards_after(model: Model, cards: CardArrays, outcomes: Integers) -> CardArrays:
    """Return scorecards after outcomes of a turn."""
    c, lane, points = cards
    moved = model.class_after(c, outcomes), model.lane_after(lane, outcomes)
    return (*moved, np.asarray(points + model.step_O[outcomes]))


def card_arrays(place: CardPlace) -> CardArrays:
    """Return one scorecard as arrays."""
    return np.array([place.c]), np.array([place.lane]), np.array([place.score])


def _compared(
    distributions: CardDistributions, moved: CardArrays, mover: CardArrays
) -> tuple[Integers, Integers, Integers]:
    """Return the numbers of both distributions, and the score difference so far."""
    a, b = (distributions.number(c, lane) for c, lane, _ in (moved, mover))
    return a, b, moved[2] - mover[2]


def _turn(endgames: DuelSolution, moved: CardArrays, mover: CardArrays) -> int:
    """Return the number of turns from the start of the endgames to two scorecards."""
    mask_C, start = endgames.model.mask_C, endgames.layers[0]
    filled = (int(np.bitwise_count(mask_C[cards[0].flat[0]])) for cards in (moved, mover))
    return sum(filled) - start.moved.turns - start.movers.turns
