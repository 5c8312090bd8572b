"""The terminal app for playing one game."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial

from rich.text import Text

from rollwise.errors import InputError
from rollwise.game.game import Game
from rollwise.playing.session import Session
from rollwise.terminal import views
from rollwise.terminal.controls import Controls
from rollwise.terminal.scorecard import current_scorecard
from rollwise.terminal.screen import ScreenApp
from rollwise.two_player.win_probability import WinEstimate

AFTERWARDS = {"r": "review", "p": "practice", "n": "new"}
"""The keys after a finished game, and the next step that each key selects."""


class PlayApp(ScreenApp):
    """The app for one game; ``run`` returns the user's next step, a value of ``AFTERWARDS``.

    ``save`` is called after every change; ``failure`` is its error that ended the app, if any.
    ``pause`` is the time between the steps of a computer opponent, in seconds. Two functions run in
    threads: ``judge`` reviews a finished game and yields summaries of increasing length, and
    ``outlook`` returns the win probability of the first of two players.
    """

    def __init__(
        self,
        session: Session,
        save: Callable[[], None] = lambda: None,
        pause: float = 0.6,
        judge: Callable[[Game], Iterable[Sequence[str]]] = lambda game: (),
        outlook: Callable[[Game], WinEstimate | None] | None = None,
    ) -> None:
        super().__init__()
        self.session, self.save, self.pause, self.judge = session, save, pause, judge
        self.judged: tuple[Game, Sequence[str]] | None = None
        self.outlook = outlook if len(session.game.players) == 2 else None
        self.foreseen: WinEstimate | None = None
        self.controls = Controls(session)
        self.failure: InputError | OSError | None = None

    def begin(self) -> None:
        """Display the game, and let a computer opponent play if it moves first."""
        self._go_on()

    def press(self, key: str) -> None:
        """Handle a key of the game, or of the menu after a finished game."""
        if key in AFTERWARDS and self.session.game.is_over:
            self.exit(AFTERWARDS[key])
        elif self.controls.help:
            self._do(self.controls.toggle_help)
        else:
            self._do(lambda: self.controls.press(key))

    @property
    def types(self) -> bool:
        """Whether a letter is typed input or closes the help."""
        controls = self.controls
        return controls.help or not (controls.code is None and controls.dice is None)

    def action_hold(self, place: int) -> None:
        """Hold or release the die at the index ``place``."""
        self._do(lambda: self.controls.toggle(place))

    def action_choose(self, category: int) -> None:
        """Score a category."""
        self._do(lambda: self.controls.choose(category))

    def _do(self, act: Callable[[], None]) -> None:
        session = self.session
        before = session.game.events, session.tutor
        act()
        if (session.game.events, session.tutor) != before:
            self._save()
        if session.game.events != before[0]:
            self._go_on()
        else:
            self.show()
        if self.controls.hint and session.position and not session.reasons.are_prepared:
            self.run_worker(self._find_reasons, thread=True, exclusive=True, group="reasons")

    def _go_on(self) -> None:
        """Display the game; let a computer opponent play, or ask for the faces of its real dice."""
        if self.session.game.is_over:
            self.run_worker(partial(self._judge, self.session.game.copy()), thread=True)
        elif self.session.bot_may_play:
            self.set_timer(self.pause, self._bot_step)
        elif self.session.is_bots_turn:
            self.controls.roll()
        if self.outlook is not None:
            foresee = partial(self._foresee, self.session.game.copy())
            self.run_worker(foresee, thread=True, exclusive=True, group="outlook")
        self.show()

    def _bot_step(self) -> None:
        if self.session.bot_may_play:  # else the person has undone the opponent's turn
            self.session.bot_step()
            self.controls.note = self.session.news
            self._save()
            self._go_on()

    def _save(self) -> None:
        try:
            self.save()
        except (InputError, OSError) as error:
            self.failure = error
            self.exit()

    def _find_reasons(self) -> None:
        self.session.reasons.prepare()
        self.call_from_thread(self.show)

    def _foresee(self, game: Game) -> None:
        assert self.outlook is not None
        outlook = self.outlook(game)
        if game.events == self.session.game.events:  # else another worker runs for the newer events
            self.foreseen = outlook
            self.call_from_thread(self.show)

    def _judge(self, game: Game) -> None:
        for summary in self.judge(game):
            self.judged = game, summary
            self.call_from_thread(self.show)

    def show(self) -> None:
        """Display the current state of the game."""
        session, controls, width = self.session, self.controls, self.width
        rules, is_over = session.game.rules, session.game.is_over
        card = current_scorecard(session, width, short=self.short)
        below = Text(views.help_text(rules)) if controls.help else card
        if is_over and self.judged is not None and self.judged[0] == session.game:
            below = self._end(below, self.judged[1])
        options = controls.options()
        # The lines that are not options: headline, stage, scorecard, message, keys, empty lines.
        rest = 4 + len(str(below).splitlines()) + 3 + 1
        free = self.size.height - rest - (8 if self.narrow else 2)  # narrow: dice are above
        most = max(3 if self.short else 4, free)
        doubted, columns = controls.doubted, self.beside
        self.lay(
            {
                "keys": views.keys(session, width),
                "headline": views.headline(session, width),
                "stage": views.stage(session, self.foreseen, width),
                "dice": views.dice(rules, session.tray, short=self.short),
                "card": below,
                "advice": views.advice(session, options, most, doubted, columns) if options else "",
                "message": self._words(),
            }
        )

    def _end(self, cards: Text, judged: Sequence[str]) -> Text:
        """Return the summary of a finished game, below the scorecards if both fit on the screen."""
        lines = list(map(Text, judged))
        if 2 + 7 + len(str(cards).splitlines()) + 1 + len(lines) + 4 <= self.size.height:
            lines = [cards, Text(), *lines]
        return Text("\n").join(lines) if judged else cards

    def _words(self) -> str:
        words = self.controls.words() or self.controls.reason()
        if self.controls.help:
            return "Press any key to go back."
        if self.controls.caution is not None:
            answers = "p play anyway · t think again · b show the best option"
            return f"{words}\n{self.controls.note} {answers}".replace("\n ", "\n")
        if self.session.game.is_over:
            return words or "Press r for the review."
        return words
