"""Test what new users might do: other encodings, typing errors, missing files, unfinished games."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from commands import run
from games import at_random, play
from rollwise.cli.app import PANELS
from rollwise.game.position import format_position
from rollwise.rules import load_rules
from rollwise.solving.objective_parser import parse_objective
from rollwise.solving.solution import CARDS
from rollwise.solving.solver import solve

SMALL = ("--rules", "micro-yahtzee")
UNFINISHED = "players: Ada, Ben\nrules: micro-yahtzee\n5 double\n4 square\n"


def printed(encoding: str, *arguments: str) -> str:
    """Run a command with standard output in an encoding, and return the output."""
    code, out, err = run(*arguments, encoding=encoding)
    assert (code, err) == (0, "")
    return out


class TestEncodings:
    """Test encodings that lack the minus sign, such as the encoding of a pipe on Windows."""

    def test_a_pipe(self, tmp_path: Path) -> None:
        (path := tmp_path / "game.txt").write_text(UNFINISHED)
        done = subprocess.run(
            [sys.executable, "-m", "rollwise", "review", str(path), "--quiet"],
            env={**os.environ, "PYTHONIOENCODING": "cp1252"},
            capture_output=True,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, b"")
        assert b"best was score double (Double +1.00, but Square -0.83)" in done.stdout

    @pytest.mark.parametrize("encoding", ["cp1252", "latin-1", "ascii", "cp437"])
    @pytest.mark.parametrize("command", ["report", "review", "advise", "--help"])
    def test_no_word_is_lost(self, encoding: str, command: str, tmp_path: Path) -> None:
        (path := tmp_path / "game.txt").write_text(UNFINISHED)
        given = {
            "report": ("report", *SMALL),
            "review": ("review", str(path)),
            "advise": ("advise", "4", *SMALL),
            "--help": ("advise", "--help"),
        }[command]
        there, here = printed(encoding, *given), printed("utf-8", *given)
        assert re.findall("[a-z0-9]+", there) == re.findall("[a-z0-9]+", here)

    def test_names_survive_in_json(self, tmp_path: Path) -> None:
        (path := tmp_path / "game.txt").write_text(UNFINISHED.replace("Ada", "Zoë 🎲"), "utf-8")
        ada, _ = json.loads(printed("ascii", "review", str(path), "--json"))
        assert ada["player"] == "Zoë 🎲"
        assert "Zo\\xeb" in printed("ascii", "review", str(path))

    def test_dice_as_unicode_characters(self) -> None:
        assert run("advise", "⚃", *SMALL) == run("advise", "4", *SMALL)


class TestPlayers:
    @pytest.mark.parametrize("command", ["practice", "history rating"])
    def test_an_unknown_player_is_an_error(self, command: str) -> None:
        code, out, err = run(*command.split(), "--name", "Nobody", *SMALL)
        assert (code, out) == (2, "")
        assert err == "error: 'Nobody' has no finished game of micro-yahtzee. Play one first.\n"


class TestListOfCommands:
    def test_help_lists_commands_by_purpose_on_one_screen(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("COLUMNS", "80")
        lines = run("--help")[1].splitlines()
        assert len(lines) <= 40
        assert max(map(len, lines)) <= 80
        assert [line.strip("╭╮─ ") for line in lines if line.startswith("╭")] == list(PANELS)
        names = [line.split()[1] for line in lines if line.startswith("│")]
        assert names == [name for commands in PANELS.values() for name in commands]

    @pytest.mark.parametrize(
        ("word", "command"),
        [
            ("chance", "odds"), ("distribution", "report"), ("judge", "compare"),
            ("match", "simulate"), ("plan", "solve"), ("proficiency", "history"),
            ("rating", "history"), ("trivia", "report"), ("worst-game", "report"),
        ],
    )  # fmt: skip
    def test_a_keyword_suggests_its_command(self, word: str, command: str) -> None:
        assert run(word)[2] == f"error: Unknown command '{word}'. Did you mean '{command}'?\n"


class TestNoFileIsCreated:
    """Check that reading creates no file, and that a wrong path creates no folder."""

    @pytest.mark.parametrize(
        "arguments",
        [
            ["history", "list", "--database", "sqlite:///{}/none/x.db"],
            ["history", "rating", "--database", "sqlite:///{}/x.db"],
            ["practice", "--database", "sqlite:///{}/x.db"],
            ["history", "export", "{}/none/all.json"],
            ["simulate", *SMALL, "-o", "{}/none/x.csv"],
            ["tree", *SMALL, "--dot", "{}/none/x.dot"],
            ["review", "{}/game.txt", "--html", "{}/none/x.html"],
        ],
        ids=lambda arguments: " ".join(arguments[:2]),
    )
    def test_a_wrong_path(self, arguments: list[str], tmp_path: Path) -> None:
        (tmp_path / "game.txt").write_text(UNFINISHED)
        code, out, err = run(*(argument.format(tmp_path) for argument in arguments))
        assert (code, out) == (2, "")
        assert err.startswith("error: ")
        assert [path.name for path in tmp_path.iterdir()] == ["game.txt"]

    def test_no_saved_game(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("ROLLWISE_DATABASE", f"sqlite:///{tmp_path}/games.sqlite")
        assert run("history", "list", "--json") == (0, "[]\n", "")
        assert run("history", "rating")[0] == 0
        assert not list(tmp_path.iterdir())

    def test_an_unwritable_cache_is_reported_once(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
    ) -> None:
        (path := tmp_path / "file").write_text("")
        monkeypatch.setenv("ROLLWISE_CACHE", str(path / "cache"))
        assert run("advise", "4", *SMALL)[0] == 0
        (warning,) = (message for message in caplog.messages if "value table" in message)
        assert warning == (
            f"cannot save the value table in {path}/cache/rollwise: the path is not a folder; set "
            "ROLLWISE_CACHE to a folder that you can write"
        )


class TestReviews:
    def test_the_identity_holds_as_printed(self, tmp_path: Path) -> None:
        (path := tmp_path / "game.txt").write_text(UNFINISHED)
        output = run("review", str(path))[1]
        names = "points so far|value at the start|luck|lost through choices|expected final score"
        rows = {
            name: [float(cell) for cell in cells.replace("−", "-").split()]
            for name, cells in re.findall(rf"^({names})  (.*)$", output, flags=re.MULTILINE)
        }
        assert rows["points so far"] == [10, 16]
        for player in range(2):
            start, luck, lost = (
                rows[name][player]
                for name in ("value at the start", "luck", "lost through choices")
            )
            expected = rows["expected final score"][player]
            assert expected == pytest.approx(start + luck + lost, abs=0.016)

    def test_a_finished_game_has_a_score(self, tmp_path: Path) -> None:
        (path := tmp_path / "game.txt").write_text("rules: micro-yahtzee\n5 double\n4 square\n")
        output = run("review", str(path))[1]
        assert re.search(r"^score +26$", output, flags=re.MULTILINE)
        assert "expected final score" not in output


class TestManyPositions:
    LINES = ("4", "dice 5 | rolls-left 0 | card square=1", "", "6 | rolls-left 0")

    def test_each_position_has_the_same_output_as_alone(self, tmp_path: Path) -> None:
        (path := tmp_path / "positions.txt").write_text("\n".join(self.LINES))
        code, out, _ = run("advise", "--file", str(path), "--top", "2", *SMALL)
        assert code == 0
        answers = [json.loads(line) for line in out.splitlines()]
        for line, answer in zip(filter(None, self.LINES), answers, strict=True):
            single = json.loads(run("advise", line, "--top", "2", "--json", *SMALL)[1])
            assert answer == {key: single[key] for key in ("position", "options")}

    @pytest.mark.parametrize("objective", ["expected", "worst-case"])
    def test_a_batch_of_turns_equals_single_turns(self, objective: str, tmp_path: Path) -> None:
        """Check that all digits agree, even if scorecards repeat or several batches are needed."""
        rules = load_rules("crag")
        positions = []
        for seed in range(20):
            game = play(rules, ["Player"], seed, at_random(seed), 1000)
            while game.events:
                game.pop()
                positions += [game.position] if game.position else []
        assert len({position.card for position in positions}) > CARDS
        (path := tmp_path / "positions.txt").write_text("\n".join(map(format_position, positions)))
        output = run("advise", "--file", str(path), "--rules", "crag", "--objective", objective)[1]
        solution = solve(rules, parse_objective(objective), moments=True)
        for line, position in zip(output.splitlines(), positions, strict=True):
            options = [option.as_dict(rules) for option in solution.options(position)]
            assert json.loads(line) == {"position": str(position), "options": options}

    def test_comments_and_a_byte_order_mark(self, tmp_path: Path) -> None:
        path = tmp_path / "positions.txt"
        path.write_text("# after the first turn\n\n4 | card double=8  # mine\n5\n", "utf-8-sig")
        code, out, _ = run("advise", "--file", str(path), *SMALL)
        positions = [json.loads(line)["position"] for line in out.splitlines()]
        assert code == 0
        assert [position.split(" | ")[0] for position in positions] == ["dice 4", "dice 5"]
