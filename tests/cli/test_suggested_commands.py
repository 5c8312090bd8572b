"""Check that the commands and extras named in messages and rule files exist."""

import ast
import re
import shlex
import tomllib
from collections.abc import Iterator

import pytest

from commands import run
from repository import ROOT

TREES = [ast.parse(path.read_text("utf-8")) for path in (ROOT / "src" / "rollwise").rglob("*.py")]
COMMAND = re.compile(
    r"(?:(?<!`)`|['|] ?|run: |see |# .*: +)rollwise ([^`'|(\n]+)"
    r"|^rollwise ([^|]+(?: --[^|]+|(?= \|)))"
)
"""Matches a command in quotes, in a pipe, or after a verb; and a string that is a command."""


def strings(node: ast.AST) -> Iterator[str]:
    """Yield the strings in code; a placeholder becomes 1."""
    if isinstance(node, ast.JoinedStr):
        parts = (part.value if isinstance(part, ast.Constant) else 1 for part in node.values)
        yield "".join(map(str, parts))
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield re.sub(r"\{\w*\}", "1", node.value)
    else:
        for child in ast.iter_child_nodes(node):
            yield from strings(child)


STRINGS = [text for tree in TREES for text in strings(tree)]
COMMANDS = {
    (match[1] or match[2]).rstrip(" .,") for text in STRINGS for match in COMMAND.finditer(text)
}


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_the_command_and_its_options_exist(command: str) -> None:
    code, _, error = run(*shlex.split(command), "--help")
    assert code == 0, error


def test_most_commands_are_found() -> None:
    assert len(COMMANDS) > 15
    assert {"play --resume 11", "history export FILE.jsonl", "rules check 1"} <= COMMANDS


def test_every_extra_installs_the_libraries_that_are_checked() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    calls = [
        [ast.literal_eval(argument) for argument in node.args]
        for tree in TREES
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "check_extra"
    ]
    checked = {(extra, library.split(".")[0]) for extra, _, *names in calls for library in names}
    assert checked == {
        (extra, requirement.partition(">")[0])
        for extra in ("cluster", "mcp", "parquet", "play", "plot", "web")
        for requirement in project["optional-dependencies"][extra]
    }
