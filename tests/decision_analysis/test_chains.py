"""Check Markov chains against formulas and simple sums."""

import json
from fractions import Fraction
from math import comb, inf

import pytest

from commands import run
from rollwise.decision_analysis import MarkovChain
from rollwise.errors import InputError
from rollwise.strategies.payoff_line import Kind, payoff_chain

HALF, ONE = Fraction(1, 2), Fraction(1)
KINDS: list[Kind] = ["of-a-kind", "one-face", 4, 5]


class TestExpectedSteps:
    def test_a_target_that_might_not_be_reached(self) -> None:
        chain = MarkovChain(
            {"a": {"a": HALF, "b": HALF}, "b": {"a": HALF, "c": HALF}, "c": {"c": ONE}}
        )
        assert chain.expected_steps(["a", "c"]) == {"a": 0, "b": 1, "c": 0}
        assert chain.expected_steps("b") == {"a": 2, "b": 0, "c": inf}
        split = MarkovChain({"b": {"a": HALF, "c": HALF}, "a": {"a": ONE}, "c": {"c": ONE}})
        assert split.expected_steps("c") == {"b": inf, "a": inf, "c": 0}

    def test_a_matrix_that_is_not_triangular(self) -> None:
        chain = MarkovChain({"a": {"b": ONE}, "b": {"a": HALF, "c": HALF}, "c": {"c": ONE}})
        with pytest.raises(InputError, match="can return to a state before it reaches the target"):
            chain.expected_steps("c")
        with pytest.raises(InputError, match="'d' is not a state"):
            chain.expected_steps("d")

    def test_five_of_a_kind(self) -> None:
        further, first = payoff_chain("of-a-kind").expected_rolls("5")
        assert first == Fraction(191283, 17248)  # well known: 11.0902
        assert further[3] == 6  # a geometric distribution

    @pytest.mark.parametrize("target", range(1, 6))
    def test_one_face_is_an_order_statistic(self, target: int) -> None:
        # Each die waits for its first ace; the state is the number of dice that have one.
        def reached(rolls: int) -> Fraction:
            p = 1 - Fraction(5, 6) ** rolls
            return sum(
                (comb(5, n) * p**n * (1 - p) ** (5 - n) for n in range(target, 6)), Fraction(0)
            )

        tail = sum(1 - float(reached(rolls)) for rolls in range(300))
        _, expected = payoff_chain("one-face").expected_rolls(str(target))
        assert float(expected) == pytest.approx(tail, abs=1e-12)

    @pytest.mark.parametrize("kind", KINDS)
    def test_expected_rolls_are_sums_of_tails(self, kind: Kind) -> None:
        # The matrix of the paper is applied again and again, in floats.
        chain = payoff_chain(kind)
        matrix = [[float(p) for p in row] for row in chain.matrix()]
        now = [float(p) for p in chain.after(chain.start, 0)]
        rolls = 1.0
        for _ in range(1_000):
            rolls += 1 - now[-1]
            now = [sum(p * q for p, q in zip(row, now, strict=True)) for row in matrix]
        _, expected = chain.expected_rolls(chain.states[-1])
        assert float(expected) == pytest.approx(rolls, abs=1e-9)


def test_one_chain_of_the_command() -> None:
    command = ("payoff-line", "--chain", "of-a-kind", "--state", "2", "--rolls-left", "4")
    code, out, err = run(*command)
    assert (code, err) == (0, "")
    assert "191283/17248" in out
    assert "0.1421650" in out
    assert "Small straight" not in out
    (data,) = json.loads(run(*command, "--json")[1])["chains"]
    last = data["expected_rolls"][-1]
    assert last["exactly"] == "191283/17248"
    assert last["from_start"] == pytest.approx(191283 / 17248, abs=1e-14)
    assert last["from_states"][3] == 6
    after_4 = float(payoff_chain("of-a-kind").after("2", 4)[-1])
    assert data["from_state"]["probabilities"][-1] == pytest.approx(after_4, abs=1e-15)
