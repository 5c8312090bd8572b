"""Computer opponents that choose an action at every position with a strategy."""

import random
import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING

from rollwise.errors import MalformedError, TooLargeError
from rollwise.game.actions import Action, Keep, Score
from rollwise.game.game import Game
from rollwise.game.headers import MAX_NAME, fresh_seed
from rollwise.game.position import Position
from rollwise.model.arrays import Model, build
from rollwise.playing.opponents import opponent_name
from rollwise.rules import Rules
from rollwise.solving.position_index import PositionIndex
from rollwise.solving.progress import Progress
from rollwise.solving.turn_policy import Cards, Turns
from rollwise.strategies import Strategy

if TYPE_CHECKING:
    from rollwise.two_player.win_probability import WinProbability


def new_game(
    rules: Rules, people: Sequence[str], strategies: Sequence[str], seed: int | None
) -> Game:
    """Return a game of people and computer opponents that begins today.

    A computer opponent is named after its strategy, without characters that delimit names in game
    records. Equal names get a number. Without a seed, the dice are real.
    """
    plain = [
        re.sub("[,:;#]", " ", opponent_name(name)).strip()[: MAX_NAME - 3] for name in strategies
    ]
    names = [*people, *plain]
    numbered = [
        name if names.count(name) == 1 else f"{name} {names[: i + 1].count(name)}"
        for i, name in enumerate(names)
    ]
    bots = dict(zip(numbered[len(people) :], strategies, strict=True))
    return Game(rules, numbered, seed=seed, date=date.today(), bots=bots)


def another_game(game: Game) -> Game:
    """Return a new game with the same headers, but today's date, and other dice unless real."""
    seed = None if game.headers.seed is None else fresh_seed()
    new = Game(game.rules, game.players)
    new.headers = replace(game.headers, seed=seed, date=date.today())
    return new


def check_duel(rules: Rules, players: Collection[object]) -> None:
    """Raise InputError if a player has the strategy ``duel``, but it cannot play the game."""
    if "duel" not in players:
        return
    from rollwise.two_player.near_optimal import can_estimate  # imports numba

    if len(players) != 2:
        raise MalformedError(
            "the strategy duel responds to one opponent, so it needs two players, not "
            f"{len(players)}"
        )
    if not can_estimate(rules):
        raise TooLargeError(
            f"{rules.title} is too large for the strategy duel; choose another opponent"
        )


class Bot:
    """A computer opponent that follows a strategy; ``seed`` is for actions of a mixed strategy.

    ``win_probability`` has the win probabilities for the strategy ``duel``, which responds to a
    single opponent, and is None for other strategies. A ``quick`` opponent does not keep other
    games waiting: with this strategy, it is exact only in small games and in the last turns.
    """

    def __init__(
        self, strategy: Strategy, rules: Rules, seed: int = 0, quick: bool = False
    ) -> None:
        self.strategy, self._quick = strategy, quick
        self._source = random.Random(seed)
        solution = strategy.solution
        self._model: Model = build(rules) if solution is None else solution.model
        self.win_probability: WinProbability | None = None
        if strategy.responds:
            from rollwise.two_player import win_probability  # imports numba

            limit = win_probability.SHARED if quick else win_probability.EVERY_ROLL
            self.win_probability = win_probability.WinProbability(rules, limit)

    def choose(self, game: Game, progress: Progress | None = None) -> Action:
        """Return the action that the strategy takes in a game that awaits a decision.

        ``progress`` is called with the completed fraction of the work if it takes seconds.
        """
        stage, position = game.stage, game.position
        assert position is not None
        if self.win_probability is not None and len(stage.cards) == 2:
            opponent = stage.cards[1 - stage.player]
            turns = self.win_probability.policy(position, opponent, self._quick, progress)
            if turns is not None:
                return self._by(turns, PositionIndex.of(self._model, position))
        return self.action(position)

    def action(self, position: Position) -> Action:
        """Return the action that the strategy takes at a position, ignoring other players."""
        model, place = self._model, PositionIndex.of(self._model, position)
        return self._by(
            self.strategy.turns(Cards.one(model, place.c, place.lane, place.score)), place
        )

    def _by(self, turns: Turns, place: PositionIndex) -> Action:
        """Return the action of a turn's policy at the position with the indices ``place``."""
        lattice, chance = self._model.lattice, self._source.random
        if place.rerolls:
            point = int(turns.keep(0, place.rerolls, place.roll, chance))
            if point < lattice.first_roll:
                return Keep(lattice.points[point])
        return Score(self._model.rules.keys[int(turns.category(0, place.end, chance))])
