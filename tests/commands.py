"""Run the command line in the test process."""

import io
import json
import sys
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from typing import Any
from unittest.mock import patch

from cyclopts import App
from cyclopts.argument import Argument

from rollwise.cli import front, progress
from rollwise.cli.app import make_app

# Every run uses the same commands, because to build them takes longer than most runs.
_app = make_app()
front.make_app = lambda *, summaries=False: _app  # type: ignore[attr-defined]
# Only a slow machine prints progress lines; test_progress.py tests them.
progress.SILENCE = 86_400.0


class _Stream(io.TextIOWrapper):
    """A stream in memory."""

    def __init__(self, content: bytes = b"", encoding: str = "utf-8") -> None:
        super().__init__(io.BytesIO(content), encoding, write_through=True)

    def text(self) -> str:
        """Return what was written."""
        self.seek(0)
        return self.read()


def run(*arguments: str, typed: str | bytes = "", encoding: str = "utf-8") -> tuple[int, str, str]:
    """Run the command line in this process; return the exit code, stdout, and stderr.

    Parameters
    ----------
    arguments : str
        The words of the command line after ``rollwise``.
    typed : str or bytes
        The standard input.
    encoding : str
        The encoding of standard output.
    """
    given = typed.encode() if isinstance(typed, str) else typed
    out, err, code = _Stream(encoding=encoding), _Stream(encoding=encoding), 0
    with redirect_stdout(out), redirect_stderr(err), patch.object(sys, "stdin", _Stream(given)):
        try:
            front.main([*arguments])
        except SystemExit as ended:
            code = int(ended.code or 0)
    return code, out.text(), err.text()


def printed(*arguments: str, typed: str | bytes = "") -> str:
    """Run a command that must succeed, and return its standard output."""
    code, out, err = run(*arguments, typed=typed)
    assert code == 0, err
    return out


def data_of(*arguments: str, typed: str | bytes = "") -> Any:
    """Run a command that must succeed with ``--json``, and return what it prints as JSON."""
    return json.loads(printed(*arguments, "--json", typed=typed))


def error_of(*arguments: str) -> str:
    """Run a command that must fail, and return its error, which must be one line."""
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert err.startswith("error: ")
    assert err.count("\n") == 1
    return err.removeprefix("error: ").rstrip()


def every_command() -> Iterator[tuple[str, App]]:
    """Yield every command and its name, such as ``history list``."""
    yield from _commands(_app, "")


def _commands(app: App, path: str) -> Iterator[tuple[str, App]]:
    if path and app.default_command is not None:
        yield path, app
    for name in app:
        if not name.startswith("-"):
            yield from _commands(app[name], f"{path} {name}".strip())


def parameters(command: App) -> list[Argument]:
    """Return the arguments and options of a command."""
    default = _app.default_parameter
    return [*command.assemble_argument_collection(default_parameter=default, parse_docstring=True)]


def is_option(parameter: Argument) -> bool:
    """Return whether a parameter has a name on the command line."""
    return parameter.name.startswith("-")
