"""Test the API of ``import rollwise``: names, docstrings, representations, and text arguments."""

import inspect
import pickle
import re
import subprocess
import sys
from dataclasses import fields, is_dataclass
from doctest import DebugRunner, DocTestParser
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rollwise
from games import at_random, play
from rollwise import (
    Game,
    Keep,
    Position,
    Rules,
    Score,
    Scorecard,
    evaluate,
    load_rules,
    review,
    solve,
)
from rollwise.errors import InputError, MalformedError
from rollwise.strategies import Optimal
from small_games import small_rules

NAMES = [name for name in dir(rollwise) if not name.startswith("_")]
ALL: dict[str, object] = {name: getattr(rollwise, name) for name in NAMES}
MICRO, CRAG = solve(load_rules("micro-yahtzee")), solve(load_rules("crag"))
PRESETS = [load_rules(name) for name in rollwise.preset_names()]


def games(events: int = 40) -> st.SearchStrategy[Game]:
    """Draw a game with at most ``events`` events, with a preset or with random small rules."""
    rules = st.sampled_from(PRESETS) | small_rules(saves=True)
    players = st.sampled_from([["Player"], ["Ada", "Ben"]])
    seeds = st.integers(0, 10**6)
    return st.builds(
        lambda rules, players, seed, most: play(rules, players, seed, at_random(seed), most),
        rules, players, seeds, st.integers(0, events),
    )  # fmt: skip


def read_back(value: object) -> object:
    """Evaluate the ``repr`` of a value with the public names of the package."""
    return eval(repr(value), ALL)


def taken(value: Any) -> set[str]:
    """Return the parameter names of a function, or the field names of a class."""
    if isinstance(value, ModuleType):
        return set()
    if is_dataclass(value):
        return {field.name for field in fields(value) if not field.name.startswith("_")}
    return set(getattr(value, "model_fields", ())) or set(inspect.signature(value).parameters)


def told(doc: str) -> set[str]:
    """Return the names that a docstring lists under Parameters or Attributes."""
    sections = re.split(r"^(\w+)\n-+\n", doc, flags=re.MULTILINE)
    lines = [
        line
        for title, text in zip(sections[1::2], sections[2::2], strict=True)
        if title in ("Parameters", "Attributes")
        for line in re.findall(r"^(\w[\w, ]*?)(?: : .*)?$", text, flags=re.MULTILINE)
    ]
    return {name.strip() for line in lines for name in line.split(",")}


class TestNames:
    def test_dir_lists_the_names_of_a_star_import(self) -> None:
        space: dict[str, object] = {}
        exec("from rollwise import *", space)
        assert sorted(set(space) - {"__builtins__"}) == NAMES

    @pytest.mark.parametrize("name", NAMES)
    def test_each_is_documented(self, name: str) -> None:
        value = ALL[name]
        doc = inspect.cleandoc(value.__doc__ or "")
        assert doc
        assert taken(value) <= told(doc)

    @pytest.mark.parametrize("name", [*NAMES, "rollwise"])
    def test_examples_in_docstrings_are_correct(self, name: str) -> None:
        shown = inspect.getdoc(ALL.get(name, rollwise)) or ""
        example = DocTestParser().get_doctest(shown, ALL, name, None, 0)
        assert example.examples
        DebugRunner().run(example)

    def test_no_module_hides_a_public_name(self) -> None:
        inside = {path.stem for path in Path(str(rollwise.__file__)).parent.iterdir()}
        assert inside & set(NAMES) == {"errors"}
        assert rollwise.errors is import_module("rollwise.errors")

    def test_other_names_are_refused(self) -> None:
        with pytest.raises(AttributeError, match="has no attribute 'solver'"):
            rollwise.solver  # type: ignore[attr-defined]  # noqa: B018

    def test_neither_numpy_nor_numba_is_loaded_for_the_list(self) -> None:
        program = "import sys, rollwise; dir(rollwise); print({'numpy', 'numba'} & {*sys.modules})"
        shown = subprocess.run(
            [sys.executable, "-c", program], capture_output=True, text=True, check=True
        )
        assert shown.stdout == "set()\n"


class TestRepresentations:
    @pytest.mark.parametrize("rules", PRESETS, ids=lambda rules: rules.name)
    def test_presets_by_name(self, rules: Rules) -> None:
        assert repr(rules) == f"load_rules('{rules.name}')"
        assert read_back(rules) == rules

    @pytest.mark.parametrize("rules", PRESETS, ids=lambda rules: rules.name)
    def test_own_rules_in_full(self, rules: Rules) -> None:
        mine = rules.model_copy(update={"title": "My game"})
        assert repr(mine).startswith("Rules(name=")
        assert read_back(mine) == mine

    def test_a_solver_by_its_game(self) -> None:
        assert repr(rollwise.Solver("crag")) == "Solver('crag')"

    @given(games())
    def test_parts_of_a_game(self, game: Game) -> None:
        values = [game.rules, game.card, *game.events, *game.legal_actions()]
        for value in [*values, *([game.position] if game.position else [])]:
            assert read_back(value) == value
            assert pickle.loads(pickle.dumps(value)) == value

    def test_a_solved_game(self) -> None:
        solution = rollwise.solve("micro-yahtzee")
        again = pickle.loads(pickle.dumps(solution))
        assert again.value() == solution.value()
        assert again.options("dice 4 | rolls-left 0 | card -") == solution.options(
            "dice 4 | rolls-left 0 | card -"
        )

    def test_they_are_short(self) -> None:
        position = Position("yahtzee", "11366 | rolls-left 1 | card ones=3")
        assert repr(position) == "Position('yahtzee', 'dice 11366 | rolls-left 1 | card ones=3')"
        assert repr(position.card) == "Scorecard('yahtzee', 'ones=3')"
        game = Game("yahtzee", "Ada, Ben", ["roll 11366", "keep 66"])
        assert repr(game) == "Game('yahtzee', 'Ada, Ben', 'roll 11366; keep 66')"
        assert (
            repr([*game.events, Score("fh")])
            == "[Roll((1, 1, 3, 6, 6)), Keep((6, 6)), Score('fh')]"
        )


class TestText:
    """Check that functions accept text in place of values."""

    @given(games(), st.booleans())
    def test_positions_and_cards(self, game: Game, by_name: bool) -> None:
        position, card = game.position, game.card
        rules = game.rules.named if by_name else game.rules
        assert Scorecard(rules, rollwise.format_card(card)) == card
        assert Scorecard(rules, card.boxes, card.extra_bonus, card.saved) == card
        if position is not None:
            line = rollwise.format_position(position)
            assert Position(rules, line) == Position(rules, line.removeprefix("dice ")) == position
            dice, left = rollwise.format_dice(rules, position.dice), position.rolls_left
            assert Position(rules, dice=dice, rolls_left=left, card=card) == position

    def test_dice_and_actions_of_a_named_game(self) -> None:
        assert rollwise.parse_dice("yahtzee", "61361") == (1, 1, 3, 6, 6)
        assert rollwise.parse_keep("yahtzee", "66") == (6, 6)
        assert rollwise.parse_action("yahtzee", "score fh") == Score("full-house")
        assert rollwise.format_action("yahtzee", Keep((6, 6))) == "keep 66"
        assert rollwise.format_keep("yahtzee", ()) == "-"

    def test_an_opponent_is_a_strategy(self) -> None:
        greedy = evaluate("greedy", "micro-yahtzee").distribution
        objective = rollwise.parse_objective("beat:greedy", lambda name: greedy)
        wins = evaluate(Optimal(solve(MICRO.rules, objective))).distribution.mean
        assert evaluate("optimal:beat:greedy", "micro-yahtzee").distribution.mean == wins
        with pytest.raises(MalformedError, match="the opponent 'greedy' needs") as error:
            solve("micro-yahtzee", "beat:greedy")
        names: dict[str, Any] = {"parse_objective": rollwise.parse_objective, "evaluate": evaluate}
        names["rules"] = "micro-yahtzee"
        best = solve("micro-yahtzee", eval(str(error.value).partition("pass ")[2], names))
        assert best.value() == solve("micro-yahtzee", objective).value()

    def test_an_optimal_strategy_by_name_needs_rules(self) -> None:
        with pytest.raises(InputError, match=r"parse_strategy\('optimal', 'yahtzee'\)"):
            rollwise.parse_strategy("optimal")
        assert rollwise.parse_strategy("greedy").name == "greedy"
        assert rollwise.parse_strategy("optimal", "micro-yahtzee").name == "optimal"

    def test_a_review_takes_a_record_in_any_form(self, tmp_path: Path) -> None:
        text = "rules: micro-yahtzee\n3 score square\n4 score double"
        record = rollwise.Game.parse(text)
        (tmp_path / "game.txt").write_text(text)
        reviews = review(record)
        for game in (text, record, record.as_json(), tmp_path / "game.txt"):
            assert review(game) == reviews


class TestForPeople:
    def test_options_are_a_table(self) -> None:
        options = rollwise.solve("crag", cache=False).options("333 | card ones=1")  # without SD
        head, *lines = str(options).splitlines()
        assert head.split() == ["option", "EV", "EV", "loss"]
        assert [line.split("  ")[0] for line in lines] == [
            rollwise.format_action("crag", option.action) for option in options
        ]
        assert lines[0].split() == ["score", "three-of-a-kind", "150.57", "–"]
        assert "<td>150.57</td><td>–</td>" in options._repr_html_()
        assert "<td>expected final score</td><td>149.85</td>" in CRAG._repr_html_()

    def test_a_notebook_shows_the_cards_of_a_game(self) -> None:
        game = Game("yahtzee", "Ada, Ben", "roll 11366; keep 66")
        assert "Ada, turn 1: ready to roll, keeping 66, 2 rolls left" in game._repr_html_()

    def test_a_card_has_one_line_per_category(self) -> None:
        drawn = str(Scorecard("yahtzee", "ones=3,full-house=25")).splitlines()
        assert drawn[0] == "Yahtzee, free-choice jokers"
        assert drawn[1].split() == ["Aces", "3"]
        assert drawn[2].split() == ["Twos", "·"]
        assert drawn[-1].split() == ["Total", "28"]

    def test_html_is_escaped(self) -> None:
        rules = load_rules("yahtzee").model_copy(update={"title": "<b>bold</b>"})
        for value in (Scorecard(rules, "-"), Game(rules, "A<i>")):
            assert "<b>" not in value._repr_html_()
            assert "<i>" not in value._repr_html_()
            assert "&lt;b&gt;" in value._repr_html_()
