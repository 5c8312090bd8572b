"""Check ``rollwise mcp`` with the client of the official SDK."""

import os
import re
import sys
from collections.abc import Mapping
from typing import Any

import anyio
import pytest
from mcp import Client, StdioServerParameters, stdio_client

from commands import data_of
from repository import DOCS
from rollwise.cli.mcp_server import make_server

GAME = "micro-yahtzee"
RECORD = "rules: micro-yahtzee\n1 double\n6 square\n"

ANSWERS: list[tuple[str, dict[str, Any], str]] = [
    ("advise", {"dice": "4", "rolls_left": 0, "rules": GAME}, f"4 --rolls-left 0 --rules {GAME}"),
    ("advise", {"dice": "4", "top": 1, "rules": GAME}, f"4 --top 1 --rules {GAME}"),
    ("advise", {"card": "square=9", "rules": GAME}, f"--card square=9 --rules {GAME}"),
    (
        "advise",
        {"dice": "3", "rules": GAME, "objective": "beat", "opponent": ["square=9"],
         "opponent_strategy": "duel"},
        f"3 --rules {GAME} --objective beat --opponent square=9 --opponent-strategy duel",
    ),
    ("odds", {"target": "full-house", "rolls": 2}, "full-house --rolls 2"),
    ("odds", {"target": "sum", "hand": "126", "dice": 3}, "sum --hand 126 --dice 3"),
    ("review", {"game": RECORD}, "-"),
    ("rules_list", {}, ""),
    ("rules_show", {"rules": GAME}, GAME),
]  # fmt: skip
"""The name and arguments of a tool, and the words of the command that computes the same."""

MISTAKES: list[tuple[str, dict[str, Any], str]] = [
    ("odds", {}, "target: missing."),
    ("advise", {"dice": 3}, "dice: expected text, got 3."),
    ("advise", {"dice": "77777"}, "expected 5 dice with faces 1 to 6"),
    ("advise", {"dice": "11366", "rules": "yatzie"}, "unknown game"),
    ("advise", {"dice": "11366", "objective": "luck"}, "'luck' is not built in"),
    ("advise", {"objective": "utility:mine.csv"}, "is not built in"),
    ("simulate", {"strategy": "mine.py:Mine"}, "is not built in"),
    ("advise", {"card": "ones=7"}, "ones cannot score 7"),
    ("advise", {"rules": "maxi-yatzy"}, "is too large"),
    ("advise", {"rules": "a\0.toml"}, "not the name of a file, because of its characters."),
    ("odds", {"target": "sum", "dice": 0}, "dice: expected a whole number of 1 or more, got 0."),
    ("odds", {"target": "sum", "hand": "1"}, "Use --dice N."),
    ("review", {"game": "no game"}, "line 1: "),
    ("advise", {"dices": "11366"}, "advise has no parameter 'dices'. Did you mean 'dice'?"),
    ("nonsense", {}, "Unknown tool: nonsense"),
]


def call(tool: str, arguments: Mapping[str, Any]) -> Any:
    """Call a tool of the server in this process, and return the result."""

    async def ask() -> Any:
        async with Client(make_server()) as client:
            return await client.call_tool(tool, dict(arguments))

    return anyio.run(ask)


def test_the_server_offers_the_tools_of_the_page() -> None:
    async def ask() -> list[Any]:
        async with Client(make_server()) as client:
            return list((await client.list_tools()).tools)

    tools = anyio.run(ask)
    page = (DOCS / "mcp.md").read_text("utf-8")
    named = re.findall(r"`(\w+)`", "".join(re.findall(r"^\| (`.+`) \|", page, re.MULTILINE)))
    assert named
    assert set(named) <= {tool.name for tool in tools}
    for tool in tools:
        assert tool.description.endswith(".")
        fields = tool.input_schema["properties"].values()
        assert all(field["description"] for field in fields)


@pytest.mark.parametrize(("tool", "arguments", "words"), ANSWERS)
def test_a_tool_answers_as_the_command_does(
    tool: str, arguments: dict[str, Any], words: str
) -> None:
    result = call(tool, arguments)
    assert not result.is_error, result.content[0].text
    answer = result.structured_content
    expected = data_of(*tool.split("_"), *words.split(), typed=RECORD)
    assert answer == ({"result": expected} if isinstance(expected, list) else expected)


@pytest.mark.parametrize(("tool", "arguments", "message"), MISTAKES)
def test_bad_input_is_one_sentence(tool: str, arguments: dict[str, Any], message: str) -> None:
    result = call(tool, arguments)
    assert result.is_error
    (content,) = result.content
    assert message in content.text
    assert "\n" not in content.text
    assert "Error executing" not in content.text


def test_the_command_serves_a_client_on_its_streams() -> None:
    command = StdioServerParameters(
        command=sys.executable, args=["-m", "rollwise", "mcp"], env=dict(os.environ)
    )

    async def ask() -> Any:
        async with Client(stdio_client(command)) as client:
            return await client.call_tool("advise", {"rules": GAME})

    assert anyio.run(ask).structured_content == call("advise", {"rules": GAME}).structured_content
