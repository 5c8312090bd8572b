"""The computer opponents of a game; worker processes do the long computations."""

import asyncio

from rollwise.errors import TooLargeError
from rollwise.game.actions import Action
from rollwise.game.game import Game
from rollwise.playing.bot import Bot, check_duel
from rollwise.questions.opponents import DUEL
from rollwise.questions.size_limits import PLAYERS, check_known, is_small
from rollwise.web import computations
from rollwise.web.job_queue import BusyError
from rollwise.web.solved_games import SolvedGames


class Bots:
    """The computer opponents of one game; each is created before its first action.

    ``names`` are their strategies by name.
    """

    def __init__(self, games: SolvedGames, game: Game) -> None:
        check_bots(game)
        self._games, self._rules, self.names = games, game.rules, game.headers.bots
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
            custom = not self._games.offers(self._rules)  # for which other games do not wait
            return await self._games.ask(computations.answer, game.as_json(), custom=custom)
        if player not in self._bots:
            self._bots[player] = await self._games.bot(
                self.names[player], self._rules, game.stage.player
            )
        return await self._games.in_thread(self._bots[player].choose, game)


def check_bots(game: Game) -> None:
    """Raise InputError if the computer opponents of a game cannot play it on this server."""
    rules, bots = game.rules, game.headers.bots
    for strategy in bots.values():
        if strategy != DUEL:
            check_known(strategy, "strategy", PLAYERS)
    if bots and not is_small(rules):
        raise TooLargeError(
            f"{rules.title} is too large for computer opponents on this server; play without "
            "computer opponents"
        )
    check_duel(rules, [bots.get(name) for name in game.players])
