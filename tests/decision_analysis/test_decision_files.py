"""Decision files against the Python objects, enumeration of policies, and their source."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise, product
from math import log, prod
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from repository import DOCS, ROOT
from rollwise.decision_analysis import (
    ChanceNode,
    DecisionFileError,
    DecisionModel,
    DecisionNode,
    DecisionProblem,
    DiagramDecision,
    ExponentialUtility,
    LossUtility,
    Profiles,
    StagedDecision,
    TableUtility,
    Turn,
    ValueNode,
    load_decision,
    load_decision_file,
    parse_decision,
    sensitivity,
    solve_diagram,
)
from rollwise.decision_analysis.decision_schema import FileData, NodeData, StageData, UtilityData
from rollwise.decision_analysis.examples import drilling, investment, oil_wildcatter
from rollwise.errors import InputError

EXAMPLES = ROOT / "examples" / "decisions"
HALF = Fraction(1, 2)


def staged(name: str) -> StagedDecision:
    model = load_decision(EXAMPLES / f"{name}.toml")
    assert isinstance(model, StagedDecision)
    return model


def diagram(name: str) -> DiagramDecision:
    model = load_decision(EXAMPLES / f"{name}.toml")
    assert isinstance(model, DiagramDecision)
    return model


class TestPublishedFigures:
    """W. Huber's answer on stats.stackexchange.com (2015), from files."""

    def test_the_figure_with_three_coins(self) -> None:
        choices = {
            (planned.choice.decision, planned.choice.known["state"]): planned.choice
            for planned in staged("coins").solve().choices
        }
        last = choices["flip 2", "001"]
        assert last.values == {"0": Fraction(3, 4), "1": Fraction(3, 4), "01": HALF, "001": 0}
        assert last.best == ("0", "1")
        assert choices["flip 2", "11"].values["1"] == Fraction(3, 4)
        assert "2" in choices["flip 2", "11"].best

    def test_five_of_a_kind(self) -> None:
        solution = staged("five-of-a-kind").solve()
        assert solution.expected_payoff == Fraction(2783176, 6**10)
        first = solution.first_choices[0].choice
        assert first.known == {"state": "5"}
        assert first.best == ("0", "1"), "all dice again, or one kept: equally good"
        assert round(float(first.values["0"]), 8) == 0.01263146

    def test_the_file_of_five_of_a_kind_is_the_turn(self) -> None:
        turn = Turn(Profiles(), {"00001": 1})
        model = staged("five-of-a-kind")
        assert model.start == turn.outcomes(turn.start)
        problem = turn.decision_problem()
        for read in model.problems:
            assert read.available == problem.available
            assert read.options == problem.options


class TestDocumentation:
    PAGE = (DOCS / "decision-files.md").read_text("utf-8")

    @pytest.mark.parametrize(("block", "name"), [(0, "bet"), (1, "coins"), (2, "oil")])
    def test_the_files_on_the_page_are_the_examples(self, block: int, name: str) -> None:
        text = re.findall(r"```toml\n(.*?)```", self.PAGE, re.DOTALL)[block]
        shown, example = parse_decision(text).model, load_decision(EXAMPLES / f"{name}.toml")
        assert replace(shown, title=example.title, unit=example.unit) == example

    def test_all_keys_are_in_the_reference(self) -> None:
        reference = (DOCS / "reference" / "decision-keys.md").read_text("utf-8")
        models = (FileData, StageData, NodeData, UtilityData)
        for key in {key for model in models for key in model.model_fields}:
            assert re.search(rf"^\|.*\b{key}\b.*\|", reference, re.MULTILINE), key


class TestSameAsPython:
    def test_the_plant(self) -> None:
        assert staged("plant").problems == investment(3)

    def test_the_bet(self) -> None:
        model = staged("bet")
        options = {"play": {"win": HALF, "lose": HALF}, "leave": {"even": Fraction(1)}}
        payoff = {"win": 5, "lose": -4, "even": 0}
        available = {"at the table": ["play", "leave"]}
        assert model.problems == [DecisionProblem(available, options, payoff)]
        assert model.utility == LossUtility(2)

    def test_the_oil_wildcatter(self) -> None:
        read, written = diagram("oil").diagram, oil_wildcatter()
        assert solve_diagram(read) == solve_diagram(written)
        assert set(read.arcs()) == set(written.arcs())
        assert diagram("oil").solve().expected_payoff == Fraction(45, 2)

    def test_information_about_the_oil(self) -> None:
        text = (EXAMPLES / "oil.toml").read_text("utf-8")
        head, _, drill = text.partition("[nodes.test]")
        report = re.search(r"\ndry = .*\nwet = .*\nsoaking = .*\n", drill)
        assert report is not None
        profit = text[text.index("[nodes.profit]") :]
        without_test = (
            f'{head}[nodes.report]\nparents = ["oil"]\n[nodes.report.probabilities]{report[0]}'
            f'[nodes.drill]\noptions = ["yes", "no"]\n{profit}'
        )
        model = parse_decision(without_test).model
        assert isinstance(model, DiagramDecision)
        assert solve_diagram(model.diagram).value == solve_diagram(drilling()).value == 20
        assert {item.names: item.value for item in model.information()} == {
            ("oil",): 35,
            ("report",): Fraction(25, 2),
        }
        ((names, before, value),) = model.information("oil", "report")
        assert (names, before, value) == (("oil", "report"), "drill", 35)

    def test_repeated_stages(self) -> None:
        coins = staged("coins")
        assert coins.problems[0].available == coins.problems[1].available
        assert list(coins.names) == ["flip 1", "flip 2"]


BET = (EXAMPLES / "bet.toml").read_text("utf-8")
OIL = (EXAMPLES / "oil.toml").read_text("utf-8")


@pytest.mark.parametrize(
    ("text", "old", "new", "mistakes"),
    [
        (
            BET,
            'win = "1/2", lose',
            'win = "1/3", lose',
            [
                "line 8, stages.bet.options.play: the probabilities of this row must "
                "sum to 1, not 5/6"
            ],
        ),
        (
            BET,
            '["play", "leave"]',
            '["play", "go"]',
            [
                "line 5, stages.bet.states.at the table: the option 'go' has no outcomes; "
                "add it to [stages.bet.options]"
            ],
        ),
        (
            BET,
            "lose = -4",
            "looses = -4",
            [
                "line 8, stages.bet.options.play.lose: this outcome has no payoff and is not a "
                "state of a later stage",
                "line 13, payoffs.looses: no option leads to this outcome at the end",
            ],
        ),
        (
            BET,
            "win = 5",
            'win = "five"',
            ["line 12, payoffs.win: expected a number such as 2, 0.5, or \"1/3\", got 'five'"],
        ),
        (
            BET,
            "[stages.bet.states]",
            '[stages.bet.states]\n"at home" = ["leave"]',
            [
                "start: missing; add a table [start] with the probability of each state at the "
                "start: at home, at the table"
            ],
        ),
        (
            BET,
            "loss_factor = 2",
            "loss_factor = 0",
            ["line 17, utility.loss_factor: expected a number above 0, got 0"],
        ),
        (BET, "loss_factor", "loss_aversion", ["line 17, utility.loss_aversion: no such key"]),
        (
            BET,
            "[payoffs]",
            "[nodes.payoffs]",
            [
                "line 12, nodes.payoffs.win: no such key",
                "line 13, nodes.payoffs.lose: no such key",
                "line 14, nodes.payoffs.even: no such key",
            ],
        ),
        (
            OIL,
            'parents = ["report"]',
            'parents = ["reports"]',
            [
                "line 25, nodes.drill.parents: 'reports' is not a chance node or a decision above "
                "this node"
            ],
        ),
        (
            OIL,
            "wet = { no = 0.3, open = 0.4, closed = 0.3 }\n",
            "",
            ["line 15, nodes.report.probabilities.yes: there is no entry for 'wet'"],
        ),
        (
            OIL,
            "dry = -70",
            "dyr = -70",
            [
                "line 33, nodes.profit.payoffs.yes.dyr: expected one of the states dry, wet, "
                "soaking, or *",
                "line 33, nodes.profit.payoffs.yes: there is no entry for 'dry'",
            ],
        ),
        (
            OIL,
            'options = ["yes", "no"]\n\n[nodes.report]',
            "\n[nodes.report]",
            [
                "line 9, nodes.test: expected probabilities (a chance node), options (a decision), "
                "or payoffs (a value node), got none of them"
            ],
        ),
        ("[nodes.die]\n", "", "", ["line 1, nodes.die: expected probabilities (a chance node)"]),
        ("title = 3\n", "", "", ["line 1, title: expected text, got 3"]),
        ("", "", "", ["expected tables [stages.NAME] or tables [nodes.NAME], but not both"]),
        ("[stages", "", "", ["not TOML: "]),
        (
            'title = "\\u001b[31m"\n[nodes.a]\noptions = ["yes\\u0000", "no"]\n"\\u202e" = 3\n',
            "",
            "",
            [
                "line 1, title: expected text without control characters, got '\\x1b[31m'",
                "line 2, nodes.a: expected text without control characters, got '\\u202e'",
                "line 3, nodes.a.options: expected text without control characters, got 'yes\\x00'",
            ],
        ),
        (
            "".join(f'[nodes.n{i}]\noptions = ["a", "b"]\n' for i in range(40))
            + f"[nodes.v]\nparents = {json.dumps([f'n{i}' for i in range(40)])}\npayoffs = 0\n",
            "",
            "",
            ["line 82, nodes.v.parents: the parents have 1,099,511,627,776 combinations"],
        ),
    ],
)
def test_mistakes_have_their_line(text: str, old: str, new: str, mistakes: list[str]) -> None:
    assert old in text
    with pytest.raises(DecisionFileError) as error:
        parse_decision(text.replace(old, new, 1), "bet.toml")
    assert len(error.value.mistakes) == len(mistakes)
    for found, wanted in zip(error.value.mistakes, mistakes, strict=True):
        assert found.startswith(wanted)
    assert str(error.value).startswith("bet.toml: ")


def test_every_line_in_a_message_is_the_line_of_the_key() -> None:
    for number, line in enumerate(OIL.splitlines(), start=1):
        if re.search(r"= \{ .*\d \}", line):
            broken = re.sub(r"-?\d[\d.]* \}", "true }", line)
            with pytest.raises(DecisionFileError) as error:
                parse_decision(OIL.replace(line, broken), "oil.toml")
            assert error.value.mistakes[0].startswith(f"line {number}, nodes.")


def toml_number(number: Fraction, random: Random) -> str:
    """Return a number in a random one of its notations."""
    forms = [json.dumps(f"{number.numerator * 2}/{number.denominator * 2}")]
    if number.denominator == 1:
        forms.append(str(number))
    if 1000 % number.denominator == 0:
        forms.append(f"{float(number):.3f}")
    return random.choice(forms)


def toml(table: Mapping[str, Any], random: Random, path: str = "") -> str:
    """Return nested mappings as TOML tables, and innermost mappings as inline tables or lines."""
    lines, tables = [], []
    nested = [value for value in table.values() if isinstance(value, Mapping)]
    inline = random.random() < 0.5
    inline &= not any(isinstance(value, Mapping) for row in nested for value in row.values())
    for key, value in table.items():
        name = json.dumps(key, ensure_ascii=False)
        if isinstance(value, Mapping) and not inline:
            tables.append(f"[{path}{name}]\n{toml(value, random, f'{path}{name}.')}")
        elif isinstance(value, Mapping):
            row = (
                f"{json.dumps(k, ensure_ascii=False)} = {toml_value(v, random)}"
                for k, v in value.items()
            )
            lines.append(f"{name} = {{ {', '.join(row)} }}")
        else:
            lines.append(f"{name} = {toml_value(value, random)}")
    return "\n".join([*lines, *tables]) + "\n"


def toml_value(value: Any, random: Random) -> str:
    if isinstance(value, Fraction):
        return toml_number(value, random)
    return json.dumps(value, ensure_ascii=False)


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
    model = parse_decision(toml(data, random)).model
    assert isinstance(model, StagedDecision)
    steps = [stage for stage in data["stages"].values() for _ in range(stage["repeat"])]
    assert model.start == data["start"]
    assert model.problems[-1].payoff == data["payoffs"]
    for problem, stage in zip(model.problems, steps, strict=True):
        assert stage["states"].items() <= dict(problem.available).items()
        assert stage["options"].items() <= dict(problem.options).items()
        assert problem.cost == stage["costs"]
    solution = model.solve()
    assert solution.expected_utility == best_policy_value(data)
    check_profile(solution)


def check_profile(solution: Any) -> None:
    """Check that the risk profile is a distribution, and that its mean is the value."""
    assert sum(solution.risk_profile.values()) == 1
    assert min(solution.risk_profile.values()) > 0
    assert list(solution.risk_profile) == sorted(solution.risk_profile)
    assert solution.expected_payoff == solution.expected_utility


def random_nodes(random: Random) -> dict[str, Any]:
    """Return the data of a diagram with two decisions and three chance nodes."""
    first = ["go", "stay"]
    states: dict[str, list[str]] = {}

    def table(parents: list[str], entry: Any) -> Any:
        if not parents:
            return entry()
        others = parents[1:]
        rows = {state: table(others, entry) for state in states[parents[0]]}
        if random.random() < 0.3:  # the last state under "*"
            rows["*"] = rows.pop(states[parents[0]][-1])
        return rows

    def some(*names: str) -> list[str]:
        return [name for name in names if random.random() < 0.6]

    nodes: dict[str, Any] = {}

    def chance(name: str, parents: list[str]) -> None:
        values = ["0", "1"]
        rows = table(parents, lambda: random_row(random, values))
        nodes[name] = {"parents": parents, "probabilities": rows}
        states[name] = values

    def decision(name: str, parents: list[str]) -> None:
        nodes[name] = {"parents": parents, "options": first}
        states[name] = first

    chance("a", [])
    chance("b.", ["a"])
    decision("first", some("a", "b."))
    chance("c", ["b.", *some("a", "first")])
    decision("second", some("a", "c"))
    for name, parents in (("u", ["first", *some("a")]), ("v", ["second", "c", *some("first")])):
        payoffs = table(parents, lambda: Fraction(random.randint(-3, 3), 2))
        nodes[name] = {"parents": parents, "payoffs": payoffs}
    return {"nodes": nodes}


def entry_of(table: Any, states: list[str]) -> Any:
    for state in states:
        table = table[state if state in table else "*"]
    return table


def best_plan_value(nodes: Mapping[str, Any]) -> Fraction:
    """Return the largest expected payoff of all policies of a diagram, without the solver.

    The second decision remembers what was known at the first.
    """
    known_1 = nodes["first"]["parents"]
    known_2 = [*dict.fromkeys([*known_1, "first", *nodes["second"]["parents"]])]
    best = []
    options = ["go", "stay"]
    for plan in product(options, repeat=2 ** len(known_1)):
        totals: dict[tuple[str, ...], dict[str, Fraction]] = {}
        for a, b, c, second in product("01", "01", "01", options):
            states = {"a": a, "b.": b, "c": c, "second": second}
            index = int("".join(states[name] for name in known_1) or "0", 2)
            states["first"] = plan[index]
            p, payoff = Fraction(1), Fraction(0)
            for name, node in nodes.items():
                given_states = [states[parent] for parent in node["parents"]]
                if "probabilities" in node:
                    p *= entry_of(node["probabilities"], given_states)[states[name]]
                elif "payoffs" in node:
                    payoff += entry_of(node["payoffs"], given_states)
            group = totals.setdefault(tuple(states[name] for name in known_2), {})
            group[second] = group.get(second, Fraction(0)) + p * payoff
        best.append(sum((max(group.values()) for group in totals.values()), Fraction(0)))
    return max(best)


@given(st.randoms(use_true_random=False))
@settings(deadline=None, max_examples=60)
def test_random_diagrams_are_solved_as_by_enumeration(random: Random) -> None:
    data = random_nodes(random)
    model = parse_decision(toml(data, random)).model
    assert isinstance(model, DiagramDecision)
    for node in model.diagram.nodes:
        written = data["nodes"][node.name]
        assert list(node.parents) == written["parents"]
        if isinstance(node, DecisionNode):
            assert node.options == written["options"]
            continue
        options = ["go", "stay"]
        for states in product(
            *(options if parent in ("first", "second") else "01" for parent in node.parents)
        ):
            if isinstance(node, ChanceNode):
                entry = entry_of(written["probabilities"], list(states))
                assert node.distribution_given(states) == entry
            elif isinstance(node, ValueNode):
                assert node.payoff(*states) == entry_of(written["payoffs"], list(states))
    solution = model.solve()
    assert solution.expected_utility == best_plan_value(data["nodes"])
    check_profile(solution)


@given(st.randoms(use_true_random=False))
@settings(deadline=None, max_examples=15)
def test_best_options_change_exactly_at_the_thresholds_of_a_payoff(random: Random) -> None:
    file = parse_decision(toml(random_stages(random), random))
    name = random.choice([name for name in file.numbers() if name.startswith("payoffs.")])
    path = file.numbers()[name]
    found = sensitivity(file, name, Fraction(-10), Fraction(10))
    assert all(threshold.is_exact for threshold in found.thresholds)

    def best(number: Fraction) -> dict[Any, tuple[str, ...]]:
        choices = file.with_numbers({path: number}).model.solve().choices
        return {planned.key: planned.choice.best for planned in choices if planned.probability}

    for threshold in found.thresholds:
        key = threshold.decision, tuple(threshold.known.items())
        near = Fraction(1, 10**7)
        below, at, above = (
            file.with_numbers({path: threshold.number + step}).model.solve().choices
            for step in (-near, Fraction(0), near)
        )
        best_at = {p.key: p.choice.best for p in at}[key]
        assert {p.key: p.choice.best for p in below}[key] == threshold.below
        assert {p.key: p.choice.best for p in above}[key] == threshold.above
        assert set(best_at) >= {*threshold.below, *threshold.above}
    ends = [found.low, *(threshold.number for threshold in found.thresholds), found.high]
    for low, high in pairwise(ends):
        if low < high:
            inside = [best(low + (high - low) * Fraction(i, 7)) for i in (1, 3, 6)]
            shared = inside[0].keys() & inside[1].keys() & inside[2].keys()
            for key in shared:
                assert len({policy[key] for policy in inside}) == 1


class TestSensitivity:
    @pytest.mark.parametrize(
        ("file", "name", "low", "high", "thresholds"),
        [
            ("bet", "payoffs.win", 0, 20, [8]),  # 5 of 2 · 4 lost at even odds
            ("bet", "loss_factor", 1, 3, ["5/4"]),
            ("bet", "play.win", 0, 1, ["8/13"]),  # 5 p = 8 (1 − p)
            ("oil", "fee.payoffs.yes", -30, 0, ["-25/2"]),  # the value of the report
            ("plant", "payoffs.success, year 1", 100, 200, [144]),
        ],
    )
    def test_exact_thresholds(
        self, file: str, name: str, low: int, high: int, thresholds: list[Any]
    ) -> None:
        read = load_decision_file(EXAMPLES / f"{file}.toml")
        found = sensitivity(read, name, Fraction(low), Fraction(high))
        assert [threshold.number for threshold in found.thresholds] == list(
            map(Fraction, thresholds)
        )
        assert all(threshold.is_exact for threshold in found.thresholds)

    def test_a_probability_in_two_places(self) -> None:
        """The chance p of a win in each of two rounds; p² · 4 > 1 for p above 1/2."""
        text = """
        [stages.first]
        states.begin = ["bet", "pass"]
        options.bet = { go-on = 0.3, lost = 0.7 }
        options.pass = { even = 1 }
        [stages.second]
        states.go-on = ["roll"]
        options.roll = { won = 0.3, lost = 0.7 }
        [payoffs]
        won = 4
        even = 1
        lost = 0
        """
        file = parse_decision(text)
        found = sensitivity(file, "bet.go-on+roll.won", Fraction(1, 10), Fraction(9, 10))
        ((number, is_exact, *_, below, above),) = found.thresholds
        assert (number, is_exact, below, above) == (HALF, True, ("pass",), ("bet",))
        root = parse_decision(text.replace("won = 4", "won = 3"))
        ((number, is_exact, *_),) = sensitivity(
            root, "bet.go-on+roll.won", Fraction(1, 10), Fraction(9, 10)
        ).thresholds
        assert not is_exact
        assert float(number) == pytest.approx(3**-0.5, abs=1e-6)

    def test_an_exponential_utility(self) -> None:
        """A risk tolerance R at which an even bet on 100 or −50 is worth nothing."""
        text = BET.replace("win = 5", "win = 100").replace("lose = -4", "lose = -50")
        file = parse_decision(text.replace("loss_factor = 2", "risk_tolerance = 1000"))
        (threshold,) = sensitivity(file, "risk_tolerance", Fraction(10), Fraction(1000)).thresholds
        # exp(−100 / R) + exp(50 / R) = 2; with x = exp(50 / R), x³ − 2 x² + 1 = 0, x golden.
        golden = (1 + 5**0.5) / 2
        assert float(threshold.number) == pytest.approx(50 / log(golden), abs=1e-3)
        assert (threshold.below, threshold.above) == (("leave",), ("play",))

    def test_wrong_requests(self) -> None:
        oil = load_decision_file(EXAMPLES / "oil.toml")
        zero, one = Fraction(0), Fraction(1)
        with pytest.raises(InputError, match=r"has no number 'drry'\. Did you mean 'nodes"):
            sensitivity(oil, "drry", zero, one)
        with pytest.raises(InputError, match=r"'dry' names 2 numbers; use one of nodes\.oil"):
            sensitivity(oil, "dry", zero, one)
        with pytest.raises(InputError, match="the range is empty: 1 is not below 0"):
            sensitivity(oil, "oil.probabilities.dry", one, zero)
        with pytest.raises(InputError, match="is a probability; use numbers from 0 to 1"):
            sensitivity(oil, "oil.probabilities.dry", zero, Fraction(2))
        with pytest.raises(InputError, match="include two probabilities of one distribution"):
            sensitivity(oil, "oil.probabilities.dry+oil.probabilities.wet", zero, one)

    def test_other_probabilities_keep_their_ratios(self) -> None:
        oil = load_decision_file(EXAMPLES / "oil.toml")
        varied = oil.with_numbers({("nodes", "oil", "probabilities", "dry"): Fraction(0)})
        assert varied.data["nodes"]["oil"]["probabilities"] == {
            "dry": 0, "wet": Fraction(3, 5), "soaking": Fraction(2, 5)
        }  # fmt: skip


class TestUtilities:
    @given(
        st.sampled_from(
            [ExponentialUtility(50), LossUtility(3), TableUtility([(-100, -9), (0, 1), (100, 4)])]
        ),
        st.fractions(-100, 100, max_denominator=20),
    )
    def test_the_inverse(self, utility: Any, payoff: Fraction) -> None:
        assert utility.inverse(utility(payoff)) == pytest.approx(payoff, abs=1e-9)

    def test_a_certainty_equivalent(self) -> None:
        solution = staged("bet").solve()
        (planned,) = solution.choices
        assert solution.certainty_equivalents(planned.choice) == {
            "play": Fraction(-3, 4),
            "leave": 0,
        }

    def test_outside_the_points(self) -> None:
        points = "points = [[-4, 0], [0, 2], [4, 3]]"
        model = parse_decision(BET.replace("loss_factor = 2", points)).model
        with pytest.raises(
            InputError, match="no point for the payoff 5; its points go from -4 to 4"
        ):
            model.solve()

    def test_a_tiny_risk_tolerance(self) -> None:
        model = parse_decision(BET.replace("loss_factor = 2", "risk_tolerance = 0.001")).model
        with pytest.raises(InputError, match=r"the risk tolerance 0\.001 is too small for payoffs"):
            model.solve()


def test_information_about_an_option() -> None:
    """Knowing the bet's outcome: 5 with probability ½, and nothing instead of a loss."""
    ((names, before, value),) = staged("bet").information()
    assert (names, before, value) == (("play",), "bet", Fraction(5, 2))
    with pytest.raises(InputError, match="leave cannot be known before 'bet'; name one option of"):
        list(staged("bet").information("leave"))
    with pytest.raises(InputError, match="'winter' is not a chance node"):
        list(diagram("holiday").information("winter"))


@pytest.mark.parametrize("name", ["plant", "oil", "holiday", "coins"])
def test_a_browser_shows_all_names(name: str, tmp_path: Path, browser: Any) -> None:
    model = load_decision(EXAMPLES / f"{name}.toml")
    path = tmp_path / f"{name}.svg"
    model.picture().save(path)
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
    assert set(names_of(model)) <= texts


def names_of(model: DecisionModel) -> Iterator[str]:
    if isinstance(model, DiagramDecision):
        yield from (node.name for node in model.diagram.nodes)
    elif isinstance(model, StagedDecision):
        for problem in model.problems:
            yield from problem.options
        yield from model.problems[-1].payoff or {}
