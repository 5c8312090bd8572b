"""Games that are being played: one object a game, however many windows look at it.

A game begun: its seats, its dice, its address.
"""

import asyncio
import datetime
from collections import OrderedDict
from collections.abc import Callable, Mapping
from contextlib import suppress

from nicegui import background_tasks

from rollwise.errors import InputError, TooLargeError
from rollwise.game.records.record import Record, fresh_seed
from rollwise.history import History, HistoryError, NoSuchGameError, new_id
from rollwise.playing.session import Session
from rollwise.rules import Rules
from rollwise.solving.card_solution import CardSolution
from rollwise.web.bots import Robots, check_seats
from rollwise.web.computing import STORE, bytes_of
from rollwise.web.insight import Insight
from rollwise.web.jobs import GRACE, STEP
from rollwise.web.limits import preparing
from rollwise.web.line import BusyError, JobStatus, WorkerError
from rollwise.web.solved import SolvedGames

PAUSE = 0.7
"""Seconds between the steps of a robot."""

KEPT = 200
"""Games kept open, if nobody looks at them; others are opened again from what is saved."""


class LiveGame:
    """One game, those who look at it, and its robots.

    The table is there at once; as long as somebody looks, the game is solved for it.

    Attributes
    ----------
    solving : JobStatus or None
        How far the solution is that the table waits for; None where it waits for none.
    unsolved : str
        Why there will be no solution, in words; empty where there is one or may be.
    trouble : str
        What went wrong last, in words.
    """

    def __init__(
        self, games: SolvedGames, id: str, session: Session, robots: Robots, owner: str | None
    ) -> None:
        self.games, self.id, self.session = games, id, session
        self.names = robots.names
        self.insight = Insight(games, session, self.tell)
        self.solving: JobStatus | None = None
        self.unsolved = self.trouble = ""
        session.advice_to_come = True
        self._robots, self._history = robots, games.history.of(owner)
        self._lookers: list[Callable[[], None]] = []
        self._learning: asyncio.Task[None] | None = None
        self._robots_at_work = False
        self._saving = asyncio.Lock()

    def look(self, show: Callable[[], None]) -> Callable[[], None]:
        """Have ``show`` called after every change; return what ends that."""
        self._lookers.append(show)
        self.insight.foresee()
        if self.session.solution is None and (self._learning is None or self._learning.done()):
            self._learning = background_tasks.create(self._learn())

        def leave() -> None:
            self._lookers.remove(show)
            if self._learning is not None and not self._lookers:
                self._learning.cancel()
                self._learning = None

        return leave

    @property
    def is_looked_at(self) -> bool:
        """Whether any window shows it."""
        return bool(self._lookers)

    def tell(self) -> None:
        """Show everybody how the game stands, and have found out what they may expect."""
        if self._lookers:
            self.insight.foresee()
            self.insight.look_up()
        for show in list(self._lookers):
            show()

    async def changed(self) -> None:
        """Save the game, show it, and let robots go on."""
        async with self._saving:
            try:
                record = self.session.record
                await self.games.write(self._history.save, self.id, record, self.names)
                self.trouble = ""
            except HistoryError as error:
                self.trouble = f"Not saved: {error}"
            self.insight.reviews = []
            if record.is_over:
                background_tasks.create(self._judge(record))
        self.tell()
        self.let_robots_play()

    def let_robots_play(self) -> None:
        """Let robots go on, if it is their turn and nobody has to type in dice."""
        if self.session.robot_may_play:
            background_tasks.create(self._let_robots_play())

    def look_back(self) -> None:
        """Have a game judged that was over before anybody came to look at it."""
        if self.session.game.is_over and not self.insight.reviews:
            background_tasks.create(self._judge(self.session.record))

    async def again(self) -> str:
        """Begin another game at the same table, and return its id."""
        game = self.session.game
        seats = {name: self.names.get(number) for number, name in enumerate(game.players)}
        real = self.session.seed is None
        return await begin_game(self.games, self._history, game.rules, seats, real_dice=real)

    async def _judge(self, record: Record) -> None:
        """Keep how people played a game that is over, if that can be told."""
        reviews = await self.insight.look_back(record)
        people = [one for number, one in enumerate(reviews) if number not in self.names]
        with suppress(NoSuchGameError):  # it may be deleted by now
            await self.games.write(self.games.history.keep_reviews, self.id, people)

    async def _learn(self) -> None:
        """Have the game solved, and meanwhile show how far that is."""
        try:
            while self.session.solution is None:
                try:
                    self.session.solution = await self._solved()
                except BusyError as error:
                    await asyncio.sleep(error.seconds)
        except TooLargeError:
            rules = self.session.game.rules
            found = await self.games.prepared.find(rules)
            if found is None:
                self._give_up(f"the game is too large here; {preparing(rules)} prepares it")
            elif not found.is_whole:  # its cards are read from disk
                self.session.looked_up = self.insight.options
            self.session.solution = found
        except (InputError, WorkerError) as error:
            self._give_up(str(error))
        finally:
            self.solving = None
            self.tell()

    def _give_up(self, why: str) -> None:
        self.unsolved, self.session.advice_to_come = why, False

    async def _solved(self) -> CardSolution:
        making = self.games.solution(self.session.game.rules)
        asked = asyncio.ensure_future(making.patiently(GRACE))
        try:
            while not (await asyncio.wait([asked], timeout=STEP))[0]:
                self.solving = making.notice
                self.tell()
            return asked.result()
        finally:
            asked.cancel()

    async def _let_robots_play(self) -> None:
        if self._robots_at_work:
            return
        self._robots_at_work = True
        try:
            while self.session.robot_may_play:
                await self._robot_step()
                self.tell()
                await asyncio.sleep(PAUSE)
        except (InputError, WorkerError) as error:
            self.trouble = f"The robot cannot play: {error}"
            self.tell()
            return
        finally:
            self._robots_at_work = False
        await self.changed()

    async def _robot_step(self) -> None:
        """Let the robot roll, or choose; what it chose is void if the game is elsewhere by then."""
        session, seen = self.session, self.session.game.events
        action = None if session.game.awaits_roll else await self._robots.choose(session.record)
        if session.robot_may_play and session.game.events == seen:
            session.robot_step(action)


class LiveGames:
    """All games that are being played on a server."""

    def __init__(self, games: SolvedGames) -> None:
        self.games = games
        self._open: OrderedDict[str, LiveGame] = OrderedDict()

    async def enter(self, id: str) -> LiveGame:
        """Return a game that goes on.

        Raises
        ------
        NoSuchGameError
            When no game has this address.
        InputError
            When a robot cannot play here.
        """
        if id not in self._open:
            saved = await self.games.read(self.games.history.load, id)
            rules = saved.record.rules
            robots = Robots(self.games, rules, dict(saved.robots))
            session = Session(saved.record, self._at_hand(rules), dict.fromkeys(robots.names))
            live = LiveGame(self.games, id, session, robots, saved.owner)
            self._open.setdefault(id, live)
        self._open.move_to_end(id)
        self._make_room()
        return self._open[id]

    def _at_hand(self, rules: Rules) -> CardSolution | None:
        """Return the solution of a game if it is there already."""
        with suppress(TooLargeError):
            solving = self.games.solution(rules)
            return solving.made if solving.is_made else None
        return None

    def _make_room(self) -> None:
        """Forget games that nobody looks at, those entered longest ago, if there are too many."""
        *before, _ = self._open
        for id in before:
            known = {live.session.solution for live in self._open.values()}
            taken = sum(bytes_of(one) for one in known if isinstance(one, CardSolution))
            if len(self._open) <= KEPT and taken <= STORE:
                return
            if not self._open[id].is_looked_at:
                del self._open[id]


async def begin_game(
    games: SolvedGames,
    history: History,
    rules: Rules,
    seats: Mapping[str, str | None],
    *,
    real_dice: bool,
) -> str:
    """Save a new game, and return its id.

    Parameters
    ----------
    seats : mapping of str to str or None
        The players in the order of play, with the strategy of each robot.
    real_dice : bool
        Whether dice are rolled by hand and typed in.

    Raises
    ------
    InputError
        When a name is none, or a robot cannot play with these.
    """
    check_seats(rules, seats)
    seed = None if real_dice else fresh_seed()
    record = Record(rules, tuple(seats), seed=seed, date=datetime.date.today())
    robots = {number: name for number, name in enumerate(seats.values()) if name is not None}
    id = new_id()
    await games.write(history.save, id, record, robots)
    return id
