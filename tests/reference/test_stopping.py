"""Giving a game up and beginning another one: equal to its fixed point, in fractions."""

import re
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from console import block
from rollwise.errors import MalformedError
from rollwise.game.reference import UtilityReference, mean
from rollwise.game.scorecard import State
from rollwise.rules import Rules, load_rules
from rollwise.solving.by_score.solver import ScoreSolver
from rollwise.solving.objectives import BEST_CASE, target
from rollwise.solving.solver import Solver, solve
from small_games import small_rules


class PricedReference(UtilityReference):
    """A player who pays for each turn, may give up for nothing, and is done once he has a score."""

    def __init__(self, rules: Rules, score: int, price: Fraction) -> None:
        super().__init__(rules, lambda total: Fraction(total >= score))
        self.score, self.price = score, price

    def beginning(self) -> Fraction:
        """Return what it is worth to begin."""
        return self._played(State.start(self.rules), 0)

    def _played(self, state: State, score: int) -> Fraction:
        left, state = self.rules.rolls_with(state.saved) - 1, state.in_turn(self.rules)
        distribution = self.distribution(())
        worth = mean(distribution, lambda roll: self._roll_value_with(state, score, roll, left))
        return worth - self.price

    def _turn_with(self, state: State, score: int) -> Fraction:
        if score >= self.score:
            return Fraction(1)
        if self._is_over(state):
            return Fraction(0)
        return max(Fraction(0), self._played(state, score))


@settings(max_examples=25)
@given(small_rules(saves=True), st.integers(1, 60))
def test_at_the_price_found_beginning_is_worth_nothing(rules: Rules, score: int) -> None:
    if score > solve(rules, BEST_CASE, cache=False).value():
        with pytest.raises(MalformedError, match="expected a score from 1 to"):
            Solver(rules, threads=1, cache=False).fewest_turns(score)
        return
    attempts = Solver(rules, threads=1, cache=False).fewest_turns(score)
    price = Fraction(1 / attempts.turns)
    assert PricedReference(rules, score, price * (1 - Fraction(1, 10**9))).beginning() > 0
    assert PricedReference(rules, score, price * (1 + Fraction(1, 10**9))).beginning() <= 0
    assert attempts.turns <= attempts.patient_turns * (1 + 1e-9)
    assert attempts.success <= attempts.patient_success * (1 + 1e-9)
    assert attempts.games * attempts.turns_an_attempt == pytest.approx(attempts.turns)


def test_a_game_worked_by_hand() -> None:
    # Micro Yahtzee, 48 points: two sixes in two turns, and giving up unless the first one comes.
    attempts = Solver("micro-yahtzee", cache=False).fewest_turns(48)
    assert attempts.games == pytest.approx(36)
    assert attempts.turns == pytest.approx(36 * (1 + 1 / 6))
    assert attempts.patient_turns == pytest.approx(36 * 2)


def test_progress_is_that_of_all_rounds() -> None:
    told: list[float] = []
    solver = Solver("crag", progress=told.append)
    assert solver.stopping_size(200) > 0
    told.clear()
    solver.fewest_turns(200)
    assert told == sorted(told)
    assert 0 < told[0] < 0.1
    assert 0.7 < told[-1] <= 1


@pytest.mark.slow
def test_the_figures_of_the_page() -> None:
    """docs/objectives.md prints what play comes to at the price at which it is worth nothing.

    From the printed price one step of Dinkelbach's method leads there, not five from far below.
    """
    shown = block("objectives.md", "300 points in the fewest turns", "text")
    figures = [float(number) for number in re.findall(r"\d+\.\d+", shown)]
    turns, patient_turns, games, patient_games, success, patient, length, boxes = figures
    rules = load_rules("yahtzee")
    solver = ScoreSolver(solve(rules), solve(rules, BEST_CASE), threads=2)
    objective = replace(target(300), price=1 / (turns + 0.005), floor=0.0, plays_on=False)
    nearly = solver.solve(objective, turns=True)
    ratio = objective.price + nearly.value() / float(nearly.turns_at_start()[-1])
    assert objective.price < ratio < 1 / (turns - 0.005)
    layout = solver.valued_above(nearly, (ratio - objective.price) * (1 - 1e-12))
    attempt = solver.solve(replace(objective, price=ratio), turns=True, layout=layout)
    assert attempt.value() == pytest.approx(0, abs=1e-6 * ratio)
    expected_turns = float(attempt.turns_at_start()[-1])
    assert expected_turns == pytest.approx(length, abs=0.005)
    found = attempt.value() + expected_turns * ratio
    assert 100 * found == pytest.approx(success, abs=0.00005)
    assert 1 / found == pytest.approx(games, abs=0.005)
    # Whoever plays on has the best probability of the target, which the same page prints.
    (best,) = re.findall(r"^ +300 +([\d.]+) %", block("objectives.md", "1575", "console"), re.M)
    assert patient == float(best)
    assert 100 / patient == pytest.approx(patient_games, abs=0.005)
    assert boxes == len(rules.categories)
    assert 100 * boxes / patient == pytest.approx(patient_turns, abs=0.005)
