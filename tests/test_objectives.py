"""Objectives of the final score: equal to brute force over all strategies, in fractions."""

from fractions import Fraction
from itertools import combinations_with_replacement

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from rollwise.by_score.solution import ScoreSolution
from rollwise.evaluation import evaluate
from rollwise.objectives import BEST_CASE, EXPECTED, Objective, target
from rollwise.position import Position
from rollwise.reference import UtilityReference
from rollwise.rules import Rules
from rollwise.solver import solve
from rollwise.strategies import Optimal
from small_games import small_rules

ROUNDING = 1e-11


def utility_of(values: list[int]) -> Objective:
    """Return a utility that takes these values in turn, and the last one for ever."""
    table = np.array(values, dtype=np.float64)
    return Objective("any", utility=lambda scores: table[np.minimum(scores, len(table) - 1)])


def law_turn_by_turn(strategy: Optimal) -> dict[int, float]:
    """Return the law of the final score, one card and score at a time."""
    model, rules = strategy.solution.model, strategy.solution.rules
    games = {(0, 0, 0): 1.0}
    for _ in rules.categories:
        later: dict[tuple[int, int, int], float] = {}
        for (c, lane, score), mass in games.items():
            shares = strategy.turn_policy(model, c, lane, score).outcome_shares(model, c)
            for o in np.flatnonzero(shares):
                armed = model.armed_C[c] | model.arms_O[o]
                after = model.class_S[armed, model.mask_C[c] | 1 << model.category_O[o]]
                lane_after = min(lane + int(model.shift_O[o]), model.lanes - 1)
                card = (int(after), lane_after, score + int(model.step_O[o]))
                later[card] = later.get(card, 0.0) + mass * shares[o]
        games = later
    law: dict[int, float] = {}
    for (_, lane, score), mass in games.items():
        total = score + strategy.solution.earned(lane)
        law[total] = law.get(total, 0.0) + mass
    return law


utilities = st.lists(st.integers(-20, 20), min_size=1, max_size=60)


class TestBruteForce:
    @settings(max_examples=60)
    @given(small_rules(), utilities)
    def test_any_utility_from_the_start(self, rules: Rules, values: list[int]) -> None:
        ours = solve(rules, utility_of(values), threads=1).value()
        reference = UtilityReference(rules, lambda s: Fraction(values[min(s, len(values) - 1)]))
        assert abs(ours - float(reference.value_with(0))) < ROUNDING

    @settings(max_examples=40)
    @given(small_rules(), st.integers(1, 80))
    def test_targets(self, rules: Rules, score: int) -> None:
        ours = solve(rules, target(score), threads=1).value()
        reference = UtilityReference(rules, lambda s: Fraction(s >= score))
        assert abs(ours - float(reference.value_with(0))) < ROUNDING

    @settings(max_examples=25)
    @given(small_rules(), utilities, st.data())
    def test_options_of_a_position(
        self, rules: Rules, values: list[int], data: st.DataObject
    ) -> None:
        reference = UtilityReference(rules, lambda s: Fraction(values[min(s, len(values) - 1)]))
        full = (1 << len(rules.categories)) - 1
        states = sorted(reference.states(), key=repr)
        state = data.draw(st.sampled_from([s for s in states if s.filled != full]))
        rolls = list(combinations_with_replacement(range(1, rules.faces + 1), rules.dice))
        dice = data.draw(st.sampled_from(rolls))
        left = data.draw(st.integers(0, rules.rolls - 1))
        points = data.draw(st.integers(0, 40))
        bonus = rules.upper_bonus
        if bonus and state.upper == bonus.threshold:
            points += bonus.points
        position = Position(rules, state, points, dice, left)
        solution = solve(rules, utility_of(values), position=position, moments=True, threads=1)
        ours = {option.action: option for option in solution.options(position)}
        theirs = reference.options_with(points, state, dice, left)
        assert ours.keys() == theirs.keys()
        for action, value in theirs.items():
            assert abs(ours[action].value - float(value)) < ROUNDING
            assert ours[action].expected is not None


class TestEvaluation:
    @settings(max_examples=40)
    @given(small_rules(), utilities)
    def test_the_play_found_has_the_value(self, rules: Rules, values: list[int]) -> None:
        objective = utility_of(values)
        solution = solve(rules, objective, moments=True, threads=1)
        law = evaluate(Optimal(solution), threads=1).law
        assert objective.utility is not None
        assert abs(law.probabilities.sum() - 1) < 1e-13
        assert abs(law.probabilities @ objective.utility(law.scores) - solution.value()) < 1e-9
        assert isinstance(solution, ScoreSolution)
        assert abs(law.mean - solution.expected_at_start()[-1]) < 1e-9

    @settings(max_examples=25)
    @given(small_rules(), utilities)
    def test_kernels_play_as_the_turn_policy_says(self, rules: Rules, values: list[int]) -> None:
        strategy = Optimal(solve(rules, utility_of(values), threads=1))
        ours = evaluate(strategy, threads=1).law
        theirs = law_turn_by_turn(strategy)
        # Options that are equally good up to rounding may be told apart by it, one way or the
        # other: what they are good for is the same.
        utility = utility_of(values).utility
        assert utility is not None
        theirs_value = sum(p * float(utility(np.array(score))) for score, p in theirs.items())
        assert abs(ours.probabilities @ utility(ours.scores) - theirs_value) < 1e-9
        assert abs(ours.mean - sum(score * p for score, p in theirs.items())) < 1e-6


class TestLaws:
    @settings(max_examples=30)
    @given(small_rules())
    def test_the_score_itself_is_the_expected_score(self, rules: Rules) -> None:
        identity = Objective("score", utility=lambda scores: scores.astype(np.float64))
        solution = solve(rules, identity, moments=True, threads=1)
        expected = solve(rules, EXPECTED, cache=False).value()
        assert abs(solution.value() - expected) < ROUNDING

    @settings(max_examples=30)
    @given(small_rules())
    def test_best_case_can_be_reached(self, rules: Rules) -> None:
        most = round(solve(rules, BEST_CASE, cache=False).value())
        assert solve(rules, target(most), threads=1).value() > 0
        assert solve(rules, target(most + 1), threads=1).value() == 0
