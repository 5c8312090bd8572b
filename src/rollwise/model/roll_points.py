"""The points of all rolls in a category, computed as arrays.

This module implements the patterns of the rules a second time, independently of
:mod:`rollwise.game.scoring`.

Axis letters: ``R`` rolls, ``F`` symbols, ``N`` distinct numbers on the dice, in increasing order.
"""

from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rollwise.rules import (
    Among,
    AnyRoll,
    Category,
    Either,
    FaceDice,
    Faces,
    Groups,
    Pattern,
    Rules,
    Run,
    Total,
)

Points = NDArray[np.int64]


class Shown(NamedTuple):
    """The numbers on the dice, the count of each number in each roll, and the points of a die."""

    numbers_N: Points
    counts_R_N: Points
    points_N: Points

    @property
    def points_R(self) -> Points:
        """The total points of the dice in each roll."""
        return np.asarray(self.counts_R_N @ self.points_N)

    def need(self, numbers: NDArray[np.int64]) -> Points | None:
        """Return how often each number on the dice occurs in ``numbers``, shape (N,).

        Return None if ``numbers`` contains a number that is on no die.
        """
        if not np.isin(numbers, self.numbers_N).all():
            return None
        return np.asarray((self.numbers_N == numbers[:, None]).sum(axis=0))

    def with_dice(self, need_N: Points | None) -> Points:
        """Return the points of the required dice for each roll, or -1 if the roll lacks them.

        ``need_N`` is the required number of dice that show each number; None if no roll has them.
        """
        if need_N is None:
            return np.full(len(self.counts_R_N), -1)
        fits_R = (self.counts_R_N >= need_N).all(axis=1)
        return np.where(fits_R, int(need_N @ self.points_N), -1)


def shown_numbers(rules: Rules, category: Category, counts_R_F: NDArray[np.int8]) -> Shown:
    """Return the numbers that each roll shows and their points in a category."""
    numbers_F = np.array(rules.numbers)
    numbers_N = np.unique(numbers_F)
    counts_R_N = counts_R_F.astype(np.int64) @ (numbers_F[:, None] == numbers_N)
    points_N = np.array(category.worth, dtype=np.int64) if category.worth else numbers_N
    return Shown(numbers_N, counts_R_N, points_N)


def _best_groups(pattern: Groups, shown: Shown) -> Points:
    """Return the highest points of the groups in each roll, or -1 if the roll does not fit."""
    best = np.full(len(shown.counts_R_N), -1)
    n = len(shown.numbers_N)
    for chosen in product(range(n), repeat=len(pattern.sizes)):
        if pattern.distinct and len(set(chosen)) < len(chosen):
            continue
        need = np.bincount(chosen, weights=pattern.sizes, minlength=n).astype(np.int64)
        best = np.maximum(best, shown.with_dice(need))
    return best


def _matched(pattern: Pattern, shown: Shown) -> Points:
    """Return the points of the pattern in each roll, or -1 if the roll does not fit."""
    match pattern:
        case AnyRoll():
            return shown.points_R
        case FaceDice():
            is_face_N = shown.numbers_N == pattern.face
            counts_R = shown.counts_R_N[:, is_face_N].sum(axis=1)
            return np.where(counts_R > 0, counts_R * shown.points_N[is_face_N].sum(), -1)
        case Groups():
            return _best_groups(pattern, shown)
        case Run():
            steps = np.arange(pattern.length)
            runs = [shown.with_dice(shown.need(low + steps)) for low in shown.numbers_N]
            return np.asarray(np.max(runs, axis=0))
        case Faces():
            return shown.with_dice(shown.need(np.array(pattern.faces)))
        case Among():
            listed_N = np.isin(shown.numbers_N, pattern.faces)
            return np.where(shown.counts_R_N[:, ~listed_N].any(axis=1), -1, shown.points_R)
        case Total():
            total_R = shown.counts_R_N @ shown.numbers_N
            low = -1 if pattern.at_least is None else pattern.at_least
            high = total_R.max() if pattern.at_most is None else pattern.at_most
            return np.where((low <= total_R) & (total_R <= high), shown.points_R, -1)
        case Either():
            return np.asarray(np.max([_matched(part, shown) for part in pattern.of], axis=0))


def category_points(
    rules: Rules, category: Category, counts_R_F: NDArray[np.int8], rolls_left: int = 0
) -> Points:
    """Return the points of each roll in a category, int64 of shape (R,), without the joker rule.

    ``rolls_left`` matters only if the points depend on how many rolls the turn used.
    """
    shown = shown_numbers(rules, category, counts_R_F)
    matched = _matched(category.pattern, shown)
    dice_points = {"matched": matched, "total": shown.points_R}.get(str(category.points))
    if dice_points is None:
        return np.where(matched >= 0, category.fixed_points(rules.rolls - rolls_left) or 0, 0)
    return np.where(matched >= 0, dice_points * category.times + category.plus, 0)
