"""Influence diagrams as DOT text, and as pictures where Graphviz is installed."""

import re
import shutil
import sys
from fractions import Fraction
from pathlib import Path

import pytest

from rollwise.errors import MissingExtraError
from rollwise.prospects import (
    InfluenceDiagram,
    Prospect,
    analyse_turn,
    decide,
    profile_turn,
    turn_diagram,
)

COINS = profile_turn("11", faces=2, dice=3)


def arrows(dot: str) -> dict[tuple[str, str], str]:
    return {(a, b): look for a, b, look in re.findall(r'"(.*?)" -> "(.*?)" \[(.*)\];', dot)}


def test_every_arrow_of_the_prospect() -> None:
    prospect = COINS.prospect()
    dot = InfluenceDiagram(prospect).dot()
    choices = {("state " + s, "option " + d) for s, ds in prospect.available.items() for d in ds}
    chances = {("option " + d, "outcome " + x) for d, xs in prospect.options.items() for x in xs}
    assert set(arrows(dot)) == choices | chances


def test_heavy_arrows_are_the_best_options() -> None:
    drawn = arrows(InfluenceDiagram(COINS.prospect()).dot())
    heavy = {pair for pair, look in drawn.items() if look == "penwidth=3.5"}
    best = decide(COINS.prospect()).best
    assert heavy == {("state " + s, "option " + d) for s, ds in best.items() for d in ds}
    assert ("state 001", "option 0") in heavy
    assert ("state 001", "option 01") in set(drawn) - heavy


def test_probabilities_and_values() -> None:
    dot = InfluenceDiagram(COINS.prospect(), title='one "pair"').dot()
    drawn = arrows(dot)
    assert 'label="3/4"' in drawn["option 1", "outcome 11"]
    assert 'label="1/4"' in drawn["option 1", "outcome 001"]
    assert "label" not in drawn["option 2", "outcome 11"], "certain arrows carry no number"
    assert r'"state 001" [label="001\n3/4"]' in dot
    assert r'"option 01" [label="01\n1/2"]' in dot
    assert r'"outcome 11" [label="11\n1"]' in dot
    assert r'label="one \"pair\""' in dot


def test_an_earlier_decision() -> None:
    analysis = analyse_turn(COINS)
    assert r'"state 001" [label="001\n15/16"]' in turn_diagram(analysis, rolls_left=2).dot()
    with pytest.raises(ValueError, match="rolls left: got 0, expected 1 or more"):
        turn_diagram(analysis, rolls_left=0)
    with pytest.raises(ValueError, match="states and options; expected at most 200"):
        turn_diagram(analyse_turn(profile_turn("0" * 11 + "1", dice=12)))


def test_a_utility_moves_the_heavy_arrow() -> None:
    half = Fraction(1, 2)
    bet = Prospect(
        {"here": ["play", "leave"]},
        {"play": {"win": half, "lose": half}, "leave": {"even": 1}},
        {"win": 5, "lose": -4, "even": 0},
    )
    careful = InfluenceDiagram(bet, decide(bet, utility=lambda x: min(x, 0)))
    assert arrows(InfluenceDiagram(bet).dot())["state here", "option play"] == "penwidth=3.5"
    assert arrows(careful.dot())["state here", "option leave"] == "penwidth=3.5"


def test_long_numbers_are_rounded() -> None:
    p = Prospect({"s": ["d"]}, {"d": {"x": 1}}, {"x": Fraction(347897, 7558272)})
    assert r"\n0.04603" in InfluenceDiagram(p).dot()


def test_dot_file(tmp_path: Path) -> None:
    diagram = InfluenceDiagram(COINS.prospect())
    diagram.save(tmp_path / "coins.dot")
    assert (tmp_path / "coins.dot").read_text(encoding="utf-8") == diagram.dot()
    with pytest.raises(ValueError, match=r"'coins\.pdf' is no picture file; expected"):
        diagram.save(tmp_path / "coins.pdf")


def test_without_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "graphviz", None)
    with pytest.raises(MissingExtraError, match=r'pip install "rollwise\[graph\]"'):
        InfluenceDiagram(COINS.prospect()).svg()


def test_without_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("graphviz")
    monkeypatch.setenv("PATH", "")
    with pytest.raises(MissingExtraError, match="install Graphviz"):
        InfluenceDiagram(COINS.prospect()).png()


@pytest.mark.skipif(shutil.which("dot") is None, reason="Graphviz is not installed")
def test_pictures(tmp_path: Path) -> None:
    pytest.importorskip("graphviz")
    diagram = InfluenceDiagram(COINS.prospect())
    diagram.save(tmp_path / "coins.png")
    assert (tmp_path / "coins.png").read_bytes().startswith(b"\x89PNG")
    diagram.save(tmp_path / "coins.svg")
    svg = (tmp_path / "coins.svg").read_text(encoding="utf-8")
    assert svg == diagram._repr_svg_(), "a notebook shows the same picture"
    nodes, edges = svg.count('class="node"'), svg.count('class="edge"')
    assert (nodes, edges) == (2 + 6 + 2, 9 + 9)
