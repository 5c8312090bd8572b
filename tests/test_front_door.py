"""What ``import rollwise`` gives: names, values that read back, text wherever a value is taken."""

import pickle
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rollwise
from games import at_random, play, records
from rollwise import Game, Keep, Position, Record, Roll, Rules, Score, Scorecard, load_rules
from rollwise.errors import MalformedError
from small_games import small_rules

NAMES = [name for name in dir(rollwise) if not name.startswith("_")]
ALL: dict[str, object] = {name: getattr(rollwise, name) for name in NAMES}
PRESETS = [load_rules(name) for name in rollwise.preset_names()]


def games(events: int = 40) -> st.SearchStrategy[Game]:
    """Draw a game of any preset or of random small rules, stopped after so many events at most."""
    rules = st.sampled_from(PRESETS) | small_rules(saves=True)
    players = st.sampled_from([["Player"], ["Ada", "Ben"]])
    seeds = st.integers(0, 10**6)
    return st.builds(
        lambda rules, players, seed, most: play(rules, players, seed, at_random(seed), most),
        rules, players, seeds, st.integers(0, events),
    )  # fmt: skip


def read_back(value: object) -> object:
    """Return what the representation of a value is, read as Python by a user of the package."""
    return eval(repr(value), ALL)


class TestNames:
    def test_dir_is_what_a_star_imports(self) -> None:
        space: dict[str, object] = {}
        exec("from rollwise import *", space)
        assert sorted(set(space) - {"__builtins__"}) == NAMES

    @pytest.mark.parametrize("name", NAMES)
    def test_each_is_documented(self, name: str) -> None:
        assert (getattr(rollwise, name).__doc__ or "").strip()

    def test_no_module_hides_one(self) -> None:
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

    @given(games())
    def test_what_a_game_is_made_of(self, game: Game) -> None:
        again = read_back(game)
        assert isinstance(again, Game)
        assert (again.players, again.stage) == (game.players, game.stage)
        values = [game.rules, game.card, *game.events, *game.legal_actions()]
        for value in [*values, *([game.position] if game.position else [])]:
            assert read_back(value) == value
            assert pickle.loads(pickle.dumps(value)) == value

    @given(records())
    def test_records(self, record: Record) -> None:
        assert read_back(record) == record

    def test_they_are_short(self) -> None:
        position = Position("yahtzee", "11366 | rolls-left 1 | card ones=3")
        assert repr(position) == "Position('yahtzee', 'dice 11366 | rolls-left 1 | card ones=3')"
        assert repr(position.card) == "Scorecard('yahtzee', 'ones=3')"
        game = Game("yahtzee", "Ada, Ben", ["roll 11366", "keep 66"])
        assert repr(game) == "Game('yahtzee', 'Ada, Ben', 'roll 11366; keep 66')"
        assert repr([*game.events, Score(8)]) == "[Roll((1, 1, 3, 6, 6)), Keep((6, 6)), Score(8)]"


class TestText:
    """Text and values are taken alike."""

    @given(games())
    def test_events(self, game: Game) -> None:
        rules = game.rules
        told = [
            f"roll {rollwise.format_dice(rules, event.dice)}"
            if isinstance(event, Roll)
            else rollwise.format_action(rules, event)
            for event in game.events
        ]
        for events in (told, "; ".join(told)):
            assert Game(rules, game.players, events).stage == game.stage
        assert Record(rules, ",".join(game.players), told) == Record(
            rules, game.players, game.events
        )

    @given(games(), st.booleans())
    def test_positions_and_cards(self, game: Game, by_name: bool) -> None:
        position, card = game.position, game.card
        rules = game.rules.named if by_name else game.rules
        assert Scorecard(rules, rollwise.format_card(card)) == card
        assert Scorecard(rules, card.boxes, card.extra_bonus, card.saved) == card
        if position is not None:
            line = rollwise.format_position(position)
            assert Position(rules, line) == Position(rules, line.removeprefix("dice ")) == position
            dice = rollwise.format_dice(rules, position.dice)
            assert Position.of(card, dice, position.rolls_left) == position

    def test_what_is_not_told_is_as_after_the_first_roll(self) -> None:
        told = Position("yahtzee", "dice 11366 | rolls-left 2 | card -")
        assert Position("yahtzee", "11366") == told
        assert Position("yahtzee", "11366 | rolls-left 2") == Position("yahtzee", "dice 11366")

    def test_dice_and_actions_of_a_named_game(self) -> None:
        assert rollwise.parse_dice("yahtzee", "61361") == (1, 1, 3, 6, 6)
        assert rollwise.parse_keep("yahtzee", "66") == (6, 6)
        assert rollwise.parse_action("yahtzee", "score fh") == Score(8)
        assert rollwise.format_action("yahtzee", Keep((6, 6))) == "keep 66"
        assert rollwise.format_keep("yahtzee", ()) == "-"
        assert rollwise.parse_card("yahtzee", "1=3") == Scorecard("yahtzee", "ones=3")

    @pytest.mark.parametrize("event", ["", "roll", "pass", "keep", "roll 11", "score nothing"])
    def test_what_is_no_event_is_refused(self, event: str) -> None:
        with pytest.raises(MalformedError, match="expected"):
            Game("yahtzee").push(event)


class TestForPeople:
    def test_a_game_is_drawn_as_its_cards(self) -> None:
        game = Game("yahtzee", "Ada, Ben", "roll 11366; keep 66")
        assert str(game).splitlines()[-1] == "Ada, turn 1: to roll, 66 kept, 2 rolls left"

    def test_a_card_is_drawn_a_line_a_box(self) -> None:
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
