"""Test the controls of a session: every key and click, without a terminal."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rollwise import load_rules, solve
from rollwise.game.game import Game
from rollwise.playing.bot import Bot
from rollwise.playing.category_codes import (
    COMMAND_KEYS,
    DIE_KEYS,
    first_slot,
    match_code,
    typed_code,
)
from rollwise.playing.session import Session
from rollwise.rules import preset_names
from rollwise.solving.solution import Solution
from rollwise.strategies import STRATEGIES
from rollwise.terminal.controls import TUTOR_TO_COME, Controls

YAHTZEE = load_rules("yahtzee")
CHANCE = YAHTZEE.category_index("chance")
NAMED = ("enter", "escape", "backspace", "shift", "f1")
KEYS = [*"123456 rhut?pbsxfchy-", *NAMED]


@pytest.fixture(scope="module")
def solution() -> Solution:
    return solve(YAHTZEE)


@pytest.fixture
def controls(solution: Solution) -> Controls:
    """Return the controls of a game after its first roll: 1 5 3 3 5."""
    controls = Controls(Session(Game(YAHTZEE, seed=7), solution))
    press(controls, " ")
    return controls


def press(controls: Controls, *keys: str) -> None:
    for key in keys:
        controls.press(key)


def awaits_a_command(controls: Controls) -> bool:
    """Return whether the next key neither responds to the tutor nor continues typed input."""
    return controls.caution is None and controls.code is None and controls.dice is None


class TestKeys:
    def test_space_and_r_roll_the_dice_that_are_not_held(self, controls: Controls) -> None:
        faces = controls.session.tray.faces
        press(controls, "2", "4", "4", "r")
        assert controls.session.roll_number == 2
        assert controls.session.tray.held == (False, True, False, False, False)
        assert controls.session.tray.faces[1] == faces[1]

    def test_nothing_to_roll(self, controls: Controls) -> None:
        press(controls, *"12345 ")
        assert controls.note == "No dice to roll: release a die, or score."
        assert controls.session.roll_number == 1

    def test_the_next_action_clears_a_note(self, controls: Controls) -> None:
        press(controls, *"zz")
        assert controls.words() == "No open category has the code 'z'."
        press(controls, "shift")
        assert controls.words() == "No open category has the code 'z'."
        press(controls, "escape")
        assert controls.words() == ""

    def test_hint(self, controls: Controls) -> None:
        assert controls.options() == []
        press(controls, "h")
        assert controls.options() == controls.session.options() != []
        press(controls, "h")
        assert controls.options() == []
        press(controls, "h", " ")
        assert not controls.hint

    def test_undo_hides_the_hint(self, controls: Controls) -> None:
        press(controls, "r", "h", "u")
        assert controls.session.roll_number == 1
        assert not controls.hint
        press(controls, "u")
        assert "nothing to undo" in controls.note

    def test_tutor_and_help(self, controls: Controls) -> None:
        for on in (True, False):
            press(controls, "t", "?")
            assert (controls.session.tutor, controls.help) == (on, on)
            assert controls.words() == f"Tutor {'on' if on else 'off'}."

    def test_no_die_to_keep_before_a_roll(self, controls: Controls) -> None:
        press(controls, *"ch", "1")
        assert "roll the dice before you keep any" in controls.note


class TestCodes:
    @pytest.mark.parametrize(
        ("keys", "key"),
        [
            (["c", "h"], "chance"),
            (["s", "1"], "ones"),
            (["s", "3", "enter"], "threes"),
            (["s", "3", "k"], "three-of-a-kind"),
            (["s", "4", "backspace", "5"], "fives"),
            (["f", "backspace", "l", "s"], "large-straight"),
        ],
    )
    def test_a_code_scores(self, controls: Controls, keys: list[str], key: str) -> None:
        press(controls, *keys)
        scores = controls.session.game.card.boxes
        filled = [k for k, points in zip(YAHTZEE.keys, scores, strict=True) if points is not None]
        assert filled == [key]
        assert awaits_a_command(controls)

    @pytest.mark.parametrize("name", preset_names())
    def test_the_printed_code_is_the_typed_code(self, name: str) -> None:
        rules = load_rules(name)
        for category in range(len(rules.categories)):
            first, printed = first_slot(rules, category), typed_code(rules, category)
            typed = printed.removesuffix("⏎")
            matches = [match_code(rules, typed[:length]) for length in range(1, len(typed) + 1)]
            if printed != typed:
                matches.append(match_code(rules, typed, complete=True))
            assert [match.category for match in matches] == [None] * (len(matches) - 1) + [first]
            assert typed[0] not in f"{DIE_KEYS}{COMMAND_KEYS}"

    def test_while_a_code_is_typed(self, controls: Controls) -> None:
        press(controls, "s")
        assert controls.words().startswith("Score in: s_")
        press(controls, "3", "escape")
        assert awaits_a_command(controls)
        assert controls.session.roll_number == 1
        press(controls, "s", "backspace", "2")
        assert controls.session.tray.held[1]  # a die again, not a category

    def test_a_filled_category(self, controls: Controls) -> None:
        press(controls, *"ch", " ")
        controls.choose(CHANCE)
        assert controls.words() == "You cannot score Chance now."


def test_choices_wait_for_a_tutor_that_is_loading(solution: Solution) -> None:
    controls = Controls(Session(Game(YAHTZEE, seed=7, tutor=True), None))
    session = controls.session
    session.is_advice_pending = True
    press(controls, " ")  # rolling is not a choice
    for keys in ("ch", " "):
        press(controls, *keys)
        assert controls.words() == TUTOR_TO_COME
    assert (session.roll_number, session.game.card.filled) == (1, 0)
    session.solution = solution
    press(controls, *"ch")
    assert controls.caution is not None
    press(controls, "t", "t")
    assert not session.tutor
    session.solution, session.tutor = None, True
    session.is_advice_pending = False  # and it will not load
    press(controls, *"ch")
    assert session.game.turn == 2


class TestTutor:
    @pytest.fixture(autouse=True)
    def _warned(self, controls: Controls) -> None:
        controls.session.tutor = True
        press(controls, *"ch")

    def test_a_warning_stays_until_the_response(self, controls: Controls) -> None:
        assert controls.words() == "Tutor: score chance loses 12.98 points on average (blunder)."
        for key in ("enter", " ", "r", "c", "9"):
            controls.note = ""
            press(controls, key)
            assert controls.words() == (
                "Tutor: score chance loses 12.98 points on average (blunder)."
            )
            assert controls.note == "Nothing is scored yet."
        press(controls, "f1")
        assert controls.session.roll_number == 1
        assert controls.session.game.turn == 1

    def test_a_digit_holds_a_die_and_withdraws_the_choice(self, controls: Controls) -> None:
        press(controls, "1")
        assert controls.caution is None
        assert controls.session.tray.held == (True, False, False, False, False)
        assert controls.note == ""

    def test_help_leaves_the_warning(self, controls: Controls) -> None:
        press(controls, "?", "?")
        assert controls.caution is not None

    def test_a_warning_about_dice_to_keep(self, controls: Controls) -> None:
        press(controls, "t", "1", " ", " ")
        assert controls.note == "Nothing is rolled yet."
        assert controls.session.roll_number == 1

    def test_play_anyway(self, controls: Controls) -> None:
        press(controls, "p")
        assert controls.session.game.card.boxes[CHANCE] == 17

    @pytest.mark.parametrize(
        ("key", "hint"), [("t", False), ("escape", False), ("u", False), ("b", True), ("h", True)]
    )
    def test_think_again(self, controls: Controls, key: str, hint: bool) -> None:
        press(controls, key)
        assert awaits_a_command(controls)
        assert controls.hint == hint
        assert controls.session.game.turn == 1

    def test_the_tutor_warns_about_keep_actions(self, controls: Controls) -> None:
        press(controls, "t", "1", " ")
        assert controls.words().startswith("Tutor: keep ")
        press(controls, "p")
        assert controls.session.roll_number == 2

    def test_a_warning_expires_when_other_dice_are_held(self, controls: Controls) -> None:
        controls.session.toggle(0)  # in another window
        assert controls.caution is None
        controls.play_anyway()
        assert controls.session.game.turn == 1
        assert controls.session.roll_number == 1


class TestRealDice:
    @pytest.fixture
    def controls(self, solution: Solution) -> Controls:
        return Controls(Session(Game(YAHTZEE), solution))

    def test_they_are_typed_in(self, controls: Controls) -> None:
        press(controls, " ", *"631x", "backspace", *"61", "enter")
        assert controls.session.game.stage.dice == (1, 1, 3, 6, 6)
        press(controls, "4", "5", " ")
        assert controls.words() == "Type all dice, including 66, then Enter: _"
        press(controls, *"66123", "enter")
        assert controls.session.game.stage.dice == (1, 2, 3, 6, 6)

    def test_entry_can_be_cancelled(self, controls: Controls) -> None:
        press(controls, " ", *"63", "escape")
        assert awaits_a_command(controls)
        assert controls.session.roll_number == 0

    def test_wrong_faces_stay_in_the_input(self, controls: Controls) -> None:
        press(controls, " ", *"1136", "enter")
        assert "expected 5 dice" in controls.words()
        assert controls.words().endswith("Type all dice, then Enter: 1136_")
        press(controls, "6")
        assert controls.words() == "Type all dice, then Enter: 11366_"
        press(controls, "enter")
        assert controls.session.game.stage.dice == (1, 1, 3, 6, 6)
        press(controls, "4", "5", " ", *"11111", "enter")
        assert controls.words().endswith("Type all dice, including 66, then Enter: 11111_")
        assert controls.session.roll_number == 1

    def test_commands_while_dice_are_typed(self, controls: Controls) -> None:
        press(controls, *"11366", "enter", "4", "5", " ", *"66", "h")
        assert controls.words().endswith("Type all dice, including 66, then Enter: 66_")
        press(controls, "u")
        assert awaits_a_command(controls)

    def test_digits_are_the_first_roll(self, controls: Controls) -> None:
        press(controls, *"11366")
        assert controls.words() == "Type all dice, then Enter: 11366_"
        press(controls, "enter", "1")
        assert controls.session.tray.held == (True, False, False, False, False)

    def test_a_person_rolls_the_dice_of_a_bot(self, solution: Solution) -> None:
        bot = Bot(STRATEGIES["greedy"](), YAHTZEE)
        game = Game(YAHTZEE, "Ada, it", bots={"it": "greedy"})
        session = Session(game, solution, {"it": bot})
        controls = Controls(session)
        controls.roll_typed("11366")
        press(controls, *"ch")
        controls.roll_typed("11112")
        before = session.game.copy()
        controls.roll_typed("11113")
        controls.choose(CHANCE)
        controls.toggle(0)
        assert session.game == before  # only the bot can choose
        session.bot_step()
        assert session.awaits_typed_dice


def test_input_is_ignored_in_the_turn_of_a_bot(solution: Solution) -> None:
    bot = Bot(STRATEGIES["greedy"](), YAHTZEE)
    game = Game(YAHTZEE, "Ada, it", seed=7, bots={"it": "greedy"})
    session = Session(game, solution, {"it": bot})
    controls = Controls(session)
    press(controls, " ", *"ch")
    before = session.game.copy()
    press(controls, " ", "1", *"s1", "h")
    assert session.game == before
    assert controls.options() == []
    press(controls, "u")
    assert session.roll_number == 1


@settings(max_examples=60, deadline=None)
@given(keys=st.lists(st.sampled_from(KEYS), max_size=60), tutor=st.booleans(), real=st.booleans())
def test_any_sequence_of_keys(solution: Solution, keys: list[str], tutor: bool, real: bool) -> None:
    """Check that unfinished input never changes the events of the game."""
    game = Game(YAHTZEE, seed=None if real else 7, tutor=tutor)
    controls = Controls(Session(game, solution))
    for key in keys:
        before = game.copy()
        controls.press(key)
        if not awaits_a_command(controls):
            assert controls.words()
            assert game.events == before.events
    press(controls, "escape", "escape", "escape")
    assert awaits_a_command(controls)
