"""Random strategies, the baseline for all other strategies."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rollwise.errors import TooLargeError
from rollwise.model.arrays import Model
from rollwise.model.dice_lattice import Lattice, describe_kinds
from rollwise.model.outcomes import FORBIDDEN
from rollwise.model.turn import options_of
from rollwise.solving.turn_policy import TurnPolicy
from rollwise.strategies.strategy import Strategy

MAX_PAIRS = 50_000_000
"""The maximum number of pairs of a roll and dice to keep; their probabilities take 400 MB."""


def _any_category(model: Model, c: int) -> NDArray[np.float64]:
    """Return equal probabilities for the legal categories of each final roll, shape (E, K)."""
    legal_E_K = options_of(model, c) != FORBIDDEN
    return np.asarray(legal_E_K / legal_E_K.sum(axis=1, keepdims=True))


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


@lru_cache(maxsize=4)
def _all_dice(lattice: Lattice) -> NDArray[np.int64]:
    """Return the lattice index of all dice of each roll, shape (R,)."""
    return np.arange(lattice.first_roll, len(lattice.points))


def _uniform_policy(model: Model, c: int, keep: Callable[[Lattice], NDArray[Any]]) -> TurnPolicy:
    """Return a policy that scores in a random legal category.

    ``keep`` returns the dice to keep from each roll, or the probability of each set of dice.
    """
    rerolls, category_E_K = int(model.rerolls_C[c]), _any_category(model, c)
    ended_E = _ends(model.lattice, keep, rerolls, len(category_E_K))
    return TurnPolicy((keep(model.lattice),) * rerolls, category_E_K, ended_E)


@lru_cache(maxsize=64)
def _ends(
    lattice: Lattice, keep: Callable[[Lattice], NDArray[Any]], rerolls: int, ends: int
) -> NDArray[np.float64]:
    return TurnPolicy((keep(lattice),) * rerolls, np.zeros(ends, dtype=np.int64)).ends(lattice)


class RandomCategory(Strategy):
    """The strategy that scores the first roll in a random open category.

    Source: T. Verhoeff, Optimal Solitaire Yahtzee Strategies (2003 or later), "Random Play".
    """

    name = "random-category"
    sees_lane = False
    mixed = True

    def turn_policy(self, model: Model, c: int, lane: int, score: int = 0) -> TurnPolicy:
        """Return the policy that keeps all dice and scores in a random category."""
        return _uniform_policy(model, c, _all_dice)


class RandomStrategy(Strategy):
    """The strategy that keeps random dice and scores in a random open category.

    In each decision, all options are equally likely.
    """

    name = "random"
    sees_lane = False
    mixed = True

    def turn_policy(self, model: Model, c: int, lane: int, score: int = 0) -> TurnPolicy:
        """Return the policy that keeps random dice and scores in a random category."""
        return _uniform_policy(model, c, _any_keep)
