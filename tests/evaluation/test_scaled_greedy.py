"""Test the scale of the greedy penalty against brute force in a small game."""

from fractions import Fraction
from itertools import product
from math import exp

import pytest

from repository import DOCS
from rollwise import evaluate, parse_strategy
from rollwise.errors import MalformedError
from rollwise.evaluation.evaluate import cached_name
from rollwise.experiments.simulation import simulate
from rollwise.game.scorecard import Dice
from rollwise.strategies import FORMS, SCALED
from rule_texts import ANY, PAIR, SIXES, game

SMALL = game("", PAIR, ANY, SIXES, dice=2)
"""A game with 9 points for a pair, the sum of two dice, and the sum of their sixes."""

HIGHEST = (9, 12, 12)
ROLLS: list[Dice] = [(a, b) for a in range(1, 7) for b in range(a, 7)]


def points(dice: Dice, k: int) -> int:
    """Return the points of a roll in category ``k``."""
    return (9 * (dice[0] == dice[1]), sum(dice), 6 * dice.count(6))[k]


def rolls_from(keep: Dice) -> list[Dice]:
    """Return the equally likely rolls after a reroll."""
    new = product(range(1, 7), repeat=2 - len(keep))
    return [tuple(sorted(keep + rolled)) for rolled in new]


def brute_mean(scale: float, left: frozenset[int] = frozenset(range(3))) -> Fraction:
    """Return the expected points to come with open categories, by brute force with fractions."""
    if not left:
        return Fraction()
    x, order = Fraction(exp(-1 / scale)), sorted(left)
    score = {  # the first category of ties, and its discounted points
        dice: max(
            ((k, points(dice, k) * x ** (HIGHEST[k] - points(dice, k))) for k in order),
            key=lambda option: option[1],
        )
        for dice in ROLLS
    }
    rest = {k: brute_mean(scale, left - {k}) for k in order}
    total = Fraction()
    for dice in rolls_from(()):
        # More dice, then higher faces, are the first of ties.
        keeps = dict.fromkeys((dice, dice[1:], dice[:1], ()))
        ends = [rolls_from(keep) for keep in keeps]
        rolls = max(ends, key=lambda rolls: sum(score[r][1] for r in rolls) / len(rolls))
        for roll in rolls:
            total += (points(roll, score[roll][0]) + rest[score[roll][0]]) / len(rolls) / 36
    return total


class TestScaledStrategies:
    def test_decisions_agree_with_brute_force(self) -> None:
        means = {scale: brute_mean(scale) for scale in (0.7, 3, 9.5, 20, 60, 1000)}
        assert len(set(means.values())) > 2
        for scale, mean in means.items():
            exact = evaluate(f"greedy-discounted:{scale}", SMALL).distribution.mean
            assert exact == pytest.approx(float(mean), abs=1e-12)

    @pytest.mark.parametrize("name", SCALED)
    def test_the_default_scale_is_100(self, name: str) -> None:
        default = evaluate(name, "crag").distribution
        assert evaluate(f"{name}:100", "crag").distribution.mean == default.mean
        assert evaluate(f"{name}:200/2", "crag").distribution.mean == default.mean
        assert evaluate(f"{name}:12.5", "crag").distribution.mean != default.mean
        assert parse_strategy(f"{name}:14.285714285714286").name == f"{name}:14.285714285714286"

    def test_a_scale_of_0_counts_only_maximum_scores(self) -> None:
        exact = evaluate("greedy-discounted:0", SMALL).distribution
        assert exact.mean == pytest.approx(
            evaluate("greedy-discounted:0.01", SMALL).distribution.mean, abs=1e-9
        )

    def test_the_exact_value_agrees_with_a_simulation(self) -> None:
        name, games = "greedy-discounted:9.8112", 60_000
        exact = evaluate(name, "yams").distribution
        assert f"averages {exact.mean:.4f} points" in (DOCS / "strategies.md").read_text("utf-8")
        counted = simulate(name, "yams", games, 2).distribution
        assert abs(counted.mean - exact.mean) < 3 * exact.sd / games**0.5
        assert exact.mean > evaluate("greedy-discounted", "yams").distribution.mean + 3

    def test_evaluations_are_cached_by_scale(self) -> None:
        names = [f"{name}:{scale}" for name in SCALED for scale in (1, 2)]
        cached = {cached_name(parse_strategy(name)) for name in names}
        assert len(cached) == 4
        assert None not in cached

    @pytest.mark.parametrize("scale", ["", "-1", "nan", "inf", "1e3", "1/0", "1.5/2", "٣", "x"])
    def test_wrong_scales(self, scale: str) -> None:
        with pytest.raises(MalformedError, match="must be a number of 0 or more, such as 50"):
            parse_strategy(f"greedy-discounted:{scale}")

    def test_the_error_for_unknown_names_lists_the_forms(self) -> None:
        with pytest.raises(MalformedError, match=", ".join(FORMS)):
            parse_strategy("greedy:50")
