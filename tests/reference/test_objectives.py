"""Check objectives of the final score against exact brute force over all strategies."""

from dataclasses import replace
from fractions import Fraction
from math import exp, log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from all_policies import AllPolicies
from games import card_in
from reference_solver import UtilityReference
from rollwise.distribution import Distribution
from rollwise.errors import MalformedError
from rollwise.evaluation.evaluate import evaluate
from rollwise.game.position import Position
from rollwise.game.scorecard import State
from rollwise.rules import Rules, load_rules
from rollwise.solving.by_score.solution import ScoreSolution
from rollwise.solving.by_score.solver import TIE_BREAKER
from rollwise.solving.objectives import (
    BEST_CASE,
    EXPECTED,
    LEAST_VARIANCE,
    ScoreObjective,
    beating,
    exponential,
    mean_variance,
    target,
)
from rollwise.solving.solver import Solver, solve
from rollwise.solving.turn_policy import Cards
from rollwise.strategies import Optimal
from small_games import small_rules

ROUNDING = 1e-11


def utility_of(values: list[int]) -> ScoreObjective:
    """Return the utility with these values for scores 0, 1, …; it is constant after the last."""
    table = np.array(values, dtype=np.float64)
    return ScoreObjective("any", utility=lambda scores: table[np.minimum(scores, len(table) - 1)])


def distribution_turn_by_turn(strategy: Optimal) -> dict[int, float]:
    """Return the distribution of the final score by a forward pass over states and scores."""
    model, rules = strategy.solution.model, strategy.solution.rules
    games = {(0, 0, 0): 1.0}
    for _ in rules.categories:
        later: dict[tuple[int, int, int], float] = {}
        for (c, lane, score), mass in games.items():
            cards = Cards.one(model, c, lane, score)
            (probability_O,) = strategy.turns(cards).outcome_probabilities()
            for o in np.flatnonzero(probability_O):
                after = model.class_after(c, o)
                lane_after = min(lane + int(model.shift_O[o]), model.lanes - 1)
                card = (int(after), lane_after, score + int(model.total_points_O[o]))
                later[card] = later.get(card, 0.0) + mass * probability_O[o]
        games = later
    distribution: dict[int, float] = {}
    for (_, lane, score), mass in games.items():
        total = score + int(model.bonus_L[lane])
        distribution[total] = distribution.get(total, 0.0) + mass
    return distribution


tiny_rules = small_rules(saves=True).filter(
    lambda rules: rules.dice < 3 and len(rules.categories) < 4
)
"""Games that are so small that all combinations of mean and variance can be listed."""

utilities = st.lists(st.integers(-20, 20), min_size=1, max_size=60)


class TestBruteForce:
    @pytest.mark.slow
    @settings(max_examples=30)
    @given(small_rules(saves=True), utilities)
    def test_any_utility_from_the_start(self, rules: Rules, values: list[int]) -> None:
        ours = solve(rules, utility_of(values), threads=1).value()
        reference = UtilityReference(rules, lambda s: Fraction(values[min(s, len(values) - 1)]))
        assert abs(ours - float(reference.value_with(0))) < ROUNDING

    @settings(max_examples=10)
    @given(small_rules(saves=True), st.integers(1, 80))
    def test_targets(self, rules: Rules, score: int) -> None:
        if score > solve(rules, BEST_CASE, cache=False).value():
            return
        ours = solve(rules, target(score), threads=1).value()
        reference = UtilityReference(rules, lambda s: Fraction(s >= score))
        assert abs(ours - float(reference.value_with(0))) < ROUNDING

    @settings(max_examples=12)
    @given(small_rules(saves=True), utilities, st.data())
    def test_options_of_a_position(
        self, rules: Rules, values: list[int], data: st.DataObject
    ) -> None:
        reference = UtilityReference(rules, lambda s: Fraction(values[min(s, len(values) - 1)]))
        full = (1 << len(rules.categories)) - 1
        states = sorted(reference.states(), key=repr)
        state = data.draw(st.sampled_from([s for s in states if s.filled != full]))
        rolls = list(rules.every_roll())
        dice = data.draw(st.sampled_from(rolls))
        left = data.draw(st.integers(0, rules.rolls - 1))
        card = card_in(rules, state, lambda points: data.draw(st.sampled_from(points)))
        position = Position.of(card, dice, left)
        solution = solve(rules, utility_of(values), position=position, moments=True, threads=1)
        ours = {option.action: option for option in solution.options(position)}
        theirs = reference.options_with(card.points, state, dice, left)
        assert ours.keys() == theirs.keys()
        for action, value in theirs.items():
            assert abs(ours[action].value - float(value)) < ROUNDING
            assert ours[action].expected is not None


class TestVariance:
    @pytest.mark.slow
    @settings(max_examples=20)
    @given(tiny_rules, st.sampled_from([0.003, 0.02, 0.1, 0.5, 3.0]))
    def test_mean_less_variance(self, rules: Rules, aversion: float) -> None:
        solution = solve(rules, replace(mean_variance(aversion), tolerance=1e-9), threads=1)
        a = Fraction(aversion)
        corners = AllPolicies(rules).corners(State.start(rules))
        best = max(mean - a * (second - mean * mean) for mean, second in corners)
        assert abs(solution.value() - float(best)) < 1e-7
        distribution = evaluate(Optimal(solution), threads=1).distribution
        assert abs(distribution.mean - aversion * distribution.sd**2 - float(best)) < 1e-7

    @pytest.mark.slow
    @settings(max_examples=20)
    @given(tiny_rules)
    def test_least_variance(self, rules: Rules) -> None:
        solution = solve(rules, replace(LEAST_VARIANCE, tolerance=1e-9), threads=1)
        least = min(
            second - mean * mean for mean, second in AllPolicies(rules).corners(State.start(rules))
        )
        assert abs(-solution.value() - float(least)) < 1e-7

    @settings(max_examples=10)
    @given(tiny_rules)
    def test_frontier_is_on_the_hull(self, rules: Rules) -> None:
        corners = AllPolicies(rules).corners(State.start(rules))
        *points, last = Solver(rules, threads=1).frontier()
        highest = max(mean for mean, _ in corners)
        variance = min(second - mean * mean for mean, second in corners if mean == highest)
        assert last.mean == pytest.approx(float(highest), abs=1e-6)
        assert last.sd**2 == pytest.approx(float(variance), abs=1e-4)
        for point in points:
            b = Fraction(point.center)
            square = min(second - 2 * b * mean + b * b for mean, second in corners)
            ours = point.sd**2 + (point.mean - point.center) ** 2
            assert abs(ours - float(square)) < 1e-8


class TestExponential:
    @pytest.mark.slow
    @settings(max_examples=20)
    @given(small_rules(saves=True), st.sampled_from([-1.0, -0.1, 0.02, 0.5]))
    def test_certainty_equivalent(self, rules: Rules, risk: float) -> None:
        most = solve(rules, BEST_CASE, cache=False).value()
        if abs(risk) * most > 600:
            with pytest.raises(MalformedError, match="use a risk between"):
                solve(rules, exponential(risk), cache=False)
            return
        # The relative error of e^(risk s) as a fraction is a few times 1e-16.
        sign = 1 if risk > 0 else -1
        reference = UtilityReference(rules, lambda s: sign * Fraction(exp(risk * s)))
        equivalent = log(abs(float(reference.value_with(0)))) / risk
        assert abs(solve(rules, exponential(risk), cache=False).value() - equivalent) < 1e-9

    @settings(max_examples=12)
    @given(small_rules(saves=True))
    def test_small_risk_is_close_to_the_expected_score(self, rules: Rules) -> None:
        expected = solve(rules, cache=False).value()
        for risk in (1e-5, -1e-5):
            ours = solve(rules, exponential(risk), cache=False).value()
            assert abs(ours - expected) < 0.05
            assert (ours - expected) * risk > -1e-9
        for risk in (1e-12, -1e-15, 1e-20, -1e-307):
            ours = solve(rules, exponential(risk), cache=False).value()
            assert ours == pytest.approx(expected, rel=1e-9)


class TestBeating:
    def test_shared_wins(self) -> None:
        distribution = Distribution(np.array([1, 2, 4]), np.array([0.5, 0.25, 0.25]))
        utility = beating([(distribution, 2)]).utility
        assert utility is not None
        # A score of 2: both opponents below (1/4), one equal and one below (2 * 1/8, shared by
        # two players), both equal (1/16, shared by three).
        expected = [0, 1 / 4 / 3, 1 / 4 + 1 / 8 + 1 / 48, 9 / 16, 9 / 16 + 3 / 16 + 1 / 48, 1]
        assert utility(np.arange(6)) == pytest.approx(expected, abs=1e-15)

    def test_many_equal_opponents(self) -> None:
        distribution = Distribution(np.arange(10), np.full(10, 0.1))
        for number in (1, 3, 9, 99, 500, 10_000, 10**6, 10**10):
            utility = beating([(distribution, number)]).utility
            assert utility is not None
            up_to = np.arange(1, 11) / 10
            closed = (up_to ** (number + 1) - (up_to - 0.1) ** (number + 1)) / (0.1 * (number + 1))
            assert utility(np.arange(10)) == pytest.approx(closed, rel=1e-11, abs=1e-15)
            assert float(utility(np.arange(10)) @ distribution.probabilities) == pytest.approx(
                1 / (number + 1), rel=1e-11
            )

    def test_a_fixed_score(self) -> None:
        utility = beating([(Distribution.certain(250), 1)]).utility
        assert utility is not None
        assert utility(np.array([249, 250, 251])).tolist() == [0, 0.5, 1]

    @settings(max_examples=12)
    @given(small_rules(saves=True))
    def test_the_best_response_to_itself_wins_at_least_half(self, rules: Rules) -> None:
        distribution = evaluate(Optimal(solve(rules, cache=False)), threads=1).distribution
        assert solve(rules, beating([(distribution, 1)]), threads=1).value() > 0.5 - 1e-9


class TestEvaluation:
    @settings(max_examples=20)
    @given(small_rules(saves=True), utilities)
    def test_the_optimal_strategy_attains_the_value(self, rules: Rules, values: list[int]) -> None:
        objective = utility_of(values)
        solution = solve(rules, objective, moments=True, threads=1)
        distribution = evaluate(Optimal(solution), threads=1).distribution
        assert objective.utility is not None
        assert abs(distribution.probabilities.sum() - 1) < 1e-13
        assert (
            abs(
                distribution.probabilities @ objective.utility(distribution.scores)
                - solution.value()
            )
            < 1e-9
        )
        assert isinstance(solution, ScoreSolution)
        assert abs(distribution.mean - solution.expected_at_start()[-1]) < 1e-9

    @settings(max_examples=12)
    @given(small_rules(saves=True), utilities)
    def test_kernels_agree_with_the_turn_policy(self, rules: Rules, values: list[int]) -> None:
        strategy = Optimal(solve(rules, utility_of(values), threads=1))
        ours = evaluate(strategy, threads=1).distribution
        theirs = distribution_turn_by_turn(strategy)
        # Rounding can break ties between options differently, which does not change the value.
        utility = utility_of(values).utility
        assert utility is not None
        theirs_value = sum(p * float(utility(np.array(score))) for score, p in theirs.items())
        assert abs(ours.probabilities @ utility(ours.scores) - theirs_value) < 1e-9
        # A point has the weight TIE_BREAKER, so a rounding error e can cost e / TIE_BREAKER points.
        mean = sum(score * p for score, p in theirs.items())
        assert abs(ours.mean - mean) < 1e-15 / TIE_BREAKER


class TestProperties:
    @settings(max_examples=15)
    @given(small_rules(saves=True))
    def test_identity_utility_is_the_expected_score(self, rules: Rules) -> None:
        identity = ScoreObjective("score", utility=lambda scores: scores.astype(np.float64))
        solution = solve(rules, identity, moments=True, threads=1)
        expected = solve(rules, EXPECTED, cache=False).value()
        assert abs(solution.value() - expected) < ROUNDING

    @settings(max_examples=10)
    @given(small_rules(saves=True))
    def test_all_targets_in_one_pass(self, rules: Rules) -> None:
        most = round(solve(rules, BEST_CASE, cache=False).value())
        targets = Solver(rules, threads=1, cache=False).targets()
        assert len(targets) == most
        assert all(np.diff(targets) <= 1e-15)
        for score in {1, most // 2 + 1, most} - {0}:
            if score <= most:
                value = solve(rules, target(score), threads=1).value()
                assert abs(targets[score - 1] - value) < 1e-14
        distribution = evaluate(Optimal(solve(rules, cache=False)), threads=1).distribution
        for score, best in enumerate(targets, start=1):
            assert best >= distribution.at_least(score) - 1e-12
        assert targets.sum() >= distribution.mean - 1e-9

    @settings(max_examples=10)
    @given(small_rules(saves=True), utilities)
    def test_result_does_not_depend_on_threads(self, rules: Rules, values: list[int]) -> None:
        first, second = (
            evaluate(Optimal(solve(rules, utility_of(values), threads=n)), threads=n).distribution
            for n in (1, 2)
        )
        assert (first.scores == second.scores).all()
        assert (first.probabilities == second.probabilities).all()

    @settings(max_examples=15)
    @given(small_rules(saves=True))
    def test_best_case_can_be_reached(self, rules: Rules) -> None:
        most = round(solve(rules, BEST_CASE, cache=False).value())
        assert solve(rules, target(most), threads=1).value() > 0
        with pytest.raises(MalformedError, match=f"is {most}; use a lower score"):
            solve(rules, target(most + 1), threads=1)


class TestPublished:
    """Check the highest probabilities for Yatzy that dlangk published, to 0.1%."""

    @pytest.mark.slow
    @pytest.mark.parametrize(("more_than", "printed"), [(200, 94.3), (300, 13.1)])
    def test_highest_probability_of_more(self, more_than: int, printed: float) -> None:
        best = solve(load_rules("yatzy"), target(more_than + 1)).value()
        assert 100 * best == pytest.approx(printed, abs=0.05)


def test_a_target_lowers_the_expected_score() -> None:
    """Check Crag; the examples of ``report`` test Yahtzee (17.6031% and 236.6423 points)."""
    solution = solve(load_rules("crag"), target(180), moments=True)
    distribution = evaluate(Optimal(solution)).distribution
    assert distribution.at_least(180) == pytest.approx(solution.value(), abs=1e-12)
    assert isinstance(solution, ScoreSolution)
    assert distribution.mean == pytest.approx(solution.expected_at_start()[-1], abs=1e-9)
    ordinary = evaluate(Optimal(solve(load_rules("crag")))).distribution
    assert distribution.mean < ordinary.mean
    assert distribution.at_least(180) > ordinary.at_least(180)
