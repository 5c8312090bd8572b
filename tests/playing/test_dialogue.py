"""The greedy player's dialogue as a library, in a pipe, and in a terminal."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from commands import run
from rollwise.errors import InputError
from rollwise.game.actions import Keep
from rollwise.game.events import Roll
from rollwise.game.game import Game, fair_roll
from rollwise.game.notation import format_dice
from rollwise.game.records.files import load_record
from rollwise.playing.bot import Bot
from rollwise.playing.dialogue import Dialogue
from rollwise.rules import Rules, load_rules
from rollwise.strategies import STRATEGIES, Greedy
from terminals import Terminal
from waiting import PATIENCE

YAMS = load_rules("yams")
GREEDY = [name for name in STRATEGIES if name.startswith("greedy")]
PROGRAM = (sys.executable, "-c", "from rollwise.cli import app; app()", "greedy")


def talk(rules: Rules = YAMS, name: str = "greedy-step-discounted") -> Dialogue:
    player = STRATEGIES[name]()
    assert isinstance(player, Greedy)
    return Dialogue(rules, player)


def hands(rules: Rules, name: str, seed: int) -> list[str]:
    """Return the rolls of a seeded game in which the player follows all advice."""
    game, bot, rolls = Game(rules), Bot(STRATEGIES[name](), rules), []
    while not game.is_over:
        roll = fair_roll(game, seed)
        rolls.append(format_dice(rules, roll.dice))
        game.push(roll)
        assert game.position is not None
        game.push(bot.action(game.position))
    return rolls


class TestDialogue:
    def test_a_turn(self) -> None:
        dialogue = talk()
        assert dialogue.due == "Turn 1 of 13, roll 1 of 3"
        assert dialogue.answer("63161") == "roll 113 again (keep 66), expected 21.5961"
        assert dialogue.due == "Turn 1 of 13, roll 2 of 3"
        assert dialogue.answer("6 6 6 6 6").startswith("score yahtzee: 50 points, 50 in all")
        assert dialogue.due == "Turn 2 of 13, roll 1 of 3"

    @pytest.mark.parametrize("name", GREEDY)
    def test_the_advice_is_the_action_of_the_strategy(self, name: str) -> None:
        dialogue, bot = talk(name=name), Bot(STRATEGIES[name](), YAMS)
        for roll in hands(YAMS, name, 5):
            dialogue.answer(roll)
            *before, action = dialogue.game.events
            position = Game(YAMS, events=before).position
            assert position is not None
            assert action == bot.action(position)
        assert dialogue.game.is_over

    @pytest.mark.parametrize("preset", ["crag", "micro-yahtzee", "yahtzee", "yamb-down"])
    def test_any_rules(self, preset: str) -> None:
        rules = load_rules(preset)
        dialogue = talk(rules)
        for roll in hands(rules, "greedy-step-discounted", 3):
            assert ", expected " in dialogue.answer(roll)
        assert dialogue.game.is_over
        assert dialogue.record.is_over

    def test_another_action_than_advised(self) -> None:
        dialogue = talk()
        dialogue.answer("11366")
        assert dialogue.answer("keep 6") == "roll 1136 again (keep 6)"
        assert dialogue.answer("score ones") == "score ones: 2 points, 2 in all"
        dialogue.answer("23456")
        assert dialogue.answer("score luck") == "score luck: 20 points, 22 in all"
        with pytest.raises(InputError, match="cannot score ones here"):
            dialogue.answer("score ones")
        assert dialogue.game.card.points == 22

    def test_undo(self) -> None:
        dialogue = talk()
        with pytest.raises(InputError, match="nothing to undo"):
            dialogue.answer("u")
        dialogue.answer("11366")
        dialogue.answer("12366")
        assert dialogue.answer("u") == "Taken back."
        assert dialogue.game.events == (Roll((1, 1, 3, 6, 6)), Keep((6, 6)))
        dialogue.answer("66666")
        dialogue.answer("u")
        assert dialogue.game.card.points == 0

    @pytest.mark.parametrize(
        ("line", "words"),
        [
            ("1136", "expected 5 dice"),
            ("", "expected 5 dice"),
            ("é", "expected 5 dice"),
            ("12345", "expected the kept 66 in it"),
            ("keep 2", "cannot keep 2"),
            ("keep", "expected 'keep DICE'"),
            ("score chance", "no category 'chance'"),
        ],
    )
    def test_bad_lines_change_nothing(self, line: str, words: str) -> None:
        dialogue = talk()
        dialogue.answer("11366")
        before = dialogue.game.events
        with pytest.raises(InputError, match=words):
            dialogue.answer(line)
        assert dialogue.game.events == before

    def test_no_action_before_the_first_advice(self) -> None:
        with pytest.raises(InputError, match="nothing is advised yet"):
            talk().answer("score ones")

    def test_help_and_card(self) -> None:
        dialogue = talk()
        assert "take back" in dialogue.answer("?")
        dialogue.answer("66666")
        assert "50" in dialogue.answer("card")


class TestPipe:
    def ask(self, lines: bytes, *arguments: str) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            (*PROGRAM, *arguments), input=lines, capture_output=True, timeout=PATIENCE
        )

    def test_a_game_line_by_line_and_its_review(self, tmp_path: Path) -> None:
        path = tmp_path / "game.txt"
        rules = "micro-yahtzee"
        rolls = hands(load_rules(rules), "greedy", 2)
        text = "\n".join(["7", *rolls]).encode()
        done = self.ask(text, "--rules", rules, "--strategy", "greedy", "-o", str(path))
        assert done.returncode == 0
        lines = done.stdout.decode().splitlines()
        assert lines[1].startswith("expected 1 dice")
        assert sum("score " in line for line in lines) == 2
        assert f"the game stands in {path}" in done.stderr.decode()
        assert load_record(path).is_over
        code, out, _ = run("review", str(path), "--json")
        assert code == 0
        assert json.loads(out)[0]["loss"] >= 0

    def test_the_end_of_input_saves_the_game(self, tmp_path: Path) -> None:
        path = tmp_path / "game.json"
        done = self.ask(b"11366\n", "-o", str(path))
        assert done.returncode == 0
        assert load_record(path).events == (Roll((1, 1, 3, 6, 6)), Keep((6, 6)))

    def test_invalid_utf8(self, tmp_path: Path) -> None:
        done = self.ask(b"11366\n\xff\xfe\n")
        assert done.returncode in (0, 2)
        assert b"Traceback" not in done.stderr

    def test_no_file_without_a_roll(self, tmp_path: Path) -> None:
        path = tmp_path / "game.txt"
        assert self.ask(b"u\nq\n", "-o", str(path)).returncode == 0
        assert not path.exists()

    @pytest.mark.parametrize(
        ("arguments", "words"),
        [
            (("--json",), "expected its dice"),
            (("--card", "sixes=18"), "expected its dice"),
            (("11366", "-o", "game.txt"), "expected no dice"),
            (("--strategy", "optimal"), "expected one of greedy"),
        ],
    )
    def test_invalid_options(self, arguments: tuple[str, ...], words: str) -> None:
        code, _, error = run("greedy", *arguments)
        assert code == 2
        assert words in error


def talking(*arguments: str) -> Terminal:
    """Start ``rollwise greedy`` in a terminal."""
    return Terminal("greedy", *arguments)


def say(terminal: Terminal, line: str, words: str) -> None:
    """Type a line, and wait for words of the response."""
    terminal.type(f"{line}\n")
    terminal.wait_for(words)


class TestTerminal:
    def test_a_dialogue(self, tmp_path: Path) -> None:
        path = tmp_path / "game.txt"
        terminal = talking("-o", str(path))
        terminal.wait_for("Turn 1 of 13, roll 1 of 3: ")
        say(terminal, "1136", "expected 5 dice with faces 1 to 6, got 4 in '1136'")
        terminal.wait_for("Turn 1 of 13, roll 1 of 3: ")
        say(terminal, "11366", "roll 113 again (keep 66), expected 21.5961")
        terminal.wait_for("Turn 1 of 13, roll 2 of 3: ")
        say(terminal, "66666", "score yahtzee: 50 points")
        terminal.wait_for("Turn 2 of 13, roll 1 of 3: ")
        say(terminal, "u", "Taken back.")
        terminal.wait_for("Turn 1 of 13, roll 2 of 3: ")
        say(terminal, "66123", "Turn 1 of 13, roll 3 of 3: ")
        say(terminal, "q", "the game stands in")
        assert terminal.ended() == 0
        assert [event.dice for event in load_record(path).events if isinstance(event, Roll)] == [
            (1, 1, 3, 6, 6),
            (1, 2, 3, 6, 6),
        ]

    def test_a_whole_game(self, tmp_path: Path) -> None:
        path, rules = tmp_path / "game.txt", "micro-yahtzee"
        terminal = talking("--rules", rules, "--strategy", "greedy", "-o", str(path))
        for roll in hands(load_rules(rules), "greedy", 2):
            terminal.wait_for(": ")
            say(terminal, roll, "expected ")
        terminal.wait_for("the game stands in")
        assert terminal.ended() == 0
        assert load_record(path).is_over

    # If a signal arrives after input() has written its prompt and before it waits for the line,
    # CPython handles it only after the next line. So a line follows Ctrl-C.
    @pytest.mark.parametrize("key", ["\x04", "\x03\n"], ids=["Ctrl-D", "Ctrl-C"])
    def test_leaving_saves_the_game(self, key: str, tmp_path: Path) -> None:
        path = tmp_path / "game.txt"
        terminal = talking("-o", str(path))
        terminal.wait_for("roll 1 of 3: ")
        say(terminal, "11366", "roll 2 of 3: ")
        terminal.type(key)
        terminal.wait_for("the game stands in")
        assert terminal.ended() == 0
        assert len(load_record(path).events) == 2
