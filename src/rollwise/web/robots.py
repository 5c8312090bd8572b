"""The robots of a table: asked for their choices, wherever those are computed."""

import asyncio
from collections.abc import Mapping

from rollwise.game.records.record import Record
from rollwise.game.scorecard import Action
from rollwise.playing.robot import Robot
from rollwise.rules import Rules
from rollwise.web.computing import check_strategy
from rollwise.web.line import BusyError
from rollwise.web.solved import SolvedGames


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
    MalformedError
        When a strategy is none that a request may name.
    """

    def __init__(self, games: SolvedGames, rules: Rules, names: Mapping[int, str]) -> None:
        self._games, self._rules, self.names = games, rules, names
        self._seated: dict[int, Robot] = {}
        for name in names.values():
            check_strategy(name)

    async def choose(self, record: Record) -> Action:
        """Return what the robot whose turn it is does; who needs the solved game waits for it.

        Raises
        ------
        InputError, WorkerError
            When the game cannot be solved.
        """
        game = record.game()
        number = game.stage.player
        while number not in self._seated:
            try:
                robot = await self._games.robot(self.names[number], self._rules, number)
                self._seated[number] = robot
            except BusyError as error:
                await asyncio.sleep(error.seconds)
        return await self._games.in_thought(self._seated[number].choose, game)
