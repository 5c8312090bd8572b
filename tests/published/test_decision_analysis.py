"""Check the published numbers of decision analyses.

There is one class per source, and one method per table, figure, or statement. The methods for W.
Huber's text are in the order of the text.
"""

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement, product

import pytest

from commands import run
from rollwise.decision_analysis import (
    DecisionProblem,
    Multisets,
    Profiles,
    Turn,
    analyze,
    decide,
    decision_picture,
)

STATES = ("5", "31", "12", "201", "011", "1001", "00001")
OPTIONS = ("0", "1", "2", "01", "3", "11", "001", "4", "21", "02", "101", "0001", *STATES)
HALF = Fraction(1, 2)


@pytest.fixture(scope="module")
def yahtzee() -> Turn:
    return Turn(Profiles(), {"00001": 1})


@pytest.fixture(scope="module")
def coins() -> Turn:
    return Turn(Profiles(2), {"11": 1}, dice=3)


def command(*words: str) -> str:
    code, out, err = run("odds", *words)
    assert code == 0, err
    return out


class TestHuber2015:
    """W. Huber on stats.stackexchange.com: the probability of a yahtzee as a decision analysis."""

    def test_the_question(self, yahtzee: Turn) -> None:
        # With five different faces after the first roll, is it better to reroll all or keep one?
        assert yahtzee.keep_value("0", 2) == yahtzee.keep_value("1", 2) == yahtzee.payoffs(2)["5"]
        output = command("00001", "--compare", "keep -", "keep 1")
        assert "equally good: keep -, keep 1" in output

    def test_a_decision_problem(self) -> None:
        # v(d) is the mean payoff under F(d), and X' is the largest v(d).
        third = Fraction(1, 3)
        p = DecisionProblem(
            {"s": ["a", "b"], "t": ["b", "c"]},
            {"a": {"s": HALF, "t": HALF}, "b": {"t": 1}, "c": {"s": third, "t": 2 * third}},
            {"s": 6, "t": -3},
        )
        decision = decide(p)
        assert decision.option_values == {"a": Fraction(3, 2), "b": -3, "c": 0}
        assert decision.best == {"s": ("a",), "t": ("c",)}
        assert decision.values == {"s": Fraction(3, 2), "t": 0}

    def test_expected_utility_in_place_of_payoff(self) -> None:
        p = DecisionProblem(
            {"s": ["risk", "pass"]},
            {"risk": {"win": HALF, "lose": HALF}, "pass": {"even": 1}},
            {"win": 3, "lose": -2, "even": 0},
        )
        assert decide(p).best["s"] == ("risk",)
        assert decide(p, utility=lambda x: -x * x).best["s"] == ("pass",)
        assert decide(p, utility=lambda x: -x * x).option_values["risk"] == Fraction(-13, 2)

    def test_the_figure_as_drawn(self, coins: Turn) -> None:
        dot = decision_picture(coins.decision_problem()).dot
        assert r'"option 1" [label="1\n3/4"]' in dot
        assert '"option 1" -> "outcome 11" [penwidth=2.75, label="3/4"]' in dot
        assert '"option 1" -> "outcome 001" [penwidth=1.25, label="1/4"]' in dot
        assert '"option 2" -> "outcome 11" [penwidth=3.50]' in dot
        assert '"state 001" -> "option 0" [penwidth=3.5]' in dot
        assert '"state 001" -> "option 1" [penwidth=3.5]' in dot
        assert '"state 001" -> "option 01" [penwidth=0.8' in dot
        assert '"state 001" -> "option 2"' not in dot

    def test_the_figure_with_a_utility(self, coins: Turn) -> None:
        dot = decision_picture(coins.decision_problem(), utility=lambda x: 4 * x - 1).dot
        assert r'"outcome 11" [label="11\n1\nutility 3"]' in dot
        assert r'"outcome 001" [label="001\n0\nutility -1"]' in dot
        assert r'"option 1" [label="1\n2"]' in dot, "3/4 of 3 and 1/4 of −1"

    def test_back_propagation(self) -> None:
        # The decisions differ in states, options and outcomes. X of the first is X' of the last.
        last = DecisionProblem(
            {"good": ["go", "stop"], "bad": ["stop"]},
            {"go": {"win": HALF, "lose": HALF}, "stop": {"even": 1}},
            {"win": 10, "lose": -4, "even": 1},
        )
        first = DecisionProblem(
            {"now": ["in", "out"]}, {"in": {"good": HALF, "bad": HALF}, "out": {"bad": 1}}
        )
        before, after = analyze([first, last])
        assert after.values == {"good": 3, "bad": 1}
        assert before.option_values == {"in": 2, "out": 1}
        assert before.best == {"now": ("in",)}

    def test_seven_states_and_nineteen_options(self, yahtzee: Turn) -> None:
        assert set(yahtzee.states) == set(STATES)
        assert sorted(yahtzee.options) == sorted(OPTIONS)
        assert yahtzee.start == "0"

    def test_examples_of_codes(self, yahtzee: Turn) -> None:
        code = yahtzee.text_of
        assert code([1, 3, 4, 5, 6]) == "5"
        assert code([4, 4, 1, 1, 1]) == "011"
        assert code([6, 6, 6, 6, 6]) == "00001"
        assert code([1, 3, 3, 5, 6]) == "31"
        assert code([3, 3]) == "01", "what is left if 1, 5 and 6 are rolled again"
        assert code([]) == "0"

    def test_faces_not_showing(self) -> None:
        # In the text of the source, their number is the faces minus the nonzero entries. In its
        # code, it is the faces minus the sum of the entries. Only with the number in the code do
        # the probabilities of one more die sum to one.
        ways = dict(Profiles(6).roll_one((2,)))
        assert ways == {(3,): 4, (1, 1): 2}
        assert sum(ways.values()) == 6

    @pytest.mark.parametrize("rolls_left", [2, 1, 0])
    def test_states_that_wikipedia_merges(self, yahtzee: Turn, rolls_left: int) -> None:
        payoffs = yahtzee.payoffs(rolls_left)
        assert payoffs["31"] == payoffs["12"]
        assert payoffs["201"] == payoffs["011"]

    def test_ties_of_moves(self, yahtzee: Turn) -> None:
        for left in (2, 1):
            ties = {state: best for state, best in yahtzee.moves(left).items() if len(best) > 1}
            assert ties == {"5": ("0", "1")}, "rerolling all five or any four is equally good"

    def test_error_about_the_full_house(self) -> None:
        # The source says that the best options differ between the first and the second roll.
        # With three rolls, all are the same, as the enumeration of ordered rolls confirms.
        turn = Turn(Profiles(), {"011": 1})
        assert turn.moves(2) == turn.moves(1)
        assert turn.moves(1) == _best_profiles(1)
        assert turn.moves(2) == _best_profiles(2)
        # With four rolls, the best options of four states differ.
        turn = Turn(Profiles(), {"011": 1}, rolls=4)
        first, second = turn.moves(3), turn.moves(2)
        assert {s: (first[s], second[s]) for s in STATES if first[s] != second[s]} == {
            "31": (("11",), ("01",)),
            "201": (("11",), ("101",)),
            "1001": (("11",), ("101",)),
            "00001": (("01",), ("001",)),
        }

    def test_any_faces_dice_and_rolls(self) -> None:
        assert Turn(Profiles(8), {"02": 1}, dice=4).value == Fraction(7431249, 33554432)
        assert Turn(Profiles(1), {"1": 1}, dice=1).value == 1
        for target, faces, dice in (("0" * 6 + "1", 10, 7), ("12,", 20, 12), ("3", 1000, 3)):
            assert 0 < Turn(Profiles(faces), {target: 1}, dice).value < 1

    def test_payoffs_instead_of_a_target(self) -> None:
        # "It is easily modified to solve a problem where the target is an arbitrary distribution".
        paid = Turn(Profiles(), {"00001": 50, "011": 25})
        assert paid.value > 25 * Turn(Profiles(), {"011": 1}).value
        assert Turn(Multisets(), sum).value == Fraction(70, 3)
        assert command("sum", "--exact") == "Mean of sum in 3 rolls of 5 dice with 6 faces: 70/3\n"

    @pytest.mark.parametrize(
        ("target", "faces", "dice", "reason"),
        [
            ("5", 4, 5, "has 5 different faces; a die has only 4"),
            ("011", 6, 4, "has 5 dice; it must have 4"),
            ("0001", 6, 5, "has 4 dice; it must have 5"),
        ],
    )
    def test_a_target_that_does_not_fit(
        self, target: str, faces: int, dice: int, reason: str
    ) -> None:
        # "Target `…` is inconsistent with … faces and … dice"; it accepts "5" with four faces.
        words = ("odds", target, "--faces", str(faces), "--dice", str(dice))
        code, _, err = run(*words)
        assert code == 2
        assert f"the profile '{target}' {reason}" in err


def _best_profiles(rolls_left: int) -> dict[str, tuple[str, ...]]:
    """Return the best options for a full house by enumerating ordered rolls, without the graph."""
    turn = Turn(Profiles(), {"011": 1})
    examples = {turn.text_of(roll): roll for roll in combinations_with_replacement(range(1, 7), 5)}
    payoffs = {state: Fraction(state == "011") for state in examples}
    best: dict[str, tuple[str, ...]] = {}
    text_of = cache(turn.text_of)
    for _ in range(rolls_left):
        values = {
            state: _values_of_keeps(text_of, roll, payoffs) for state, roll in examples.items()
        }
        payoffs = {state: max(of_keeps.values()) for state, of_keeps in values.items()}
        best = {
            state: tuple(d for d in turn.options if values[state].get(d) == payoffs[state])
            for state in examples
        }
    return best


def _values_of_keeps(
    text_of: Callable[[tuple[int, ...]], str],
    roll: tuple[int, ...],
    payoffs: dict[str, Fraction],
) -> dict[str, Fraction]:
    values: dict[str, Fraction] = {}
    for size in range(len(roll) + 1):
        for keep in combinations(roll, size):
            rerolls = list(product(range(1, 7), repeat=len(roll) - size))
            total = sum(payoffs[text_of(keep + reroll)] for reroll in rerolls)
            values[text_of(keep)] = Fraction(total, len(rerolls))
    return values
