"""Game records: formatted records parse to the same game; errors name the line and the reason."""

import json
import re
from contextlib import suppress
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games import at_random, play, records
from rollwise import load_rules
from rollwise.errors import InputError, MalformedError
from rollwise.game.records.as_json import format_record_json, parse_record_json
from rollwise.game.records.as_text import parse_record
from rollwise.game.records.record import Record, RecordError, format_record

YAHTZEE = load_rules("yahtzee")
GAME = Record(
    YAHTZEE,
    ("Ada", "Ben"),
    play(YAHTZEE, ["Ada", "Ben"], 7, at_random(1)).events,
    seed=7,
    date=date(2026, 11, 21),
)
TEXT = format_record(GAME)


@given(records())
def test_text_round_trips(record: Record) -> None:
    text = format_record(record)
    again = parse_record(text, record.rules)
    assert again == record
    assert again.cards == record.cards
    assert format_record(again) == text


@given(records())
def test_json_round_trips(record: Record) -> None:
    assert parse_record_json(format_record_json(record)) == record


def test_presets_are_named_and_other_rules_written_out() -> None:
    assert json.loads(format_record_json(GAME))["rules"] == "yahtzee"
    custom = YAHTZEE.model_copy(update={"title": "Mine"})
    data = json.loads(format_record_json(Record(custom)))
    assert data["rules"]["title"] == "Mine"
    assert parse_record_json(json.dumps(data)).rules == custom


class TestTypedByHand:
    def test_the_shortest_form(self) -> None:
        record = parse_record("63161 66 25666 666 46666 4k\n11234 ss")
        first, second = format_record(record).splitlines()[-2:]
        assert first == " 1. 11366 keep 66; 25666 keep 666; 46666 score four-of-a-kind = 28"
        assert second == " 2. 11234 score small-straight = 30"

    def test_a_bare_last_word_is_a_category(self) -> None:
        assert parse_record("11366 1").cards[0].boxes[0] == 2
        assert parse_record("11366 keep 1").game().stage.kept == (1,)

    def test_comments_blank_lines_and_any_separator(self) -> None:
        text = "# at home\nplayers: Ada, Ben\n\nAda: 11366 66 / 25666 y=0 # oh\n11111 | y = 50\n"
        record = parse_record(text)
        assert [card.points for card in record.cards] == [0, 50]

    def test_jokers_show_their_bonus(self) -> None:
        record = parse_record("11111 y\n11111 1\n11111 fh = 25 + 100")
        assert record.cards[0].points == 50 + 105 + 125
        assert format_record(record).endswith("score full-house = 25 + 100\n")

    def test_custom_rules(self) -> None:
        custom = YAHTZEE.model_copy(update={"name": "mine"})
        assert parse_record("rules: mine\n11366 1", custom).rules == custom
        with pytest.raises(RecordError, match="line 1: no rules 'mine' come with rollwise"):
            parse_record("rules: mine\n11366 1")


class TestBroken:
    @pytest.mark.parametrize(
        ("text", "line", "words"),
        [
            ("rollwise game 9\n11366 1", 1, "expected 'rollwise game 1'"),
            ("rules: ../mine.toml\n11366 1", 1, "no rules"),
            ("rules: yatzy\nrules: yatzy", 2, "once"),
            ("players: Ada, Ada", 1, "different names"),
            ("seed: -1", 1, "expected a seed"),
            ("seed: 99999999999999999999", 1, "expected a seed"),
            ("date: yesterday", 1, "expected a date"),
            ("11366 1\n11366", 0, ""),
            ("11366\n11366 1", 1, "expected one at its end"),
            ("11366 1\n1136 2", 2, "got 4"),
            ("11366 1\n11367 2", 2, "faces 1 to 6"),
            ("11366 55 25666 4k", 1, "cannot keep 55 of 11366"),
            ("11366 66 11112 4k", 1, "expected the kept 66 in it"),
            ("11366 4 k", 1, "cannot keep 4"),
            ("11366 fives of a kind", 1, "expected"),
            ("11366 score ones twos", 1, "nothing after the category"),
            ("11366 1 = 3", 1, "the roll scores 2 in ones"),
            ("11366 1 = many", 1, "expected points after ="),
            ("11366 1\n11366 1", 2, "cannot score ones"),
            ("2. 11366 1", 1, "expected turn 1"),
            ("players: Ada, Ben\nBen: 11366 1", 2, "expected a turn of Ada"),
            ("score: 3\n11366 1", 1, "the turns make 2"),
            ("11366 - 11366 - 11366 - 11366 1", 1, "no roll is left"),
            ("11366 keep", 1, "expected dice last"),
            (TEXT + "11366 1", len(TEXT.splitlines()) + 1, "the game is over"),
            ("x" * 300_000, 1, "at most"),
        ],
    )
    def test_line_and_reason(self, text: str, line: int, words: str) -> None:
        if not line:
            assert parse_record(text).events
            return
        with pytest.raises(RecordError) as caught:
            parse_record(text)
        assert caught.value.line == line
        assert words in str(caught.value)
        assert str(caught.value).startswith(f"line {line}: ")

    @given(st.data())
    def test_a_damaged_record_is_valid_or_is_refused(self, data: st.DataObject) -> None:
        position = data.draw(st.integers(0, len(TEXT) - 1))
        deleted = data.draw(st.integers(0, 5))
        inserted = data.draw(st.text("0123456789 ;=+:\nkeepscor-#x", max_size=5))
        text = TEXT[:position] + inserted + TEXT[position + deleted :]
        with suppress(RecordError):
            record = parse_record(text)
            assert parse_record(format_record(record)) == record

    @given(st.text())
    def test_any_text(self, text: str) -> None:
        with suppress(RecordError):
            parse_record(text)
        with suppress(InputError):
            parse_record_json(text)

    @pytest.mark.parametrize(
        ("change", "words"),
        [
            ({"format": "pgn"}, "format"),
            ({"rules": "none"}, "no rules"),
            ({"rules": "../x.toml"}, "no rules"),
            ({"extra": 1}, "extra"),
            ({"score": [1, 2]}, "the turns make"),
            ({"seed": -1}, "seed"),
            ({"turns": [{"player": "Ben", "rolls": ["11366"]}]}, "turns.0: expected a turn of Ada"),
            ({"turns": [{"player": "Ada", "rolls": ["1136"]}]}, "turns.0: expected 5 dice"),
            ({"turns": [{"player": "Ada", "rolls": ["11366", "11366"]}]}, "expected a keep"),
            (
                {"turns": [{"player": "Ada", "rolls": ["11366"], "category": "1", "points": 3}]},
                "scores 2",
            ),
            (
                {"turns": [{"player": "Ada", "rolls": ["11366"], "keeps": ["1"], "category": "1"}]},
                "one keep between",
            ),
        ],
    )
    def test_broken_json(self, change: dict[str, object], words: str) -> None:
        data = {**json.loads(format_record_json(GAME)), "score": None, **change}
        with pytest.raises(MalformedError, match=re.escape(words)):
            parse_record_json(json.dumps(data))
