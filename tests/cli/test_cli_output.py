"""Test the output of users' titles and paths, and errors when output or memory allocation fails."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from commands import run


class TestOutputThatFails:
    """Tests that run a separate process, because errors can occur while Python exits."""

    COMMANDS = (
        ["rules", "show", "yahtzee"], ["rules", "list", "--json"], ["--help"], ["tree", "--help"],
        ["tree"], ["cache", "path"], ["--version"],
    )  # fmt: skip

    @staticmethod
    def start(command: list[str], **streams: Any) -> subprocess.Popen[str]:
        program = [sys.executable, "-m", "rollwise", *command]
        return subprocess.Popen(program, stderr=subprocess.PIPE, text=True, **streams)

    @pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
    def test_a_closed_pipe(self, command: list[str]) -> None:
        with self.start(command, stdout=subprocess.PIPE) as process:
            assert process.stdout
            assert process.stderr
            process.stdout.close()
            err = process.stderr.read()
        assert (process.returncode, err) == (0, "")

    @pytest.mark.skipif(not Path("/dev/full").exists(), reason="no full device here")
    @pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
    def test_a_full_disk(self, command: list[str]) -> None:
        with Path("/dev/full").open("w") as full, self.start(command, stdout=full) as process:
            assert process.stderr
            err = process.stderr.read()
        assert process.returncode == 2
        assert err == (
            "error: cannot write the output: No space left on device. "
            "Write to another file or pipe.\n"
        )

    def test_no_output_at_all(self) -> None:
        command = f"exec '{sys.executable}' -m rollwise solve --rules micro-yahtzee --json >&-"
        closed = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
        assert (closed.returncode, closed.stderr) == (0, "")

    def test_no_memory(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def exhausted(rules: object) -> None:
            raise MemoryError

        monkeypatch.setattr("rollwise.studies.game_tree.game_size", exhausted)
        code, out, err = run("tree")
        assert (code, out) == (2, "")
        assert err.startswith("error: Out of memory. Choose a smaller game")


ODD_GAME = """
name = "odd"
title = "[bold]x[/foo] :game_die:"
dice = 1
faces = 3
rolls = 2
about = "[/red] in words"
sources = ["[link=x]the book[/b]"]
[[categories]]
key = "any"
title = "[/any] [red]"
pattern = { kind = "any" }
points = "total"
"""


class TestUserText:
    """Check that brackets and colons in titles and paths are printed unchanged."""

    @pytest.mark.parametrize(
        "command",
        [
            ["report"], ["solve"], ["tree"], ["worst-game"], ["advise", "2"],
            ["rules", "show"], ["rules", "check"],
        ],
        ids=lambda command: command[-1],
    )  # fmt: skip
    def test_titles(self, command: list[str], tmp_path: Path) -> None:
        path = tmp_path / "[odd].toml"
        path.write_text(ODD_GAME)
        code, out, _ = run(*command, *(["--rules"] if command[0] != "rules" else []), str(path))
        assert code == 0
        assert "[bold]x[/foo] :game_die:" in out
        if command[0] in ("report", "worst-game") or command[-1] == "show":
            assert "[/any] [red]" in out
        if command[-1] == "show":
            assert "[/red] in words" in out
            assert "Source: [link=x]the book[/b]" in out
        if command[-1] == "check":
            assert "[odd].toml: no mistakes" in out

    def test_paths_in_errors(self) -> None:
        assert "[/x].toml" in run("rules", "check", "[/x].toml")[2]
