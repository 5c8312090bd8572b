"""The payoff-line strategy, a published heuristic based on linear regression.

Each open category has two coordinates. The first is its payoff as a fraction of the highest
possible total. The second is the probability that a fixed policy for the category succeeds with the
rolls left. A line is fitted to the coordinates of whole turns. Before a reroll, the strategy
chooses the open category with the largest distance above the line. It scores the final roll in the
category with the most points.

Source: M. Mince, Using Markov Chains and Probabilistic Modeling to Play Yahtzee (Pomona College).
Errors in the source are listed in ``docs/published.md``.
"""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from rollwise.game.actions import Action, Keep
from rollwise.game.position import Position
from rollwise.game.scorecard import Dice
from rollwise.model.arrays import Model
from rollwise.rules import AnyRoll, FaceDice, Rules
from rollwise.solving.turn_policy import TurnPolicy
from rollwise.strategies.greedy import Greedy
from rollwise.strategies.payoff_file import CustomPayoffs
from rollwise.strategies.payoff_regression import Point, Variant, payoffs
from rollwise.strategies.strategy import Strategy


class PayoffLine(Strategy):
    """The strategy that chooses the category farthest above the line, and keeps dice for it.

    An upper category whose face the roll does not show is considered only if there is no other
    category. A category that accepts any roll is never considered. If no other category is open,
    the strategy rerolls the dice that are not above the mean of a die. The paper does not specify
    this case. The paper says only "the farthest", but its transcript never chooses a category far
    below the line.

    Parameters
    ----------
    variant : {"published", "corrected", "exact", "second-table", "transcript"}
        See :mod:`rollwise.strategies.payoff_regression`.
    custom : tuple of (str, float)
        Custom payoffs in points, by category: see :mod:`rollwise.strategies.payoff_file`.
    source : str
        The file of the custom payoffs, for the name of the strategy.
    """

    sees_lane = False

    def __init__(
        self, variant: Variant = "corrected", custom: CustomPayoffs = (), source: str = ""
    ) -> None:
        self.variant: Variant = variant
        self.custom = custom
        self.name = "payoff-line" if variant == "corrected" else f"payoff-line-{variant}"
        if custom:
            self.name += f":{source or 'custom'}"

    def turn_policy(self, model: Model, c: int, lane: int, score: int = 0) -> TurnPolicy:
        """Return the policy that keeps the dice for the category that is chosen at each roll."""
        categories = open_boxes(model, c)
        tables = [
            rank_categories(model.rules, self.variant, left, self.custom)
            for left in range(int(model.rerolls_C[c]), 0, -1)
        ]
        keeps = tuple(_keeps(model, categories, *ranks) for ranks in tables)
        return TurnPolicy(keeps, Greedy().categories(model, c))

    def aims(self, rules: Rules, categories: Sequence[int], roll: Dice, left: int) -> list[Point]:
        """Return the candidate categories for a roll as :class:`Point` objects, best first.

        ``categories`` are the indices of the open categories, and ``left`` is the number of
        rerolls left.
        """
        points = payoffs(rules, self.variant, self.custom)
        candidates = [points.point(k, roll, left) for k in categories if _may_miss(rules, k)]
        shown = [point for point in candidates if _shown(rules, point.category, roll)]
        return sorted(shown or candidates, key=lambda point: -point.distance)

    def action(self, position: Position) -> Action:
        """Return the action at a position: the dice to keep, or the category to score.

        The action can keep all dice, for example the dice of a full house.
        """
        rules, dice = position.rules, position.dice
        if not position.rolls_left:
            options = Greedy().options(position)
            return next(action for action, _ in options if action.kind == "score")
        categories = [k for k in range(len(rules.keys)) if not position.state.filled >> k & 1]
        candidates = self.aims(rules, categories, dice, position.rolls_left)
        return Keep(candidates[0].keep if candidates else _high(rules, dice))

    def aim(self, rules: Rules, filled: int, roll: Dice, left: int) -> str | None:
        """Return the key of the category that the strategy chooses for a roll, or None.

        ``filled`` is the bit mask of the filled categories, and ``left`` is the number of rerolls
        left.
        """
        categories = [k for k in range(len(rules.keys)) if not filled >> k & 1]
        candidates = self.aims(rules, categories, roll, left)
        return rules.keys[candidates[0].category] if candidates else None


def open_boxes(model: Model, c: int) -> list[int]:
    """Return the indices of the categories that can be filled in class ``c``."""
    return [k for k in range(len(model.rules.keys)) if model.may_fill(c, k)]


@lru_cache(maxsize=64)
def rank_categories(
    rules: Rules, variant: Variant, left: int, custom: CustomPayoffs = ()
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return the rank of each category for each roll, and the dice to keep, both of shape (R, K).

    ``left`` is the number of rerolls left. The rank is the distance from the line. A category that
    accepts any roll has rank -inf. The rank of an upper category whose face the roll does not show
    is reduced by a million. The dice to keep are lattice indices.
    """
    points = payoffs(rules, variant, custom)
    dice = points.lattice
    rank_R_K = np.full((len(dice.rolls), len(rules.keys)), -np.inf)
    keep_R_K = np.zeros(rank_R_K.shape, dtype=np.int64)
    for k in range(len(rules.keys)):
        for r, roll in enumerate(dice.rolls if _may_miss(rules, k) else ()):
            point = points.point(k, roll, left)
            absent = 0.0 if _shown(rules, k, roll) else 1e6
            rank_R_K[r, k] = point.distance - absent
            keep_R_K[r, k] = dice.point(point.keep)
    return rank_R_K, keep_R_K


def _keeps(
    model: Model, categories: list[int], rank_R_K: NDArray[np.float64], keep_R_K: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return the dice to keep from each roll if ``categories`` are open, shape (R,)."""
    dice = model.lattice
    if np.isinf(rank_R_K[0, categories]).all():
        return np.array([dice.point(_high(model.rules, roll)) for roll in dice.rolls])
    chosen = rank_R_K[:, categories].argmax(axis=1)
    return np.asarray(keep_R_K[np.arange(len(chosen)), np.array(categories)[chosen]])


def _high(rules: Rules, roll: Dice) -> Dice:
    """Return the dice of a roll that are above the mean of a die."""
    return tuple(die for die in roll if die > (1 + rules.faces) / 2)


def _may_miss(rules: Rules, k: int) -> bool:
    return not isinstance(rules.categories[k].pattern, AnyRoll)


def _shown(rules: Rules, k: int, roll: Dice) -> bool:
    pattern = rules.categories[k].pattern
    return not isinstance(pattern, FaceDice) or pattern.face in roll
