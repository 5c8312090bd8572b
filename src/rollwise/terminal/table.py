"""The screen of playing, reviewing and practising: dice, what stands beside them, a card."""

import signal
import sys

from rich.text import Text
from textual.app import App, ComposeResult
from textual.containers import Horizontal
from textual.events import Key
from textual.widgets import Static

from rollwise.terminal.sheet import NARROW

DICE = 35
"""Columns of the dice, and of what is empty beside them."""

PATIENCE = 2.0
"""Seconds between looks whether the terminal is still there."""


class TableApp(App[str]):
    """A table in the terminal's own colours; who makes one says what keys do and what is shown."""

    ENABLE_COMMAND_PALETTE = False
    CSS = """
    Screen { layout: vertical; padding: 0 1; background: ansi_default; color: ansi_default; }
    Static { link-style: none; link-color: ansi_default; link-background: ansi_default;
      link-color-hover: ansi_default; link-background-hover: ansi_default; }
    #table { height: 5; margin: 1 0; }
    #dice { width: auto; min-width: 32; }
    #advice { width: 1fr; padding-left: 3; }
    #card { height: auto; }
    #message { height: auto; min-height: 2; margin-top: 1; }
    #keys { dock: bottom; height: 1; text-style: dim; }
    """

    def __init__(self) -> None:
        super().__init__(ansi_color=True)

    def compose(self) -> ComposeResult:
        """Lay out the parts of the screen."""
        yield Static(id="headline")
        yield Static(id="stage")
        with Horizontal(id="table"):
            yield Static(id="dice")
            yield Static(id="advice")
        yield Static(id="card")
        yield Static(id="message", markup=False)
        yield Static(id="keys", markup=False)

    def on_mount(self) -> None:
        """Begin; leave when the terminal goes, also if told not to listen to that, as by nohup."""
        self.begin()
        if sys.stdin is not None and sys.stdin.isatty():
            if sys.platform != "win32":
                signal.signal(signal.SIGHUP, signal.SIG_DFL)
            self.set_interval(PATIENCE, self._leave_a_lost_terminal)

    def _leave_a_lost_terminal(self) -> None:
        # Nobody may have told us: without a controlling terminal no signal comes when it goes.
        if not sys.stdin.isatty():
            self.exit()

    def on_key(self, event: Key) -> None:
        """Translate a key."""
        event.stop()
        key = (event.character if event.is_printable else None) or event.key
        if event.key in ("ctrl+c", "ctrl+q") or (key == "q" and not self.types):
            self.exit()
        else:
            self.press(key)

    def on_resize(self) -> None:
        """Show everything in the new size."""
        self.show()

    @property
    def types(self) -> bool:
        """Whether q is part of something that is being typed."""
        return False

    @property
    def width(self) -> int:
        """Columns of the screen that can be written on."""
        return self.size.width - 2

    @property
    def narrow(self) -> bool:
        """Whether everything stands in one column."""
        return self.width < NARROW

    @property
    def beside(self) -> int:
        """Columns for what stands beside the dice; below them on a narrow screen."""
        return self.width if self.narrow else self.width - DICE

    @property
    def shown(self) -> int:
        """How many options are shown of a judged decision."""
        return 3 if self.narrow else 5

    def begin(self) -> None:
        """Do what comes first."""
        self.show()

    def press(self, key: str) -> None:
        """Do what a key means: what it types, or its name."""
        raise NotImplementedError

    def show(self) -> None:
        """Show how things stand, by :meth:`lay`."""
        raise NotImplementedError

    def lay(self, parts: dict[str, Text | str]) -> None:
        """Put parts of the screen, by name, in their places; those that are not told stay."""
        for name, part in parts.items():
            self.query_one(f"#{name}", Static).update(part)
        if "advice" in parts:
            lines = len(str(parts["advice"]).splitlines())
            table = self.query_one("#table")
            table.styles.layout = "vertical" if self.narrow else "horizontal"
            table.styles.height = 5 + lines if self.narrow else max(5, lines)
            self.query_one("#advice").styles.padding = (0, 0, 0, 0 if self.narrow else 3)
