"""The terminal app for playing one game."""

import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import partial
from typing import NamedTuple

from rich.text import Text

from rollwise.errors import InputError
from rollwise.game.actions import Action
from rollwise.game.game import Game
from rollwise.playing.session import Session
from rollwise.reviews.review import Review, steps_through
from rollwise.solving.progress import Progress
from rollwise.terminal import views
from rollwise.terminal.controls import Controls
from rollwise.terminal.review import ReviewPages
from rollwise.terminal.scorecard import scorecard
from rollwise.terminal.screen import ScreenApp
from rollwise.two_player.win_probability import WinEstimate

AFTERWARDS = {"p": "practice", "n": "new"}
"""The keys after a finished game, and the next step that each key selects."""


class Judgment(NamedTuple):
    """The reviews of a finished game, one per player, and their summary in lines."""

    reviews: Sequence[Review]
    summary: Sequence[str]


class _LeaveError(Exception):
    """The player has left the game."""


class PlayApp(ScreenApp):
    """The app for one game; ``run`` returns the user's next step, a value of ``AFTERWARDS``.

    ``save`` is called after every change; ``failure`` is its error that ended the app, if any.
    ``pause`` is the time between the steps of a computer opponent, in seconds. Two functions run in
    threads: ``judge`` reviews a finished game and yields judgments with summaries of increasing
    length, and ``outlook`` returns the win probability of the first of two players; it calls its
    second argument regularly.
    """

    def __init__(
        self,
        session: Session,
        save: Callable[[], None] = lambda: None,
        pause: float = 0.6,
        judge: Callable[[Game], Iterable[Judgment]] = lambda game: (),
        outlook: Callable[[Game, Progress], WinEstimate | None] | None = None,
    ) -> None:
        super().__init__()
        self.session, self.save, self.pause, self.judge = session, save, pause, judge
        self.judged: tuple[Game, Judgment] | None = None
        self.pages: ReviewPages | None = None
        self.awaits_review = False
        self.outlook = outlook if len(session.game.players) == 2 else None
        self.foreseen: WinEstimate | None = None
        self.seconds_left: float | None = None
        self.controls = Controls(session)
        self.failure: InputError | OSError | None = None

    def begin(self) -> None:
        """Display the game, and let a computer opponent play if it moves first."""
        self._go_on()

    def leave(self) -> None:
        """Close the review, or exit."""
        if self.pages is None:
            self.exit()
        else:
            self.pages = None
            self.show()

    def press(self, key: str) -> None:
        """Handle a key of the game, of its review, or of the menu after a finished game."""
        if self.pages is not None:
            self.pages.press(key)
            self.show()
        elif self.controls.help:
            self._do(self.controls.toggle_help)
        elif self.session.game.is_over and key == "r":
            self.awaits_review = True
            self._open_review()
        elif self.session.game.is_over and key in AFTERWARDS:
            self.exit(AFTERWARDS[key])
        else:
            self._do(lambda: self.controls.press(key))

    def _open_review(self) -> None:
        """Open the review as soon as the game is reviewed, if the player awaits it."""
        judgment = self.judgment
        if self.awaits_review and judgment is not None:
            game = self.session.game
            self.awaits_review = False
            steps = steps_through(game, judgment.reviews)
            self.pages = ReviewPages(game.players, steps, game.headers.bots)
        self.show()

    @property
    def judgment(self) -> Judgment | None:
        """The judgment of the finished game, or None until it is available."""
        if self.judged is None or self.judged[0] != self.session.game:
            return None
        return self.judged[1]

    @property
    def types(self) -> bool:
        """Whether a letter is typed input or closes the help."""
        return self.controls.help or self.controls.code is not None

    def action_hold(self, place: int) -> None:
        """Hold or release the die at the index ``place``."""
        self._do(lambda: self.controls.toggle(place))

    def action_choose(self, category: int) -> None:
        """Score a category."""
        self._do(lambda: self.controls.choose(category))

    def _do(self, act: Callable[[], None]) -> None:
        if self.pages is not None:
            return
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
        self.awaits_review = False
        if self.session.game.is_over:
            self.run_worker(partial(self._judge, self.session.game.copy()), thread=True)
        elif self.session.bot_may_play:
            think = partial(self._think, self.session.game.copy())
            self.set_timer(self.pause, partial(self.run_worker, think, thread=True))
        elif self.session.is_bots_turn:
            self.controls.roll()
        if self.outlook is not None:
            foresee = partial(self._foresee, self.session.game.copy())
            self.run_worker(foresee, thread=True, exclusive=True, group="outlook")
        self.show()

    def _think(self, game: Game) -> None:
        """Let the computer opponent choose its next action in a game, unless it rolls."""
        bot = self.session.bots[game.mover]
        with suppress(_LeaveError):
            action = None if game.awaits_roll else bot.choose(game, self._time_left())
            self.call_from_thread(self._bot_step, game, action)

    def _bot_step(self, game: Game, action: Action | None) -> None:
        is_next = game.events == self.session.game.events
        if is_next and self.session.bot_may_play:  # else the person has undone the opponent's turn
            self.session.bot_step(action)
            self.seconds_left = None
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
        with suppress(_LeaveError):
            outlook = self.outlook(game, self._time_left())
            self.seconds_left = None
            if game.events == self.session.game.events:  # else a worker runs for the newer events
                self.foreseen = outlook
                self.call_from_thread(self.show)

    def _time_left(self) -> Progress:
        """Return the progress callback of a computation that ends if the player leaves the game."""
        begun = shown = time.monotonic()

        def progress(done: float) -> None:
            nonlocal shown
            if not self.is_running:
                raise _LeaveError
            now = time.monotonic()
            if now - shown > 1 and done:
                shown, self.seconds_left = now, (now - begun) * (1 - done) / done
                self.call_from_thread(self.show)

        return progress

    def _judge(self, game: Game) -> None:
        for judgment in self.judge(game):
            self.judged = game, judgment
            self.call_from_thread(self._open_review)

    def show(self) -> None:
        """Display the current state of the game, or its review."""
        if self.pages is not None:
            self.pages.show_on(self, "back")
            return
        session, controls, width = self.session, self.controls, self.width
        game = session.game
        who = controls.current if controls.viewed is None else controls.viewed
        possible = session.possible() if who == controls.current else {}
        below = scorecard(game.stage.cards, game.players, who, possible, width, short=self.short)
        if controls.help:
            below = Text(views.help_text(session, self.foreseen, width))
        elif self.judgment is not None:
            below = self._end(below, self.judgment.summary)
        self.lay(
            {
                "headline": views.headline(session, width),
                "stage": views.stage(session, self.foreseen, width, self.seconds_left),
                "dice": views.dice(game.rules, session.tray, width, short=self.short),
                "card": below,
                "advice": self._options(len(str(below).splitlines())),
                "message": self._words(),
                "keys": views.keys(session, width),
            }
        )

    def _options(self, card: int) -> Text | str:
        """Return the options of a hint, as many as fit above a scorecard of ``card`` lines."""
        session, controls, options = self.session, self.controls, self.controls.options()
        if session.position is None or not options:
            return ""
        message = self.lines(self._words())
        # The lines that are not options: headline, stage, scorecard, message, keys, empty lines.
        free = self.size.height - 6 - card - max(message, 2)
        free -= 8 if self.narrow else 2  # on a narrow screen, the dice are above
        assert session.solution is not None
        return views.options(
            session.position,
            options,
            max(3 if self.short else 4, free),
            marked=controls.doubted,
            points=session.solution.objective.name == "expected",
            reasons=session.reasons,
            width=self.beside,
        )

    def _end(self, cards: Text, summary: Sequence[str]) -> Text:
        """Return the summary of a finished game, below the scorecards if both fit on the screen."""
        lines = list(map(Text, summary))
        if 2 + 7 + len(str(cards).splitlines()) + 1 + len(lines) + 4 <= self.size.height:
            lines = [cards, Text(), *lines]
        return Text("\n").join(lines)

    def _words(self) -> str:
        words = self.controls.words() or self.controls.reason()
        if self.controls.help:
            return "Press any key to go back."
        if self.controls.caution is not None:
            answers = "p play anyway · t think again · b show the best option"
            return f"{words}\n{self.controls.note} {answers}".replace("\n ", "\n")
        if self.awaits_review:
            return "The game is being reviewed …"
        if self.session.game.is_over:
            return words or "Press r for the review."
        return words
