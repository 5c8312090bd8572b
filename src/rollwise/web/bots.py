"""The computer opponents of a game; worker processes do the long computations."""

import asyncio
from collections.abc import Collection, Mapping

from rollwise.errors import TooLargeError
from rollwise.game.actions import Action
from rollwise.game.records.record import Record
from rollwise.playing.bot import Bot, check_duel
from rollwise.rules import Rules
from rollwise.web import computations
from rollwise.web.job_queue import BusyError
from rollwise.web.opponent_advice import DUEL
from rollwise.web.size_limits import check_strategy, is_small
from rollwise.web.solved_games import SolvedGames


class Bots:
    """The computer opponents of one game; each is created before its first action.

    Parameters
    ----------
    games : SolvedGames
    rules : Rules
    names : mapping of int to str
        The strategy of each computer opponent, by player index.
    """

    def __init__(self, games: SolvedGames, rules: Rules, names: Mapping[int, str]) -> None:
        check_bots(rules, names.values())
        self._games, self._rules, self.names = games, rules, names
        self._bots: dict[int, Bot] = {}

    async def choose(self, record: Record) -> Action:
        """Return the action of the computer opponent to move."""
        while True:
            try:
                return await self._choice(record)
            except BusyError as error:
                await asyncio.sleep(error.seconds)

    async def _choice(self, record: Record) -> Action:
        game = record.game()
        player = game.stage.player
        if self.names[player] == DUEL:
            await self._games.solution(self._rules)  # solved once, not in each process
            return await self._games.ask(computations.answer, record)
        if player not in self._bots:
            self._bots[player] = await self._games.bot(self.names[player], self._rules, player)
        return await self._games.in_thread(self._bots[player].choose, game)


def check_bots(rules: Rules, names: Collection[str]) -> None:
    """Check that computer opponents with these strategies can play a game on this server.

    Raises
    ------
    InputError
        If web requests may not use a strategy.
    TooLargeError
        If the game is too large for computer opponents.
    """
    for name in names:
        if name != DUEL:
            check_strategy(name)
    if names and not is_small(rules):
        raise TooLargeError(
            f"{rules.title} is too large for computer opponents on this server; play without "
            "computer opponents"
        )


def check_seats(rules: Rules, seats: Mapping[str, str | None]) -> None:
    """Check that the computer opponents of a new game can play it with these players.

    Parameters
    ----------
    seats : mapping of str to str or None
        The players in the order of play; the value is the strategy of a computer opponent, or None
        for a person.
    """
    check_bots(rules, [name for name in seats.values() if name is not None])
    check_duel(rules, seats.values())
