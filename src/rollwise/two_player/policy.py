r"""The near-optimal policy ``duel``, which plays to win against one opponent.

The policy evaluates two scorecards with an estimate H. H is the probability that the last mover
wins if both players maximize points for the rest of the game. A tie counts as half a win. If both
scorecards have at most ``DISTRIBUTION_CATEGORIES`` open categories, H is computed from the exact
distributions of the points to come (:mod:`rollwise.two_player.card_distributions`). Otherwise, H
uses a normal approximation of the score difference at the end of the game. Let a be the last mover
and b the player to move. Let m be the mean and v the variance of a player's final score. Then

.. math:: H = \Phi\left(\frac{m_a - m_b}{\sqrt{v_a + v_b}}\right).

Each turn maximizes the mean of H after the turn. This is one step of policy improvement from the
policy that maximizes points. A player who is behind seeks variance, and a player who is ahead
avoids it. The exact value replaces H when both players have at most ``EXACT_CATEGORIES`` open
categories.

Arguments ``moved`` and ``mover`` are the scorecards of the last mover and of the player to move;
``mine`` and ``other`` are the scorecards of the mover and of the opponent, arrays of shape (G,).
Probabilities count a tie as half a win. ``O`` is the axis of outcomes.
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
from rollwise.solving.by_score.windows import reach
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.policy import OptimalPolicy
from rollwise.solving.position_index import CardIndex
from rollwise.solving.rows import NONE, Rows, row_of
from rollwise.solving.turn_policy import Cards, Turns, best_turns
from rollwise.two_player.card_distributions import CardDistributions
from rollwise.two_player.solution import DuelSolution

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
CardArrays = tuple[NDArray[Any], NDArray[Any], NDArray[Any]]
"""The classes, lanes, and points so far of scorecards; the shapes must broadcast."""

EXACT_CATEGORIES = 2
"""The maximum number of open categories of either player in a turn that is played exactly."""

DISTRIBUTION_CATEGORIES = 8
"""The maximum number of open categories of either player if H uses exact distributions."""

MAX_DISTRIBUTIONS = 1 << 20
"""The maximum number of distributions in memory."""

FAR = 8.0
"""The number of standard deviations beyond which the normal distribution is set to 0 or 1."""

DEVIATIONS = np.linspace(-FAR, FAR, 3201)
NORMAL = np.array([NormalDist().cdf(deviation) for deviation in DEVIATIONS])
"""The normal distribution function at ``DEVIATIONS``; linear interpolation is accurate to 1e-6."""

MIN_VARIANCE = 1e-18
"""The minimum variance, which prevents a division by 0.

The score difference of full scorecards has variance 0.
"""


class WinPolicy:
    """The policy that maximizes the win probability H after each turn.

    It needs the solution for the expected score, with moments. ``distributions`` are the most
    recently computed ones.
    """

    def __init__(self, points: CardSolution) -> None:
        if points.moments is None or not points.is_whole:
            raise TooLargeError(
                f"{points.rules.name} is too large to estimate win probabilities; use a game with "
                "fewer categories"
            )
        self.model, self.moments = points.model, points.moments
        self.distributions: CardDistributions | None = None
        self._policy = OptimalPolicy(points)

    def compute_distributions(self) -> None:
        """Compute the distributions with at most ``DISTRIBUTION_CATEGORIES`` open categories.

        The limit is lower if there would be more than ``MAX_DISTRIBUTIONS`` distributions.
        """
        rows_N = np.bincount(self.open_C, self.model.rows_C).cumsum()[: DISTRIBUTION_CATEGORIES + 1]
        most = np.flatnonzero(rows_N <= MAX_DISTRIBUTIONS)[-1]
        has_X = np.repeat(self.open_C <= most, self.model.rows_C)
        self.distributions = CardDistributions(self._policy, self.moments, has_X)

    def _compute_distributions_after(self, mine: CardArrays, other: CardArrays) -> None:
        """Compute the distributions of two scorecards and of all their successors."""
        compiled, rows = self._policy.compiled, Rows.empty(np.asarray(self.model.rows_C))
        classes, lanes = (np.append(mine[axis], other[axis]) for axis in (0, 1))
        rows.low_X[row_of(self.model, classes, lanes)] = 0
        reach(compiled, rows, int(classes.min()))
        self.distributions = CardDistributions(self._policy, self.moments, rows.low_X != NONE)

    def prepare(self, mine: CardArrays, other: CardArrays, max_open: int) -> None:
        """Compute missing distributions if no player has more than ``max_open`` open categories."""
        if self.at_most(max_open, mine[0], other[0]) and self._known(mine, other) is None:
            self._compute_distributions_after(mine, other)

    @cached_property
    def open_C(self) -> Integers:
        """The number of open categories of each class."""
        mask_C = np.asarray(self.model.mask_C)
        return np.asarray(len(self.model.rules.categories) - np.bitwise_count(mask_C))

    def at_most(self, open_categories: int, mine: Integers, other: Integers) -> bool:
        """Return whether all scorecards of these classes have at most this many open categories."""
        return bool(max(self.open_C[mine].max(), self.open_C[other].max()) <= open_categories)

    def win_probability(
        self, moved: CardArrays, mover: CardArrays, endgames: DuelSolution | None = None
    ) -> Floats:
        """Return the probability that the last mover wins, exactly from ``endgames``, or H."""
        if endgames is not None:
            return endgames.look_up(_turn(endgames, moved, mover), moved, mover)
        if (distributions := self._known(moved, mover)) is not None:
            return distributions.win_probability(*_compared(distributions, moved, mover))
        return self._normal(moved, mover)

    def tie_probability(self, moved: CardArrays, mover: CardArrays) -> Floats:
        """Return an estimate of the probability of a tie."""
        if (distributions := self._known(moved, mover)) is not None:
            return distributions.tie_probability(*_compared(distributions, moved, mover))
        return self._normal(moved, mover, 0.5) - self._normal(moved, mover, -0.5)

    def _known(self, moved: CardArrays, mover: CardArrays) -> CardDistributions | None:
        """Return the distributions, or None if they lack some of these scorecards."""
        distributions = self.distributions
        complete = (
            distributions is not None
            and distributions.has(*moved[:2])
            and distributions.has(*mover[:2])
        )
        return distributions if complete else None

    def _normal(self, moved: CardArrays, mover: CardArrays, extra: float = 0.0) -> Floats:
        """Return H from the normal approximation, with ``extra`` points for the last mover."""
        (mean, variance), (mean_2, variance_2) = (self._moments(cards) for cards in (moved, mover))
        difference, variance = moved[2] + mean - mover[2] - mean_2 + extra, variance + variance_2
        deviations = difference / np.sqrt(np.maximum(variance, MIN_VARIANCE))
        return np.asarray(np.interp(deviations, DEVIATIONS, NORMAL))

    def _moments(self, cards: CardArrays) -> tuple[Floats, Floats]:
        """Return the mean and variance of the points to come from each scorecard."""
        mean = self.moments.mean_C_L[cards[:2]]
        return mean, self.moments.second_C_L[cards[:2]] - mean**2

    def outcome_values(
        self, mine: CardArrays, other: CardArrays, endgames: DuelSolution | None = None
    ) -> Floats:
        """Return the mover's win probability after each outcome of a turn, shape (G, O)."""
        return self._after_outcomes(
            mine, other, lambda moved, mover: self.win_probability(moved, mover, endgames)
        )

    def outcome_ties(self, mine: CardArrays, other: CardArrays) -> Floats:
        """Return the tie probability after each outcome of a turn, shape (G, O)."""
        return self._after_outcomes(mine, other, self.tie_probability)

    def turns(self, mine: CardArrays, value_G_O: Floats) -> Turns:
        """Return the mover's optimal turn policies for the given values of outcomes."""
        return best_turns(Cards(self.model, *mine), value_G_O)

    def _after_outcomes(
        self,
        mine: CardArrays,
        other: CardArrays,
        quantity: Callable[[CardArrays, CardArrays], Floats],
    ) -> Floats:
        """Return a quantity after each outcome of a turn, -inf for impossible outcomes.

        All turns have the same number of rerolls. ``quantity`` is a function of the scorecards of
        the last mover and of the player to move.
        """
        model, (class_G, lane_G, points_G) = self.model, mine
        classes, class_of_G = np.unique(class_G, return_inverse=True)
        possible_X_O = np.zeros((len(classes), len(model.points_O)), dtype=np.bool_)
        option_X_E_K = options_of_all(model, classes)
        possible_X_O[np.arange(len(classes))[:, None, None], option_X_E_K] = True
        possible_X_O[:, FORBIDDEN] = False
        g, o = np.nonzero(possible_X_O[class_of_G])
        value_G_O = np.full((len(class_G), len(model.points_O)), -np.inf)
        moved = model.class_after(class_G[g], o), model.lane_after(lane_G[g], o)
        value_G_O[g, o] = quantity(
            (*moved, np.asarray(points_G[g] + model.total_points_O[o])),
            (other[0][g], other[1][g], other[2][g]),
        )
        return value_G_O


def card_arrays(place: CardIndex) -> CardArrays:
    """Return a single scorecard as arrays."""
    return np.array([place.c]), np.array([place.lane]), np.array([place.score])


def _compared(
    distributions: CardDistributions, moved: CardArrays, mover: CardArrays
) -> tuple[Integers, Integers, Integers]:
    """Return the indices of both distributions, and the score difference so far."""
    a, b = (distributions.number(c, lane) for c, lane, _ in (moved, mover))
    return a, b, moved[2] - mover[2]


def _turn(endgames: DuelSolution, moved: CardArrays, mover: CardArrays) -> int:
    """Return the number of turns from the start of the endgames to these scorecards."""
    mask_C, start = endgames.model.mask_C, endgames.layers.cards[0]
    filled = (int(np.bitwise_count(mask_C[cards[0].flat[0]])) for cards in (moved, mover))
    return sum(filled) - start.moved.turns - start.movers.turns
