"""``rollwise mcp``: a server for assistants, on standard input and output."""

from __future__ import annotations

import importlib.util

from rollwise.cli.lazy_imports import lazy_imports
from rollwise.errors import missing_extra

with lazy_imports():
    from rollwise.cli import mcp_server


def mcp() -> None:
    """Give an assistant exact answers.

    [bold]Examples[/bold]

      rollwise mcp

    An assistant starts this command and calls its tools by the Model Context Protocol: advise,
    value, odds, review, rules, and duel. The server reads standard input, writes standard output,
    and ends with its client.
    """
    if importlib.util.find_spec("mcp") is None:
        raise missing_extra("rollwise mcp", "mcp", "mcp")
    mcp_server.make_server().run()
