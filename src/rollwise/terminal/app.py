"""The terminal app: keys in, session asked, views out."""

import sys
from collections.abc import Callable, Sequence

from rich.text import Text
from textual.app import App, ComposeResult
from textual.containers import Horizontal
from textual.events import Key
from textual.widgets import Static

from rollwise.game.records.record import Record
from rollwise.playing.controls import Controls
from rollwise.playing.session import Session
from rollwise.terminal import views
from rollwise.terminal.sheet import NARROW, card

AFTERWARDS = {"r": "review", "p": "practise", "n": "new"}
"""What follows a finished game, by its key."""

DICE = 35
"""Columns of the dice, and of what is empty beside them."""

PATIENCE = 2.0
"""Seconds between looks whether the terminal is still there."""


class PlayApp(App[str]):
    """One game at the keyboard.

    Parameters
    ----------
    session : Session
    save : callable
        Called with the game after every change.
    pause : float
        Seconds between the steps of a robot.
    judge : callable, optional
        From a finished game to what is said of it; called beside the screen, for it takes a while.

    What is to be done after it, "practise" or "new", is what running it returns.
    """

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

    def __init__(
        self,
        session: Session,
        save: Callable[[Record], None] = lambda record: None,
        pause: float = 0.6,
        judge: Callable[[Record], Sequence[str]] = lambda record: (),
    ) -> None:
        super().__init__(ansi_color=True)  # the terminal's own colours, and none of ours
        self.session, self.save, self.pause, self.judge = session, save, pause, judge
        self.judged: tuple[Record, Sequence[str]] | None = None
        self.controls = Controls(session)

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
        """Show the game, and let a robot begin if it is its turn."""
        self._go_on()
        if sys.stdin is not None and sys.stdin.isatty():
            self.set_interval(PATIENCE, self._leave_a_lost_terminal)

    def _leave_a_lost_terminal(self) -> None:
        # Nobody may have told us: without a controlling terminal no signal comes when it goes.
        if not sys.stdin.isatty():
            self.exit()

    def on_key(self, event: Key) -> None:
        """Translate a key."""
        event.stop()
        named = event.key in ("enter", "escape", "backspace")
        key = event.key if named else event.character or event.key
        if event.key in ("ctrl+c", "ctrl+q") or (key == "q" and not self._types):
            self.exit()
        elif key in AFTERWARDS and self.session.game.is_over:
            self.exit(AFTERWARDS[key])
        elif self.controls.help:
            self._do(self.controls.toggle_help)
        else:
            self._do(lambda: self.controls.press(key))

    @property
    def _types(self) -> bool:
        """Whether letters are part of something that is being typed, or close the help."""
        controls = self.controls
        return controls.help or not (controls.code is None and controls.dice is None)

    def action_hold(self, place: int) -> None:
        """Keep a die, or let it go."""
        self._do(lambda: self.controls.toggle(place))

    def action_score(self, category: int) -> None:
        """Score the roll."""
        self._do(lambda: self.controls.score(category))

    def _do(self, act: Callable[[], None]) -> None:
        session = self.session
        before = session.game.events, session.tutor
        act()
        if (session.game.events, session.tutor) != before:
            self.save(session.record)
        if session.game.events != before[0]:
            self._go_on()
        else:
            self._show()
        if self.controls.hint and not session.reasons.prepared:
            self.run_worker(self._find_reasons, thread=True, exclusive=True, group="reasons")

    def _go_on(self) -> None:
        """Show how the game stands; let robots play, or have their real dice typed in."""
        if self.session.game.is_over:
            self.run_worker(self._judge, thread=True)
        elif self.session.robot_may_play:
            self.set_timer(self.pause, self._robot_step)
        elif self.session.is_robots_turn:
            self.controls.roll()
        self._show()

    def _robot_step(self) -> None:
        if self.session.robot_may_play:  # else its turn was taken back meanwhile
            self.session.robot_step()
            self.controls.note = self.session.news
            self.save(self.session.record)
            self._go_on()

    def _find_reasons(self) -> None:
        self.session.reasons.prepare()
        self.call_from_thread(self._show)

    def _judge(self) -> None:
        record = self.session.record
        self.judged = record, self.judge(record)
        self.call_from_thread(self._show)

    def on_resize(self) -> None:
        """Show the game in the new size."""
        self._show()

    def _show(self) -> None:
        session, controls = self.session, self.controls
        width, height = self.size.width - 2, self.size.height
        rules, is_over = session.game.rules, session.game.is_over
        narrow = width < NARROW
        self._part("keys").update(views.keys(rules, width, is_over=is_over))
        self._part("headline").update(views.headline(session, width))
        self._part("stage").update(Text(session.words(), style="bold"))
        self._part("dice").update(views.dice(session))
        below = Text(views.help_text(rules)) if controls.help else card(session, width)
        if is_over and self.judged is not None and self.judged[0] == session.record:
            below = self._end(below, self.judged[1])
        self._part("card").update(below)
        options = controls.options()
        # Beside the options: two lines of words, the card, a message, the keys, what is empty.
        rest = 4 + len(str(below).splitlines()) + 3 + 1
        most = max(4, height - rest - (8 if narrow else 2))  # narrow: the dice stand above
        room = width if narrow else width - DICE
        shown = views.advice(session, options, most, controls.doubted, room) if options else ""
        lines = len(str(shown).splitlines())
        table = self.query_one("#table")
        table.styles.layout = "vertical" if narrow else "horizontal"
        table.styles.height = 5 + lines if narrow else max(5, lines)
        self._part("advice").styles.padding = (0, 0, 0, 0 if narrow else 3)
        self._part("advice").update(shown)
        self._part("message").update(self._words())

    def _end(self, cards: Text, judged: Sequence[str]) -> Text:
        """Return what is said of a finished game, below the cards if there is room for both."""
        lines = list(map(Text, judged))
        if 2 + 7 + len(str(cards).splitlines()) + 1 + len(lines) + 4 <= self.size.height:
            lines = [cards, Text(), *lines]
        return Text("\n").join(lines) if judged else cards

    def _part(self, name: str) -> Static:
        return self.query_one(f"#{name}", Static)

    def _words(self) -> str:
        words = self.controls.words() or self.controls.reason()
        if self.controls.help:
            return "Any key goes back."
        if self.controls.caution is not None:
            return f"{words}\np play anyway · t think again · b show the best"
        if self.session.game.is_over:
            return words or "Press r for the review."
        return words
