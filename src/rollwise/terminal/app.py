"""The terminal app: keys in, session asked, views out."""

import sys
from collections.abc import Callable

from rich.text import Text
from textual.app import App, ComposeResult
from textual.containers import Horizontal
from textual.events import Key
from textual.widgets import Static

from rollwise.errors import InputError
from rollwise.game.notation import format_action, format_dice, parse_dice
from rollwise.game.records.record import Record
from rollwise.game.scorecard import Action, Score
from rollwise.playing.codes import DIE_KEYS, match_code
from rollwise.playing.session import Caution, Session
from rollwise.reviews.verdicts import MARKS, format_points
from rollwise.terminal import views

PATIENCE = 2.0
"""Seconds between looks whether the terminal is still there."""


class PlayApp(App[None]):
    """One game at the keyboard.

    Parameters
    ----------
    session : Session
    save : callable
        Called with the game after every change.
    pause : float
        Seconds between the steps of a robot.
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
        self, session: Session, save: Callable[[Record], None] = lambda record: None,
        pause: float = 0.6,
    ) -> None:  # fmt: skip
        super().__init__(ansi_color=True)  # the terminal's own colours, and none of ours
        self.session, self.save, self.pause = session, save, pause
        self.typed: str | None = None
        self.typing_dice = False
        self.caution: Caution | None = None
        self.message = ""
        self.hint = False
        self.help_open = False

    def compose(self) -> ComposeResult:
        """Lay out the parts of the screen."""
        yield Static(id="headline")
        yield Static(id="stage")
        with Horizontal(id="table"):
            yield Static(id="dice")
            yield Static(id="advice")
        yield Static(id="card")
        yield Static(id="message", markup=False)
        yield Static(views.keys(self.session.game.rules), id="keys", markup=False)

    def on_mount(self) -> None:
        """Show the game, and let a robot begin if it is its turn."""
        self._show()
        self._robots()
        if sys.stdin is not None and sys.stdin.isatty():
            self.set_interval(PATIENCE, self._leave_a_lost_terminal)

    def _leave_a_lost_terminal(self) -> None:
        # Nobody may have told us: without a controlling terminal no signal comes when it goes.
        if not sys.stdin.isatty():
            self.exit()

    def on_key(self, event: Key) -> None:
        """Translate a key."""
        event.stop()
        key = event.character or event.key
        if event.key in ("ctrl+c", "ctrl+q"):
            self.exit()
        elif self.help_open:
            self.help_open = False
        elif self.caution is not None:
            self._answer(key, event.key)
        elif self.typing_dice:
            self._type_dice(key, event.key)
        elif self.typed is not None:
            self._type_code(key, event.key)
        else:
            self._command(key, event.key)
        self._show()

    def _command(self, key: str, name: str) -> None:
        self.message = ""
        if key == "q":
            self.exit()
        elif key == "?":
            self.help_open = True
        elif key == "u":
            self._try(self.session.undo)
        elif key == "t":
            self.session.tutor = not self.session.tutor
            self.message = f"Tutor {'on' if self.session.tutor else 'off'}."
        elif self.session.is_robots_turn or self.session.game.is_over:
            return
        elif key in (" ", "r") or name == "space":
            self.action_roll()
        elif key == "h":
            self.hint = not self.hint
        elif key in DIE_KEYS[: self.session.game.rules.dice]:
            self.action_hold(DIE_KEYS.index(key))
        elif key.isalpha() and len(key) == 1 and self.session.position is not None:
            self.typed = ""
            self._type_code(key, name)

    def action_hold(self, place: int) -> None:
        """Keep a die, or let it go."""
        if self.session.is_robots_turn:
            return
        self._try(lambda: self.session.toggle(place))
        self._show()

    def action_roll(self) -> None:
        """Roll the dice that are not kept."""
        if not self.session.may_roll:
            self.message = "Nothing to roll: let a die go, or score (s and a code)."
            return
        intended = self.session.intended()
        if intended is None or not self._warned(intended):
            self._roll()

    def action_score(self, category: int) -> None:
        """Score the roll."""
        if self.session.is_robots_turn or self.session.position is None:
            return
        if category not in self.session.possible():
            title = self.session.game.rules.categories[category].title
            self.message = f"{title} cannot be scored here."
        elif not self._warned(Score(category)):
            self._do(lambda: self.session.score(category))
        self._show()

    def _roll(self) -> None:
        if self.session.seed is None:
            self.typing_dice, self.typed = True, ""
        else:
            self._do(self.session.roll)

    def _warned(self, action: Action) -> bool:
        self.caution = self.session.caution(action)
        return self.caution is not None

    def _answer(self, key: str, name: str) -> None:
        assert self.caution is not None
        action = self.caution.chosen.action
        if key == "p" or name == "enter":
            self.caution = None
            if isinstance(action, Score):
                self._do(lambda: self.session.score(action.category))
            else:
                self._roll()
        elif key == "b":
            self.caution, self.hint = None, True
        elif key == "t" or name == "escape":
            self.caution = None

    def _type_code(self, key: str, name: str) -> None:
        assert self.typed is not None
        if name == "escape":
            self.typed = None
            return
        if name == "backspace":
            self.typed = self.typed[:-1]
            return
        if name != "enter":
            self.typed += key if len(key) == 1 and key.isprintable() else ""
        game, complete = self.session.game, name == "enter"
        match = match_code(game.rules, self.typed, filled=game.card.filled, complete=complete)
        if match.category is not None:
            self.typed = None
            self.action_score(match.category)
        elif not match.goes_on:
            self.message = f"No box has the code {self.typed!r}."
            self.typed = None

    def _type_dice(self, key: str, name: str) -> None:
        assert self.typed is not None
        if name == "escape":
            self.typing_dice, self.typed = False, None
        elif name == "backspace":
            self.typed = self.typed[:-1]
        elif name == "enter":
            text, self.typing_dice, self.typed = self.typed, False, None
            rules = self.session.game.rules
            self._do(lambda: self.session.roll(parse_dice(rules, text)))
        elif len(key) == 1 and key.isprintable():
            self.typed += key

    def _try(self, step: Callable[[], None]) -> bool:
        try:
            step()
        except InputError as error:
            self.message = str(error)
            return False
        return True

    def _do(self, step: Callable[[], None]) -> None:
        self.hint, self.message = False, ""
        if self._try(step):
            self.save(self.session.record)
            self._robots()

    def _robots(self) -> None:
        if not self.session.is_robots_turn:
            return
        if self.session.seed is None and self.session.game.awaits_roll:
            self.typing_dice, self.typed = True, ""
            return
        self.set_timer(self.pause, self._robot_step)

    def _robot_step(self) -> None:
        if not self.session.is_robots_turn:
            return  # its choice was taken back meanwhile
        self.session.robot_step()
        self.message = self.session.news
        self.save(self.session.record)
        self._show()
        self._robots()

    def _show(self) -> None:
        session = self.session
        self.query_one("#headline", Static).update(views.headline(session))
        self.query_one("#stage", Static).update(Text(session.words(), style="bold"))
        self.query_one("#dice", Static).update(views.dice(session))
        options = session.options() if self.hint and not session.is_robots_turn else []
        self.query_one("#advice", Static).update(views.advice(session, options) if options else "")
        self.query_one("#card", Static).update(
            views.help_text(session.game.rules) if self.help_open else views.card(session)
        )
        self.query_one("#message", Static).update(self._words())

    def _words(self) -> str:
        if self.help_open:
            return "Any key goes back."
        if self.caution is not None:
            caution, rules = self.caution, self.session.game.rules
            return (
                f"Tutor: {format_action(rules, caution.chosen.action)} "
                f"{MARKS[caution.verdict]} loses {format_points(caution.chosen.loss)[1:]} points.\n"
                "p play anyway · t think again · b show the best"
            ).replace("  ", " ")
        if self.typing_dice:
            kept = format_dice(self.session.game.rules, self.session.tray.kept)
            note = f" ({kept} kept)" if kept else ""
            return f"All dice on the table{note}: {self.typed}_"
        if self.typed is not None:
            return f"Score in: {self.typed}_   (Enter when complete, Esc to stop)"
        if self.session.game.is_over:
            return self.message or "Press q for the review."
        return self.message
