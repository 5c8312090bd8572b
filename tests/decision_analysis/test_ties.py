"""Check that float64 values tie if they differ only by rounding, and not if they really differ."""

from fractions import Fraction

import pytest

from rollwise.decision_analysis import DecisionProblem, analyze, decide

HALF, THIRD = Fraction(1, 2), Fraction(1, 3)
AT_ZERO = DecisionProblem(
    {"s": ["a", "b"]},
    {"a": {"u": HALF, "v": HALF}, "b": {"w": THIRD, "x": THIRD, "y": THIRD}},
    {
        "u": Fraction(1, 10),
        "v": Fraction(-1, 10),
        "w": Fraction(1, 10),
        "x": Fraction(2, 10),
        "y": Fraction(-3, 10),
    },
)
"""Two options whose value is 0. In float64, one of the values is 6.9e-18."""


def test_a_tie_at_zero() -> None:
    rounded = decide(AT_ZERO.in_floats())
    assert rounded.option_values["a"] != rounded.option_values["b"]
    assert rounded.best == decide(AT_ZERO).best == {"s": ("a", "b")}


@pytest.mark.parametrize("scale", [1e-30, 1e30])
def test_a_tie_at_zero_of_any_scale(scale: float) -> None:
    payoff = {outcome: float(x) * scale for outcome, x in (AT_ZERO.payoff or {}).items()}
    assert decide(DecisionProblem(AT_ZERO.available, AT_ZERO.options, payoff)).best["s"] == (
        "a",
        "b",
    )


def test_a_tie_at_zero_in_an_earlier_decision() -> None:
    # The value of "b" is nearly 0 and consists of rounding errors.
    last = DecisionProblem({"a": ["a"], "b": ["b"]}, AT_ZERO.options, AT_ZERO.payoff).in_floats()
    first = DecisionProblem({"now": ["left", "right"]}, {"left": {"a": 1.0}, "right": {"b": 1.0}})
    assert analyze([first, last])[0].best == {"now": ("left", "right")}


def test_small_probabilities_are_no_ties() -> None:
    p = DecisionProblem(
        {"s": ["rare", "rarer"]},
        {"rare": {"win": 2e-15, "lose": 1 - 2e-15}, "rarer": {"win": 1e-15, "lose": 1 - 1e-15}},
        {"win": 1.0, "lose": 0.0},
    )
    assert decide(p).best == {"s": ("rare",)}


def test_a_bad_option_causes_no_ties() -> None:
    p = DecisionProblem(
        {"s": ["good", "bad", "ruin"]},
        {d: {d: 1.0} for d in ("good", "bad", "ruin")},
        {"good": 2.0, "bad": 1.0, "ruin": -1e15},
    )
    before = DecisionProblem({"now": ["go", "stay"]}, {"go": {"s": 1.0}, "stay": {"t": 1.0}})
    after = DecisionProblem({**p.available, "t": ["bad"]}, p.options, p.payoff)
    assert decide(p).best == {"s": ("good",)}
    assert analyze([before, after])[0].best == {"now": ("go",)}


def test_exact_losses_after_a_decision_in_floats() -> None:
    # The later payoffs are exact and negative. 0.1 + 0.2 and 0.3 differ in float64 but are tied.
    last = DecisionProblem({"x": ["x"], "y": ["y"], "z": ["z"]}, {k: {k: 1} for k in "xyz"},
                    {"x": -1, "y": -1, "z": 0})  # fmt: skip
    first = DecisionProblem(
        {"now": ["a", "b"]}, {"a": {"x": 0.3, "z": 0.7}, "b": {"x": 0.1, "y": 0.2, "z": 0.7}}
    )
    decision = analyze([first, last])[0]
    assert decision.option_values["a"] != decision.option_values["b"]
    assert decision.best == {"now": ("a", "b")}
