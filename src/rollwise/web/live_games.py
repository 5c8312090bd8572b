"""Games in progress: one object per game, shared by all windows that show the game."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from functools import cached_property
from typing import Any

from rollwise.errors import IllegalError, InputError, TooLargeError
from rollwise.game.game import Game
from rollwise.history import GoneOnError, History, HistoryError, NoSuchGameError, SavedGame, new_id
from rollwise.playing.bot import another_game
from rollwise.playing.session import Session
from rollwise.rules import Rules
from rollwise.solving.card_solution import CardSolution
from rollwise.web import background_tasks
from rollwise.web.bots import Bots, check_bots
from rollwise.web.computing import (
    RESULT_BYTES,
    BusyError,
    Computation,
    FailedError,
    bytes_of,
    patiently,
)
from rollwise.web.game_analysis import Insight
from rollwise.web.progress import STEP
from rollwise.web.rendering import sentence
from rollwise.web.seats import Seats, seat_key
from rollwise.web.sent_texts import TOO_LARGE
from rollwise.web.solved_games import SolvedGames

PAUSE = 0.7
"""The seconds between the steps of a computer opponent."""

DELETED = "the game was deleted"

MAX_OPEN = 200
"""The number of open games above which games without viewers are dropped from memory."""


class LiveGame:
    """A game in progress, with its viewers and its computer opponents.

    The game is solved in the background while it has viewers. They can see it before it is solved.

    ``solving`` is the computation of the solution, or None while the game is not being solved.
    ``unsolved`` is the reason why it cannot be solved, and ``trouble`` describes the last error;
    both are empty if there is none. ``seats`` are the players who have joined from a device of
    their own. ``is_deleted`` says whether a change showed that the game was deleted. ``state`` is
    what all windows show, computed once after each change; None until then.
    """

    def __init__(
        self, games: SolvedGames, saved: SavedGame, session: Session, bots: Bots, key: bytes
    ) -> None:
        self.games, self.id, self.session = games, saved.id, session
        self.names = bots.names
        self.insight = Insight(games, session, self.notify)
        self.solving: Computation[CardSolution] | None = None
        self.state: dict[str, Any] | None = None
        self.unsolved = self.trouble = ""
        session.is_advice_pending = True
        self._bots, self._history = bots, games.history.of(saved.owner)
        self._saved, self._reloads = saved, 0
        self.is_deleted = False
        self.seats = Seats(saved.id, session.game.players, key)
        self._viewers: list[Callable[[], None]] = []
        self._solver: asyncio.Task[None] | None = None
        self._bots_are_playing = False
        self._hurry = asyncio.Event()
        self._saving, self._beginning = asyncio.Lock(), asyncio.Lock()
        self._next: str | None = None

    def add_viewer(self, show: Callable[[], None]) -> Callable[[], None]:
        """Call ``show`` after every change; return a function that removes the viewer."""
        self._viewers.append(show)
        self.insight.update_outlook()
        if self.session.solution is None and (self._solver is None or self._solver.done()):
            self._solver = background_tasks.create(self._solve())

        return lambda: self._viewers.remove(show)

    @property
    def has_viewers(self) -> bool:
        """Whether any window shows the game."""
        return bool(self._viewers)

    def notify(self) -> None:
        """Show the game to all viewers; update options and win probability in the background."""
        self.state = None
        if self._viewers:
            self.insight.update_outlook()
            self.insight.update_advice()
        for show in list(self._viewers):
            show()

    async def changed(self) -> None:
        """Save the game, show it, and let computer opponents play.

        If the game has gone on in another process, or was deleted, the change is undone, and an
        InputError is raised.
        """
        reloads = self._reloads
        try:
            async with self._saving:
                if self._reloads != reloads:  # while this change waited
                    raise GoneOnError
                await self._save(self.session.game.copy())
        finally:
            self.notify()
            self.let_bots_play()

    async def _save(self, game: Game) -> None:
        last = self._saved.saved_at
        try:
            saved_at = await self.games.write(self._history.save, self.id, game, last)
            self._saved = SavedGame(self.id, game, saved_at, self._saved.owner)
            self.trouble = ""
        except (GoneOnError, NoSuchGameError):
            await self._reload()
            if self.is_deleted:
                raise IllegalError(DELETED) from None
            raise
        except HistoryError as error:
            self.trouble = f"The game was not saved: {error}"
        self.insight.reviews = []
        if game.is_over:
            background_tasks.create(self._review_and_save(game))

    async def _reload(self) -> None:
        """Return to the game as it is saved, or as it was before it was deleted."""
        self._reloads += 1
        try:
            self._saved = await self.games.read(self.games.history.load, self.id)
        except NoSuchGameError:
            self.is_deleted, self.trouble = True, sentence(DELETED)
        finally:
            self.session.restart(self._saved.game.copy())

    def let_bots_play(self) -> None:
        """Let a computer opponent play if it is to move and its dice are not entered by hand."""
        if self.session.bot_may_play and not self.is_deleted:
            background_tasks.create(self._let_bots_play())

    def hurry(self) -> None:
        """End the pauses of the computer opponent that is playing."""
        self._hurry.set()

    def review(self) -> None:
        """Review a finished game that has no review yet."""
        if self.session.game.is_over and not self.insight.reviews:
            background_tasks.create(self._review_and_save(self.session.game.copy()))

    async def play_again(self) -> str:
        """Return the id of the next game of the same players, which one of them begins for all."""
        async with self._beginning:
            if self._next is None or not await self._goes_on(self._next):
                self._next = await begin_game(
                    self.games, self._history, another_game(self.session.game)
                )
            return self._next

    async def _goes_on(self, id: str) -> bool:
        with suppress(HistoryError):
            return not (await self.games.read(self.games.history.load, id)).game.is_over
        return False

    async def _review_and_save(self, game: Game) -> None:
        """Review a finished game, and save the reviews of all players except bots."""
        is_saved = self._saved.game == game
        saved_at = self._saved.saved_at if is_saved else None
        reviews = await self.insight.review(game)
        people = [review for review in reviews if review.player not in self.names]
        with suppress(NoSuchGameError):  # someone might have deleted the game
            await self.games.write(self.games.history.keep_reviews, self.id, people, saved_at)

    async def _solve(self) -> None:
        """Solve the game, and show the progress."""
        rules = self.session.game.rules
        try:
            prepared = await self.games.prepared.find(rules)
            if prepared is not None and not prepared.is_whole:  # its values are read from disk
                self.session.lookup_options = self.insight.options
            self.session.solution = prepared or await patiently(self._solved)
        except TooLargeError:
            self._give_up(TOO_LARGE)
        except (InputError, FailedError) as error:
            self._give_up(str(error))
        finally:
            self.solving = None
            self.notify()

    def _give_up(self, why: str) -> None:
        self.unsolved, self.session.is_advice_pending = why, False

    async def _solved(self) -> CardSolution:
        computation = self.games.solving(self.session.game.rules)
        while not await computation.wait(STEP):
            self.solving = computation
            self.notify()
        return await computation

    async def _let_bots_play(self) -> None:
        if self._bots_are_playing:
            return
        self._bots_are_playing = True
        self._hurry.clear()
        try:
            while self.session.bot_may_play:
                await self._bot_step()
                self.notify()
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._hurry.wait(), PAUSE)
        except (InputError, FailedError) as error:
            self.trouble = f"The computer opponent cannot play: {error}"
            self.notify()
            return
        finally:
            self._bots_are_playing = False
        with suppress(InputError):  # the game has gone on in another process
            await self.changed()

    async def _bot_step(self) -> None:
        """Let a computer opponent roll or act; discard its action if the game has changed."""
        session, events = self.session, self.session.game.events
        action = None if session.game.awaits_roll else await self._bots.choose(session.game.copy())
        if session.bot_may_play and session.game.events == events:
            session.bot_step(action)


class LiveGames:
    """All games in progress on a server."""

    def __init__(self, games: SolvedGames) -> None:
        self.games = games
        self._open: OrderedDict[str, LiveGame] = OrderedDict()

    @cached_property
    def _seat_key(self) -> bytes:
        return seat_key(self.games.history.database.file)

    async def enter(self, id: str) -> LiveGame:
        """Return a game, and load it from the history if necessary.

        If a computer opponent cannot play on this server, an InputError is raised.
        """
        if id in self._open and self._open[id].is_deleted:
            del self._open[id]
        if id not in self._open:
            saved = await self.games.read(self.games.history.load, id)
            bots = Bots(self.games, saved.game)
            session = Session(saved.game.copy(), self._available(saved.game.rules))
            live = LiveGame(self.games, saved, session, bots, self._seat_key)
            self._open.setdefault(id, live)
        self._open.move_to_end(id)
        self._evict()
        return self._open[id]

    def _available(self, rules: Rules) -> CardSolution | None:
        """Return the solution of a game if it is available now; otherwise None."""
        with suppress(TooLargeError, BusyError):
            return self.games.solving(rules).result
        return None

    def _evict(self) -> None:
        """Drop games without viewers, the least recently used first, while limits are exceeded."""
        *before, _ = self._open
        for id in before:
            solutions = {live.session.solution for live in self._open.values()}
            used = sum(map(bytes_of, (s for s in solutions if isinstance(s, CardSolution))))
            if len(self._open) <= MAX_OPEN and used <= RESULT_BYTES:
                return
            if not self._open[id].has_viewers:
                del self._open[id]


async def begin_game(games: SolvedGames, history: History, game: Game) -> str:
    """Save a new game, and return its id."""
    check_bots(game)
    id = new_id()
    await games.write(history.save, id, game)
    return id
