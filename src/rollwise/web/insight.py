"""What is known of a game that is being played: where it leads, why, and how it was played."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress

from nicegui import background_tasks

from rollwise.errors import InputError, TooLargeError
from rollwise.game.actions import Action
from rollwise.game.events import Event
from rollwise.game.position import Position
from rollwise.game.records.record import Record
from rollwise.playing.rating_scale import expected_scores
from rollwise.playing.session import Session
from rollwise.reviews.review import Review
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.objectives import EXPECTED
from rollwise.solving.option import Option
from rollwise.two_player.win_probability import Outlook
from rollwise.web.computing import standing
from rollwise.web.limits import is_small
from rollwise.web.line import BusyError, WorkerError
from rollwise.web.solved import SolvedGames
from rollwise.web.two_players import outlook


class Insight:
    """What is computed beside a game; those who look at it are told when something is there.

    Parameters
    ----------
    games : SolvedGames
    session : Session
    tell : callable
        Shows everybody how the game stands.

    Attributes
    ----------
    reviews : list of Review
        A review for each player once the game is over; empty before it is judged.
    unjudged : str
        Why there will be no review, in words; empty where there may be one.
    scale : dict of str to float
        What strategies lose in such a game; empty before that is known.
    outlook : Outlook or None
        The chance of the first of two players, as it was when it was worked out last.
    """

    def __init__(
        self,
        games: SolvedGames,
        session: Session,
        tell: Callable[[], None],
    ) -> None:
        self.reviews: list[Review] = []
        self.unjudged = ""
        self.scale: dict[str, float] = {}
        self.outlook: Outlook | None = None
        self._foreseen: Sequence[Event] | None = None
        self._foreseeing = False
        self._games, self._session, self._tell = games, session, tell
        self._values: tuple[Sequence[Event] | None, list[list[float]]] = (None, [])
        self._options: tuple[Position | None, list[Option]] = (None, [])
        self._looking_up = False
        self._reason: tuple[object, str] = (None, "")

    def expected_scores(self) -> list[list[float]]:
        """Return how the expected final score of each player went, as far as the game is.

        Nothing for anybody as long as the game is not solved, or looked up for the first time.
        """
        session, game = self._session, self._session.game
        if not isinstance(session.solution, CardSolution):
            return [[] for _ in game.players]
        if session.looked_up is None and self._values[0] != game.events:
            known = session.solution, game.players, game.events, session.options()
            self._values = game.events, expected_scores(*known)
        return self._values[1] or [[] for _ in game.players]

    def options(self, position: Position) -> list[Option]:
        """Return all options in a large game, best first; none before they were looked up."""
        return self._options[1] if self._options[0] == position else []

    def look_up(self) -> None:
        """Have what is known of a large game looked up, if it went on since."""
        session = self._session
        went_on = session.looked_up is not None and self._values[0] != session.game.events
        if went_on and not self._looking_up:
            background_tasks.create(self._look_up())

    async def _look_up(self) -> None:
        self._looking_up = True
        try:
            with suppress(BusyError, WorkerError, InputError):
                while self._values[0] != self._session.game.events:
                    record, position = self._session.record, self._session.position
                    options, values = await self._games.advising.do(standing, record)
                    self._options, self._values = (position, options), (record.events, values)
                    self._tell()
        finally:
            self._looking_up = False

    def foresee(self) -> None:
        """Have the chances of two players worked out, if the game went on since.

        Of rules that a request brought nothing is told: others would wait for it.
        """
        session, game = self._session, self._session.game
        told = len(game.players) == 2 and self._games.offers(game.rules)
        went_on = session.solution is not None and self._foreseen != game.events
        if told and went_on and not self._foreseeing:
            background_tasks.create(self._foresee())

    async def _foresee(self) -> None:
        self._foreseeing = True
        try:
            with suppress(BusyError, WorkerError, InputError):
                while self._foreseen != self._session.game.events:
                    record = self._session.record
                    self.outlook = await self._games.duels.do(outlook, record)
                    self._foreseen = record.events
                    self._tell()
        finally:
            self._foreseeing = False

    def reason(self, other: Option) -> str:
        """Return what makes the best option better than another one.

        Nothing as long as that is being found out.
        """
        wanted = self._session.game.events, other.action
        if self._reason[0] != wanted:
            self._reason = wanted, ""
            background_tasks.create(self._find_reason(wanted, other.action))
        return self._reason[1]

    async def _find_reason(self, wanted: object, other: Action) -> None:
        position = self._session.position
        if position is None:
            return
        with suppress(BusyError, WorkerError):
            sentence = await self._games.reason(position, other)
            if self._reason[0] == wanted:
                self._reason = wanted, sentence
                self._tell()

    async def look_back(self, record: Record) -> list[Review]:
        """Judge a finished game, and return how everybody played; the scale comes later."""
        try:
            await self._games.check_judged(record.rules, EXPECTED.name)
            while not self.reviews:
                try:
                    self.reviews = await self._games.reviews(record)
                except BusyError as error:
                    await asyncio.sleep(error.seconds)
        except TooLargeError:
            self.unjudged = "the game is too large here"
        except (InputError, WorkerError) as error:
            self.unjudged = str(error)
        else:
            if is_small(record.rules):
                background_tasks.create(self._find_scale(record))
        self._tell()
        return self.reviews

    async def _find_scale(self, record: Record) -> None:
        with suppress(BusyError, WorkerError, InputError):
            self.scale = await self._games.scale(record.rules)
            self._tell()
