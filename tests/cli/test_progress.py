"""What commands say on a terminal while they work: nothing, unless it takes long."""

import io
import sys

import pytest

from rollwise.cli import common
from waiting import wait_until


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def terminal(monkeypatch: pytest.MonkeyPatch, patience: float) -> Terminal:
    """Put a terminal in the place of stderr; within a test, since pytest does so before it."""
    stream = Terminal()
    monkeypatch.setattr(common, "PATIENCE", patience)
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setenv("TERM", "xterm")
    return stream


def test_short_work_is_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    stderr = terminal(monkeypatch, 1e6)
    with common.progress("working", quiet=False) as advance:
        advance(0.5)
    assert stderr.getvalue() == ""


@pytest.mark.parametrize("shares", [[], [0.1, 0.2]])
def test_long_work_says_what_it_is(monkeypatch: pytest.MonkeyPatch, shares: list[float]) -> None:
    stderr = terminal(monkeypatch, 0.0)
    with common.progress("working [/x]", quiet=False) as advance:
        for share in shares:
            advance(share)
        wait_until(lambda: "working [/x]" in stderr.getvalue())


def test_quiet_work_is_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    stderr = terminal(monkeypatch, 0.0)
    with common.progress("working", quiet=True) as advance:
        advance(0.5)
    assert stderr.getvalue() == ""
