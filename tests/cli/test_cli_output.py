"""Test output to pipes and terminals of any width and encoding, and output that fails."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from command_screens import shown
from commands import error_of, printed, run
from rollwise.game.records.files import load_game
from rollwise.rules import load_rules
from terminals import Terminal

SMALL = ("--rules", "micro-yahtzee")
UNFINISHED = "players: Ada, Ben\nrules: micro-yahtzee\n5 double\n4 square\n"
GAME = "rules: micro-yahtzee\n5 double\n4 square\n"


class TestOutputThatFails:
    """Tests that run a separate process, because errors can occur while Python exits."""

    COMMANDS = (
        ["rules", "show", "yahtzee"], ["rules", "list", "--json"], ["--help"], ["tree"],
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
        assert error_of("tree").startswith("Out of memory. Choose a smaller game")


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
            ["report"], ["solve"], ["tree"], ["report", "--worst"],
            ["advise", "2"], ["rules", "show"], ["rules", "check"],
        ],
        ids=lambda command: command[-1],
    )  # fmt: skip
    def test_titles(self, command: list[str], tmp_path: Path) -> None:
        path = tmp_path / "[odd].toml"
        path.write_text(ODD_GAME)
        rules = [] if command[0] == "rules" else ["--rules"]
        out = printed(*command, *rules, str(path))
        assert "[bold]x[/foo] :game_die:" in out
        if command[0] == "report" or command[-1] == "show":
            assert "[/any] [red]" in out
        if command[-1] == "show":
            assert "[/red] in words" in out
            assert "Source: [link=x]the book[/b]" in out
        if command[-1] == "check":
            assert "[odd].toml: no mistakes" in out

    def test_paths_in_errors(self) -> None:
        assert "[/x].toml" in error_of("rules", "check", "[/x].toml")


class TestSharedOptions:
    """Check options that several commands have."""

    def test_the_first_game_against_an_opponent_is_written_as_a_record(
        self, tmp_path: Path
    ) -> None:
        path = tmp_path / "match.json"
        code, _, err = run("simulate", "--versus", "greedy", *SMALL, "-o", str(path))
        assert (code, err) == (0, f"wrote {path}\n")
        assert load_game(path).is_over
        printed("review", str(path))

    @pytest.mark.parametrize(
        ("arguments", "name"),
        [
            (("review", "{game}"), "-o"),
            (("simulate", *SMALL, "--games", "2"), "--output"),
            (("tree",), "-o"),
            (("tree",), "--dot"),
            (("odds", "00001"), "--plot"),
        ],
        ids=lambda words: " ".join(words) if isinstance(words, tuple) else words,
    )
    def test_the_output_file_is_written(
        self, arguments: tuple[str, ...], name: str, tmp_path: Path
    ) -> None:
        (game := tmp_path / "game.txt").write_text(GAME)
        path = tmp_path / ("made.svg" if arguments[0] in ("odds", "tree") else "made.txt")
        given = [argument.format(game=game) for argument in arguments]
        code, _, error = run(*given, name, str(path))
        assert (code, error) == (0, f"wrote {path}\n")
        assert path.stat().st_size > 100

    def test_rules_of_a_record_by_their_name(self) -> None:
        assert "Micro Yahtzee" in printed("review", "-", *SMALL, typed="5 double\n4 square\n")

    @pytest.mark.parametrize("command", ["compare optimal", "simulate", "simulate --versus greedy"])
    def test_optimal_plays_for_the_objective(self, command: str) -> None:
        given = (*command.split(), *SMALL, "--games", "2", "--objective", "target:20")
        assert "target:20" in printed(*given)

    def test_value_of_an_objective(self) -> None:
        given = ("advise", *SMALL, "--card", "double=10", "--objective", "target:26")
        assert "Probability of 26 or more: 50.0000%" in printed(*given)

    def test_quiet(self, tmp_path: Path) -> None:
        plot = str(tmp_path / "points.svg")
        assert run("payoff-line", "--plot", plot)[2] == f"wrote {plot}\n"
        assert run("payoff-line", "--plot", plot, "-q")[2] == ""
        assert run("rules", "check", "yatzy", "-q") == (0, "", "")


class TestPipes:
    """Check that tables in a pipe are not folded."""

    def test_a_table_is_wide_enough_for_its_cells(self) -> None:
        out = printed("rules", "show", "kniffel-extreme")
        for category in load_rules("kniffel-extreme").categories:
            (line,) = [row for row in out.splitlines() if row.startswith(f"{category.title}  ")]
            assert f" {category.key} " in line

    def test_a_table_wider_than_any_screen(self) -> None:
        names = ", ".join(f"Someone with as long a name as it may {n}" for n in range(1, 9))
        out = printed("review", "-", typed=UNFINISHED.replace("Ada, Ben", names))
        (line,) = [row for row in out.splitlines() if "points so" in row]
        assert len(line) > 240
        assert line.split() == ["points", "so", "far", "10", "16", *["0"] * 6]


@pytest.mark.parametrize(
    ("columns", "terminal"),
    [
        *((columns, {}) for columns in (40, 80, 250)),
        (40, {"NO_COLOR": "1"}),
        (40, {"TERM": "dumb"}),
        (40, {"encoding": "ascii"}),
        (80, {"encoding": "latin-1"}),
    ],
)
def test_no_letter_is_lost_on_any_terminal(
    columns: int, terminal: dict[str, str], tmp_path: Path
) -> None:
    """Check that a terminal, where tables are folded, shows every letter that a pipe receives."""
    (game := tmp_path / "game.txt").write_text(UNFINISHED)
    for command in (
        ("advise", "4", *SMALL, "--no-explain"),
        ("review", str(game)),
        ("rules", "show", "micro-yahtzee"),
    ):
        text = shown(columns, 200, *command, **terminal)
        assert letters(text) == letters(printed(*command))


def letters(text: str) -> list[str]:
    """Return the letters and digits of a string in sorted order, because words may be folded."""
    return sorted(re.findall(r"[A-Za-z0-9]", text))


def test_a_terminal_breaks_no_word_and_no_command_of_an_error() -> None:
    for arguments in (["advise", "11366", "--objective", "wins"], ["duel", "33345"]):
        terminal = Terminal(*arguments, columns=40)
        assert terminal.ended() == 2
        *lines, last = terminal.text.split("\r\n")[:-1]
        assert " ".join([*lines, last]) == f"error: {error_of(*arguments)}"
        assert max(map(len, lines)) <= 40
    assert last.startswith("rollwise advise 33345 --objective beat ")


def test_the_last_target_of_the_frontier_is_infinite() -> None:
    *_, last = printed("frontier", "variance", *SMALL).splitlines()
    assert last.split() == ["∞", "25.94", "13.55"]
