"""Run the command line in the test process."""

from collections.abc import Iterator
from functools import cache
from typing import Any

import typer.main
import typer.testing
from typer.testing import CliRunner

from rollwise.cli import app, progress

# Without the cache, every run would build all commands, which takes longer than most runs.
typer.testing._get_command = cache(typer.main.get_command)  # type: ignore[attr-defined]
# Only a slow machine prints progress lines; test_progress.py tests them.
progress.SILENCE = 86_400.0


def run(*arguments: str, typed: str = "") -> tuple[int, str, str]:
    """Run the command line in this process; return the exit code, stdout, and stderr."""
    result = CliRunner().invoke(app, list(arguments), input=typed)
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.exit_code, result.stdout, result.stderr


def every_command(group: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield every command and the words that invoke it."""
    if not hasattr(group, "commands") or group.invoke_without_command:
        yield path, group
    for name, command in getattr(group, "commands", {}).items():
        yield from every_command(command, (*path, name))
