"""The server of ``rollwise mcp``: tools for assistants, by the Model Context Protocol.

Each question is a tool. Bad input is one sentence.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from threading import Lock
from typing import Any

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from pydantic import Field, ValidationError

from rollwise import __version__
from rollwise.errors import InputError, did_you_mean, quoted
from rollwise.questions import QUESTIONS, described, question
from rollwise.questions.network import checked, respond, signature
from rollwise.rules import Rules, load_rules
from rollwise.settings import default_rules
from rollwise.toml_errors import in_words

INSTRUCTIONS = (
    "rollwise solves Yahtzee and other roll-and-keep dice games exactly. Use its tools for every "
    "number about these games. Values are expected final scores with optimal play, in points."
)

_computing = Lock()
"""The SDK runs each tool in a thread; the solved games in memory are used by one at a time."""


class ToolServer(MCPServer[None]):  # type: ignore[misc]
    """A server whose errors are one sentence each; it knows the parameters of each tool."""

    parameters: dict[str, list[str]]

    async def call_tool(self, name: str, arguments: dict[str, Any], context: Any = None) -> Any:
        """Call a tool by name.

        Raises
        ------
        ToolError
            If the input is bad. The message is the whole answer.
        """
        known = self.parameters.get(name, arguments)
        for given in arguments:  # the SDK would ignore unknown names
            if given not in known:
                hint = did_you_mean(given, dict(zip(known, known, strict=True)))
                raise ToolError(f"{name} has no parameter {quoted(given)}. {hint}".strip())
        try:
            return await super().call_tool(name, arguments, context)
        except ToolError as error:
            cause = error.__cause__
            if isinstance(cause, ValidationError):
                first = cause.errors(include_url=False)[0]
                field = ".".join(map(str, first["loc"]))
                raise ToolError(f"{field}: {in_words(first)}.") from None
            if isinstance(cause, InputError):
                raise ToolError(str(cause)) from None
            if isinstance(cause, OSError) and cause.strerror:
                raise ToolError(f"{cause.filename}: {cause.strerror.lower()}.") from None
            raise


def make_server() -> ToolServer:
    """Return the server with a tool for each question."""
    server = ToolServer(
        "rollwise", version=__version__, instructions=INSTRUCTIONS, log_level="WARNING"
    )
    tools = [_tool(name) for name in QUESTIONS]
    for tool in tools:
        server.add_tool(tool)
    server.parameters = {tool.__name__: list(inspect.signature(tool).parameters) for tool in tools}
    return server


def _game(rules: str | None) -> Rules:
    """Return the game of a name, or the user's default game."""
    return load_rules(default_rules().source if rules is None else rules)


def _tool(name: str) -> Callable[..., Any]:
    """Return the function of a tool, whose signature the SDK reads."""

    def tool(**arguments: Any) -> Any:
        with _computing:
            return respond(name, checked(name, arguments, _game))

    tool.__name__ = name.replace(" ", "_").replace("-", "_")
    tool.__doc__ = described(question(name)).text
    shape = signature(name, Field)
    tool.__signature__ = shape  # type: ignore[attr-defined]
    tool.__annotations__ = {p.name: p.annotation for p in shape.parameters.values()}
    return tool
