"""The computer opponents of a game."""

from functools import partial

from rollwise.errors import TooLargeError
from rollwise.game.actions import Action
from rollwise.game.game import Game
from rollwise.playing.bot import Bot, check_duel
from rollwise.questions.opponents import DUEL
from rollwise.questions.size_limits import PLAYERS, check_known, is_small
from rollwise.strategies import STRATEGIES, Optimal
from rollwise.web.computing import patiently
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
        return await patiently(partial(self._choice, game))

    async def _choice(self, game: Game) -> Action:
        computing, player = self._games.computing, game.mover
        name = self.names[player]
        if name == DUEL:
            return await self._games.duel_action(game)
        if player not in self._bots:
            best = name == "optimal"
            strategy = (
                Optimal(await self._games.solution(self._rules)) if best else STRATEGIES[name]()
            )
            self._bots[player] = await computing.quick(
                Bot, strategy, self._rules, game.stage.player
            )
        return await computing.quick(self._bots[player].choose, game)


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
