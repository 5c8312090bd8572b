"""Background analysis of a game in progress: options, win probabilities, and the review."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial

from rollwise.errors import InputError, TooLargeError
from rollwise.game.actions import Action, Event
from rollwise.game.game import Game
from rollwise.game.position import Position
from rollwise.game.stage import Stage
from rollwise.playing.session import Session
from rollwise.reviews.review import Review
from rollwise.rules import Rules
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.option import Option
from rollwise.two_player.win_probability import WinEstimate
from rollwise.web import background_tasks, computations
from rollwise.web.computing import BusyError, FailedError, patiently
from rollwise.web.sent_texts import TOO_LARGE
from rollwise.web.solved_games import SolvedGames


class Insight:
    """The analysis of a game; its viewers are notified of every result.

    Parameters
    ----------
    games : SolvedGames
    session : Session
    notify : callable
        Called to show the game to all viewers.

    Attributes
    ----------
    reviews : list of Review
        A review for each player; empty until the finished game is reviewed.
    unreviewed : str
        The reason why a review is impossible; otherwise empty.
    scale : dict of str to float, or None
        The EV loss per game of each reference strategy; None until it is computed.
    outlook : Outlook or None
        The last computed win probability of the first player in a two-player game.
    """

    def __init__(
        self,
        games: SolvedGames,
        session: Session,
        notify: Callable[[], None],
    ) -> None:
        self.reviews: list[Review] = []
        self.unreviewed = ""
        self.scale: dict[str, float] | None = None
        self.outlook: WinEstimate | None = None
        self._outlook_events: Sequence[Event] | None = None
        self._computing_outlook = False
        self._games, self._session, self._notify = games, session, notify
        self._advised: Stage | None = None
        self._advice: tuple[list[Option], list[float]] = ([], [])
        self._looking_up = False

    def expected_scores(self, options: Sequence[Option]) -> list[float]:
        """Return the expected final score of each player, given the options of the next action.

        The list is empty until the game is solved or the options of a large game are looked up.
        """
        session = self._session
        if not isinstance(session.solution, CardSolution):
            return []
        if session.lookup_options is None:
            return computations.expected_scores(session.solution, session.game.stage, options)
        return self._advice[1]

    def options(self, position: Position) -> list[Option]:
        """Return the options at a position of a large game, best first.

        The list is empty until the options have been looked up.
        """
        stage = self._advised
        return self._advice[0] if stage is not None and stage.position == position else []

    def update_advice(self) -> None:
        """Look up the options of a large game in the background, if the game has changed."""
        session = self._session
        has_gone_on = self._advised is not session.game.stage
        if session.lookup_options is not None and has_gone_on and not self._looking_up:
            background_tasks.create(self._update_advice())

    async def _update_advice(self) -> None:
        self._looking_up = True
        try:
            with suppress(BusyError, FailedError, InputError):
                solution = await self._games.solution(self._session.game.rules)
                while self._advised is not (stage := self._session.game.stage):
                    self._advice = await self._games.computing.seconds(
                        computations.advice_in_game, solution, stage
                    )
                    self._advised = stage
                    self._notify()
        finally:
            self._looking_up = False

    def update_outlook(self) -> None:
        """Compute the win probability in the background, if a two-player game has changed.

        It is not computed for rules that came with a request, because other games
        would have to wait.
        """
        session, game = self._session, self._session.game
        is_computed = len(game.players) == 2 and self._games.offers(game.rules)
        has_gone_on = session.solution is not None and self._outlook_events != game.events
        if is_computed and has_gone_on and not self._computing_outlook:
            background_tasks.create(self._update_outlook())

    async def _update_outlook(self) -> None:
        self._computing_outlook = True
        try:
            with suppress(BusyError, FailedError, InputError):
                while self._outlook_events != self._session.game.events:
                    game = self._session.game.copy()
                    events = game.events
                    self.outlook = await self._games.outlook(game)
                    self._outlook_events = events
                    self._notify()
        finally:
            self._computing_outlook = False

    async def gains(self, other: Action) -> list[tuple[str, float]]:
        """Return what the best option of the current decision gains over another action.

        The list is empty if it cannot be computed now.
        """
        position = self._session.position
        if position is None or self._session.solution is None:
            return []
        with suppress(BusyError, FailedError, InputError):
            return await self._games.gains(position, other)
        return []

    async def review(self, game: Game) -> list[Review]:
        """Review a finished game, start to compute the rating scale, and return the reviews."""
        try:
            self.reviews = await patiently(partial(self._games.reviews, game))
        except TooLargeError:
            self.unreviewed = TOO_LARGE
        except (InputError, FailedError) as error:
            self.unreviewed = str(error)
        else:
            background_tasks.create(self._find_scale(game.rules))
        self._notify()
        return self.reviews

    async def _find_scale(self, rules: Rules) -> None:
        self.scale = await self._games.scale(rules)
        self._notify()
