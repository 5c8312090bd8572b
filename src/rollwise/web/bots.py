"""The robots of a table: asked for their choices, wherever those are computed."""

import asyncio
from collections.abc import Collection, Mapping

from rollwise.errors import TooLargeError
from rollwise.game.actions import Action
from rollwise.game.records.record import Record
from rollwise.playing.bot import Bot, check_answering
from rollwise.rules import Rules
from rollwise.strategies.strategy import no_announcements
from rollwise.web.computing import check_strategy
from rollwise.web.limits import is_small
from rollwise.web.line import BusyError
from rollwise.web.replies import DUEL
from rollwise.web.solved import SolvedGames
from rollwise.web.two_players import answer


class Robots:
    """The robots of one table; each sits down with its first choice.

    Parameters
    ----------
    games : SolvedGames
    rules : Rules
    names : mapping of int to str
        The strategy of each robot, by the number of the player.

    Raises
    ------
    InputError
        As :func:`check_robots`.
    """

    def __init__(self, games: SolvedGames, rules: Rules, names: Mapping[int, str]) -> None:
        check_robots(rules, names.values())
        self._games, self._rules, self.names = games, rules, names
        self._seated: dict[int, Bot] = {}

    async def choose(self, record: Record) -> Action:
        """Return what the robot whose turn it is does; who needs the solved game waits for it.

        Raises
        ------
        InputError, WorkerError
            When the game cannot be solved.
        """
        while True:
            try:
                return await self._choice(record)
            except BusyError as error:
                await asyncio.sleep(error.seconds)

    async def _choice(self, record: Record) -> Action:
        game = record.game()
        number = game.stage.player
        if self.names[number] == DUEL:
            await self._games.solution(self._rules)  # once, and not in each line of processes
            action: Action = await self._games.duels.do(answer, record)
            return action
        if number not in self._seated:
            robot = await self._games.robot(self.names[number], self._rules, number)
            self._seated[number] = robot
        return await self._games.in_thought(self._seated[number].choose, game)


def check_robots(rules: Rules, names: Collection[str]) -> None:
    """Check that strategies can play a game here.

    Raises
    ------
    InputError
        When one is none that a request may name, or announces no box where that is asked for.
    TooLargeError
        When the game is too large for any robot.
    """
    for name in names:
        if name != DUEL:
            check_strategy(name)
        if rules.announced and name != "optimal":
            raise no_announcements(name, rules)
    if names and not is_small(rules):
        raise TooLargeError(f"{rules.title} is too large for robots here: expected people alone")


def check_seats(rules: Rules, seats: Mapping[str, str | None]) -> None:
    """Check that the robots of a new game can play it, and with these others.

    Parameters
    ----------
    seats : mapping of str to str or None
        The players in the order of play, with the strategy of each robot.

    Raises
    ------
    InputError
        As :func:`check_robots`, or when one answers the other player, and there are not two.
    TooLargeError
        When the game is too large for one of them.
    """
    check_robots(rules, [name for name in seats.values() if name is not None])
    check_answering(rules, seats.values())
