"""Check that each question is a function, a command, a route, and a tool with the same parameters.

Parameters that are only paths or executors are not available over the network. Options have the
same meaning in all commands.
"""

import inspect
import json
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import anyio
import pytest
from fastapi import FastAPI

import rollwise
from commands import every_command, is_option, parameters
from rollwise.cli.app import make_app
from rollwise.cli.commands import question_command
from rollwise.cli.mcp_server import make_server
from rollwise.questions import QUESTIONS, question, text_parameters
from rollwise.questions.answer import Answer
from rollwise.questions.parameters import Count
from rollwise.web.api import make_router

COMMANDS = {name: parameters(command) for name, command in every_command()}
OUTPUT = ("as_json", "quiet", "exact", "cluster")
"""The parameters of a command that are not those of its question."""

SEVERAL_MEANINGS = {
    "--opponent", "--grid", "--dice", "--rolls", "--plot", "--name", "--all", "--at", "--games",
    "--players",
}  # fmt: skip
"""The options that another command has with another metavar or purpose."""

WITHOUT_OBJECTIVE = {
    "greedy", "payoff-line",  # play for this turn alone
    "duel", "frontier targets", "frontier variance", "frontier restart",  # have one of their own
    "tournament",  # has the win
    "practice", "history rating", "history import",  # use that of the saved games
    "tree",  # has the best play for the expected score
    "web",  # has it on its pages
}  # fmt: skip
"""The commands with ``--rules`` that have no ``--objective``."""


@pytest.mark.parametrize("name", QUESTIONS)
def test_arguments_from_python_are_checked(name: str) -> None:
    assert hasattr(question(name), "__wrapped__")


def of_function(function: Callable[..., Answer], *, local: bool) -> dict[str, Any]:
    """Return the default of each parameter of a function that can be written as text."""
    found = text_parameters(function, local=local)
    return {name: default_of(parameter) for name, parameter in found.items()}


def of_command(name: str) -> dict[str, Any]:
    """Return the default of each parameter of the command of a question."""
    fields = [parameter.field_info for parameter in parameters(question_command(name))]
    return {field.name: default_of(field) for field in fields if field.name not in OUTPUT}


def default_of(parameter: Any) -> Any:
    """Return the default of a parameter as JSON data, which is None if the value is required."""
    default = None if parameter.default is inspect.Parameter.empty else parameter.default
    return list(default) if isinstance(default, tuple) else default


def of_routes() -> dict[str, dict[str, Any]]:
    """Return the default of each parameter of each route, by its name without ``/api/``."""
    app = FastAPI()
    app.include_router(make_router(Mock(default="yahtzee")))
    return {
        path.removeprefix("/api/"): {
            parameter["name"]: parameter["schema"].get("default")
            for parameter in methods.get("get", {}).get("parameters", ())
        }
        for path, methods in app.openapi()["paths"].items()
    }


def of_tools() -> dict[str, dict[str, Any]]:
    """Return the default of each parameter of each tool, by the name of the tool."""
    return {
        tool.name: {name: part.get("default") for name, part in properties.items()}
        for tool in anyio.run(make_server().list_tools)
        for properties in [tool.input_schema["properties"]]
    }


ROUTES, TOOLS = of_routes(), of_tools()


@pytest.mark.parametrize("name", QUESTIONS)
class TestEachQuestion:
    def test_the_command_has_its_parameters(self, name: str) -> None:
        assert of_command(name) == of_function(question(name), local=True)
        assert "--json" in [parameter.name for parameter in COMMANDS[name]]

    def test_the_route_and_the_tool_have_its_parameters(self, name: str) -> None:
        expected = of_function(question(name), local=False)
        assert ROUTES[name.replace(" ", "/")] == expected
        assert TOOLS[name.replace(" ", "_").replace("-", "_")] == expected

    def test_the_function_is_public(self, name: str) -> None:
        owner = rollwise.frontier if name.startswith("frontier ") else rollwise
        assert getattr(owner, question(name).__name__) is question(name)


class TestOptions:
    def test_every_command_can_be_quiet(self) -> None:
        for name, command in COMMANDS.items():
            assert "--quiet" in [parameter.name for parameter in command], name

    def test_an_option_means_the_same_everywhere(self) -> None:
        meanings, long_names = defaultdict(set), defaultdict(set)
        for option in filter(is_option, (p for command in COMMANDS.values() for p in command)):
            details = option.parameter
            meanings[option.name].add((details.metavar, str(details.help).split()[0]))
            for name in option.names:
                long_names[name].add(option.name)
        assert {name for name, kinds in meanings.items() if len(kinds) > 1} == SEVERAL_MEANINGS
        assert all(len(long_names[name]) == 1 for name in long_names if len(name) == 2)

    def test_commands_with_rules_have_an_objective(self) -> None:
        for name, command in COMMANDS.items():
            given = {option for parameter in command for option in parameter.names}
            if "--rules" in given:
                assert ("--objective" in given) == (name not in WITHOUT_OBJECTIVE), name

    def test_random_games_have_a_seed(self) -> None:
        for name, command in COMMANDS.items():
            given = {option for parameter in command for option in parameter.names}
            assert "--seed" in given or not {"--games", "--manual", "--simulate"} & given, name

    def test_a_file_or_folder_has_such_a_metavar(self) -> None:
        for option in filter(is_option, (p for command in COMMANDS.values() for p in command)):
            if "Path" in str(option.hint):
                assert option.parameter.metavar in ("FILE", "FILE.toml", "DIR"), option.name


class Doubled(Answer):
    """A number times two, several times."""

    result: int

    def show(self) -> Iterator[str]:
        """Yield one line."""
        yield f"The result is {self.result}."


def doubled(number: Count, *, times: Count = 1) -> Doubled:
    """Double a number.

    Parameters
    ----------
    number
        The number to double.
    times
        How many times.
    """
    return Doubled(result=number * 2**times)


def test_one_function_is_enough_for_a_question(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    module = SimpleNamespace(doubled=doubled)
    monkeypatch.setitem(sys.modules, "rollwise.questions.doubled", module)
    monkeypatch.setitem(QUESTIONS, "frontier doubled", "doubled:doubled")
    make_app()(["frontier", "doubled", "5", "--times", "2", "--json"])
    assert json.loads(capsys.readouterr().out) == {"result": 20}
    make_app()(["frontier", "doubled", "--help"])
    assert "The number to double." in capsys.readouterr().out
    assert of_routes()["frontier/doubled"] == {"number": None, "times": 1}
    result = anyio.run(make_server().call_tool, "frontier_doubled", {"number": 5})
    assert result.structured_content == {"result": 10}
