"""Robustness for new users: encodings, typing errors, missing files, and unfinished games."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from commands import run
from games import at_random, play
from rollwise.cli import app
from rollwise.game.notation import format_position
from rollwise.rules import load_rules
from rollwise.solving.objective_parser import parse_objective
from rollwise.solving.solution import CARDS
from rollwise.solving.solver import solve

COUNT = "expected a whole number of 1 or more"
SMALL = ("--rules", "micro-yahtzee")
UNFINISHED = "players: Ada, Ben\nrules: micro-yahtzee\n5 double\n4 square\n"


def printed(encoding: str, *arguments: str) -> str:
    """Run a command with standard output in an encoding, and return the output."""
    done = CliRunner(charset=encoding).invoke(app, list(arguments))
    assert (done.exit_code, done.stderr) == (0, "")
    return done.stdout


class TestEncodings:
    """A pipe on Windows can encode 256 characters, without the minus sign."""

    def test_a_pipe(self, tmp_path: Path) -> None:
        (path := tmp_path / "game.txt").write_text(UNFINISHED)
        done = subprocess.run(
            [sys.executable, "-m", "rollwise", "review", str(path), "--quiet"],
            env={**os.environ, "PYTHONIOENCODING": "cp1252"},
            capture_output=True,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, b"")
        assert b"best was score double because of Double +1.00, but Square -0.83" in done.stdout

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


class TestNames:
    """The error for a misspelled name suggests similar names."""

    @pytest.mark.parametrize(
        ("arguments", "words"),
        [
            (["advize", "11366"], "expected a command, perhaps advise"),
            (["history", "lst"], "expected a command, perhaps list"),
            (["advise", "11366", "--tob", "3"], "expected an option, perhaps --top"),
            (["advise", "11366", "--card", "fullhouse=25"], "perhaps full-house"),
            (["advise", "11366", "--card", "one=3"], "perhaps ones"),
            (["advise", "11366", "--rules", "yatzy", "--card", "pair=8"], "perhaps one-pair"),
            (["advise", "11366", "--rules", "yatsy"], "perhaps yatzy"),
            (["report", "--strategy", "greddy"], "perhaps greedy"),
            (["report", "--objective", "worstcase"], "perhaps worst-case"),
            (["greedy", "11366", "--strategy", "gredy-step"], "perhaps greedy-step"),
        ],
    )
    def test_suggestions(self, arguments: list[str], words: str) -> None:
        code, out, err = run(*arguments)
        assert (code, out) == (2, "")
        assert words in err

    @pytest.mark.parametrize("command", ["practice", "proficiency"])
    def test_an_unknown_player_is_an_error(self, command: str) -> None:
        code, out, err = run(command, "--name", "Nobody", *SMALL)
        assert (code, out) == (2, "")
        assert err == "error: no game of 'Nobody' in micro-yahtzee: expected one by rollwise play\n"


class TestArgumentErrors:
    """Errors in arguments look like all other errors, and repeat the argument."""

    @pytest.mark.parametrize(
        ("arguments", "sentence"),
        [
            (["simulate", "--games", "abc"], f"--games: {COUNT}, got 'abc'"),
            (["simulate", "--games", "0"], f"--games: {COUNT}, got '0'"),
            (["frontier", "stopping", "x"], "SCORE: expected a whole number, got 'x'"),
            (
                ["report", "--ties", "so"],
                "--ties: expected one of more-dice, fewer-dice, all, got 'so'",
            ),
            (["simulate", "--games"], "--games: expected a value"),
            (["chance", "00001", "--dice", "0"], f"--dice: {COUNT}, got '0'"),
            (
                ["rules", "show", "nosuch"],
                "'nosuch': no such rules: expected a file.toml, or a name out of rollwise rules "
                "list",
            ),
            (
                ["advise", "4", "--rules", "nosuch.toml"],
                "nosuch.toml: cannot be read: No such file or directory; expected a rule file",
            ),
            (["solve", "--json=3"], "--json: expected no value"),
            (
                ["advise", "11366", "--objective", "beat:0*optimal"],
                "expected a number of opponents from 1 to 1000000, got '0'",
            ),
            (
                ["advise", "11366", "--objective", "target:1e400"],
                "expected a score from 1 to 999999999, got '1e400'",
            ),
            (
                ["advise", "11366", "--card", "ones=9999999"],
                "expected the points of ones as a whole number up to 999999, got '9999999'",
            ),
        ],
    )  # fmt: skip
    def test_the_error_is_one_sentence(self, arguments: list[str], sentence: str) -> None:
        assert run(*arguments) == (2, "", f"error: {sentence}\n")

    def test_missing_arguments(self) -> None:
        error = "error: expected DICE|POSITION, or --file: see rollwise advise --help\n"
        assert run("advise")[2] == error
        assert run("frontier", "stopping")[2].startswith("error: expected SCORE: see ")

    def test_help_lists_commands_by_panel(self) -> None:
        out = run("--help")[1]
        panels = ["Ask", "Play", "Judge", "Study", "Rules of your own", "Service"]
        assert re.findall(r"─ ([A-Z][\w ]*) ─", out) == ["Options", *panels]
        examples = out[: out.index("Options")]
        assert len(re.findall(r"^ +rollwise ", examples, flags=re.MULTILINE)) == 3


class TestNoFileIsCreated:
    """Reading creates no file, and a wrong path creates no folder."""

    @pytest.mark.parametrize(
        "arguments",
        [
            ["history", "list", "--database", "sqlite:///{}/none/x.db"],
            ["proficiency", "--database", "sqlite:///{}/x.db"],
            ["practice", "--database", "sqlite:///{}/x.db"],
            ["history", "export", "{}/none/all.json"],
            ["simulate", *SMALL, "--log", "{}/none/x.csv"],
            ["rules", "page", "micro-yahtzee", "-o", "{}/none/x.md"],
            ["tree", *SMALL, "--dot", "{}/none/x.dot"],
            ["review", "{}/game.txt", "--html", "{}/none/x.html"],
        ],
        ids=lambda arguments: " ".join(arguments[:2]),
    )
    def test_a_wrong_path(self, arguments: list[str], tmp_path: Path) -> None:
        (tmp_path / "game.txt").write_text(UNFINISHED)
        code, out, err = run(*(argument.format(tmp_path) for argument in arguments))
        assert (code, out) == (2, "")
        assert "expected" in err
        assert [path.name for path in tmp_path.iterdir()] == ["game.txt"]

    def test_no_saved_game(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("ROLLWISE_DATABASE", f"sqlite:///{tmp_path}/games.sqlite")
        assert run("history", "list", "--json") == (0, "[]\n", "")
        assert run("proficiency")[0] == 0
        assert not list(tmp_path.iterdir())

    def test_an_unwritable_cache_is_reported_once(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
    ) -> None:
        (path := tmp_path / "file").write_text("")
        monkeypatch.setenv("ROLLWISE_CACHE", str(path / "cache"))
        assert run("advise", "4", *SMALL)[0] == 0
        warnings = [message for message in caplog.messages if "could not be kept" in message]
        assert len(warnings) == 1

    def test_a_file_with_the_name_of_the_plot_folder(self, tmp_path: Path) -> None:
        (path := tmp_path / "pictures").write_text("")
        code, _, err = run("report", *SMALL, "--plot", str(path))
        assert (code, err) == (
            2,
            f"error: {path}: expected a folder for several pictures, got a file\n",
        )


class TestReviews:
    @pytest.mark.parametrize(("name", "text"), [("e.txt", ""), ("e.txt", "\n"), ("e.json", "{}")])
    def test_an_empty_record_is_an_error(self, name: str, text: str, tmp_path: Path) -> None:
        (path := tmp_path / name).write_text(text)
        code, out, err = run("review", str(path))
        assert (code, out) == (2, "")
        assert "expected" in err

    def test_the_identity_holds_as_printed(self, tmp_path: Path) -> None:
        (path := tmp_path / "game.txt").write_text(UNFINISHED)
        output = run("review", str(path))[1]
        names = "points so far|value at the start|luck|lost by decisions|expected final score"
        rows = {
            name: [float(cell) for cell in cells.replace("−", "-").split()]
            for name, cells in re.findall(rf"^({names})  (.*)$", output, flags=re.MULTILINE)
        }
        assert rows["points so far"] == [10, 16]
        for player in range(2):
            start, luck, lost = (
                rows[name][player] for name in ("value at the start", "luck", "lost by decisions")
            )
            expected = rows["expected final score"][player]
            assert expected == pytest.approx(start + luck + lost, abs=0.016)

    def test_a_finished_game_has_a_score(self, tmp_path: Path) -> None:
        (path := tmp_path / "game.txt").write_text("rules: micro-yahtzee\n5 double\n4 square\n")
        output = run("review", str(path))[1]
        assert re.search(r"^score +26$", output, flags=re.MULTILINE)
        assert "expected final score" not in output


def test_ties_of_an_objective_are_ordered_by_the_expected_score() -> None:
    out = run("advise", "11366", "--rules", "yahtzee", "--objective", "worst-case", "--json")[1]
    options = json.loads(out)["options"]
    best = [option["expected"] for option in options if option["best"]]
    assert len(best) > 1
    assert best == sorted(best, reverse=True)
    assert options[0]["action"] == "keep 66"


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
        """All digits agree, with repeated scorecards and with more scorecards than one batch."""
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

    @pytest.mark.parametrize(
        ("text", "words"), [(b"4\n9\n", "line 2: expected"), (b"\xff", "UTF-8")]
    )
    def test_an_error_is_reported_before_any_output(
        self, text: bytes, words: str, tmp_path: Path
    ) -> None:
        (path := tmp_path / "positions.txt").write_bytes(text)
        code, out, err = run("advise", "--file", str(path), *SMALL)
        assert (code, out) == (2, "")
        assert words in err

    def test_one_position_or_a_file(self, tmp_path: Path) -> None:
        assert "expected one or the other" in run("advise", "4", "--file", "x.txt", *SMALL)[2]
