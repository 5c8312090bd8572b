"""Run the command line in the test process, and show its output on the screen of a terminal."""

import io
import os
import re
from contextlib import redirect_stderr, redirect_stdout
from unittest.mock import patch

import pyte
import pytest

import commands  # noqa: F401  (caches the commands)
from rollwise.cli import main

STYLES = re.compile(r"\x1b\[[0-9;]*m")
"""Escape sequences for styles."""


class _Output(io.TextIOWrapper):
    """Standard output that claims to be a terminal."""

    def isatty(self) -> bool:
        return True


def screen_of(
    columns: int, rows: int, *arguments: str, encoding: str = "utf-8", **environment: str
) -> pyte.Screen:
    """Return the screen after a command has written to it.

    The command must succeed, and no line of its output can be wider than the screen.

    Parameters
    ----------
    columns, rows : int
        The size of the terminal.
    arguments : str
        The words of the command line after ``rollwise``.
    encoding : str
        The encoding of standard output.
    environment : str
        Environment variables; by default, there is no color.
    """
    output, errors = io.BytesIO(), io.StringIO()
    size = {"COLUMNS": str(columns), "LINES": str(rows)}
    variables = {"NO_COLOR": "1", "TERM": "xterm-256color"} | size | environment
    stdout = _Output(output, encoding=encoding, write_through=True)
    with (
        patch.dict(os.environ, variables),
        redirect_stdout(stdout),
        redirect_stderr(errors),
    ):
        try:
            main([*arguments])
        except SystemExit as ended:
            pytest.fail(f"exit code {ended.code}: {errors.getvalue()}")
    lines = STYLES.sub("", output.getvalue().decode(encoding)).splitlines()
    assert max(map(len, lines)) <= columns
    screen = pyte.Screen(columns, rows)
    screen.set_mode(pyte.modes.LNM)  # a terminal driver adds a carriage return to each newline
    pyte.ByteStream(screen).feed(output.getvalue())
    return screen


def shown(columns: int, rows: int, *arguments: str, **options: str) -> str:
    """Return the text on the screen after a command, without trailing blanks."""
    display = screen_of(columns, rows, *arguments, **options).display
    return "\n".join(line.rstrip() for line in display).rstrip() + "\n"
