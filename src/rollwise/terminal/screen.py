"""The base class of the terminal apps: a screen with dice, options, and a scorecard."""

import signal
import sys
from textwrap import wrap

from rich.text import Text
from textual.app import App, ComposeResult
from textual.containers import Horizontal
from textual.events import Key
from textual.widgets import Static

from rollwise.terminal.scorecard import NARROW

DICE = 35
"""The width of the dice and of the space to their right, in characters."""

HIGH = 32
"""The minimum height of a narrow screen, in lines, for a scorecard in one column."""

PATIENCE = 2.0
"""The seconds between checks whether the terminal still exists."""


class ScreenApp(App[str]):
    """Base class of the terminal apps, which use the terminal's own colors.

    Subclasses define the effect of keys and the content of each part of the screen.
    """

    ENABLE_COMMAND_PALETTE = False
    CSS = """
    Screen { layout: vertical; overflow: hidden; padding: 0 1; background: ansi_default;
      color: ansi_default; }
    Static { link-style: none; link-color: ansi_default; link-background: ansi_default;
      link-color-hover: ansi_default; link-background-hover: ansi_default; }
    #roll { height: 5; }
    #dice { width: auto; min-width: 32; }
    #advice { width: 1fr; padding-left: 3; }
    #card { height: auto; }
    #message { height: auto; min-height: 2; }
    #keys { dock: bottom; height: 1; text-style: dim; }
    """

    def __init__(self) -> None:
        super().__init__(ansi_color=True)

    def compose(self) -> ComposeResult:
        """Lay out the parts of the screen."""
        yield Static(id="headline")
        yield Static(id="stage")
        with Horizontal(id="roll"):
            yield Static(id="dice")
            yield Static(id="advice")
        yield Static(id="card")
        yield Static(id="message", markup=False)
        yield Static(id="keys", markup=False)

    def on_mount(self) -> None:
        """Start the app, and exit when the terminal closes, even under nohup."""
        self.begin()
        if sys.stdin is not None and sys.stdin.isatty():
            if sys.platform != "win32":
                signal.signal(signal.SIGHUP, signal.SIG_DFL)  # nohup ignores SIGHUP
            self.set_interval(PATIENCE, self._leave_a_lost_terminal)

    def _leave_a_lost_terminal(self) -> None:
        # If there is no controlling terminal, no signal arrives when the terminal closes.
        if not sys.stdin.isatty():
            self.exit()

    def on_key(self, event: Key) -> None:
        """Pass the character or the name of a key to :meth:`press`, or quit the app."""
        event.stop()
        key = (event.character if event.is_printable else None) or event.key
        if event.key in ("ctrl+c", "ctrl+q"):
            self.exit()
        elif key == "q" and not self.types:
            self.leave()
        else:
            self.press(key)

    def on_resize(self) -> None:
        """Display everything at the new size, which textual sets after this handler."""
        self.call_later(self.show)

    @property
    def types(self) -> bool:
        """Whether letters are typed input, so that q does not quit."""
        return False

    @property
    def width(self) -> int:
        """The usable width of the screen in characters."""
        return self.size.width - 2

    @property
    def narrow(self) -> bool:
        """Whether the screen has only one column of content."""
        return self.width < NARROW

    @property
    def short(self) -> bool:
        """Whether a narrow screen is too low for a scorecard in one column."""
        return self.narrow and self.size.height < HIGH

    @property
    def beside(self) -> int:
        """The width of the options in characters; they are below the dice on a narrow screen."""
        return self.width if self.narrow else self.width - DICE

    @property
    def shown(self) -> int:
        """The number of options to display for a graded decision."""
        if self.short:
            return 2
        return 3 if self.narrow else 5

    def begin(self) -> None:
        """Start the app."""
        self.show()

    def leave(self) -> None:
        """Handle the key q."""
        self.exit()

    def press(self, key: str) -> None:
        """Handle a key, given as a typed character or a key name."""
        raise NotImplementedError

    def show(self) -> None:
        """Display the current state."""
        raise NotImplementedError

    def lay(self, parts: dict[str, Text | str]) -> None:
        """Update the parts of the screen, given by name; the message is always visible."""
        for name, part in parts.items():
            self.query_one(f"#{name}", Static).update(part)
        heights = {name: self.lines(str(part)) for name, part in parts.items()}
        row, space = self.query_one("#roll"), 0 if self.short else 1
        pair = heights["dice"], heights["advice"]
        height = sum(pair) if self.narrow else max(pair)
        row.styles.margin = (space, 0)
        row.styles.layout = "vertical" if self.narrow else "horizontal"
        row.styles.height = height
        self.query_one("#advice").styles.padding = (0, 0, 0, 0 if self.narrow else 3)
        others = heights["headline"] + heights["stage"] + heights["message"] + heights["keys"]
        room = max(self.size.height - others - height - 2 * space, 0)
        self.query_one("#card").styles.max_height = room
        below = space if room > heights["card"] else 0
        self.query_one("#message").styles.margin = (below, 0, 0, 0)

    def lines(self, part: str) -> int:
        """Return the number of lines of a part, whose long lines wrap."""
        return sum(len(wrap(line, max(self.width, 1))) or 1 for line in part.splitlines())
