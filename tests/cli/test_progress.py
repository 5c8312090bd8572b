"""Progress reports on stderr, which appear only if the work takes long."""

import io
import logging
import sys

import pytest

from rollwise.cli import progress as progress_module
from rollwise.cli.progress import progress
from waiting import wait_until


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def terminal(monkeypatch: pytest.MonkeyPatch, patience: float) -> Terminal:
    """Replace stderr by a terminal; called within a test, after pytest has replaced stderr."""
    stream = Terminal()
    monkeypatch.setattr(progress_module, "PATIENCE", patience)
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setenv("TERM", "xterm")
    return stream


def test_short_work_is_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    stderr = terminal(monkeypatch, 1e6)
    with progress("working", quiet=False) as advance:
        advance(0.5)
    assert stderr.getvalue() == ""


@pytest.mark.parametrize("shares", [[], [0.1, 0.2]])
def test_long_work_is_named(monkeypatch: pytest.MonkeyPatch, shares: list[float]) -> None:
    stderr = terminal(monkeypatch, 0.0)
    with progress("working [/x]", quiet=False) as advance:
        for share in shares:
            advance(share)
        wait_until(lambda: "working [/x]" in stderr.getvalue())


def test_quiet_work_is_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    stderr = terminal(monkeypatch, 0.0)
    with progress("working", quiet=True) as advance:
        advance(0.5)
    assert stderr.getvalue() == ""


def test_compiling_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    stderr = terminal(monkeypatch, 0.0)
    with progress("solving", quiet=False):
        logging.getLogger("rollwise.compiling").info("a kernel")
        wait_until(lambda: "solving: compiling once" in stderr.getvalue())


def test_a_pipe_receives_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    stderr = io.StringIO()
    monkeypatch.setattr(progress_module, "BETWEEN_LINES", 0.001)
    monkeypatch.setattr(sys, "stderr", stderr)
    with progress("solving", quiet=False) as advance:
        wait_until(lambda: "solving\n" in stderr.getvalue())
        advance(0.25)
        wait_until(lambda: "solving: 25%\n" in stderr.getvalue())
