"""Decision files against Python objects, enumeration of policies, and their source."""

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import prod
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from repository import DOCS, ROOT
from rollwise.decision_analysis import (
    DecisionProblem,
    Profiles,
    Turn,
    decision_picture,
    load_decision,
)
from rollwise.decision_analysis.decision_file import (
    StagedDecision,
    parse_decision,
)
from rollwise.errors import MalformedError
from text_tables import indented

EXAMPLES = ROOT / "examples" / "decisions"
HALF = Fraction(1, 2)


def example(name: str) -> StagedDecision:
    return load_decision(EXAMPLES / f"{name}.toml")


class TestPublishedFigures:
    """W. Huber's answer on stats.stackexchange.com (2015), from files."""

    def test_the_figure_with_three_coins(self) -> None:
        choices = {
            (choice.stage, choice.state): choice for choice in example("coins").solve().choices
        }
        last = choices["flip 2", "001"]
        assert last.values == {"0": Fraction(3, 4), "1": Fraction(3, 4), "01": HALF, "001": 0}
        assert last.best == ("0", "1")
        assert choices["flip 2", "11"].values["1"] == Fraction(3, 4)
        assert "2" in choices["flip 2", "11"].best

    def test_five_of_a_kind(self) -> None:
        decision, turn = example("five-of-a-kind"), Turn(Profiles(), {"00001": 1})
        plan = decision.solve()
        assert plan.expected_payoff == Fraction(2783176, 6**10)
        assert plan.choices[0].state == "5"
        assert plan.choices[0].best == ("0", "1"), "all dice again, or one kept: equally good"
        assert decision.start == turn.outcomes(turn.start)
        for problem in decision.problems:
            assert problem.available == turn.decision_problem().available
            assert problem.options == turn.decision_problem().options


class TestDocumentation:
    PAGE = (DOCS / "decision-files.md").read_text("utf-8")

    @pytest.mark.parametrize(("block", "name"), [(0, "bet"), (1, "coins")])
    def test_the_files_on_the_page_are_the_examples(self, block: int, name: str) -> None:
        text = re.findall(r"```toml\n(.*?)```", self.PAGE, re.DOTALL)[block]
        assert replace(parse_decision(text), title=example(name).title) == example(name)


def test_the_bet() -> None:
    decision = example("bet")
    options = {"play": {"win": HALF, "lose": HALF}, "leave": {"even": Fraction(1)}}
    payoff = {"win": 5, "lose": -4, "even": 0}
    problem = DecisionProblem({"at the table": ["play", "leave"]}, options, payoff)
    assert decision.problems == [problem]
    (choice,) = decision.solve().choices
    assert choice.values == {"play": Fraction(-3, 4), "leave": 0}  # certainty equivalents
    assert choice.best == ("leave",)


def test_the_plant() -> None:
    plan = example("plant").solve()
    assert plan.expected_payoff == plan.certainty_equivalent == 46
    assert plan.choices[0].best == ("delay, weak", "drop")
    assert plan.risk_profile[Fraction(150)] == Fraction(9, 20)


BET = (EXAMPLES / "bet.toml").read_text("utf-8")


@pytest.mark.parametrize("factor", ["2", '"2"', '"2.0"', '"4/2"', "2.0", "2e0"])
def test_a_number_in_quotes_is_the_number(factor: str) -> None:
    assert parse_decision(BET.replace("loss_factor = 2", f"loss_factor = {factor}")) == example(
        "bet"
    )


def test_a_utility_with_points() -> None:
    """A utility of 0 for −4, 5 for 0, and 8 for 5: playing has the utility 4, as a loss of 4/5."""
    text = BET.replace("loss_factor = 2", "points = [[-4, 0], [0, 5], [5, 8]]")
    plan = parse_decision(text).solve()
    assert plan.choices[0].values == {"play": Fraction(-4, 5), "leave": 0}
    assert plan.expected_utility == 5
    assert plan.certainty_equivalent == 0


MISTAKES = r"""
win = "1/2", lose => win = "1/3", lose
    line 8, stages.bet.options.play: the probabilities of this row must sum to 1, not 5/6
["play", "leave"] => ["play", "go"]
    line 5, stages.bet.states.at the table: the option 'go' has no outcomes; add it to [stages.bet.
["play", "leave"] => ["play", "play"]
    line 5, stages.bet.states.at the table: 'play' is listed more than once
lose = -4 => looses = -4
    line 8, stages.bet.options.play.lose: this outcome has no payoff and is not a state
lose = -4 => lose = -4\nlost = 0
    line 14, payoffs.lost: no option leads to this outcome at the end
win = 5 => win = "five"
    line 12, payoffs.win: expected a number such as 2, 0.5, or "1/3", got 'five'
win = 5 => win = nan
    line 12, payoffs.win: expected a number such as 2, 0.5, or "1/3", got 'nan'
[stages.bet.states] => [stages.bet.states]\n"at home" = ["leave"]
    start: missing; give the probability of each state at the start: at home, at the
[payoffs] => [start]\nhere = 1\n[payoffs]
    line 12, start.here: the first stage has no such state
[payoffs] => [stages.bet.costs]\nplay = 1\n[payoffs]
    line 11, stages.bet.costs: costs cannot be combined with a utility; subtract them
[utility]\nloss_factor = 2 => [stages.bet.costs]\nply = 1
    line 17, stages.bet.costs.ply: there is no option with this name
[stages.bet.states] => [stages.bet]\nrepeat = 201\n[stages.bet.states]
    line 5, stages.bet.repeat: expected a whole number of 200 or less, got 201
loss_factor = 2 => loss_factor = 0
    line 17, utility.loss_factor: expected a number above 0, got 0
loss_factor => loss_aversion
    line 17, utility.loss_aversion: no such key
loss_factor => points = [[-4, 0], [5, 1]]\nloss_factor
    line 16, utility: expected loss_factor or points, got both
loss_factor = 2 => points = [[0, 1], [0, 2]]
    line 17, utility.points: expected two or more pairs [payoff, utility] in which both increase
loss_factor = 2 => points = [[-4, 0], [4, 2]]
    line 12, payoffs.win: the points of the utility go from -4 to 4, got 5
title = "Play or leave" => title = 3
    line 2, title: expected text, got 3
title = "Play or leave" => title = "\\u001b[31m"
    line 2, title: expected text without control characters, got '\\x1b[31m'
title = "Play or leave" => [stages
    not TOML: Expected ']' at the end of a table declaration
win = 5 => "\\u202e" = 5
    line 12, payoffs.\u202e: expected text without control characters, got '\\u202e'
"""
"""A part of bet.toml, what it is replaced by, and below them the beginning of the message."""


@pytest.mark.parametrize(("change", "message"), indented(MISTAKES))
def test_a_mistake_has_its_line(change: str, message: str, tmp_path: Path) -> None:
    old, new = unescaped(change).split(" => ")
    assert old in BET
    (path := tmp_path / "bet.toml").write_text(BET.replace(old, new, 1), "utf-8")
    with pytest.raises(MalformedError) as error:
        load_decision(path)
    assert str(error.value).startswith(f"{path}: {unescaped(message)}")


def unescaped(text: str) -> str:
    r"""Return a text in which an escape sequence, such as \n, has become its character."""
    return text.encode("ascii").decode("unicode_escape")


def toml(table: Mapping[str, Any]) -> str:
    """Return a mapping as lines of TOML."""
    return "\n".join(f"{json.dumps(key)} = {toml_value(value)}" for key, value in table.items())


def toml_value(value: Any) -> str:
    """Return a value as TOML, a fraction in quotes and a mapping as an inline table."""
    if isinstance(value, Mapping):
        pairs = (f"{json.dumps(key)} = {toml_value(part)}" for key, part in value.items())
        return f"{{ {', '.join(pairs)} }}"
    return json.dumps(str(value) if isinstance(value, Fraction) else value)


NAMES = ("a", "b.c", "d e", 'f"g', "7", "h+i", "ü", "repeat", "*j")


def random_row(random: Random, names: list[str]) -> dict[str, Fraction]:
    weights = [random.randint(0, 3) for _ in names]
    weights[0] += not sum(weights)
    return {name: Fraction(w, sum(weights)) for name, w in zip(names, weights, strict=True)}


def random_stages(random: Random) -> dict[str, Any]:
    """Return the data of a file with one to three stages, some of them repeated."""
    names = list(NAMES)
    random.shuffle(names)
    states, ends = names[:2], names[2:4]
    stages: dict[str, Any] = {
        name: {
            "repeat": random.randint(1, 2),
            "states": {state: random.sample(names[4:7], random.randint(1, 3)) for state in states},
            "options": {
                option: random_row(random, random.sample(states + ends, random.randint(1, 4)))
                for option in names[4:7]
            },
            "costs": {names[4]: Fraction(random.randint(-2, 4), 4)},
        }
        for name in names[: random.randint(1, 2)]
    }
    reached = {
        outcome
        for stage in stages.values()
        for row in stage["options"].values()
        for outcome in row
        if outcome in ends or stage is list(stages.values())[-1]
    }
    payoffs = {
        outcome: Fraction(random.randint(-9, 9), random.choice([1, 2, 3])) for outcome in reached
    }
    return {
        "title": "random", "start": random_row(random, states), "stages": stages, "payoffs": payoffs
    }  # fmt: skip


def best_policy_value(data: Mapping[str, Any]) -> Fraction:
    """Return the largest expected payoff of all policies, by enumeration, without the solver."""
    steps = [stage for stage in data["stages"].values() for _ in range(stage["repeat"])]
    situations = [(i, state) for i, stage in enumerate(steps) for state in stage["states"]]

    def value(i: int, state: str, policy: Mapping[tuple[int, str], str]) -> Fraction:
        if i == len(steps):
            return Fraction(data["payoffs"][state])
        if state not in steps[i]["states"]:
            return value(i + 1, state, policy)
        option = policy[i, state]
        following = sum(
            p * value(i + 1, outcome, policy) for outcome, p in steps[i]["options"][option].items()
        )
        return Fraction(following - steps[i]["costs"].get(option, 0))

    return max(
        sum(
            (
                p * value(0, s, dict(zip(situations, taken, strict=True)))
                for s, p in data["start"].items()
            ),
            Fraction(0),
        )
        for taken in product(*(steps[i]["states"][state] for i, state in situations))
    )


def count_of_policies(data: Mapping[str, Any]) -> int:
    return prod(
        len(offered) ** stage["repeat"]
        for stage in data["stages"].values()
        for offered in stage["states"].values()
    )


@given(st.randoms(use_true_random=False))
@settings(deadline=None, max_examples=60)
def test_random_stages_are_solved_as_by_enumeration(random: Random) -> None:
    data = random_stages(random)
    while count_of_policies(data) > 1000:
        data = random_stages(random)
    decision = parse_decision(toml(data))
    steps = [stage for stage in data["stages"].values() for _ in range(stage["repeat"])]
    assert decision.start == data["start"]
    for problem, stage in zip(decision.problems, steps, strict=True):
        assert problem == DecisionProblem(
            stage["states"], stage["options"], data["payoffs"], stage["costs"]
        )
    plan = decision.solve()
    assert plan.expected_utility == plan.certainty_equivalent == best_policy_value(data)
    assert plan.expected_payoff == plan.expected_utility
    assert sum(plan.risk_profile.values()) == 1
    assert min(plan.risk_profile.values()) > 0
    assert list(plan.risk_profile) == sorted(plan.risk_profile)


@pytest.mark.parametrize("name", ["plant", "coins"])
def test_a_browser_shows_all_names(name: str, tmp_path: Path, browser: Any) -> None:
    problems = example(name).problems
    path = tmp_path / f"{name}.svg"
    decision_picture(problems).save(path)
    page = browser.new_page()
    page.goto(path.as_uri())
    shown = page.evaluate(
        "[...document.querySelectorAll('.node')].map(node => {"
        " const box = node.querySelector('polygon, ellipse').getBoundingClientRect();"
        " return [...node.querySelectorAll('text')].map(text => {"
        "  const r = text.getBoundingClientRect();"
        "  return [text.textContent, r.left >= box.left && r.right <= box.right, r.width > 0] }) })"
    )
    page.close()
    texts = {text for node in shown for text, *_ in node}
    assert all(fits and visible for node in shown for _, fits, visible in node)
    assert {name for problem in problems for name in problem.options} <= texts
    assert (problems[-1].payoff or {}).keys() <= texts
