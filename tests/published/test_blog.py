"""Prove that the numbered steps of the blog "Greedy AI" contradict its formula.

``tests/evaluation`` tests its strategies.
"""

import random
from collections import defaultdict
from functools import cached_property
from itertools import product
from math import exp

import pytest

from rollwise import evaluate, load_rules, parse_strategy, simulate
from rollwise.game.position import Position
from rollwise.game.scorecard import Dice, Scorecard
from rollwise.game.scoring import natural_points
from rollwise.model.arrays import build
from rollwise.playing.bot import Bot
from rollwise.strategies.greedy import LiteralSteps

YAMS = load_rules("yams")
GAMES = list(product(range(1, 7), repeat=5))
HIGHEST = [5, 10, 15, 20, 25, 30, 18, 24, 25, 30, 40, 50, 30]


def best_score(game: Dice, keys: dict[int, int]) -> float:
    """Return the best penalized score of a game; ``keys`` has the highest score by category."""
    dice = tuple(sorted(game))
    points = {k: natural_points(YAMS, k, dice) for k in keys}
    return max(points[k] * exp(-(highest - points[k]) / 100) for k, highest in keys.items())


def by_steps(hand: Dice, scores: dict[Dice, float]) -> dict[Dice, float]:
    """Return e of the numbered steps for the dice at each set of positions to keep."""
    e: dict[tuple[int, ...], float] = defaultdict(float)
    for game in GAMES:
        d = tuple(i for i in range(5) if hand[i] != game[i])
        e[d] += scores[game] / 6 ** len(d)
    return {tuple(hand[i] for i in range(5) if i not in d): value for d, value in e.items()}


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

    def test_the_strategy_follows_the_steps(self) -> None:
        strategy, bot = LiteralSteps(), Bot(LiteralSteps(), YAMS)
        for hand in random.Random(1).sample(sorted({tuple(sorted(game)) for game in GAMES}), 12):
            position = Position.of(Scorecard.empty(YAMS), hand, rolls_left=2)
            expected = by_steps(hand, self.scores)
            options = strategy.options(position)
            for action, value in options:
                keep = getattr(action, "dice", hand)
                assert value == pytest.approx(expected[keep])
            best = max(expected.values())
            chosen = getattr(bot.action(position), "dice", hand)
            assert expected[chosen] == pytest.approx(best)

    def test_the_strategy_follows_the_steps_with_few_categories(self) -> None:
        # Two categories are open, so many sets of dice tie: more dice are kept.
        filled = [key for key in YAMS.keys if key not in OPEN]
        card = Scorecard(YAMS, ",".join(f"{key}={5 * (key == 'luck')}" for key in filled))
        keys = {k: HIGHEST[k] for k, key in enumerate(YAMS.keys) if key in OPEN}
        scores = {game: best_score(game, keys) for game in GAMES}
        bot = Bot(LiteralSteps(), YAMS)
        for hand in ((1, 2, 3, 4, 6), (1, 1, 3, 6, 6), (2, 3, 3, 4, 5), (2, 2, 2, 2, 2)):
            expected = by_steps(hand, scores)
            chosen = getattr(bot.action(Position.of(card, hand, rolls_left=1)), "dice", hand)
            tied = [keep for keep, e in expected.items() if e > max(expected.values()) - 1e-12]
            assert chosen in tied
            assert len(chosen) == max(map(len, tied))

    def test_most_first_rolls_are_decided_otherwise(self) -> None:
        model = build(YAMS)
        steps, formula = (
            parse_strategy(name).turn_policy(model, 0, 0).keeps[0]
            for name in ("greedy-steps-literal", "greedy-step-discounted")
        )
        assert (steps != formula).sum() == 176  # of 252

    def test_the_exact_value_agrees_with_a_simulation(self) -> None:
        exact, games = evaluate("greedy-steps-literal", YAMS).distribution, 50_000
        counted = simulate("greedy-steps-literal", YAMS, games, 4).distribution
        assert abs(counted.mean - exact.mean) < 3 * exact.sd / games**0.5
        assert exact.mean == pytest.approx(181.3200, abs=5e-5)
        assert evaluate("greedy-step-discounted", YAMS).distribution.mean > exact.mean + 20


OPEN = ("yahtzee", "large-straight")
