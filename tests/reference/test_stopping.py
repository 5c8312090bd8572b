"""Check optimal restarting of games (optimal stopping) against an exact reference solver."""

import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from console import block
from reference_solver import UtilityReference, mean
from rollwise.errors import MalformedError
from rollwise.game.scorecard import State
from rollwise.rules import Rules
from rollwise.solving.by_score.solver import ScoreSolver
from rollwise.solving.objectives import BEST_CASE, target
from rollwise.solving.solver import Solver, solve
from small_games import small_rules

NOTHING = Fraction(0)

few_categories = small_rules(saves=True).filter(lambda rules: len(rules.categories) < 4)


class PricedReference(UtilityReference):
    """A reference solver for players who pay per turn and stop at a score.

    A restart is worth ``floor``, or impossible if it is None.
    """

    def __init__(
        self, rules: Rules, score: int, price: Fraction, floor: Fraction | None = NOTHING
    ) -> None:
        super().__init__(rules, lambda total: Fraction(total >= score))
        self.score, self.price, self.floor = score, price, floor

    def beginning(self) -> Fraction:
        """Return the value of a new game."""
        return self._played(State.start(self.rules), 0)

    def _played(self, state: State, score: int) -> Fraction:
        left, state = self.rules.rolls_with(state.saved) - 1, state.in_turn(self.rules)
        distribution = self.distribution(())
        value = mean(distribution, lambda roll: self._roll_value_with(state, score, roll, left))
        return value - self.price

    def _turn_with(self, state: State, score: int) -> Fraction:
        if score >= self.score:
            return Fraction(1)
        if self._is_over(state):
            return Fraction(0)
        played = self._played(state, score)
        return played if self.floor is None else max(self.floor, played)


@settings(max_examples=25)
@given(few_categories, st.integers(1, 60))
def test_an_attempt_at_the_solution_price_has_value_zero(rules: Rules, score: int) -> None:
    if score > solve(rules, BEST_CASE, cache=False).value():
        with pytest.raises(MalformedError, match="the score must be from 1 to"):
            Solver(rules, threads=1, cache=False).fewest_turns(score)
        return
    attempts = Solver(rules, threads=1, cache=False).fewest_turns(score)
    price = Fraction(1 / attempts.turns)
    assert PricedReference(rules, score, price * (1 - Fraction(1, 10**9))).beginning() > 0
    assert PricedReference(rules, score, price * (1 + Fraction(1, 10**9))).beginning() <= 0
    assert attempts.turns <= attempts.patient_turns * (1 + 1e-9)
    assert attempts.success <= attempts.patient_success * (1 + 1e-9)
    assert attempts.games * attempts.turns_an_attempt == pytest.approx(attempts.turns)
    # Strategies with the highest probability of success need different numbers of turns.
    success = PricedReference(rules, score, NOTHING, None).beginning()
    assert attempts.patient_success == pytest.approx(float(success), abs=1e-12)
    tiny = Fraction(1, 10**90)
    fewest, most = (
        (success - PricedReference(rules, score, price, None).beginning()) / price
        for price in (tiny, -tiny)
    )
    assert fewest * (1 - Fraction(1, 10**9)) <= Fraction(attempts.patient_turns_a_game)
    assert Fraction(attempts.patient_turns_a_game) <= most * (1 + Fraction(1, 10**9))


def test_a_game_solved_by_hand() -> None:
    # 48 points in Micro Yahtzee need two sixes in two turns: restart unless the first is a six.
    attempts = Solver("micro-yahtzee", cache=False).fewest_turns(48)
    assert attempts.games == pytest.approx(36)
    assert attempts.turns == pytest.approx(36 * (1 + 1 / 6))
    # Without restarts, the second turn is played even if it cannot succeed.
    assert attempts.patient_turns == pytest.approx(36 * 2)
    # 36 points need one six, in the first turn or the second: the game ends with the first one.
    attempts = Solver("micro-yahtzee", cache=False).fewest_turns(36)
    assert attempts.patient_success == pytest.approx(11 / 36)
    assert attempts.patient_turns_a_game == pytest.approx(1 + 5 / 6)


def test_progress_covers_all_rounds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROLLWISE_CACHE", str(tmp_path))
    reported: list[float] = []
    solver = Solver("crag", progress=reported.append)
    solver.solve()
    reported.clear()
    solver.fewest_turns(200)
    assert reported == sorted(reported)
    assert 0 < reported[0] < 0.1
    assert 0.7 < reported[-1] <= 1


@pytest.mark.slow
def test_the_numbers_on_the_page() -> None:
    """Check docs/targets-and-risk.md: at the printed price, an attempt has the value 0.

    From the printed price, Dinkelbach's method needs one step instead of five.
    """
    shown = block("targets-and-risk.md", "fewest turns to reach 300 points", "text")
    numbers = [float(number) for number in re.findall(r"\d+\.\d+", shown)]
    turns, patient_turns, games, patient_games, success, patient, length, turns_of_game = numbers
    cards = Solver("yahtzee")
    solver = ScoreSolver(cards.solve_by_card(), cards.solve_by_card(BEST_CASE), threads=2)
    objective = replace(target(300), price=1 / (turns + 0.005), floor=0.0, score_weight=0.0)
    nearly = solver.solve(objective, turns=True)
    ratio = objective.price + nearly.value() / float(nearly.turns_at_start()[-1])
    assert objective.price < ratio < 1 / (turns - 0.005)
    layout = solver.valued_above(nearly, (ratio - objective.price) * (1 - 1e-12))
    attempt = solver.solve(replace(objective, price=ratio), turns=True, layout=layout)
    assert attempt.value() == pytest.approx(0, abs=1e-6 * ratio)
    expected_turns = float(attempt.turns_at_start()[-1])
    assert expected_turns == pytest.approx(length, abs=0.005)
    probability = attempt.value() + expected_turns * ratio
    assert 100 * probability == pytest.approx(success, abs=0.00005)
    assert 1 / probability == pytest.approx(games, abs=0.005)
    # Another page prints the highest probability of the target without restarts.
    (best,) = re.findall(r"^ +300 +([\d.]+)%", block("objectives.md", "400,1575", "console"), re.M)
    assert patient == float(best)
    assert 100 / patient == pytest.approx(patient_games, abs=0.005)
    without = solver.solve(target(300), turns=True)
    assert float(without.turns_at_start()[-1]) == pytest.approx(turns_of_game, abs=0.005)
    assert turns_of_game / without.value() == pytest.approx(patient_turns, abs=0.03)
