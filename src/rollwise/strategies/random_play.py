"""Random strategies, the baseline for all other strategies."""

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rollwise.errors import TooLargeError
from rollwise.model.dice_lattice import Lattice, describe_kinds
from rollwise.model.outcomes import FORBIDDEN
from rollwise.model.turn import options_of_all
from rollwise.solving.turn_policy import Cards, Turns
from rollwise.strategies.strategy import Strategy

MAX_PAIRS = 50_000_000
"""The maximum number of pairs of a roll and dice to keep; their probabilities take 400 MB."""


@lru_cache(maxsize=4)
def _any_keep(lattice: Lattice) -> NDArray[np.float64]:
    """Return equal probabilities for all sets of dice to keep from each roll, shape (R, P)."""
    counts_P_F = lattice.counts_P_F
    n_rolls, n_points = len(lattice.rolls), len(lattice.points)
    if n_rolls * n_points > MAX_PAIRS:
        raise TooLargeError(
            f"{describe_kinds(lattice.kinds)} have too many rolls ({n_rolls:,}) and sets of "
            "dice to "
            f"keep ({n_points:,}) for random play; choose another strategy"
        )
    within_R_P = np.ones((n_rolls, n_points), dtype=np.bool_)
    for counts_P in counts_P_F.T:  # one face at a time, to reduce the memory by a factor of F
        within_R_P &= counts_P <= counts_P[lattice.first_roll :, None]
    return np.asarray(within_R_P / within_R_P.sum(axis=1, keepdims=True))


def _any_category(cards: Cards, keep: NDArray[Any]) -> Turns:
    """Return policies that score in a random legal category.

    ``keep`` has the dice to keep from each roll, or the probability of each set of dice.
    """
    legal_G_E_K = options_of_all(cards.model, cards.class_G) != FORBIDDEN
    keeps = np.broadcast_to(keep, (len(legal_G_E_K), cards.rerolls, *keep.shape))
    return Turns(cards, keeps, legal_G_E_K / legal_G_E_K.sum(axis=2, keepdims=True))


class RandomCategory(Strategy):
    """The strategy that scores the first roll in a random open category.

    Source: T. Verhoeff, Optimal Solitaire Yahtzee Strategies (2003 or later), "Random Play".
    """

    name = "random-category"
    sees = ()
    batch = 256  # probabilities take more memory than decisions

    def turns(self, cards: Cards) -> Turns:
        """Return policies that keep all dice and score in a random category."""
        dice = cards.model.lattice
        return _any_category(cards, np.arange(dice.first_roll, len(dice.points)))


class RandomStrategy(Strategy):
    """The strategy that keeps random dice and scores in a random open category.

    In each decision, all options are equally likely.
    """

    name = "random"
    sees = ()
    batch = RandomCategory.batch

    def turns(self, cards: Cards) -> Turns:
        """Return policies that keep random dice and score in a random category."""
        return _any_category(cards, _any_keep(cards.model.lattice))
