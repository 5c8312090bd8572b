"""The scale of the greedy penalty: exact values, and the best of all scales in a small game."""

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import pairwise, product
from math import log
from typing import TypeVar

import numpy as np
import pytest

from rollwise import evaluate, parse_strategy, simulate
from rollwise.errors import MalformedError
from rollwise.evaluation.evaluate import cached_name
from rollwise.experiments.penalty_scale import GRID, SHOWN, best_scale
from rollwise.game.scorecard import Dice
from rollwise.rules import parse_rules
from rollwise.strategies import FORMS, SCALED

SMALL = parse_rules(
    """
name = "small"
title = "Two dice, six faces"
dice = 2
faces = 6
rolls = 2

[[categories]]
key = "pair"
title = "Pair"
points = 9
pattern = { kind = "groups", sizes = [2] }

[[categories]]
key = "any"
title = "Any roll"
points = "total"
pattern = { kind = "any" }

[[categories]]
key = "sixes"
title = "Sixes"
points = "matched"
pattern = { kind = "face", face = 6 }
"""
)
HIGHEST = (9, 12, 12)
ROLLS = [(a, b) for a in range(1, 7) for b in range(a, 7)]
T = TypeVar("T")
Polynomial = dict[int, Fraction]
"""The coefficient of each power of x = exp(−1 / scale)."""


def points(dice: Dice, k: int) -> int:
    """Return the points of a roll in category ``k``."""
    return (9 * (dice[0] == dice[1]), sum(dice), 6 * dice.count(6))[k]


def at(value: Polynomial, x: Fraction) -> Fraction:
    return sum((factor * x**power for power, factor in value.items()), Fraction())


class Brute:
    """The discounted greedy strategy for one x = exp(−1 / scale), by brute force with fractions.

    ``differences`` contains the polynomials in x whose signs decide between two options.
    """

    def __init__(self, x: Fraction) -> None:
        self.x = x
        self.differences: list[Polynomial] = []
        self.memory: dict[frozenset[int], Fraction] = {}

    def choose(self, options: Sequence[tuple[T, Polynomial]]) -> tuple[T, Polynomial]:
        """Return the best option, the first of ties, and save all differences."""
        best = max(options, key=lambda option: at(option[1], self.x))
        for _, other in options:
            powers = best[1].keys() | other.keys()
            zero = Fraction()
            self.differences.append({n: best[1].get(n, zero) - other.get(n, zero) for n in powers})
        return best

    def mean(self) -> Fraction:
        """Return the expected score of the strategy."""
        return self.after(frozenset(range(3)))

    def after(self, left: frozenset[int]) -> Fraction:
        """Return the expected points to come with these categories open."""
        if not left:
            return Fraction()
        value: dict[Dice, tuple[int, Polynomial]] = {dice: self.score(dice, left) for dice in ROLLS}
        total = Fraction()
        for dice in product(range(1, 7), repeat=2):
            keep = self.kept(tuple(sorted(dice)), value)
            for roll in self.rolls_from(keep):
                k, _ = value[roll]
                total += (points(roll, k) + self.rest(left - {k})) / len(self.rolls_from(keep)) / 36
        return total

    def rest(self, left: frozenset[int]) -> Fraction:
        if left not in self.memory:
            self.memory[left] = self.after(left)
        return self.memory[left]

    def score(self, dice: Dice, left: frozenset[int]) -> tuple[int, Polynomial]:
        options = [
            (k, {HIGHEST[k] - points(dice, k): Fraction(points(dice, k))}) for k in sorted(left)
        ]
        return self.choose(options)

    def kept(self, dice: Dice, value: dict[Dice, tuple[int, Polynomial]]) -> Dice:
        options: list[tuple[Dice, Polynomial]] = []
        for keep in dict.fromkeys((dice, dice[1:], dice[:1], ())):  # more dice, then higher faces
            rolls = self.rolls_from(keep)
            mean: Polynomial = {}
            for roll in rolls:
                for power, factor in value[roll][1].items():
                    mean[power] = mean.get(power, Fraction()) + factor / len(rolls)
            options.append((keep, mean))
        return self.choose(options)[0]

    @staticmethod
    @cache
    def rolls_from(keep: Dice) -> list[Dice]:
        new = product(range(1, 7), repeat=2 - len(keep))
        return [tuple(sorted(keep + rolled)) for rolled in new]

    def next_change(self) -> float:
        """Return the next x above this one at which a decision changes, or 1."""
        nearest = 1.0
        for difference in self.differences:
            powers = [n for n, factor in difference.items() if factor]
            if not powers:
                continue
            coefficients = [float(difference.get(n, 0)) for n in range(max(powers), -1, -1)]
            for root in np.roots(coefficients):
                if abs(root.imag) < 1e-9 and float(self.x) < root.real < nearest:
                    nearest = float(root.real)
        return nearest


def pieces() -> list[tuple[float, float, Fraction]]:
    """Return all intervals of x in which no decision changes, with the expected score."""
    result, low = [], Fraction(1, 10**12)
    while low < 1 - Fraction(1, 10**6):
        brute = Brute(low + Fraction(1, 10**9))
        mean = brute.mean()
        high = brute.next_change()
        result.append((float(low), high, mean))
        low = Fraction(high)
    return result


class TestBestScale:
    @pytest.mark.slow
    @pytest.mark.parametrize("name", SCALED)
    def test_the_best_of_all_scales_in_a_small_game(self, name: str) -> None:
        # With one reroll, both strategies are the same.
        every = pieces()
        assert len(every) > 5
        best = max(mean for *_, mean in every)
        low, high = next((a, b) for a, b, mean in every if mean == best)
        found = best_scale(SMALL, name)
        assert found.mean == pytest.approx(float(best), abs=1e-12)
        assert -1 / log(low) * (1 - 1e-6) <= found.low < found.high
        assert found.high <= -1 / log(high) * (1 + 1e-6)
        # Each search ends where a decision changes.
        ends = [-1 / log(x) for a, b, _ in every for x in (a, b) if 0 < x < 1]
        for end in (found.low, found.high):
            assert min(abs(end - change) for change in ends) < 1e-5 * end

    def test_each_piece_has_the_exact_expected_score(self) -> None:
        every = pieces()
        means = {mean for *_, mean in every}
        assert len(means) > 2
        for low, high, mean in every:
            scale = -1 / log((low + high) / 2)
            if scale > 0.5:  # for smaller scales, most values are ties in float64
                strategy = parse_strategy(f"greedy-discounted:{scale:.9f}")
                exact = evaluate(strategy, SMALL).distribution.mean
                assert exact == pytest.approx(float(mean), abs=1e-12)

    def test_all_scales_tried_are_at_most_as_good(self) -> None:
        found = best_scale(SMALL)
        assert found.mean == pytest.approx(max(found.means.values()), abs=1e-12)
        assert set(SHOWN) <= set(GRID) <= {*found.means, *GRID}
        assert found.low <= found.scale <= found.high
        assert all(a < b for a, b in pairwise(found.means))

    def test_other_strategies_have_no_scale(self) -> None:
        with pytest.raises(MalformedError, match="greedy-average has no scale"):
            best_scale(SMALL, "greedy-average")


class TestScaledStrategies:
    @pytest.mark.parametrize("name", SCALED)
    def test_the_default_scale_is_100(self, name: str) -> None:
        default = evaluate(name, "crag").distribution
        assert evaluate(f"{name}:100", "crag").distribution.mean == default.mean
        assert evaluate(f"{name}:200/2", "crag").distribution.mean == default.mean
        assert evaluate(f"{name}:12.5", "crag").distribution.mean != default.mean

    def test_a_scale_of_0_counts_only_maximum_scores(self) -> None:
        exact = evaluate("greedy-discounted:0", SMALL).distribution
        assert exact.mean == pytest.approx(
            evaluate("greedy-discounted:0.01", SMALL).distribution.mean, abs=1e-9
        )

    def test_the_exact_value_agrees_with_a_simulation(self) -> None:
        name, games = "greedy-discounted:9.8112", 60_000
        exact = evaluate(name, "yams").distribution
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
