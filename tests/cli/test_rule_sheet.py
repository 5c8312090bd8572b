"""Check that no interface advises a category that the rule sheet forbids for a joker."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic_core import to_json

from commands import data_of
from rollwise.game.actions import Action, Score
from rollwise.game.game import Game
from rollwise.game.notation import parse_action
from rollwise.game.position import Position, format_position
from rollwise.rules import load_rules
from rollwise.solving.solver import solve
from rollwise.web import computations

FORCED = load_rules("yahtzee-forced-joker")
UPPER = FORCED.keys[:6]
LOWER = FORCED.keys[6:]
FIXED = {"full-house": 25, "small-straight": 30, "large-straight": 40, "yahtzee": 50}
JOKER = "44444 | rolls-left 0 | card yahtzee=50"
"""A position in which the free-choice joker rule allows every category, but the sheet allows only
fours."""


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """Draw a position; in many of them, the dice are a Yahtzee and its category is filled."""
    joker = draw(st.booleans())
    face = draw(st.integers(1, 6))
    filled = draw(st.sets(st.sampled_from(FORCED.keys), max_size=12))
    if joker:
        open_category = draw(st.sampled_from([key for key in FORCED.keys if key != "yahtzee"]))
        filled = (filled | {"yahtzee"}) - {open_category}
    card = {key: draw(st.sampled_from(points_of(key))) for key in sorted(filled)}
    dice = [face] * 5 if joker else draw(st.lists(st.integers(1, 6), min_size=5, max_size=5))
    written = ",".join(f"{key}={points}" for key, points in card.items()) or "-"
    left = draw(st.integers(0, 2))
    line = f"{''.join(map(str, sorted(dice)))} | rolls-left {left} | card {written}"
    return Position(FORCED, line)


def points_of(key: str) -> list[int]:
    """Return some of the points that a category can score."""
    if key in UPPER:
        return [(UPPER.index(key) + 1) * dice for dice in range(5)]
    return [20] if key == "chance" else [0, FIXED.get(key, 20)]


def allowed_by_the_sheet(position: Position) -> set[str]:
    """Return the categories that the rule sheet allows, according to its text."""
    empty = {key for k, key in enumerate(FORCED.keys) if not position.state.filled >> k & 1}
    if len(set(position.dice)) > 1 or "yahtzee" in empty:
        return empty
    its_own = {UPPER[position.dice[0] - 1]} & empty
    return its_own or set(LOWER) & empty or empty


def parsed(data: Any) -> list[Action]:
    """Return the options in an answer."""
    assert data["rules"] == FORCED.name
    return [parse_action(FORCED, option["action"]) for option in data["options"]]


def of_option(position: Position) -> list[Action]:
    """Return the options that ``rollwise advise --rules`` prints."""
    return parsed(data_of("advise", format_position(position), "-q", "--rules", FORCED.name))


def of_default_game(position: Position) -> list[Action]:
    """Return the options that ``rollwise advise`` prints."""
    return parsed(data_of("advise", format_position(position), "-q"))


def of_library(position: Position) -> list[Action]:
    """Return the options of a solution."""
    return [option.action for option in solve(FORCED).options(position)]


def of_web(position: Position) -> list[Action]:
    """Return the options that the web API sends."""
    question = to_json({"dice": format_position(position), "rules": FORCED}).decode()
    return parsed(computations.answer_to("advise", question, True, lambda _: None))


@pytest.mark.parametrize(
    ("ask", "examples"), [(of_library, 100), (of_web, 100), (of_option, 30), (of_default_game, 30)]
)
def test_options_are_those_of_the_sheet(
    ask: Callable[[Position], list[Action]],
    examples: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("ROLLWISE_SETTINGS", str(tmp_path / "settings.toml"))
    data_of("rules", "use", FORCED.name)

    @settings(max_examples=examples)
    @given(positions())
    def each(position: Position) -> None:
        options = ask(position)
        assert set(options) == set(Game(position).legal_actions())
        scored = {option.category for option in options if isinstance(option, Score)}
        assert scored == allowed_by_the_sheet(position)

    each()


def test_free_choice_jokers_are_another_game() -> None:
    assert allowed_by_the_sheet(Position(FORCED, JOKER)) == {"fours"}
    assert len(data_of("advise", JOKER, "--rules", "yahtzee")["options"]) == 12
