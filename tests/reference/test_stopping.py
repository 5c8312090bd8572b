"""Giving a game up and beginning another one: equal to its fixed point, in fractions."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rollwise.errors import MalformedError
from rollwise.game.reference import UtilityReference, mean
from rollwise.game.scorecard import State
from rollwise.rules import Rules
from rollwise.solving.objectives import BEST_CASE
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
        law = self.law(())
        worth = mean(law, lambda roll: self._roll_value_with(state, score, roll, left))
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
