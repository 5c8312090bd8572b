"""Test the settings in a game record: computer opponents, tutor, and objective."""

from pathlib import Path

import pytest

from rollwise import load_rules, solve
from rollwise.cli.play import game_to_resume
from rollwise.errors import InputError
from rollwise.game.records.as_json import format_record_json, parse_record_json
from rollwise.game.records.as_text import parse_record
from rollwise.game.records.files import save_record
from rollwise.game.records.record import Record, Setting, format_record
from rollwise.history import History
from rollwise.playing.session import Session

MICRO = load_rules("micro-yahtzee")
PLAYERS = ("Ada", "optimal beat greedy", "greedy")
SETTING = Setting({1: "optimal:beat:greedy", 2: "greedy"}, tutor=True, objective="target:20")
RECORD = Record(MICRO, PLAYERS, "roll 5", seed=3, setting=SETTING)
HEAD = "rules: micro-yahtzee\nplayers: Ada, Ben\n"


def test_settings_are_read_back() -> None:
    assert parse_record(format_record(RECORD)) == RECORD
    assert parse_record_json(format_record_json(RECORD)) == RECORD
    assert "robots: optimal beat greedy: optimal:beat:greedy; greedy: greedy" in str(RECORD)


def test_defaults_are_not_written() -> None:
    plain = Record(MICRO, PLAYERS, "roll 5")
    for text in (format_record(plain), format_record_json(plain)):
        assert not any(word in text for word in ("robots", "tutor", "objective"))
    assert parse_record(format_record(plain)).setting == Setting()


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("robots: greedy", "line 3: expected a player and a strategy, such as Ben: greedy, got"),
        ("robots: Cy: greedy", "line 3: robots: no player has the name 'Cy'; use Ada or Ben"),
        ("tutor: yes", "line 3: expected on or off, got 'yes'"),
        ("tutor: on\ntutor: on", "line 4: tutor appears twice"),
    ],
)
def test_invalid_settings(line: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        parse_record(f"{HEAD}{line}\n5 double\n")


def test_a_session_keeps_the_settings() -> None:
    session = Session(RECORD, solve(MICRO))
    assert session.tutor
    assert session.record == RECORD
    session.tutor = False
    assert session.record.setting == Setting(SETTING.robots, False, SETTING.objective)


def test_a_game_continues_from_its_file(tmp_path: Path) -> None:
    """Check that a resumed game has its computer opponents without further options."""
    path = tmp_path / "evening.txt"
    save_record(RECORD, path)
    with History(
        f"sqlite:///{tmp_path}/other.sqlite"
    ) as history:  # the game is not in this history
        game = game_to_resume(str(path), history, None)
    assert game.robots == SETTING.robots
    assert game.record == RECORD
