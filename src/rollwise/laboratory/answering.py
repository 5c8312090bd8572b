"""Games of two players of whom one looks at the other's card, one event after another."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from rollwise.game.actions import Keep
from rollwise.game.events import Roll
from rollwise.game.game import Game, fair_roll
from rollwise.laboratory.simulation import Sample
from rollwise.model.lattice import lattice
from rollwise.playing.robot import Robot, check_answering
from rollwise.rules import Rules
from rollwise.solving.kernels.games import TurnLog
from rollwise.solving.progress import Progress
from rollwise.strategies import Strategy


def play_answering(
    players: Sequence[Strategy],
    rules: Rules,
    games: int,
    seed: int,
    progress: Progress | None = None,
) -> tuple[Sample, Sample]:
    """Play games of two players at one table, by turns.

    Parameters
    ----------
    seed : int
        The same seed gives the same dice; those of one game depend on nothing else.
    progress : callable, optional
        Called with the done share of the work, from 0 to 1, after each game.

    Raises
    ------
    InputError
        When who answers can do that in no game of these rules.
    """
    check_answering(rules, [player.name for player in players])
    robots = [Robot(player, rules, seed) for player in players]
    first, second = (_room(rules, games) for _ in robots)
    for number in range(games):
        game = Game(rules, ["first", "second"])
        while not game.is_over:
            side = game.stage.player
            if game.awaits_roll:
                game.push(fair_roll(game, (seed << 32) + number))
            else:
                game.push(robots[side].choose(game))
        _write(game, number, (first, second))
        if progress:
            progress((number + 1) / games)
    return first, second


def _room(rules: Rules, games: int) -> Sample:
    """Return room for some games of one player, with their logs."""
    turns, rolls = len(rules.categories), rules.most_rolls(len(rules.categories) - 1)
    parts: list[Any] = [part[:, None] for part in TurnLog.empty(games, rolls)]
    log = TurnLog(*(np.repeat(part, turns, axis=1) for part in parts))
    bonus_N, extra_N = np.zeros((2, games), dtype=np.int64)
    return Sample(np.zeros((games, turns), dtype=np.int16), extra_N, bonus_N, log)


def _write(game: Game, number: int, sides: tuple[Sample, Sample]) -> None:
    """Write what became of a finished game."""
    dice = lattice(game.rules.kinds)
    for card, games in zip(game.stage.cards, sides, strict=True):
        games.points_N_K[number] = np.array(card.boxes)
        games.extra_N[number], games.bonus_N[number] = card.extra_bonus, card.upper_bonus
    turn, side, rolls = 0, 0, 0
    for event in game.events:
        log = sides[side].log
        assert log is not None
        if isinstance(event, Roll):
            log.rolled_N_J[number, turn, rolls] = dice.point(event.dice)
            rolls += 1
        elif isinstance(event, Keep):
            log.kept_N_J[number, turn, rolls - 1] = dice.point(event.dice)
        else:
            log.scored_N[number, turn], log.thrown_N[number, turn] = event.category, rolls
            turn, side, rolls = turn + side, 1 - side, 0
