"""``rollwise mcp``: a server for assistants, on standard input and output."""

from __future__ import annotations

from rollwise.errors import check_extra


def mcp() -> None:
    """Give an assistant exact answers.

    An assistant starts this command and calls its tools by the Model Context Protocol; each
    question is a tool. The server reads standard input, writes standard output, and ends when its
    client ends.

    Examples
    --------
    rollwise mcp
    """
    check_extra("mcp", "rollwise mcp", "mcp")
    from rollwise.cli.mcp_server import make_server  # needs the package mcp

    make_server().run()
