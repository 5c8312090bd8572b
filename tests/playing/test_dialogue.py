"""Test the dialogues of advisers as a library and on the command line."""

import json
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from commands import run
from games import play
from rollwise import solve
from rollwise.cli import greedy as greedy_command
from rollwise.errors import InputError
from rollwise.game.actions import Keep, Roll
from rollwise.game.dice_notation import format_dice
from rollwise.game.game import Game
from rollwise.game.notation import format_event
from rollwise.game.records.files import load_game
from rollwise.playing.bot import Bot
from rollwise.playing.dialogue import Dialogue
from rollwise.rules import Rules, load_rules
from rollwise.strategies import STRATEGIES, Optimal
from waiting import PATIENCE

YAMS = load_rules("yams")
GREEDY = [name for name in STRATEGIES if name.startswith("greedy")]
PROGRAM = (sys.executable, "-c", "from rollwise.cli import main; main()", "greedy")


def talk(rules: Rules = YAMS, name: str = "greedy-step-discounted") -> Dialogue:
    return Dialogue(Game(rules), STRATEGIES[name]())


def followed(rules: Rules, name: str, seed: int) -> tuple[Game, list[str]]:
    """Return a game in which the player follows all advice, and its rolls."""
    game = play(rules, ["Player"], seed, Bot(STRATEGIES[name](), rules).choose)
    rolls = (event.dice for event in game.events if isinstance(event, Roll))
    return game, [format_dice(rules, dice) for dice in rolls]


class TestDialogue:
    def test_a_turn(self) -> None:
        dialogue = talk()
        assert dialogue.due == "Turn 1 of 13, roll 1 of 3"
        assert (
            dialogue.answer("63161") == "reroll 113 (keep 66); expected points this turn: 21.5961"
        )
        assert dialogue.due == "Turn 1 of 13, roll 2 of 3"
        assert dialogue.answer("6 6 6 6 6").startswith("score yahtzee: 50 points, 50 in total")
        assert dialogue.due == "Turn 2 of 13, roll 1 of 3"

    @pytest.mark.parametrize(
        ("preset", "name"),
        [
            *(("yams", name) for name in GREEDY),
            *((preset, "greedy") for preset in ("crag", "micro-yahtzee", "yahtzee", "yamb-down")),
        ],
    )
    def test_the_advice_is_the_action_of_the_strategy(self, preset: str, name: str) -> None:
        rules = load_rules(preset)
        dialogue, (game, rolls) = talk(rules, name), followed(rules, name, 5)
        for roll in rolls:
            assert "; expected points this turn: " in dialogue.answer(roll)
        assert dialogue.game == game

    def test_another_action_than_advised(self) -> None:
        dialogue = talk()
        dialogue.answer("11366")
        assert dialogue.answer("keep 6") == "reroll 1136 (keep 6)"
        assert dialogue.answer("score ones") == "score ones: 2 points, 2 in total"
        dialogue.answer("23456")
        assert dialogue.answer("score luck") == "score luck: 20 points, 22 in total"
        with pytest.raises(InputError, match="ones is filled; choose one of twos, threes"):
            dialogue.answer("score ones")
        assert dialogue.game.card.points == 22

    def test_only_the_rolled_dice(self) -> None:
        dialogue = talk()
        dialogue.answer("11366")
        dialogue.answer("2 3 1")
        assert Roll((1, 2, 3, 6, 6)) in dialogue.game.events

    def test_undo(self) -> None:
        dialogue = talk()
        with pytest.raises(InputError, match="nothing to undo"):
            dialogue.answer("u")
        dialogue.answer("11366")
        dialogue.answer("12366")
        assert dialogue.answer("u") == "Undone."
        assert dialogue.game.events == (Roll((1, 1, 3, 6, 6)), Keep((6, 6)))
        dialogue.answer("66666")
        dialogue.answer("u")
        assert dialogue.game.card.points == 0

    @pytest.mark.parametrize(
        ("line", "words"),
        [
            ("1136", "expected 5 dice"),
            ("", "expected 5 dice"),
            ("é", "unknown category 'é'"),
            ("12 ones", "unknown category '12 ones'"),
            ("12345", "does not contain the kept dice 66; include them"),
            ("keep 2", "cannot keep 2"),
            ("keep", "expected 'keep DICE'"),
            ("score chance", "unknown category 'chance'"),
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
        with pytest.raises(InputError, match="there is no advice to replace yet"):
            talk().answer("score ones")

    def test_help_and_card(self) -> None:
        dialogue = talk()
        assert "undo the last line" in dialogue.answer("?")
        dialogue.answer("66666")
        assert "50" in dialogue.answer("card")

    @pytest.mark.parametrize("preset", ["yams", "crag", "micro-yahtzee", "kniffel-extreme"])
    def test_the_examples_of_the_help_work_in_every_game(self, preset: str) -> None:
        dialogue = talk(load_rules(preset))
        roll, keep, score = [
            line.rpartition("   ")[0].strip() for line in dialogue.answer("?").splitlines()[:3]
        ]
        dialogue.answer(roll)
        if dialogue.game.rules.rolls > 1:
            dialogue.answer(keep)
        dialogue.answer(score)
        with pytest.raises(InputError, match=re.escape(f"such as {roll}")):
            talk(load_rules(preset)).answer(score)


class TestSolution:
    """Test the dialogue of a solution."""

    @pytest.fixture
    def dialogue(self) -> Dialogue:
        rules = load_rules("micro-yahtzee")
        return Dialogue(Game(rules), Optimal(solve(rules, moments=True)))

    def test_options_and_a_reason(self, dialogue: Dialogue) -> None:
        lines = dialogue.answer("6").splitlines()
        assert lines[0].split() == ["option", "EV", "SD", "EV", "loss"]
        assert lines[1].split() == ["score", "square", "43.00", "3", "–"]
        assert lines[3].startswith("score square rather than score double: Square +")
        assert lines[-1] == "score square: 36 points, 36 in total"

    def test_titles_and_codes(self, dialogue: Dialogue) -> None:
        for line in ("Double", "d", "SCORE Double"):
            dialogue.answer("6")
            assert dialogue.answer(line) == "score double: 12 points, 12 in total"
            dialogue.answer("u")
            assert dialogue.game.lines == ["roll 6", "score square"]  # the roll and its advice
            dialogue.answer("u")
            assert dialogue.game.events == ()


class TestGreedy:
    """Test ``rollwise greedy`` without dice."""

    def ask(self, lines: str | bytes, *arguments: str) -> tuple[int, str, str]:
        return run("greedy", *arguments, typed=lines)

    def test_a_game_line_by_line_and_its_review(self, tmp_path: Path) -> None:
        """Check a whole game in a pipe between processes."""
        path = tmp_path / "game.txt"
        rules = "micro-yahtzee"
        _, rolls = followed(load_rules(rules), "greedy", 2)
        done = subprocess.run(
            [*PROGRAM, "--rules", rules, "--strategy", "greedy", "-o", str(path)],
            input="\n".join(["7", *rolls]), capture_output=True, text=True, timeout=PATIENCE,
        )  # fmt: skip
        assert done.returncode == 0
        lines = done.stdout.splitlines()
        assert lines[1].startswith("expected 1 die with")
        assert sum("score " in line for line in lines) == 2
        assert f"saved the game in {path}" in done.stderr
        assert load_game(path).is_over
        code, out, _ = run("review", str(path), "--json")
        assert code == 0
        assert json.loads(out)[0]["loss"] >= 0

    def test_the_optimal_actions(self, tmp_path: Path) -> None:
        """Compare the actions of a turn in a pipe with the advice for its positions."""
        path, crag = tmp_path / "game.txt", ("--rules", "crag")
        self.ask("125\n455\n", *crag, "--strategy", "optimal", "-o", str(path))
        game = load_game(path)
        advised = [format_event(game.rules, game.events[n]) for n in (1, 3)]
        for action, roll, left in zip(advised, ("125", "455"), "10", strict=True):
            options = json.loads(run("advise", roll, "--rolls-left", left, *crag, "--json")[1])
            assert options["options"][0]["action"] == action

    @pytest.mark.parametrize("strategy", ["optimal:target:30", "normal:30", "random"])
    def test_any_strategy_can_advise(self, strategy: str) -> None:
        _, out, _ = self.ask("6\n", "--rules", "micro-yahtzee", "--strategy", strategy)
        assert f": {strategy}. Type each roll" in out
        assert "points, " in out

    def test_a_strategy_for_other_games(self) -> None:
        _, out, _ = self.ask("11366\n66666\n", "--strategy", "one-page")
        assert out.count("one-page plays only the categories of Yahtzee") == 2

    def test_prompts_in_a_terminal(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.in_a_terminal(monkeypatch)
        path = tmp_path / "game.txt"
        code, out, err = self.ask("1136\n11366\n66666\nu\n66123\nq\n", "-o", str(path))
        assert code == 0
        first, *rest = re.split(r"(Turn \d+ of 13, roll \d of 3): ", out)
        assert "greedy-step-discounted. Type each roll" in first
        responses = [text.partition(";")[0].strip() for text in rest[1::2]]
        assert list(zip(rest[::2], responses, strict=True)) == [
            ("Turn 1 of 13, roll 1 of 3", "expected 5 dice with faces 1 to 6, got 4 in '1136'"),
            ("Turn 1 of 13, roll 1 of 3", "reroll 113 (keep 66)"),
            ("Turn 1 of 13, roll 2 of 3", "score yahtzee: 50 points, 50 in total"),
            ("Turn 2 of 13, roll 1 of 3", "Undone."),
            ("Turn 1 of 13, roll 2 of 3", "reroll 123 (keep 66)"),
            ("Turn 1 of 13, roll 3 of 3", ""),
        ]
        assert f"saved the game in {path}" in err
        assert [event.dice for event in load_game(path).events if isinstance(event, Roll)] == [
            (1, 1, 3, 6, 6),
            (1, 2, 3, 6, 6),
        ]

    @pytest.mark.parametrize("interrupt", [EOFError, KeyboardInterrupt])
    def test_leaving_saves_the_game(
        self, interrupt: type[BaseException], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        lines = iter(["11366"])

        def read_line(prompt: str) -> str:
            for line in lines:
                return line
            raise interrupt

        monkeypatch.setattr("builtins.input", read_line)
        path = tmp_path / "game.json"
        code, _, err = self.ask("", "-o", str(path))
        assert code == 0
        assert f"saved the game in {path}" in err
        assert load_game(path).events == (Roll((1, 1, 3, 6, 6)), Keep((6, 6)))

    def test_invalid_utf8(self) -> None:
        code, _, err = self.ask(b"11366\n\xff\xfe\n")
        assert code == 2
        assert "Standard input is not UTF-8 text." in err

    def test_no_file_without_a_roll(self, tmp_path: Path) -> None:
        path = tmp_path / "game.txt"
        assert self.ask("u\nq\n", "-o", str(path))[0] == 0
        assert not path.exists()

    def in_a_terminal(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Let the dialogue believe that it reads from a terminal."""
        terminal = SimpleNamespace(isatty=lambda: True)
        monkeypatch.setattr(greedy_command, "sys", SimpleNamespace(stdin=terminal))
