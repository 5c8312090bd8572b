"""The payoff line: of all open boxes go for the one whose point is farthest from a line.

Each open box is a point: its payoff as a share of the best possible total, and the probability
that a fixed way of going for it succeeds with the rolls left. A line is fitted to the points of
whole turns; the last roll is scored where it has the most points.

Source: M. Mince, Using Markov Chains and Probabilistic Modeling to Play Yahtzee (Pomona College).
Its slips are listed in ``docs/published.md``.
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
from rollwise.strategies.payoff_points import Point, Variant, payoffs
from rollwise.strategies.strategy import Strategy


class PayoffLine(Strategy):
    """Go for the box farthest from the line, keeping what its chain keeps.

    The upper box of a face that the roll does not show is left out unless nothing else is open,
    and so is a box that any roll fits: for that alone, dice below the mean of a die are rolled
    again (the paper does not say). The distance is that above the line: the paper says only "the
    farthest", but its transcript never goes for a box because it is far below.

    Parameters
    ----------
    variant : {"published", "mended", "exact", "second-table", "transcript"}
        See :mod:`rollwise.strategies.payoff_points`.

    Raises
    ------
    IllegalError
        When it plays rules with a box that the model has no payoff for.
    """

    sees_lane = False

    def __init__(self, variant: Variant = "mended") -> None:
        self.variant: Variant = variant
        self.name = "payoff-line" if variant == "mended" else f"payoff-line-{variant}"

    def turn_policy(self, model: Model, c: int, lane: int, score: int = 0) -> TurnPolicy:
        """Return how a turn goes for one box after another."""
        boxes = open_boxes(model, c)
        tables = [
            rank_boxes(model.rules, self.variant, left)
            for left in range(int(model.rerolls_C[c]), 0, -1)
        ]
        keeps = tuple(_keeps(model, boxes, *both) for both in tables)
        return TurnPolicy(keeps, Greedy().categories(model, c))

    def aims(self, rules: Rules, boxes: Sequence[int], roll: Dice, left: int) -> list[Point]:
        """Return the points of the boxes that a roll may go for, the chosen one first."""
        points = payoffs(rules, self.variant)
        found = [points.point(k, roll, left) for k in boxes if _may_miss(rules, k)]
        shown = [point for point in found if _shown(rules, point.category, roll)]
        return sorted(shown or found, key=lambda point: -point.distance)

    def action(self, position: Position) -> Action:
        """Return what is done at a position: the keep for the box aimed at, or the box to score in.

        A roll that needs nothing more for that box is kept whole.
        """
        rules, dice = position.rules, position.dice
        if not position.rolls_left:
            options = Greedy().options(position)
            return next(action for action, _ in options if action.kind == "score")
        boxes = [k for k in range(len(rules.keys)) if not position.state.filled >> k & 1]
        found = self.aims(rules, boxes, dice, position.rolls_left)
        return Keep(found[0].keep if found else _high(rules, dice))

    def aim(self, rules: Rules, filled: int, roll: Dice, left: int) -> str | None:
        """Return the key of the box that a roll goes for."""
        boxes = [k for k in range(len(rules.keys)) if not filled >> k & 1]
        found = self.aims(rules, boxes, roll, left)
        return rules.keys[found[0].category] if found else None


def open_boxes(model: Model, c: int) -> list[int]:
    """Return the categories that class ``c`` may fill."""
    return [k for k in range(len(model.rules.keys)) if model.may_fill(c, k)]


@lru_cache(maxsize=64)
def rank_boxes(
    rules: Rules, variant: Variant, left: int
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return for each roll and box how good it is to go for it, and the point then kept.

    Shapes (R, K). Boxes that any roll fits are -inf; a face that the roll does not show comes
    after all that it does, by a million.
    """
    points = payoffs(rules, variant)
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
    model: Model, boxes: list[int], rank_R_K: NDArray[np.float64], keep_R_K: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return what is kept of each roll when these boxes are open, shape (R,)."""
    dice = model.lattice
    if np.isinf(rank_R_K[0, boxes]).all():
        return np.array([dice.point(_high(model.rules, roll)) for roll in dice.rolls])
    chosen = rank_R_K[:, boxes].argmax(axis=1)
    return np.asarray(keep_R_K[np.arange(len(chosen)), np.array(boxes)[chosen]])


def _high(rules: Rules, roll: Dice) -> Dice:
    """Return the dice that are above the mean of a die."""
    return tuple(die for die in roll if die > (1 + rules.faces) / 2)


def _may_miss(rules: Rules, k: int) -> bool:
    return not isinstance(rules.categories[k].pattern, AnyRoll)


def _shown(rules: Rules, k: int, roll: Dice) -> bool:
    pattern = rules.categories[k].pattern
    return not isinstance(pattern, FaceDice) or pattern.face in roll
