"""The score of optimal play with the same dice that a player rolled.

As in :mod:`rollwise.evaluation.batch`, every roll of every turn has its own sequence of dice, and a
reroll of m dice takes the first m. A record contains only the rolled dice, without their order. The
order and the missing dice are drawn at random, with a seed made from the record.

All dice are fair and independent of the decisions. Over many games, these scores therefore have the
distribution of the score with optimal play. A player who plays optimally gets their own score.
"""

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from rollwise.game.actions import Roll, Score
from rollwise.game.game import Game
from rollwise.game.scorecard import Dice
from rollwise.reviews.review import Review
from rollwise.rules import Rules
from rollwise.solving.solution import Solution

Rolled = dict[tuple[int, int], Dice]
"""The dice that were rolled or rerolled, by turn number and roll number, both counting from 1."""


def with_same_dice(reviews: Sequence[Review], game: Game, solution: Solution) -> list[Review]:
    """Return the reviews; for finished games, add the score of optimal play with the same dice."""
    return [
        replace(review, best_with_same_dice=best_with_same_dice(game, player, solution))
        if review.is_over
        else review
        for player, review in enumerate(reviews)
    ]


def best_with_same_dice(played: Game, player: int, solution: Solution) -> int:
    """Return the score of optimal play with the dice that a player rolled in a finished game."""
    rolled = dice_rolled(played, player)
    game = Game(played.rules)
    rolls = 0  # in this turn
    while not game.is_over:
        position = game.position
        if position is None:
            rolls += 1
            recorded = rolled.get((game.turn, rolls), ())
            source = random.Random(f"{rolled}/{game.turn}/{rolls}")
            available = _all_dice(game.rules, recorded, source)
            held = game.stage.kept
            missing = zip(available, game.rules.missing(held), strict=True)
            game.push(Roll(tuple(sorted((*held, *(d for dice, m in missing for d in dice[:m]))))))
        else:
            action = solution.options(position)[0].action
            rolls = 0 if isinstance(action, Score) else rolls
            game.push(action)
    return game.card.points


def dice_rolled(game: Game, player: int) -> Rolled:
    """Return the dice that a player rolled in each roll, without the kept dice."""
    rolled: Rolled = {}
    rolls = 0  # in this turn
    for before, event, _ in game.steps:
        if before.player == player and isinstance(event, Roll):
            rolls += 1
            dice = (Counter(event.dice) - Counter(before.kept)).elements()
            rolled[before.turn, rolls] = tuple(dice)
        elif isinstance(event, Score):
            rolls = 0
    return rolled


def _all_dice(rules: Rules, recorded: Dice, source: random.Random) -> list[list[int]]:
    """Return dice for a roll, by kind: the recorded dice in random order, then random dice."""
    dice = []
    for kind, (number, _) in enumerate(rules.kinds):
        symbols, shown = rules.symbols[kind], list(rules.of_kind(recorded, kind))
        shown.sort(key=lambda _: source.random())  # the same on every Python version
        others = (int(source.random() * len(symbols)) for _ in range(number - len(shown)))
        dice.append(shown + [symbols[face] for face in others])
    return dice
