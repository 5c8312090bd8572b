"""A player's dice thrown again, and best play with them: what these very dice were good for.

Every roll of every turn has dice of its own, and whoever rerolls m of them takes the first m, as
in :mod:`rollwise.evaluation.batch`. A record shows those that were thrown, in no order: their order
is drawn, and so are the dice that nobody threw, from a seed made of all that it shows. All are
fair, and fell without regard to what was decided: over many games such scores have the law of best
play. Whoever plays best gets the score that was made.
"""

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from rollwise.game.actions import Keep, Score
from rollwise.game.events import Roll
from rollwise.game.game import Game
from rollwise.game.records.record import Record, turns_of
from rollwise.game.scorecard import Dice
from rollwise.reviews.review import Review
from rollwise.rules import Rules
from rollwise.solving.solution import Solution

Thrown = dict[tuple[int, int], Dice]
"""The dice that left the hand, by turn and roll, both from 1."""


def with_same_dice(reviews: Sequence[Review], record: Record, solution: Solution) -> list[Review]:
    """Return the reviews of a game with what best play makes of the dice of those who finished."""
    return [
        replace(one, best_with_same_dice=best_with_same_dice(record, player, solution))
        if one.is_over
        else one
        for player, one in enumerate(reviews)
    ]


def best_with_same_dice(record: Record, player: int, solution: Solution) -> int:
    """Return the score of best play with the dice of one player, who has finished the game."""
    thrown = dice_thrown(record, player)
    game = Game(record.rules)
    rolls = 0  # of the turn so far
    while not game.is_over:
        position = game.position
        if position is None:
            rolls += 1
            known = thrown.get((game.turn, rolls), ())
            source = random.Random(f"{thrown}/{game.turn}/{rolls}")
            fallen = _all_fallen(record.rules, known, source)
            kept = game.stage.kept
            missing = zip(fallen, record.rules.missing(kept), strict=True)
            game.push(Roll(tuple(sorted((*kept, *(d for dice, m in missing for d in dice[:m]))))))
        else:
            action = solution.options(position)[0].action
            rolls = 0 if isinstance(action, Score) else rolls
            game.push(action)
    return game.card.points


def dice_thrown(record: Record, player: int) -> Thrown:
    """Return which dice one player threw, without those that were kept on the table."""
    thrown: Thrown = {}
    for turn in (turn for turn in turns_of(record) if turn.player == player):
        kept: Dice = ()
        rolls = 0
        for step in turn.steps:
            if isinstance(step, Keep):
                kept = step.dice
            elif isinstance(step, Roll):
                rolls += 1
                thrown[turn.number, rolls] = tuple((Counter(step.dice) - Counter(kept)).elements())
    return thrown


def _all_fallen(rules: Rules, known: Dice, source: random.Random) -> list[list[int]]:
    """Return all dice of a roll, a list a kind: the known ones in an order drawn, then others."""
    fallen = []
    for kind, (number, _) in enumerate(rules.kinds):
        symbols, shown = rules.symbols[kind], list(rules.of_kind(known, kind))
        shown.sort(key=lambda _: source.random())  # the same on every Python version
        others = (int(source.random() * len(symbols)) for _ in range(number - len(shown)))
        fallen.append(shown + [symbols[face] for face in others])
    return fallen
