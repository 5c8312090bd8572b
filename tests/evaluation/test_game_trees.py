"""Test game sizes, game trees, and game graphs."""

import json
import re
from decimal import Decimal
from fractions import Fraction
from math import factorial, log10, prod
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, reject, settings

from commands import run
from reference_solver import Reference
from rollwise.errors import TooLargeError
from rollwise.rules import Rules, load_rules
from rollwise.studies.game_tree import (
    GameTree,
    game_graph,
    game_size,
    game_tree,
    games,
    log10_strategies,
    strategies,
    to_dot,
)
from small_games import small_rules


def alike_game(**parts: Any) -> Rules:
    """Return a game with two dice, two faces, and a category for a pair."""
    alike = {
        "key": "alike", "title": "Alike", "pattern": {"kind": "groups", "sizes": [2]}, "points": 5,
    }  # fmt: skip
    upper = {
        "key": "ones", "title": "Ones", "section": "upper",
        "pattern": {"kind": "face", "face": 1}, "points": "matched",
    }  # fmt: skip
    game = {
        "name": "tiny", "title": "A tiny game", "dice": 2, "faces": 2, "rolls": 1,
        "categories": [alike, upper],
    }  # fmt: skip
    return Rules.model_validate(game | parts)


TOTAL = {"key": "total", "title": "Total", "pattern": {"kind": "any"}, "points": "total"}

TINY = {
    "micro": load_rules("micro-yahtzee"),
    "two-boxes": alike_game(),
    "rerolls": alike_game(rolls=2, upper_bonus={"threshold": 2, "points": 3}),
    "card-order": alike_game(order="card", rolls=2),
    "three-rolls": alike_game(dice=1, faces=3, rolls=3, categories=[TOTAL]),
    "jokers": alike_game(
        categories=[*alike_game().model_dump()["categories"], TOTAL],
        joker={"box": "alike", "policy": "forced"},
        extra_bonus={"box": "alike", "points": 7},
    ),
}


def plans(tree: GameTree) -> int:
    """Return the number of strategies in a tree.

    Numbers are added over the options of a decision, and multiplied over the outcomes of a chance
    node.
    """
    count: list[int] = []
    for node in tree.nodes:
        after = [count[edge.target] for edge in node.edges]
        count.append(sum(after) if node.kind == "roll" else prod(after))
    return count[-1]


def leaves(tree: GameTree) -> int:
    return sum(not node.edges for node in tree.nodes)


class TestTrees:
    @pytest.mark.parametrize("name", TINY)
    def test_number_of_leaves_is_number_of_games(self, name: str) -> None:
        tree = game_tree(TINY[name], limit=20_000)
        assert leaves(tree) == games(TINY[name]) == game_size(TINY[name]).games

    @pytest.mark.parametrize("name", [name for name in TINY if name != "jokers"])
    def test_number_of_strategies(self, name: str) -> None:
        count = strategies(TINY[name])
        assert plans(game_tree(TINY[name], limit=20_000)) == count
        assert float(10 ** (log10_strategies(TINY[name]) % 1)) == pytest.approx(
            count / 10 ** (len(str(count)) - 1)
        )

    @pytest.mark.parametrize("name", TINY)
    def test_probabilities_of_games(self, name: str) -> None:
        tree = game_tree(TINY[name], limit=20_000)
        probabilities: list[set[Fraction]] = []
        for node in tree.nodes:
            after = [
                (edge.probability or 1) * probability
                for edge in node.edges
                for probability in probabilities[edge.target]
            ]
            probabilities.append(set(after) or {Fraction(1)})
        size = game_size(TINY[name])
        assert (min(probabilities[-1]), max(probabilities[-1])) == (size.rarest, size.likeliest)

    @pytest.mark.parametrize("name", TINY)
    def test_tree_and_graph_have_the_value_of_the_game(self, name: str) -> None:
        tree, graph = game_tree(TINY[name], limit=20_000), game_graph(TINY[name])
        assert tree.value == graph.value == Reference(TINY[name]).value()
        assert leaves(graph) == 1
        assert len(graph.nodes) < len(tree.nodes)

    @settings(max_examples=15)
    @given(small_rules(saves=True))
    def test_graph_of_any_small_game(self, rules: Rules) -> None:
        try:
            graph = game_graph(rules, limit=3000)
        except TooLargeError:
            reject()
        assert graph.value == Reference(rules).value()

    @pytest.mark.slow
    def test_forced_jokers_reduce_the_number_of_games(self) -> None:
        rules = load_rules("yahtzee-forced-joker")
        assert games(rules) < games(load_rules("yahtzee"))
        assert game_size(rules).strategies is None

    def test_large_games_are_refused(self) -> None:
        with pytest.raises(TooLargeError, match="the graph of yahtzee has more than 1,000"):
            game_graph(load_rules("yahtzee"))

    def test_dot(self) -> None:
        graph = game_graph(load_rules("micro-yahtzee"))
        text = to_dot(graph)
        edges = [line for line in text.splitlines() if "->" in line]
        assert len(edges) == sum(len(node.edges) for node in graph.nodes)
        assert sum("#1a7f37" in line for line in edges) == 6 + 12
        assert text.count("shape=") == len(graph.nodes) + text.count("node [shape=")
        assert text.count("{") == text.count("}") == 1


class TestCommands:
    def test_tree(self, tmp_path: Path) -> None:
        code, out, _ = run("tree", "--dot", str(tmp_path / "graph.dot"), "--json")
        assert code == 0
        data = json.loads(out)
        assert (data["games"], data["strategies"], data["rarest"]) == ("72", "64", "1/36")
        assert data["turn_states"] == 7
        rules = load_rules("micro-yahtzee")
        assert (tmp_path / "graph.dot").read_text() == to_dot(game_graph(rules))
        run("tree", "--whole", "--dot", str(tmp_path / "tree.dot"))
        assert (tmp_path / "tree.dot").read_text() == to_dot(game_tree(rules))

    def test_one_strategy(self, tmp_path: Path) -> None:
        path = tmp_path / "one.toml"
        path.write_text(
            'name = "one"\ntitle = "One"\ndice = 1\nfaces = 2\nrolls = 1\n[[categories]]\n'
            'key = "any"\ntitle = "Any"\npattern = { kind = "any" }\npoints = "total"\n'
        )
        data = json.loads(run("tree", "--rules", str(path), "--json")[1])
        assert (data["strategies"], data["log10_strategies"]) == ("1", 0)

    def test_numbers_beyond_floats(self, tmp_path: Path) -> None:
        # The game has 24 turns with 20 rolls of 12 dice with 20 faces.
        category = 'title = "B"\npattern = { kind = "any" }\npoints = "total"\n'
        categories = "".join(f'[[categories]]\nkey = "b{k}"\n{category}' for k in range(24))
        path = tmp_path / "huge.toml"
        path.write_text(
            f'name = "huge"\ntitle = "Huge"\ndice = 12\nfaces = 20\nrolls = 20\n{categories}'
        )
        code, out, _ = run("tree", "--rules", str(path), "--json")
        data = json.loads(out, parse_constant=pytest.fail)
        assert code == 0
        assert data["log10_strategies"] is data["strategies"] is None
        # A turn has 20^12 first rolls; each reroll has 21^12 combinations of action and roll.
        games = 20 ** (12 * 24) * 21 ** (12 * 19 * 24) * factorial(24)
        assert Decimal(data["games"]) == Decimal(games)
        assert data["likeliest"] == f"1/{20 ** (12 * 24)}"
        digits = 20 * 24 * 12 * log10(20)
        assert data["rarest"].startswith("1/")
        assert len(data["rarest"]) == 3 + int(digits)
        text = run("tree", "--rules", str(path))[1]
        assert f"{Decimal(games):.3e}" in text
        assert f"e-{int(digits) + 1}" in text
        assert re.search(r"10\^\([1-9]\.[0-9]+e\+7[0-9]{3}\)", text)

    def test_tree_of_a_large_game(self, tmp_path: Path) -> None:
        assert "1.725e+170" in run("tree", "--rules", "yahtzee")[1]
        path = tmp_path / "graph.dot"
        code, out, err = run("tree", "--rules", "yahtzee", "--dot", str(path))
        assert (code, out) == (2, "")
        assert "too many to draw" in err
        assert not path.exists()
