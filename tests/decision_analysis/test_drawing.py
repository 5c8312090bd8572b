"""Pictures of decision problems in DOT, and in SVG and PNG if Graphviz is installed."""

import re
import sys
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from rollwise.decision_analysis import (
    DecisionProblem,
    analyze_turn,
    decide,
    decision_picture,
    profile_turn,
    turn_picture,
)
from rollwise.errors import MissingExtraError

COINS = profile_turn("11", faces=2, dice=3)


def arrows(dot: str) -> dict[tuple[str, str], str]:
    return {(a, b): style for a, b, style in re.findall(r'"(.*?)" -> "(.*?)" \[(.*)\];', dot)}


def test_every_arrow_of_the_problem() -> None:
    problem = COINS.decision_problem()
    dot = decision_picture(problem).dot
    choice_arrows = {
        ("state " + s, "option " + d) for s, ds in problem.available.items() for d in ds
    }
    chance_arrows = {
        ("option " + d, "outcome " + x) for d, xs in problem.options.items() for x in xs
    }
    assert set(arrows(dot)) == choice_arrows | chance_arrows


def test_heavy_arrows_mark_the_best_options() -> None:
    drawn = arrows(decision_picture(COINS.decision_problem()).dot)
    heavy = {pair for pair, style in drawn.items() if style == "penwidth=3.5"}
    best = decide(COINS.decision_problem()).best
    assert heavy == {("state " + s, "option " + d) for s, ds in best.items() for d in ds}
    assert ("state 001", "option 0") in heavy
    assert ("state 001", "option 01") in set(drawn) - heavy


def test_probabilities_and_values() -> None:
    dot = decision_picture(COINS.decision_problem(), title='one "pair"').dot
    drawn = arrows(dot)
    assert 'label="3/4"' in drawn["option 1", "outcome 11"]
    assert 'label="1/4"' in drawn["option 1", "outcome 001"]
    assert "label" not in drawn["option 2", "outcome 11"], "certain arrows carry no number"
    assert r'"state 001" [label="001\n3/4"]' in dot
    assert r'"option 01" [label="01\n1/2"]' in dot
    assert r'"outcome 11" [label="11\n1"]' in dot
    assert r'label="one \"pair\""' in dot


def test_an_earlier_decision() -> None:
    analysis = analyze_turn(COINS)
    assert r'"state 001" [label="001\n15/16"]' in turn_picture(analysis, rolls_left=2).dot
    with pytest.raises(ValueError, match="rolls left: got 0, expected 1 or more"):
        turn_picture(analysis, rolls_left=0)
    with pytest.raises(ValueError, match="nodes; expected at most 200"):
        turn_picture(analyze_turn(profile_turn("0" * 11 + "1", dice=12)))


HALF = Fraction(1, 2)
BET = DecisionProblem(
    {"here": ["play", "leave"]},
    {"play": {"win": HALF, "lose": HALF}, "leave": {"even": 1}},
    {"win": 5, "lose": -4, "even": 0},
)


def test_utility_changes_values_and_best_options() -> None:
    plain, careful = decision_picture(BET).dot, decision_picture(BET, lambda x: min(x, 2 * x)).dot
    assert arrows(plain)["state here", "option play"] == "penwidth=3.5"
    assert arrows(careful)["state here", "option leave"] == "penwidth=3.5"
    # The option shows the mean of the utilities, 5 and −8.
    assert r'"outcome win" [label="win\n5\nutility 5"]' in careful
    assert r'"outcome lose" [label="lose\n-4\nutility -8"]' in careful
    assert r'"option play" [label="play\n-3/2"]' in careful
    assert "utility" not in plain


def test_costs_are_shown() -> None:
    dot = decision_picture(replace(BET, cost={"play": 1})).dot
    assert r'"option play" [label="play\n-1/2\nafter cost 1"]' in dot
    assert r'"option leave" [label="leave\n0"]' in dot


def check_sums(dot: str) -> None:
    """Check the value of each option by its outcomes, and of each state by its options."""
    shown = {
        node: [Fraction(n) for n in re.findall(r"\\n(?:utility |after cost )?([-0-9/]+)", label)]
        for node, label in re.findall(r'^    "(.*?)" \[label="(.*?)"\];', dot, re.MULTILINE)
    }
    drawn = arrows(dot)
    for option in (node for node in shown if node.startswith("option")):
        probabilities = {
            end: Fraction((re.findall(r'label="(.*?)"', style) or [1])[0])
            for (start, end), style in drawn.items()
            if start == option
        }
        value, *cost = shown[option]
        assert value == sum(p * shown[end][-1] for end, p in probabilities.items()) - sum(cost)
    for state in (node for node in shown if node.startswith("state")):
        assert shown[state][0] == max(shown[end][0] for start, end in drawn if start == state)


def test_values_in_pictures_add_up() -> None:
    check_sums(decision_picture(BET).dot)
    check_sums(decision_picture(BET, lambda x: min(x, 2 * x)).dot)
    check_sums(decision_picture(replace(BET, cost={"play": 1, "leave": HALF})).dot)
    for left in (1, 2):
        check_sums(turn_picture(analyze_turn(COINS), left).dot)
        check_sums(turn_picture(analyze_turn(profile_turn({"3": 9}, dice=3)), left).dot)


def test_long_numbers_are_rounded() -> None:
    p = DecisionProblem({"s": ["d"]}, {"d": {"x": 1}}, {"x": Fraction(347897, 7558272)})
    assert r"\n0.04603" in decision_picture(p).dot


def test_dot_file(tmp_path: Path) -> None:
    diagram = decision_picture(COINS.decision_problem())
    diagram.save(tmp_path / "coins.dot")
    assert (tmp_path / "coins.dot").read_text(encoding="utf-8") == diagram.dot
    with pytest.raises(ValueError, match=r"'coins\.pdf' is no picture file; expected"):
        diagram.save(tmp_path / "coins.pdf")


def test_without_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "graphviz", None)
    with pytest.raises(MissingExtraError, match=r'pip install "rollwise\[graph\]"'):
        decision_picture(COINS.decision_problem()).svg()


def test_without_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("graphviz")
    monkeypatch.setenv("PATH", "")
    with pytest.raises(MissingExtraError, match="install Graphviz"):
        decision_picture(COINS.decision_problem()).png()


@pytest.mark.needs("dot")
def test_pictures(tmp_path: Path) -> None:
    pytest.importorskip("graphviz")
    diagram = decision_picture(COINS.decision_problem())
    diagram.save(tmp_path / "coins.png")
    assert (tmp_path / "coins.png").read_bytes().startswith(b"\x89PNG")
    diagram.save(tmp_path / "coins.svg")
    svg = (tmp_path / "coins.svg").read_text(encoding="utf-8")
    assert svg == diagram._repr_svg_(), "a notebook shows the same picture"
    nodes, edges = svg.count('class="node"'), svg.count('class="edge"')
    assert (nodes, edges) == (2 + 6 + 2, 9 + 9)
