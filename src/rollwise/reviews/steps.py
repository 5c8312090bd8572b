"""A game judged as it was played: one decision after another, with the cards of all players."""

from collections.abc import Sequence
from dataclasses import dataclass

from rollwise.game.actions import Keep
from rollwise.game.events import Roll
from rollwise.game.game import Game
from rollwise.game.records.record import Record
from rollwise.game.scorecard import Scorecard
from rollwise.reviews.decisions import DecisionReview
from rollwise.reviews.review import Review


@dataclass(frozen=True)
class Step:
    """One decision where it was made.

    Attributes
    ----------
    number : int
        Among all of the game, from 1.
    player : int
    cards : tuple of Scorecard
        Of all players, after what was decided.
    """

    number: int
    player: int
    decision: DecisionReview
    cards: tuple[Scorecard, ...]

    @property
    def kept(self) -> list[bool]:
        """Which dice of the roll were kept, in their order; all of them where a box was named."""
        action, dice = self.decision.chosen.action, self.decision.roll.dice
        left = list(action.dice if isinstance(action, Keep) else dice)
        kept = []
        for die in dice:
            kept.append(die in left)
            if die in left:
                left.remove(die)
        return kept


def steps_through(record: Record, reviews: Sequence[Review]) -> list[Step]:
    """Return every decision of a game in the order of play."""
    each = [iter(one.decisions) for one in reviews]
    game, steps = Game(record.rules, record.players), list[Step]()
    for event in record.events:
        player = game.stage.player
        game.push(event)
        if not isinstance(event, Roll):
            steps.append(Step(len(steps) + 1, player, next(each[player]), game.stage.cards))
    return steps
