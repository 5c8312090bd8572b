"""Test wrong values for every parameter of every command, derived from the command signatures."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command
from typer.testing import CliRunner

from commands import every_command
from rollwise.cli import app
from rollwise.cli.group import Command

SMALL = ["--rules", "micro-yahtzee"]
NEEDED = {
    "dice": "4", "target": "yahtzee", "strategies": "greedy",
    "score": "10", "name": "micro-yahtzee", "file": "rules.toml", "game": "one", "output": "x.json",
    "written": "new.toml",
}  # fmt: skip
"""A valid value for each argument."""

NUMBERS = ["three", "−1", "", "1.5", "9" * 5000]
MISSING = ["none/x.svg", "none/☃.png"]
RULES = ["nosuch", "yatsy", "none.toml", "", "☃"]
GOALS = ["fun", "target:0", "target:−5", "beat:", "beat:0*greedy", "utility:none.csv", "beat:☃"]
CARDS = ["ones", "onse=3", "double=1", "double=2,double=2", "☃=4", "square=−2"]
PLAYERS = ["clever", "gredy", "none.py:Mine", "optimal:fun", "payoff-line:none", "☃"]
WORDS: dict[str, list[str]] = {
    "rules": RULES, "name": RULES, "objective": GOALS, "card": CARDS, "strategy": PLAYERS,
    "strategies": PLAYERS, "opponent": CARDS[:2],
    "dice": ["", "7", "elves", "45", "4 | card onse=1"], "target": ["", "banana", "4x9", "☃"],
    "at": ["", "x", "10;20", "−3"], "hand": ["", "1", "x"], "compare": ["x", "777777"],
    "policy": ["clever"], "variant": ["mine"], "bonus": ["x"], "jokers": ["maybe"],
    "rolls": ["x", "0", "9-1"], "tie_break": ["so"], "game": ["none", "☃"],
    "file": ["none.toml", "☃.toml"], "database": ["mysql://ada@localhost/games", "none/☃.db"],
    "output": MISSING, "log": MISSING, "dot": MISSING, "html": MISSING,
    "plot": ["none.svg/x.xyz"], "diagram": ["x.xyz"], "groups": ["nobody"], "versus": PLAYERS,
    "opponent_strategy": ["clever"],
    "host": [], "allow_host": [], "resume": [],
    "find": ["much"], "varied": ["", "rolls", "nosuch=3", "rolls=x"],
    "clauses": ["none.toml", "☃.toml"],
    "against": [], "cluster": ["local:", "local:x", "local:0", "nowhere"],
    "store": ["ftp://none/x"], "everything": [], "puzzle": ["", "monday", "2026-13-01", "☃"],
    "information": ["nobody"], "vary": ["nobody"], "low": ["x", ""], "high": ["1/0", "☃"],
    "base": RULES, "written": ["none/x.toml", "x.txt", ""],
    "chain": ["two-pairs"], "grid": ["", "x", "difference=0"],
}  # fmt: skip
"""Wrong values for each string parameter.

The list is empty for parameters that accept any folder, need a terminal, or would start a server
or a cluster.
"""


def wrong_values(param: Any) -> list[str]:
    """Return values that a parameter does not accept."""
    kind = str(param.type_descriptor.annotation)
    if "bool" in kind:
        return []
    if "'float'" in kind:
        return NUMBERS[:3]
    return NUMBERS if "'int'" in kind else WORDS[param.name]


def mistakes() -> Iterator[list[str]]:
    """Yield command lines with one error each."""
    for path, command in every_command(get_command(app)):
        arguments = [p for p in command.params if p.param_type_name == "argument"]
        options = [p for p in command.params if p.param_type_name == "option" and p.name != "help"]
        small = SMALL if any(p.name == "rules" for p in options) and path[0] != "web" else []
        needed = [NEEDED[p.name] for p in arguments if p.required]
        given = [*path, *needed, *small]
        yield [*given, "--nonsense"]
        if not any(p.nargs == -1 for p in arguments):
            yield [*given, *["more"] * 3]
        for position, param in enumerate(p for p in arguments if p.required):
            yield [*path, *needed[:position]]
            for value in wrong_values(param):
                yield [*path, *needed[:position], value, *needed[position + 1 :], *small]
        for param in options:
            name = param.opts[0]
            if "bool" not in str(param.type_descriptor.annotation):
                if name not in Command.VALUES:  # these need no value
                    yield [*given, name]
                for value in wrong_values(param):
                    others = [word for word in small if param.name != "rules"]
                    yield [*path, *needed, *others, name, value]


ALL = list(mistakes())


def test_every_command_has_wrong_input() -> None:
    assert len(ALL) >= 300
    group: Any = get_command(app)
    assert {line[0] for line in ALL} == set(group.commands)


@pytest.mark.parametrize("encoding", ["utf-8", "cp1252"])
def test_every_error_is_one_sentence(
    encoding: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ROLLWISE_DATABASE", f"sqlite:///{tmp_path}/games.sqlite")
    runner, wrong = CliRunner(charset=encoding), []
    for line in ALL:
        done = runner.invoke(app, line)
        made = [path.name for path in tmp_path.iterdir()]
        error = done.stderr
        answered = error.startswith("error: ") and len(error.split()) > 3
        if (done.exit_code, done.stdout, made) != (2, "", []) or not answered or len(error) > 600:
            wrong.append((line, done.exit_code, error, made, done.exception))
    assert not wrong
