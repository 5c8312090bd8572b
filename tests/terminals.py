"""A command in a pseudo-terminal."""

import os
import pty
import re
import select
import subprocess
import sys
import termios
import time
from collections.abc import Callable
from fcntl import ioctl
from struct import pack
from termios import TIOCSCTTY, TIOCSWINSZ

from waiting import PATIENCE

STYLES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
"""Escape sequences for styles."""


class Terminal:
    """A command in a pseudo-terminal without color.

    Attributes
    ----------
    seen : bytes
        The output since the last key.
    output : bytes
        The whole output.
    modes : list
        The modes of the terminal before the command starts, and after it has ended.
    """

    def __init__(
        self, *arguments: str, columns: int = 80, rows: int = 24, **environment: str
    ) -> None:
        self.main, side = pty.openpty()
        self.seen = self.output = b""
        self.resize(columns, rows)
        self.modes = termios.tcgetattr(self.main)
        size = ("COLUMNS", "LINES")  # the size of the terminal that runs the tests
        outside = {key: value for key, value in os.environ.items() if key not in size}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "rollwise", *arguments],
            stdin=side, stdout=side, stderr=side, start_new_session=True,
            env=outside | {"NO_COLOR": "1", "TERM": "xterm-256color"} | environment,
            preexec_fn=lambda: ioctl(0, TIOCSCTTY, 0),
        )  # fmt: skip
        os.close(side)

    @property
    def text(self) -> str:
        """The output since the last key, without styles."""
        return STYLES.sub("", self.seen.decode(errors="replace"))

    def type(self, keys: str) -> None:
        """Press keys."""
        self.seen = b""
        os.write(self.main, keys.encode())

    def wait_for(self, *words: str) -> None:
        """Wait until all words are in the output."""
        self.until(lambda: all(word in self.text for word in words), f"{words} to come")

    def ended(self) -> int:
        """Wait until the command has ended; return its exit code."""
        self.until(lambda: False, "the end")
        code = self.process.wait(PATIENCE)
        self.modes = termios.tcgetattr(self.main)
        os.close(self.main)
        return code

    def resize(self, columns: int, rows: int) -> None:
        """Change the size of the terminal."""
        ioctl(self.main, TIOCSWINSZ, pack("HHHH", rows, columns, 0, 0))

    def until(self, there: Callable[[], bool], what: str) -> None:
        """Read output until a condition holds; fail if the terminal closes unexpectedly."""
        end = time.monotonic() + PATIENCE
        while not there():
            assert time.monotonic() < end, f"waited for {what}; the terminal shows:\n{self.text}"
            if select.select([self.main], [], [], 0.2)[0]:
                try:
                    output = os.read(self.main, 65536)
                    self.seen += output
                    self.output += output
                except OSError:  # the command has closed the terminal
                    assert what == "the end" or there(), f"no {what}; last:\n{self.text}"
                    break
