"""Check that progress reports appear on stderr, but only if the work takes long."""

import io
import logging
import re
import sys
from itertools import count

import pytest

from rollwise.cli import progress as progress_module
from rollwise.cli.progress import progress
from waiting import wait_until


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def replaced(
    stderr: io.StringIO, monkeypatch: pytest.MonkeyPatch, patience: float = 0.0
) -> io.StringIO:
    """Replace stderr; call this within a test, after pytest has replaced stderr."""
    for seconds in ("PATIENCE", "SILENCE"):
        monkeypatch.setattr(progress_module, seconds, patience)
    monkeypatch.setattr(sys, "stderr", stderr)
    monkeypatch.setenv("TERM", "xterm")
    return stderr


@pytest.mark.parametrize("stream", [Terminal, io.StringIO])
@pytest.mark.parametrize(("patience", "quiet"), [(1e6, False), (0.0, True)])
def test_short_and_quiet_work_is_silent(
    stream: type[io.StringIO], patience: float, quiet: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    stderr = replaced(stream(), monkeypatch, patience)
    with progress("working", quiet=quiet) as advance:
        advance(0.5)
    assert stderr.getvalue() == ""


@pytest.mark.parametrize("shares", [[], [0.1, 0.2]])
def test_long_work_is_named(monkeypatch: pytest.MonkeyPatch, shares: list[float]) -> None:
    stderr = replaced(Terminal(), monkeypatch)
    with progress("working [/x]", quiet=False) as advance:
        for share in shares:
            advance(share)
        wait_until(lambda: "working [/x]" in stderr.getvalue())


def test_compiling_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    stderr = replaced(Terminal(), monkeypatch)
    with progress("solving", quiet=False):
        logging.getLogger("rollwise.compiling").info("a kernel")
        wait_until(lambda: "solving: compiling once" in stderr.getvalue())


def test_a_bar_shows_the_time_left(monkeypatch: pytest.MonkeyPatch) -> None:
    stderr, seconds = replaced(Terminal(), monkeypatch), 0
    monkeypatch.setattr("rich.console.monotonic", lambda: seconds)
    with progress("working", quiet=False) as advance:
        for seconds in range(1, 101):
            advance(seconds / 1000)
        wait_until(lambda: re.search(r"0:15:0[01]", stderr.getvalue()) is not None)


def test_a_pipe_receives_a_first_and_a_last_line(monkeypatch: pytest.MonkeyPatch) -> None:
    stderr = replaced(io.StringIO(), monkeypatch)
    monkeypatch.setattr(progress_module, "monotonic", count(0, 75).__next__)
    with progress("solving", quiet=False) as advance:
        for percent in range(100):
            advance(percent / 100)
        wait_until(lambda: stderr.getvalue() != "")
    assert stderr.getvalue() == "solving …\nsolving: done after 75 seconds\n"


def test_an_error_in_a_pipe_is_not_the_end_of_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    stderr = replaced(io.StringIO(), monkeypatch)

    def fail() -> None:
        with progress("solving", quiet=False):
            wait_until(lambda: stderr.getvalue() != "")
            raise OSError("full")

    with pytest.raises(OSError, match="full"):
        fail()
    assert stderr.getvalue() == "solving …\n"


def announce(seconds: float) -> None:
    logging.getLogger("rollwise.cost").info("takes a while", extra={"seconds": seconds})


def test_the_announced_time_is_left_until_the_speed_is_known(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stderr, seconds = replaced(Terminal(), monkeypatch), 0
    monkeypatch.setattr("rich.console.monotonic", lambda: seconds)
    monkeypatch.setattr(progress_module, "monotonic", lambda: seconds)
    with progress("working", quiet=False) as advance:
        announce(300)
        seconds = 1
        wait_until(lambda: "0:04:59" in stderr.getvalue())
        assert "takes a while\n" in stderr.getvalue()
        seconds = 10
        advance(0.01)
        wait_until(lambda: "0:04:50" in stderr.getvalue())
        for seconds in range(11, 101):
            advance(seconds / 1000)
        wait_until(lambda: re.search(r"0:15:0[01]", stderr.getvalue()) is not None)


@pytest.mark.parametrize(("quiet", "printed"), [(False, "takes a while\n"), (True, "")])
def test_a_pipe_receives_the_announcement(
    monkeypatch: pytest.MonkeyPatch, quiet: bool, printed: str
) -> None:
    stderr = replaced(io.StringIO(), monkeypatch, patience=1e6)
    with progress("working", quiet=quiet):
        announce(300)
    assert stderr.getvalue() == printed
