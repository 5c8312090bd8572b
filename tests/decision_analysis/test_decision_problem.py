"""Test decision problems without dice, Markov chains, and errors for invalid input."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from repository import ROOT
from rollwise.decision_analysis import (
    DecisionProblem,
    MarkovChain,
    Profiles,
    Turn,
    analyze,
    decide,
    decision_picture,
    expected,
    load_decision,
    turn_chain,
)

HALF = Fraction(1, 2)
PLANT = load_decision(ROOT / "examples" / "decisions" / "plant.toml").problems
BET = DecisionProblem(
    available={"here": ["play", "leave", "wait"]},
    options={"play": {"win": HALF, "lose": HALF}, "leave": {"even": 1}, "wait": {"even": 1}},
    payoff={"win": 4, "lose": -4, "even": 0},
)


class TestDecide:
    def test_all_best_options(self) -> None:
        decision = decide(BET)
        assert decision.option_values == {"play": 0, "leave": 0, "wait": 0}
        assert decision.best == {"here": ("play", "leave", "wait")}

    def test_utility(self) -> None:
        assert decide(BET, utility=lambda x: min(x, 1)).best["here"] == ("leave", "wait")
        assert decide(BET, utility=lambda x: x * x).values == {"here": 16}

    def test_two_different_decisions(self) -> None:
        first = DecisionProblem({"now": ["bet", "stop"]}, {"bet": {"here": 1}, "stop": {"out": 1}})
        last = DecisionProblem(
            {"here": ["play"], "out": ["stay"]},
            {"play": {"win": HALF, "lose": HALF}, "stay": {"even": 1}},
            {"win": 5, "lose": -4, "even": 0},
        )
        before, after = analyze([first, last])
        assert after.values == {"here": HALF, "out": 0}
        assert before.values == {"now": HALF}
        assert before.best == {"now": ("bet",)}


class TestCosts:
    BET = replace(BET, cost={"play": HALF, "wait": 1})

    def test_cost_reduces_the_value_of_an_option(self) -> None:
        decision = decide(self.BET)
        assert decision.option_values == {"play": -HALF, "leave": 0, "wait": -1}
        assert decision.best == {"here": ("leave",)}
        assert isinstance(decision.values["here"], Fraction)

    def test_costs_of_every_step_add_up(self) -> None:
        again = DecisionProblem({"here": ["on"]}, {"on": {"here": 1}}, {"here": 10}, {"on": 3})
        assert [d.values["here"] for d in analyze([again] * 4)] == [-2, 1, 4, 7]

    def test_costs_equal_fees_in_the_payoff(self) -> None:
        # A plant of year 3 pays two fees of 5 for earlier delays. Here, each fee is a cost.
        years = PLANT
        payoff = {
            outcome: x + 5 * (int(outcome[-1]) - 1)
            for outcome, x in (years[-1].payoff or {}).items()
        }
        delays = [{d: 5 for d in year.options if d.startswith("delay")} for year in years]
        with_costs = [replace(year, cost=cost) for year, cost in zip(years, delays, strict=True)]
        with_costs[-1] = replace(with_costs[-1], payoff=payoff)
        for i, (immediate, deferred) in enumerate(
            zip(analyze(with_costs), analyze(years), strict=True)
        ):
            assert immediate.best == deferred.best
            for market in ("weak", "fair", "strong"):
                assert immediate.values[market] == deferred.values[market] + 5 * i

    def test_bad_costs(self) -> None:
        with pytest.raises(ValueError, match="there is a cost for 'sleep', which is not an option"):
            replace(BET, cost={"sleep": 1})
        with pytest.raises(
            ValueError, match=r"the cost of option 'play' is 0\.5; use an int or a F"
        ):
            replace(BET, cost={"play": 0.5})  # type: ignore[dict-item]
        with pytest.raises(
            ValueError, match="costs cannot be combined with a utility, because a utility"
        ):
            decide(self.BET, utility=lambda x: x)


class TestPlant:
    def test_by_hand(self) -> None:
        # Year 2, fair market: make 125/2 − 85/2 = 20; delay 0/4 + 5/2 + 62/4 = 18; drop 5.
        second = analyze(PLANT)[1]
        assert second.option_values["make, fair"] == Fraction(125 - 85, 2) == 20
        assert second.option_values["delay, fair"] == Fraction(0, 4) + Fraction(5, 2) + Fraction(
            62, 4
        )
        assert second.best["fair"] == ("make, fair",)

    def test_a_tie(self) -> None:
        first = analyze(PLANT)[0]
        assert first.best["weak"] == ("delay, weak", "drop")
        assert first.values["weak"] == 10

    def test_loss_aversion_delays_investment(self) -> None:
        plan = analyze(PLANT, utility=lambda x: x if x >= 0 else 2 * x)
        assert [year.best["fair"] for year in plan] == [
            ("delay, fair",),
            ("delay, fair",),
            ("drop",),
        ]


ERRORS: list[tuple[Mapping[str, Sequence[str]], Mapping[str, Mapping[str, Any]], str]] = [
    ({}, {}, "a decision problem needs at least one state"),
    ({"s": []}, {"d": {"x": 1}}, "state 's' has no options; give it at least one"),
    ({"s": ["e"]}, {"d": {"x": 1}}, "state 's' offers option 'e', which has no outcomes; add its"),
    ({"s": ["d"]}, {"d": {}}, "option 'd' has no outcomes; give it at least one"),
    ({"s": ["d"]}, {"d": {"x": HALF}}, "the probabilities of option 'd' must sum to 1, not 1/2"),
    ({"s": ["d"]}, {"d": {"x": 0.5}}, r"probability of 'x' in option 'd' is 0\.5; use an int or a"),
    ({"s": ["d"]}, {"d": {"x": 2, "y": -1}}, "option 'd' leads to 'y' with probability -1, which"),
    ({"s": ["d"]}, {"d": {"z": 1}}, "outcome 'z' has no payoff"),
]


@pytest.mark.parametrize(("available", "options", "message"), ERRORS)
def test_invalid_problems(
    available: Mapping[str, Sequence[str]],
    options: Mapping[str, Mapping[str, Any]],
    message: str,
) -> None:
    with pytest.raises(ValueError, match=message):
        decide(DecisionProblem(available, options, {"x": 1, "y": 1}))


def test_other_bad_input() -> None:
    with pytest.raises(ValueError, match="there are no decisions to analyze; give at least one"):
        analyze([])
    with pytest.raises(
        ValueError, match=r"the payoff of outcome 'x' is 0\.5; use an int or a Frac"
    ):
        DecisionProblem({"s": ["d"]}, {"d": {"x": 1}}, {"x": 0.5})  # type: ignore[dict-item]
    with pytest.raises(
        ValueError, match="the utility of outcome 'win' is nan; use an int or a Fra"
    ):
        decide(BET, utility=lambda _: float("nan"))  # type: ignore[arg-type, return-value]
    with pytest.raises(ValueError, match="outcome 'x' has no payoff; give it one, or"):
        decision_picture(DecisionProblem({"s": ["d"]}, {"d": {"x": 1}}))
    after = DecisionProblem({"t": ["d"]}, {"d": {"x": 1}}, {"x": 1})
    with pytest.raises(
        ValueError, match="'y' has no payoff; give it one, or make it a state of a l"
    ):
        analyze([DecisionProblem({"s": ["d"]}, {"d": {"y": 1}}), after])
    with pytest.raises(
        ValueError, match="the probabilities of the distribution must sum to 1, not 1/2"
    ):
        expected({"x": HALF}, {"x": 1})
    with pytest.raises(ValueError, match="outcome 'y' has no payoff"):
        expected({"x": HALF, "y": HALF}, {"x": 1})


class TestChains:
    def test_steps(self) -> None:
        chain = MarkovChain({"a": {"a": HALF, "b": HALF}, "b": {"b": Fraction(1)}})
        assert chain.after("a", 0) == {"a": 1}
        assert chain.after("a", 3) == {"a": HALF**3, "b": 1 - HALF**3}
        assert chain.after({"a": HALF, "b": HALF}, 1) == {"a": HALF**2, "b": 1 - HALF**2}
        assert chain.power(3).after("a", 2) == chain.after("a", 6)
        assert chain.power(0).matrix() == [[1, 0], [0, 1]]

    def test_chain_of_a_turn(self) -> None:
        # The best option for five of a kind does not depend on the number of rolls left.
        turn = Turn(Profiles(), {"00001": 1})
        chain = turn_chain(turn, lambda s: "0" * (len(s) - 1) + "1")
        assert chain.after(turn.outcomes("0"), 2)["00001"] == Fraction(2783176, 6**10)

    def test_errors(self) -> None:
        chain = MarkovChain({"a": {"b": Fraction(1)}, "b": {"a": HALF, "b": HALF}})
        with pytest.raises(ValueError, match="the states of the group 'all' cannot be"):
            MarkovChain({**chain.rows, "c": {"c": Fraction(1)}}).lump(
                lambda s: "c" if s == "a" else "all"
            )
        with pytest.raises(ValueError, match="'c' is not a state of the chain; add a row for it"):
            chain.after("c", 1)
        with pytest.raises(ValueError, match="the number of steps must be 0 or more, not -1"):
            chain.after("a", -1)
        with pytest.raises(ValueError, match="'z' is not a state of the chain; add a row for it"):
            MarkovChain({"a": {"z": Fraction(1)}})
        with pytest.raises(
            ValueError, match="the probabilities of state 'a' must sum to 1, not 1/2"
        ):
            MarkovChain({"a": {"a": HALF}})
        with pytest.raises(
            ValueError, match="'01' cannot be kept from '5'; keep only dice of the roll"
        ):
            turn_chain(Turn(Profiles(), {"00001": 1}), lambda _: "01")


def test_a_problem_too_large_to_draw() -> None:
    many = [str(i) for i in range(100)]
    p = DecisionProblem({s: [s] for s in many}, {s: {s: 1} for s in many}, dict.fromkeys(many, 0))
    with pytest.raises(
        ValueError, match="the picture would have 300 nodes; it can have at most 200"
    ):
        decision_picture(p)
