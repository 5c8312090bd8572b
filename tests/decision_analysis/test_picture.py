"""Test pictures of decision problems in DOT, SVG, and PNG."""

import re
import sys
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from repository import ROOT
from rollwise.decision_analysis import (
    DecisionProblem,
    Picture,
    Profiles,
    Turn,
    decide,
    decision_picture,
    load_decision,
    turn_picture,
)
from rollwise.errors import MissingExtraError

COINS = Turn(Profiles(2), {"11": 1}, dice=3)


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
    assert r'"state 001" [label="001\n15/16"]' in turn_picture(COINS, rolls_left=2).dot
    with pytest.raises(ValueError, match="the number of rolls left must be 1 or more, not 0"):
        turn_picture(COINS, rolls_left=0)
    with pytest.raises(
        ValueError, match="the picture would have 343 nodes; it can have at most 200"
    ):
        turn_picture(Turn(Profiles(), {}, dice=12))


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
    """Check that the values in a picture are consistent.

    An option has the mean value of its outcomes, minus its cost. A state has the value of its best
    option.
    """
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
        check_sums(turn_picture(COINS, left).dot)
        check_sums(turn_picture(Turn(Profiles(), {"3": 9}, dice=3), left).dot)


def test_decisions_in_a_row() -> None:
    """An outcome leads to its state at the next stage, or to its payoff at the end."""
    plant = load_decision(ROOT / "examples" / "decisions" / "plant.toml")
    dot = decision_picture(plant.problems, names=["one", "two", "three"]).dot
    drawn = arrows(dot)
    assert ("option delay, weak", "stage 2 state fair") in drawn
    assert ("stage 2 option delay, weak", "stage 3 state fair") in drawn
    assert ("option drop", "outcome none, year 1") in drawn
    assert ("stage 3 option drop", "outcome none, year 3") in drawn
    assert "state success" not in dot
    assert r'"stage 2 state fair" [label="two\nfair\n20"]' in dot
    # Per year: 3 markets with 2 or 3 options, 3 probabilities of success, delays, and dropping it.
    assert len(drawn) == (9 + 6 + 7 + 1) + (9 + 6 + 7 + 1) + (6 + 6 + 1)


def test_long_numbers_are_rounded() -> None:
    p = DecisionProblem({"s": ["d"]}, {"d": {"x": 1}}, {"x": Fraction(347897, 7558272)})
    assert r"\n0.04603" in decision_picture(p).dot


def test_dot_file(tmp_path: Path) -> None:
    diagram = decision_picture(COINS.decision_problem())
    diagram.save(tmp_path / "coins.dot")
    assert (tmp_path / "coins.dot").read_text(encoding="utf-8") == diagram.dot
    with pytest.raises(ValueError, match=r"cannot draw to 'coins\.pdf'; use a name that ends"):
        diagram.save(tmp_path / "coins.pdf")


def test_only_dot_without_pygraphviz(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "pygraphviz", None)
    picture = decision_picture(BET)
    for suffix in (".svg", ".png"):
        with pytest.raises(MissingExtraError, match=r"needs pygraphviz, .* \"\.\[plot\]\"$"):
            picture.save(tmp_path / f"bet{suffix}")
    picture.save(tmp_path / "bet.dot")
    assert [path.name for path in tmp_path.iterdir()] == ["bet.dot"]


def test_no_program_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    assert "</svg>" in decision_picture(COINS.decision_problem()).svg()


def test_what_cannot_be_laid_out() -> None:
    with pytest.raises(RuntimeError, match=r"Graphviz cannot lay out the picture: .*"):
        Picture("digraph {").svg()


def test_dark_colors_for_all_colors_in_dot() -> None:
    svg = decision_picture(COINS.decision_problem()).svg()
    style = svg.partition("<style>")[2].partition("</style>")[0]
    colors = set(re.findall(r'(?:fill|stroke)="(?!none|transparent)(.*?)"', svg.replace(style, "")))
    assert len(colors) > 3
    for color in colors:
        assert f'="{color}"]' in style


def test_pictures(tmp_path: Path) -> None:
    diagram = decision_picture(COINS.decision_problem())
    diagram.save(tmp_path / "coins.png")
    assert (tmp_path / "coins.png").read_bytes().startswith(b"\x89PNG")
    diagram.save(tmp_path / "coins.svg")
    svg = (tmp_path / "coins.svg").read_text(encoding="utf-8")
    assert svg == diagram._repr_svg_(), "a notebook shows the same picture"
    nodes, edges = svg.count('class="node"'), svg.count('class="edge"')
    assert (nodes, edges) == (2 + 6 + 2, 9 + 9)
