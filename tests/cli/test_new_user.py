"""Test what new users might do: other encodings, missing files, unfinished games."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from commands import data_of, printed, run
from games import at_random, play
from rollwise.cli.app import PANELS
from rollwise.game.position import format_position
from rollwise.rules import load_rules
from rollwise.solving.objective_parser import parse_objective
from rollwise.solving.solution import CARDS
from rollwise.solving.solver import solve

SMALL = ("--rules", "micro-yahtzee")
UNFINISHED = "players: Ada, Ben\nrules: micro-yahtzee\n5 double\n4 square\n"


def in_encoding(encoding: str, *arguments: str) -> str:
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
        there, here = in_encoding(encoding, *given), in_encoding("utf-8", *given)
        assert re.findall("[a-z0-9]+", there) == re.findall("[a-z0-9]+", here)

    def test_names_survive_in_json(self, tmp_path: Path) -> None:
        (path := tmp_path / "game.txt").write_text(UNFINISHED.replace("Ada", "Zoë 🎲"), "utf-8")
        ada, _ = json.loads(in_encoding("ascii", "review", str(path), "--json"))
        assert ada["player"] == "Zoë 🎲"
        assert "Zo\\xeb" in in_encoding("ascii", "review", str(path))


def test_help_lists_commands_by_purpose_on_one_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    lines = printed("--help").splitlines()
    assert len(lines) <= 40
    assert max(map(len, lines)) <= 80
    assert [line.strip("╭╮─ ") for line in lines if line.startswith("╭")] == list(PANELS)
    names = [line.split()[1] for line in lines if line.startswith("│")]
    assert names == [name for commands in PANELS.values() for name in commands]


class TestNoFileIsCreated:
    """Check that reading creates no file."""

    def test_no_saved_game(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("ROLLWISE_DATABASE", f"sqlite:///{tmp_path}/games.sqlite")
        assert run("history", "list", "--json") == (0, "[]\n", "")
        printed("history", "rating")
        assert not list(tmp_path.iterdir())

    def test_an_unwritable_cache_is_reported_once(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
    ) -> None:
        (path := tmp_path / "file").write_text("")
        monkeypatch.setenv("ROLLWISE_CACHE", str(path / "cache"))
        printed("advise", "4", *SMALL)
        (warning,) = (message for message in caplog.messages if "value table" in message)
        assert warning == (
            f"cannot save the value table in {path}/cache/rollwise: the path is not a folder; set "
            "ROLLWISE_CACHE to a folder that you can write"
        )


class TestReviews:
    def test_the_identity_holds_as_printed(self) -> None:
        output = printed("review", "-", typed=UNFINISHED)
        names = "points so far|value at the start|luck|lost through choices|expected final score"
        rows = {
            name: [float(cell) for cell in cells.replace("−", "-").split()]
            for name, cells in re.findall(rf"^({names})  (.*)$", output, flags=re.MULTILINE)
        }
        assert rows["points so far"] == [10, 16]
        for player in range(2):
            start, luck, lost, expected = (row[player] for row in list(rows.values())[1:])
            assert expected == pytest.approx(start + luck + lost, abs=0.016)

    def test_a_finished_game_has_a_score(self) -> None:
        output = printed("review", "-", typed="rules: micro-yahtzee\n5 double\n4 square\n")
        assert re.search(r"^score +26$", output, flags=re.MULTILINE)
        assert "expected final score" not in output


class TestManyPositions:
    LINES = ("4", "dice 5 | rolls-left 0 | card square=1", "", "6 | rolls-left 0")

    def test_each_position_has_the_same_output_as_alone(self) -> None:
        typed = "\n".join(self.LINES)
        out = printed("advise", "--file", "-", "--top", "2", *SMALL, typed=typed)
        answers = [json.loads(line) for line in out.splitlines()]
        for line, answer in zip(filter(None, self.LINES), answers, strict=True):
            single = data_of("advise", line, "--top", "2", *SMALL)
            assert answer == {key: single[key] for key in ("position", "options")}

    @pytest.mark.parametrize("objective", ["expected", "worst-case"])
    def test_a_batch_of_turns_equals_single_turns(self, objective: str) -> None:
        """Check that all digits agree, even if scorecards repeat or several batches are needed."""
        rules = load_rules("crag")
        positions = []
        for seed in range(20):
            game = play(rules, ["Player"], seed, at_random(seed), 1000)
            while game.events:
                game.pop()
                positions += [game.position] if game.position else []
        assert len({position.card for position in positions}) > CARDS
        lines = "\n".join(map(format_position, positions))
        given = ("advise", "--file", "-", "--rules", "crag", "--objective", objective)
        solution = solve(rules, parse_objective(objective), moments=True)
        for line, position in zip(
            printed(*given, typed=lines).splitlines(), positions, strict=True
        ):
            options = [option.as_dict(rules) for option in solution.options(position)]
            assert json.loads(line) == {"position": str(position), "options": options}

    def test_comments_and_a_byte_order_mark(self, tmp_path: Path) -> None:
        path = tmp_path / "positions.txt"
        path.write_text("# after the first turn\n\n4 | card double=8  # mine\n5\n", "utf-8-sig")
        out = printed("advise", "--file", str(path), *SMALL)
        positions = [json.loads(line)["position"] for line in out.splitlines()]
        assert [position.split(" | ")[0] for position in positions] == ["dice 4", "dice 5"]
