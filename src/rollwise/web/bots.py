"""The computer opponents of a game; worker processes do the long computations."""

import asyncio
from collections.abc import Collection, Mapping

from rollwise.errors import TooLargeError
from rollwise.game.actions import Action
from rollwise.game.game import Game
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
    names : mapping of str to str
        The strategy of each computer opponent, by name.
    """

    def __init__(self, games: SolvedGames, rules: Rules, names: Mapping[str, str]) -> None:
        check_bots(rules, names.values())
        self._games, self._rules, self.names = games, rules, names
        self._bots: dict[str, Bot] = {}

    async def choose(self, game: Game) -> Action:
        """Return the action of the computer opponent to move."""
        while True:
            try:
                return await self._choice(game)
            except BusyError as error:
                await asyncio.sleep(error.seconds)

    async def _choice(self, game: Game) -> Action:
        player = game.mover
        if self.names[player] == DUEL:
            await self._games.solution(self._rules)  # solved once, not in each process
            return await self._games.ask(computations.answer, game.as_json())
        if player not in self._bots:
            self._bots[player] = await self._games.bot(
                self.names[player], self._rules, game.stage.player
            )
        return await self._games.in_thread(self._bots[player].choose, game.copy())


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
