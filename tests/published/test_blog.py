"""Prove that the numbered steps of the blog "Greedy AI" contradict its formula.

``tests/evaluation`` tests its strategies.
"""

from collections import defaultdict
from functools import cached_property
from itertools import product
from math import exp

import numpy as np

from rollwise import load_rules, parse_strategy
from rollwise.game.scorecard import Dice
from rollwise.game.scoring import natural_points
from rollwise.model.arrays import build
from rollwise.solving.turn_policy import Cards

YAMS = load_rules("yams")
GAMES = list(product(range(1, 7), repeat=5))
HIGHEST = [5, 10, 15, 20, 25, 30, 18, 24, 25, 30, 40, 50, 30]


def best_score(game: Dice, keys: dict[int, int]) -> float:
    """Return the best penalized score of a game; ``keys`` has the highest score by category."""
    dice = tuple(sorted(game))
    points = {k: natural_points(YAMS, k, dice) for k in keys}
    return max(points[k] * exp(-(highest - points[k]) / 100) for k, highest in keys.items())


def by_steps(hand: Dice, scores: dict[Dice, float]) -> dict[Dice, float]:
    """Return e of the numbered steps for each set of dice to keep."""
    differs = np.array(GAMES) != hand
    shares = np.array([scores[game] for game in GAMES]) / 6.0 ** differs.sum(axis=1)
    bits = 1 << np.arange(5)
    e = np.bincount(differs @ bits, shares, 32).tolist()
    return {tuple(np.array(hand)[d & bits == 0].tolist()): value for d, value in enumerate(e)}


def by_formula(hand: Dice, scores: dict[Dice, float]) -> dict[Dice, float]:
    """Return the expectation in the formula for the dice at each set of positions to keep."""
    total: dict[Dice, float] = defaultdict(float)
    for kept in product((False, True), repeat=5):
        keep = tuple(die for die, stays in zip(hand, kept, strict=True) if stays)
        if keep not in total:
            outcomes = [keep + rolled for rolled in product(range(1, 7), repeat=5 - len(keep))]
            total[keep] = sum(scores[game] for game in outcomes) / len(outcomes)
    return total


class TestNumberedSteps:
    """The numbered steps of the blog contradict its formula."""

    @cached_property
    def scores(self) -> dict[Dice, float]:
        return {game: best_score(game, dict(enumerate(HIGHEST))) for game in GAMES}

    def test_they_choose_other_dice_than_the_formula(self) -> None:
        hand = (1, 1, 3, 6, 6)
        steps, formula = by_steps(hand, self.scores), by_formula(hand, self.scores)
        assert max(steps, key=steps.__getitem__) == (1, 1, 6, 6)
        assert round(steps[1, 1, 6, 6], 2) == 16.15
        assert max(formula, key=formula.__getitem__) == (6, 6)
        assert round(formula[6, 6], 4) == 21.5961
        assert steps[6, 6] < formula[6, 6]

    def test_most_first_rolls_are_decided_otherwise(self) -> None:
        model = build(YAMS)
        keep_R = parse_strategy("greedy-step-discounted").turns(Cards.one(model, 0, 0)).keeps[0, 0]
        others = 0
        for roll, keep in zip(model.lattice.rolls, keep_R, strict=True):
            e = by_steps(roll, self.scores)
            best = max(e.values()) - 1e-9
            tied = [dice for dice, value in e.items() if value > best]
            others += max(tied, key=lambda dice: (len(dice), dice)) != model.lattice.points[keep]
        assert others == 176  # of 252
