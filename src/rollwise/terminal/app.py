"""The terminal app: keys in, session asked, views out."""

from collections.abc import Callable, Iterable, Sequence

from rich.text import Text

from rollwise.game.game import Game
from rollwise.game.records.record import Record
from rollwise.playing.controls import Controls
from rollwise.playing.session import Session
from rollwise.terminal import views
from rollwise.terminal.sheet import card
from rollwise.terminal.table import TableApp
from rollwise.two_player.win_probability import Outlook

AFTERWARDS = {"r": "review", "p": "practise", "n": "new"}
"""What follows a finished game, by its key."""


class PlayApp(TableApp):
    """One game at the keyboard.

    Parameters
    ----------
    session : Session
    save : callable
        Called with the game after every change.
    pause : float
        Seconds between the steps of a robot.
    judge : callable, optional
        From a finished game to what is said of it, and then to more of it; called beside the
        screen, for it takes a while.
    outlook : callable, optional
        From a game of two to the chances of the first; called beside the screen too.

    What is to be done after it, "practise" or "new", is what running it returns.
    """

    def __init__(
        self,
        session: Session,
        save: Callable[[Record], None] = lambda record: None,
        pause: float = 0.6,
        judge: Callable[[Record], Iterable[Sequence[str]]] = lambda record: (),
        outlook: Callable[[Game], Outlook | None] | None = None,
    ) -> None:
        super().__init__()
        self.session, self.save, self.pause, self.judge = session, save, pause, judge
        self.judged: tuple[Record, Sequence[str]] | None = None
        self.outlook = outlook if len(session.game.players) == 2 else None
        self.foreseen: Outlook | None = None
        self.controls = Controls(session)

    def begin(self) -> None:
        """Show the game, and let a robot begin if it is its turn."""
        self._go_on()

    def press(self, key: str) -> None:
        """Play, or say what follows a finished game."""
        if key in AFTERWARDS and self.session.game.is_over:
            self.exit(AFTERWARDS[key])
        elif self.controls.help:
            self._do(self.controls.toggle_help)
        else:
            self._do(lambda: self.controls.press(key))

    @property
    def types(self) -> bool:
        """Whether letters are part of something that is being typed, or close the help."""
        controls = self.controls
        return controls.help or not (controls.code is None and controls.dice is None)

    def action_hold(self, place: int) -> None:
        """Keep a die, or let it go."""
        self._do(lambda: self.controls.toggle(place))

    def action_choose(self, category: int) -> None:
        """Choose a box."""
        self._do(lambda: self.controls.choose(category))

    def _do(self, act: Callable[[], None]) -> None:
        session = self.session
        before = session.game.events, session.tutor
        act()
        if (session.game.events, session.tutor) != before:
            self.save(session.record)
        if session.game.events != before[0]:
            self._go_on()
        else:
            self.show()
        position = session.position
        if self.controls.hint and position and not session.reasons.are_prepared(position):
            self.run_worker(self._find_reasons, thread=True, exclusive=True, group="reasons")

    def _go_on(self) -> None:
        """Show how the game stands; let robots play, or have their real dice typed in."""
        if self.session.game.is_over:
            self.run_worker(self._judge, thread=True)
        elif self.session.robot_may_play:
            self.set_timer(self.pause, self._robot_step)
        elif self.session.is_robots_turn:
            self.controls.roll()
        if self.outlook is not None:
            self.run_worker(self._foresee, thread=True, exclusive=True, group="outlook")
        self.show()

    def _robot_step(self) -> None:
        if self.session.robot_may_play:  # else its turn was taken back meanwhile
            self.session.robot_step()
            self.controls.note = self.session.news
            self.save(self.session.record)
            self._go_on()

    def _find_reasons(self) -> None:
        self.session.reasons.prepare(self.session.position)
        self.call_from_thread(self.show)

    def _foresee(self) -> None:
        game = self.session.game
        seen = Game(game.rules, game.players, game.events)
        assert self.outlook is not None
        foreseen = self.outlook(seen)
        if seen.events == game.events:  # else another one is looking at what came after
            self.foreseen = foreseen
            self.call_from_thread(self.show)

    def _judge(self) -> None:
        record = self.session.record
        for said in self.judge(record):
            self.judged = record, said
            self.call_from_thread(self.show)

    def show(self) -> None:
        """Show how the game stands."""
        session, controls, width = self.session, self.controls, self.width
        rules, is_over = session.game.rules, session.game.is_over
        below = Text(views.help_text(rules)) if controls.help else card(session, width)
        if is_over and self.judged is not None and self.judged[0] == session.record:
            below = self._end(below, self.judged[1])
        options = controls.options()
        # Beside the options: two lines of words, the card, a message, the keys, what is empty.
        rest = 4 + len(str(below).splitlines()) + 3 + 1
        most = max(4, self.size.height - rest - (8 if self.narrow else 2))  # narrow: dice above
        doubted, room = controls.doubted, self.beside
        self.lay(
            {
                "keys": views.keys(session, width),
                "headline": views.headline(session, width),
                "stage": views.stage(session, self.foreseen, width),
                "dice": views.dice(rules, session.tray),
                "card": below,
                "advice": views.advice(session, options, most, doubted, room) if options else "",
                "message": self._words(),
            }
        )

    def _end(self, cards: Text, judged: Sequence[str]) -> Text:
        """Return what is said of a finished game, below the cards if there is room for both."""
        lines = list(map(Text, judged))
        if 2 + 7 + len(str(cards).splitlines()) + 1 + len(lines) + 4 <= self.size.height:
            lines = [cards, Text(), *lines]
        return Text("\n").join(lines) if judged else cards

    def _words(self) -> str:
        words = self.controls.words() or self.controls.reason()
        if self.controls.help:
            return "Any key goes back."
        if self.controls.caution is not None:
            return f"{words}\np play anyway · t think again · b show the best"
        if self.session.game.is_over:
            return words or "Press r for the review."
        return words
