"""Test game records that people typed, and the errors, which name the line and the reason."""

import json
import re
from collections import Counter
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from games import at_random, play
from rollwise import load_rules
from rollwise.errors import MalformedError
from rollwise.game import consistency, scoring
from rollwise.game.dice_notation import parse_category
from rollwise.game.game import Game
from rollwise.game.headers import MAX_LENGTH
from rollwise.game.records import as_json
from rollwise.game.records.as_text import RecordError, rules_of_record
from rollwise.game.records.files import load_game
from rollwise.rules import Rules, preset_names

YAHTZEE = load_rules("yahtzee")
GAME = Game(
    YAHTZEE,
    ("Ada", "Ben"),
    play(YAHTZEE, ["Ada", "Ben"], 7, at_random(1)).events,
    seed=7,
    date=date(2026, 11, 21),
)
TEXT = str(GAME)


GROUPS = {"kind": "groups", "sizes": [1, 1, 1, 1], "distinct": False}
COSTLY = {
    "name": "costly",
    "title": "Costly",
    "dice": 6,
    "faces": 6,
    "rolls": 20,
    "order": "card",
    "categories": [
        {
            "key": f"c{k}",
            "title": f"C{k}",
            "pattern": {"kind": "either", "of": [GROUPS] * 16},
            "points": "matched",
        }
        for k in range(32)
    ],
}
"""Legal rules whose patterns match a roll in many ways."""


def costly_game(rolls: int, players: int) -> dict[str, Any]:
    """Return the JSON data of a whole game with ``rolls`` rolls in each turn."""
    before = ["roll 112345", "keep 12345"] * (rolls - 1)
    turns = [[*before, "roll 112345", f"score c{k}"] for k in range(32) for _ in range(players)]
    events = [event for turn in turns for event in turn]
    return {"rules": COSTLY, "players": [f"P{k}" for k in range(players)], "events": events}


def test_a_replay_scores_only_the_rolls_of_the_record(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("a replay does not score every possible roll")

    monkeypatch.setattr(consistency, "natural_points", refuse)
    game = Game.parse(json.dumps(costly_game(1, 4)))
    assert game.is_over
    assert game.cards[0].points == 32 * (2 + 3 + 4 + 5)


def test_groups_are_matched_once() -> None:
    rules = Rules.model_validate(COSTLY)
    pattern = rules.categories[0].pattern
    matches = [*scoring._matching_dice(pattern, Counter((1, 2, 3, 4, 5, 6)))]
    assert len(matches) == 16 * 15  # 4 of 6 faces, for each alternative


def test_a_long_record_is_written_so_that_it_can_be_read() -> None:
    game = Game.parse(json.dumps(costly_game(20, 8)))
    assert len(game.data().model_dump_json(indent=2)) > MAX_LENGTH
    assert Game.parse(game.as_json()) == game


def test_a_record_that_is_too_long_is_not_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(as_json, "MAX_LENGTH", 100)
    with pytest.raises(MalformedError, match="use at most 100"):
        GAME.as_json()


def test_the_name_of_the_rules_is_found_in_one_pass() -> None:
    # A quadratic search would take a minute.
    assert rules_of_record("\n" * 199_000 + "rules: kismet") == "kismet"
    assert rules_of_record("rules:\nkismet") == "yahtzee"


def test_headers_with_their_usual_value_are_not_written() -> None:
    plain = Game("micro-yahtzee", "Ada, greedy, B", "roll 5")
    words = ("date", "seed", "bots", "tutor", "objective", "position")
    for text in (str(plain), plain.as_json()):
        assert not any(word in text for word in words)
    bots = {"greedy": "greedy", "B": "optimal:beat:greedy"}
    game = Game("micro-yahtzee", plain.players, "roll 5", bots=bots, tutor=True)
    assert "bots: greedy: greedy; B: optimal:beat:greedy\ntutor: on\n" in str(game)


def test_presets_are_named_and_other_rules_written_out() -> None:
    assert json.loads(GAME.as_json())["rules"] == "yahtzee"
    custom = YAHTZEE.model_copy(update={"title": "Mine"})
    data = json.loads(Game(custom).as_json())
    assert data["rules"]["title"] == "Mine"
    assert Game.parse(json.dumps(data)).rules == custom


class TestTypedByHand:
    def test_the_shortest_form(self) -> None:
        record = Game.parse("63161 66 25666 666 46666 4k\n11234 ss")
        first, second = str(record).splitlines()[-2:]
        assert first == " 1. 11366 keep 66; 25666 keep 666; 46666 score four-of-a-kind = 28"
        assert second == " 2. 11234 score small-straight = 30"

    def test_a_bare_last_word_is_a_category(self) -> None:
        assert Game.parse("11366 1").cards[0].boxes[0] == 2
        assert Game.parse("11366 keep 1").stage.kept == (1,)

    def test_comments_blank_lines_and_any_separator(self) -> None:
        text = "# at home\nplayers: Ada, Ben\n\nAda: 11366 66 / 25666 y=0 # oh\n11111 | y = 50\n"
        record = Game.parse(text)
        assert [card.points for card in record.cards] == [0, 50]

    def test_headers_without_a_value(self) -> None:
        words = ("players", "position", "date", "seed", "bots", "tutor", "objective")
        head = "".join(f"{word}: \n" for word in words)
        assert Game.parse(f"{head}11366 1") == Game("yahtzee", events="11366; score 1")

    def test_jokers_show_their_bonus(self) -> None:
        record = Game.parse("11111 y\n11111 1\n11111 fh = 25 + 100")
        assert record.cards[0].points == 50 + 105 + 125
        assert str(record).endswith("score full-house = 25 + 100\n")

    @pytest.mark.parametrize(
        ("line", "category"),
        [
            ("46666 Sixes", "sixes"),
            ("46666 SIXES = 24", "sixes"),
            ("12345 Small Straight", "small-straight"),
            ("12345 score small straight = 30", "small-straight"),
            ("12345 hold 2345 23456 Large Straight", "large-straight"),
            ("11366 Hold 66; 16666 four_of_a_kind", "four-of-a-kind"),
            ("33356 333 33312 333 33366 3 of a kind", "three-of-a-kind"),
            ("33336 4 Of A Kind", "four-of-a-kind"),
            ("12345 sm straight", "small-straight"),
            ("11111 yt", "yahtzee"),
            ("11111 ya", "yahtzee"),
            ("11333 3s", "threes"),
            ("11333 FH", "full-house"),
        ],
    )
    def test_titles_and_common_codes(self, line: str, category: str) -> None:
        card = Game.parse(line).cards[0]
        filled = [k for k, points in zip(YAHTZEE.keys, card.boxes, strict=True) if points]
        assert filled == [category]

    @pytest.mark.parametrize("name", preset_names())
    def test_titles_of_every_game(self, name: str) -> None:
        rules = load_rules(name)
        titles = [category.title.upper() for category in rules.categories]
        for k, title in enumerate(titles):
            if titles.count(title) == 1:
                assert parse_category(rules, title) == k

    def test_a_byte_order_mark(self, tmp_path: Path) -> None:
        for suffix, text in ((".txt", TEXT), (".json", GAME.as_json())):
            path = tmp_path / f"game{suffix}"
            path.write_text(text, "utf-8-sig")
            assert load_game(path) == GAME

    def test_custom_rules(self) -> None:
        custom = YAHTZEE.model_copy(update={"name": "mine"})
        assert Game.parse("rules: mine\n11366 1", custom).rules == custom
        with pytest.raises(RecordError, match="line 1: there is no game 'mine'"):
            Game.parse("rules: mine\n11366 1")


class TestBroken:
    @pytest.mark.parametrize(
        ("text", "line", "words"),
        [
            ("rollwise game 9\n11366 1", 1, "expected 'rollwise game 1'"),
            ("rules: ../mine.toml\n11366 1", 1, "there is no game"),
            ("rules: yatzy\nrules: yatzy", 2, "once"),
            ("players: Ada, Ada", 1, "different names"),
            ("seed: -1", 1, "the seed must be"),
            ("players: Ada, Ben\nbots: greedy", 2, "a player and a strategy, such as Ben: greedy"),
            (
                "players: Ada, Ben\nbots: Cy: greedy",
                2,
                "no player has the name 'Cy'; use Ada or Ben",
            ),
            ("tutor: yes", 1, "expected on or off, got 'yes'"),
            ("tutor: on\ntutor: on", 2, "tutor appears twice"),
            ("position: 11366\nplayers: Ada, Ben", 1, "a game from a position has one player"),
            ("objective: beat:a;b", 1, "use a strategy or an objective without ; #"),
            ("position: 1136", 1, "expected 5 dice"),
            ("seed: 99999999999999999999", 1, "the seed must be"),
            ("date: yesterday", 1, "expected a date"),
            ("11366\n11366 1", 1, "add one at the end of the line"),
            ("11366 1\n1136 2", 2, "got 4"),
            ("11366 1\n11367 2", 2, "faces 1 to 6"),
            ("11366 55 25666 4k", 1, "cannot keep 55 from the roll 11366"),
            ("11366 66 11112 4k", 1, "does not contain the kept dice 66"),
            ("11366 4 k", 1, "cannot keep 4"),
            ("11366 fives of a kind", 1, "the category ends a turn; remove 'of'"),
            ("11366 sixtes", 1, "Did you mean 'sixes'"),
            ("11366 x", 1, "Use one of Aces (1), Twos (2), "),
            ("11366 hold", 1, "the line ends after 'hold'; add dice"),
            ("11366 score ones twos", 1, "the category ends a turn; remove 'twos'"),
            ("11366 1 = 3", 1, "the roll scores 2 in ones"),
            ("11366 1 = many", 1, "expected points after ="),
            ("11366 1\n11366 1", 2, "ones is filled, in line 1;"),
            ("2. 11366 1", 1, "expected turn 1"),
            ("players: Ada, Ben\nBen: 11366 1", 2, "expected a turn of Ada"),
            ("score: 3\n11366 1", 1, "the turns add up to 2"),
            ("11366 - 11366 - 11366 - 11366 1", 1, "no rolls are left"),
            ("11366 keep", 1, "the line ends after 'keep'; add dice"),
            (TEXT + "11366 1", len(TEXT.splitlines()) + 1, "the game is already over"),
            ("x" * 300_000, 1, "at most"),
            ("# only\n# comments\n", 1, "the record is empty"),
        ],
    )
    def test_line_and_reason(self, text: str, line: int, words: str) -> None:
        with pytest.raises(RecordError) as caught:
            Game.parse(text)
        assert caught.value.line == line
        assert words in str(caught.value)
        assert str(caught.value).startswith(f"line {line}: ")

    @pytest.mark.parametrize(
        ("change", "words"),
        [
            ({"format": "pgn"}, "format"),
            ({"rules": "none"}, "there is no game"),
            ({"rules": "../x.toml"}, "there is no game"),
            ({"rules": 3}, "rules: expected the name of a game or its rules, got 3"),
            ({"rules": {"name": 3}}, "rules.name: "),
            ({"extra": 1}, "extra"),
            ({"score": [1, 2]}, "the events add up to"),
            ({"seed": -1}, "seed"),
            ({"events": "roll 11366"}, "events: "),
            ({"events": ["roll 1136"]}, "events.0: expected 5 dice"),
            ({"events": ["roll 11366", "roll 11366"]}, "events.1: cannot roll now; keep dice or"),
            ({"events": ["roll 11366", "score 1", "roll 11"]}, "events.2: expected 5 dice"),
            ({"bots": {"Cy": "greedy"}}, "bots: no player has the name 'Cy'"),
            ({"position": "11366"}, "a game from a position has one player"),
        ],
    )
    def test_broken_json(self, change: dict[str, object], words: str) -> None:
        data = {**json.loads(GAME.as_json()), "score": None, **change}
        with pytest.raises(MalformedError, match=re.escape(words)):
            Game.parse(json.dumps(data))
