"""Test wrong values for every parameter of every command, derived from the command signatures."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest
from cyclopts.argument import Argument

from commands import every_command, is_option, parameters, run
from rollwise.cli.app import ENTRIES

SMALL = ["--rules", "micro-yahtzee"]
NEEDED = {
    "target": "yahtzee", "strategies": "greedy", "score": "10", "id": "one",
    "rules": "micro-yahtzee", "file": "rules.toml", "files": "one", "game": "one",
}  # fmt: skip
"""A valid value for each argument."""

NUMBERS = ["three", "−1", "", "1.5", "9" * 5000]
MISSING = ["none/x.svg", "none/☃.png"]
RULES = ["nosuch", "yatsy", "none.toml", "", "☃", "x" * 9999]
GOALS = ["fun", "target:0", "target:−5", "beat:", "beat:0*greedy", "utility:none.csv", "beat:☃"]
CARDS = ["ones", "onse=3", "double=1", "double=2,double=2", "☃=4", "square=−2"]
PLAYERS = ["clever", "gredy", "none.py:Mine", "optimal:fun", "payoff-line:none", "☃"]
WORDS: dict[str, list[str]] = {
    "rules": RULES, "name": RULES, "objective": GOALS, "card": CARDS, "strategy": PLAYERS,
    "strategies": PLAYERS, "opponent": CARDS[:2],
    "dice": ["", "7", "elves", "45", "4 | card onse=1"], "target": ["", "banana", "4x9", "☃"],
    "at": ["", "x", "10;20", "−3"], "hand": ["", "1", "x"], "compare": ["x", "777777"],
    "bonus": ["x"], "jokers": ["maybe"], "rolls": ["x", "0", "9-1"],
    "game": ["none", "☃"], "id": ["none", "☃"], "base": RULES, "versus": PLAYERS,
    "file": ["none.toml", "☃.toml"], "database": ["mysql://ada@localhost/games", "none/☃.db"],
    "output": MISSING, "html": MISSING, "plot": ["none.svg/x.xyz"], "diagram": ["x.xyz"],
    "groups": ["nobody"], "opponent_strategy": ["clever"], "host": [], "allow_host": [],
    "resume": [], "against": [], "everything": [], "puzzle": ["", "monday", "2026-13-01", "☃"],
    "cluster": ["local:", "local:x", "local:0", "nowhere"],
    "rules new file": ["none/x.toml", "x.txt", ""],
    "history export file": MISSING, "files": ["none.toml", "☃.toml"],
    "vary": ["", "rolls", "nosuch=3", "rolls=x"], "grid": ["", "none.toml", "difference=0"],
}  # fmt: skip
"""Wrong values for each string parameter, or for that of one command.

The list is empty for parameters that accept any folder, need a terminal, or would start a server
or a cluster.
"""


def wrong_values(command: str, parameter: Argument) -> list[str]:
    """Return values that a parameter does not accept."""
    kinds = (parameter.hint, *get_args(parameter.hint))
    if bool in kinds:
        return []
    if float in kinds:
        return NUMBERS[:3]
    if parameter.get_choices():
        return ["so", ""]
    if int in kinds:
        return NUMBERS
    name = parameter.field_info.name
    return WORDS[name if f"{command} {name}" not in WORDS else f"{command} {name}"]


def mistakes() -> Iterator[list[str]]:
    """Yield command lines with one error each."""
    for name, command in every_command():
        path = name.split()
        arguments = [p for p in parameters(command) if not is_option(p)]
        options = [p for p in parameters(command) if is_option(p)]
        small = SMALL if any(p.name == "--rules" for p in options) and name != "web" else []
        required = [p for p in arguments if p.required]
        needed = [NEEDED[p.field_info.name] for p in required]
        given = [*path, *needed, *small]
        yield [*given, "--nonsense"]
        if not any(p.token_count()[1] for p in arguments):
            yield [*given, *["more"] * 3]
        for position, parameter in enumerate(required):
            yield [*path, *needed[:position]]
            for value in wrong_values(name, parameter):
                yield [*path, *needed[:position], value, *needed[position + 1 :], *small]
        for parameter in options:
            option, others = parameter.name, [] if parameter.name == "--rules" else small
            values: Any = parameter.parameter.consume_multiple or (1, None)
            if parameter.token_count()[0] and values[0] > 0:
                yield [*given, option]
            for value in wrong_values(name, parameter):
                yield [*path, *needed, *others, option, value]


ALL = list(mistakes())
NOT_ASCII = [line for line in ALL if not "".join(line).isascii()]


def test_every_command_has_wrong_input() -> None:
    assert len(ALL) >= 300
    assert {line[0] for line in ALL} == set(ENTRIES)


@pytest.mark.parametrize("encoding", ["utf-8", "cp1252"])
def test_every_error_is_one_sentence(
    encoding: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ROLLWISE_DATABASE", f"sqlite:///{tmp_path}/games.sqlite")
    wrong = []
    # An output in UTF-8 can differ only where cp1252 lacks characters.
    for line in ALL if encoding == "cp1252" else NOT_ASCII:
        code, out, error = run(*line, encoding=encoding)
        made = [path.name for path in tmp_path.iterdir()]
        answered = error.startswith("error: ") and len(error.split()) > 3
        if (code, out, made) != (2, "", []) or not answered or len(error) >= 500:
            wrong.append((line, code, error, made))
    assert not wrong
