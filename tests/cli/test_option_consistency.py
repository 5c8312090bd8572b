"""Check that options are consistent across commands.

An option means the same in every command, and every command that needs the option has it. The tests
read the options from the signatures of the commands.
"""

from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from commands import every_command, run
from rollwise.cli import app
from rollwise.game.records.files import load_game

COMMANDS: dict[str, Any] = {
    " ".join(path): command for path, command in every_command(get_command(app))
}

MEANINGS = {
    "--rules": ("NAME|FILE.toml", "A game from rollwise rules list, or a rule file"),
    "--objective": ("GOAL", "What to play for: expected, "),
    "--strategy": ("NAME", ""),
    "--card": ("CARD", "Filled categories with their points"),
    "--rolls-left": ("N", "Rerolls left."),
    "--top": ("N", "Show only the N best options"),
    "--games": ("N", ""),
    "--seed": ("N", "Seed of the dice"),
    "--output": ("FILE", "Write "),
    "--database": ("FILE", "File of saved games"),
    "--workers": ("N", "Run in N processes on this machine"),
    "--cluster": ("ADDRESS|local:N", "Run on a Dask cluster"),
    "--json": (None, "Print JSON"),
    "--quiet": (None, "Print only the result"),
    "--tie-break": (None, "How optimal play breaks ties"),
}
"""The metavar of each option, and the beginning of its help."""

SHORT = {"--output": "-o", "--quiet": "-q", "--name": "-n", "--against": "-a"}

FILES = {
    "--output": "FILE",
    "--plot": "FILE DIR",
    "--diagram": "FILE",
    "--file": "FILE",
    "--all": "DIR",
}
"""The possible metavars of options for a file or a folder."""

WITHOUT_JSON = {
    "play", "web", "mcp",  # interactive
    "pocket", "rules check", "rules new", "history export", "history import",
    "history backup", "history delete", "cache path", "cache clear",
}  # fmt: skip

WITHOUT_OBJECTIVE = {
    "greedy": "plays for this turn alone",
    "payoff-line": "plays for this turn alone",
    "duel": "plays to win",
    "practice": "of the games that are kept",
    "rating": "of the games that are kept",
    "tree": "of the best play for the expected score",
    "frontier targets": "is one itself",
    "frontier variance": "is one itself",
    "frontier restart": "is one itself",
    "web": "has it on its pages",
}


def options(command: str) -> dict[str, Any]:
    """Return the options of a command by name; an option can have several names."""
    params = [param for param in COMMANDS[command].params if param.param_type_name == "option"]
    return {name: param for param in params for name in param.opts}


@pytest.mark.parametrize("command", COMMANDS)
class TestSignatures:
    def test_an_option_means_the_same_everywhere(self, command: str) -> None:
        for name, option in options(command).items():
            if name in MEANINGS:
                metavar, words = MEANINGS[name]
                assert option.metavar == metavar, name
                assert (option.help or "").startswith(words), name

    def test_short_names_belong_to_the_same_options(self, command: str) -> None:
        given = options(command)
        for name, short in SHORT.items():
            assert given.get(name) is given.get(short), name

    def test_file_options_have_consistent_metavars(self, command: str) -> None:
        for option in options(command).values():
            if "Path" in str(option.type_descriptor.annotation):
                names = [name for name in option.opts if name in FILES]
                assert names
                assert all(option.metavar in FILES[name].split() for name in names)

    def test_every_command_can_be_quiet(self, command: str) -> None:
        always = ("cache", "cache path", "cache clear", "mcp")
        assert "--quiet" in options(command) or command in always

    def test_commands_can_print_json(self, command: str) -> None:
        assert ("--json" in options(command)) == (command not in WITHOUT_JSON)

    def test_optimal_play_has_an_objective_option(self, command: str) -> None:
        given = options(command)
        if "--rules" in given:
            assert ("--objective" in given) == (command not in WITHOUT_OBJECTIVE)

    def test_random_games_have_a_seed_option(self, command: str) -> None:
        given = options(command)
        if {"--games", "--manual", "--simulate"} & set(given):
            assert "--seed" in given


SMALL = ("--rules", "micro-yahtzee")


class TestMeanings:
    def test_the_first_game_against_an_opponent_is_written_as_a_record(
        self, tmp_path: Path
    ) -> None:
        path = tmp_path / "match.json"
        code, _, err = run("simulate", "--versus", "greedy", *SMALL, "-o", str(path))
        assert (code, err) == (0, f"wrote {path}\n")
        assert load_game(path).is_over
        assert run("review", str(path))[0] == 0

    @pytest.mark.parametrize(
        ("arguments", "name"),
        [
            (("review", "{game}"), "-o"),
            (("review", "{game}"), "--html"),
            (("simulate", *SMALL, "--games", "2"), "--output"),
            (("tree",), "-o"),
            (("tree",), "--dot"),
            (("odds", "00001"), "--plot"),
            (("odds", "00001"), "--diagram"),
        ],
        ids=lambda words: " ".join(words) if isinstance(words, tuple) else words,
    )
    def test_the_output_file_is_written(
        self, arguments: tuple[str, ...], name: str, tmp_path: Path
    ) -> None:
        (game := tmp_path / "game.txt").write_text("rules: micro-yahtzee\n5 double\n4 square\n")
        path = tmp_path / ("made.svg" if arguments[0] in ("odds", "tree") else "made.txt")
        given = [argument.format(game=game) for argument in arguments]
        assert run(*given, name, str(path))[0] == 0
        assert path.stat().st_size > 100

    def test_rules_of_a_record_by_their_name(self, tmp_path: Path) -> None:
        (game := tmp_path / "game.txt").write_text("5 double\n4 square\n")
        assert "Micro Yahtzee" in run("review", str(game), *SMALL)[1]
        assert run("review", str(game), "--rules", "yatsy")[0] == 2

    @pytest.mark.parametrize("command", ["compare optimal", "simulate", "simulate --versus greedy"])
    def test_optimal_plays_for_the_objective(self, command: str) -> None:
        given = (*command.split(), *SMALL, "--games", "2", "--objective", "target:20")
        assert "target:20" in run(*given)[1]

    def test_value_of_an_objective(self) -> None:
        given = ("advise", *SMALL, "--card", "double=10", "--objective", "target:26")
        assert "Probability of 26 or more: 50.0000%" in run(*given)[1]

    def test_quiet(self, tmp_path: Path) -> None:
        plot = str(tmp_path / "points.svg")
        assert run("payoff-line", "--plot", plot)[2] == f"wrote {plot}\n"
        assert run("payoff-line", "--plot", plot, "-q")[2] == ""
        assert run("rules", "check", "yatzy", "-q") == (0, "", "")
