"""Greedy strategies, which maximize the points of the current turn and ignore later turns.

:class:`Greedy` maximizes the points of a turn, or a function of the points. Like many simple
programs, :class:`CommonestFace` keeps the most frequent face and scores in the category with the
most points.

Sources: the blog "Greedy AI" about Yahtzee with friends (one reroll at a time, with a penalty for
categories that could score more); J. Glenn, An optimal strategy for Yahtzee (2006), for the exact
solution of a turn. The blog also has numbered steps, which contradict its formula.
"""

import re
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache, partial
from operator import itemgetter

import numpy as np
from numpy.typing import NDArray

from rollwise.errors import MalformedError, quoted
from rollwise.game.actions import Action
from rollwise.game.position import Position
from rollwise.model.arrays import Model, build
from rollwise.model.dice_lattice import lattice
from rollwise.model.outcomes import FORBIDDEN
from rollwise.model.roll_points import category_points
from rollwise.model.turn import options_of, roll_values
from rollwise.rules import Rules
from rollwise.solving.position_index import PositionIndex, Values, actions_at, values_of_keeps
from rollwise.solving.solution import TOLERANCE
from rollwise.solving.turn_policy import Cards, Turns, best_turns
from rollwise.strategies.strategy import Strategy

ValueFunction = Callable[[Model, Values], Values]
"""A function that converts the points of outcomes, including bonuses, to the values to maximize."""


def plain(model: Model, points_O: Values) -> Values:
    """Return the points unchanged."""
    return points_O


SCALE = 100
"""The scale of the penalty in the blog "Greedy AI", which calls it "quite arbitrary"."""

STEEPEST = 600
"""The largest exponent; a five-of-a-kind bonus exceeds the maximum score of its category."""


def discounted(model: Model, points_O: Values, scale: float = SCALE) -> Values:
    """Return points times exp(−(maximum score of the category − points) / scale).

    The formula comes from the blog "Greedy AI". The maximum score of a category counts in full.
    With a scale of 100, a score that is 30 points below the maximum counts for about three quarters
    of its points. With a scale of 0, only maximum scores count. With a scale below about 1, most
    values are so close to 0 that they tie.
    """
    below_O = _highest_scores(model)[model.category_O] - points_O
    if scale == 0:
        return np.where(below_O <= 0, points_O, 0.0)
    return np.asarray(points_O * np.exp(np.minimum(-below_O / scale, STEEPEST)))


def discounting(name: str, scale: str, ahead: int | None) -> "Greedy":
    """Return the greedy strategy ``name:scale``; the scale is a decimal or a fraction."""
    if not re.fullmatch(r"\d{1,9}(\.\d{1,20}|/0*[1-9]\d{0,8})?", scale, re.ASCII):
        raise MalformedError(
            f"the scale of {name} must be a number of 0 or more, such as 50, 12.5, or 100/3, not "
            f"{quoted(scale)}"
        )
    appraise = partial(discounted, scale=float(Fraction(scale)))
    return Greedy(f"{name}:{scale}", appraise, ahead)


def above_average(model: Model, points_O: Values) -> Values:
    """Return the points of each outcome minus the mean score of its category, shape (O,).

    The mean score is the mean over turns that maximize only the score in the category.
    """
    return np.asarray(points_O - np.array(_mean_scores(model.rules))[model.category_O])


def _highest_scores(model: Model) -> Values:
    """Return the highest score of each category, shape (K,)."""
    most_K = np.zeros(len(model.rules.categories))
    np.maximum.at(most_K, model.category_O[1:], model.points_O[1:].astype(np.float64))
    return most_K


@lru_cache(maxsize=8)
def _mean_scores(rules: Rules) -> tuple[float, ...]:
    """Return the mean score of each category in turns that maximize only its score."""
    dice = lattice(rules.kinds)
    counts_R_F = dice.counts_P_F[dice.first_roll :]
    means = []
    for category in rules.categories:
        value_E = np.concatenate(
            [
                category_points(rules, category, counts_R_F, left).astype(np.float64)
                for left in range(rules.rolls if rules.counts_rolls else 1)
            ]
        )
        value_R = roll_values(dice, value_E, rules.rolls - 1, "mean")[-1]
        means.append(float(value_R @ dice.weight_R / dice.weight_R.sum()))
    return tuple(means)


class Greedy(Strategy):
    """The strategy that maximizes the expected points of the current turn, including bonuses.

    Ties are broken as in :class:`Optimal`. If every open category scores 0, the strategy therefore
    chooses the first of them in scorecard order.

    Parameters
    ----------
    appraise : callable
        The function that gives the value of points: :func:`plain`, :func:`discounted`, or
        :func:`above_average`.
    ahead : int, optional
        The number of rerolls to look ahead (default: all). The program in the blog looks one
        reroll ahead.
    """

    sees = ()

    def __init__(
        self, name: str = "greedy", appraise: ValueFunction = plain, ahead: int | None = None
    ) -> None:
        self.name = name
        self.appraise = appraise
        self.ahead = ahead

    def outcome_values(self, model: Model) -> Values:
        """Return the value of each outcome, float64 of shape (O,)."""
        return self.appraise(model, model.total_points_O.astype(np.float64))

    def final_roll_values(self, model: Model, c: int) -> Values:
        """Return the value of each final roll in each category in class ``c``, shape (E, K).

        The value is -inf if the rules forbid the category.
        """
        option_E_K = options_of(model, c)
        value_E_K = self.outcome_values(model)[option_E_K]
        return np.where(option_E_K == FORBIDDEN, -np.inf, value_E_K)

    def turns(self, cards: Cards) -> Turns:
        """Return the policies that maximize the expected value of each turn."""
        return best_turns(cards, self.outcome_values(cards.model)[None], ahead=self.ahead)

    def options(self, position: Position) -> list[tuple[Action, float]]:
        """Return all sets of dice to keep and the best category, each with its value, best first.

        Each value is the expected value after the rerolls that the strategy looks ahead.
        """
        model = build(position.rules)
        place = PositionIndex.of(model, position)
        if self.ahead is not None:
            place = replace(place, rerolls=min(place.rerolls, self.ahead))
        value_Q_E_K = self.final_roll_values(model, place.c)[None]
        kept = values_of_keeps(model.lattice, value_Q_E_K, place.rerolls, "mean", TOLERANCE)
        actions, value_Q_A = actions_at(model, place, value_Q_E_K, kept)
        options = list(zip(actions, value_Q_A[0].tolist(), strict=True))
        value = itemgetter(1)
        scores = (option for option in options if option[0].kind == "score")
        keeps = (option for option in options if option[0].kind == "keep")
        return sorted([max(scores, key=value), *keeps], key=value, reverse=True)


class CommonestFace(Strategy):
    """The strategy that keeps the most frequent face. If faces are tied, it keeps the highest.

    Like :class:`Greedy`, it scores the final roll in the category with the most points.
    """

    name = "commonest-face"
    sees = ()

    def turns(self, cards: Cards) -> Turns:
        """Return the policies that keep the most frequent face of every roll."""
        turns = Greedy().turns(cards)
        turns.keeps[:] = _commonest(cards.model)
        return turns


def _commonest(model: Model) -> NDArray[np.int64]:
    keeps = []
    for roll in model.lattice.rolls:
        shown = model.rules.shown(roll)
        face = max(shown, key=lambda face: (shown.count(face), face))
        keep = (die for die, number in zip(roll, shown, strict=True) if number == face)
        keeps.append(model.lattice.point(tuple(keep)))
    return np.array(keeps)
