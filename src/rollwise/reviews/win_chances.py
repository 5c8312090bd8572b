"""A game of two judged by winning chances, as players of backgammon judge theirs."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rollwise.errors import InconsistentError
from rollwise.game.events import Roll
from rollwise.game.game import Game
from rollwise.game.notation import format_action, format_dice
from rollwise.game.records.record import Record
from rollwise.reviews.review import Review
from rollwise.solving.progress import Progress
from rollwise.two_player.solution import DuelOption
from rollwise.two_player.win_probability import WinProbability

PARTED = 1e-6
"""Chances and points part where the best for points gives away more of the chance than this."""


@dataclass(frozen=True)
class ChanceReview:
    """One decision judged by the chance of winning, a tie counting half.

    Attributes
    ----------
    turn, number : int
        The player's turn, and the roll in it that the decision follows; both from 1.
    dice : tuple of int
    best, chosen, for_points : DuelOption
        The best for the chance, that played, and the best for points.
    exact : bool
        Whether the chances are; else they are about right.
    """

    turn: int
    number: int
    dice: tuple[int, ...]
    best: DuelOption
    chosen: DuelOption
    for_points: DuelOption
    exact: bool

    @property
    def loss(self) -> float:
        """The chance given away."""
        return 0.0 if self.chosen.best else self.chosen.loss

    @property
    def parted(self) -> bool:
        """Whether playing for points is not playing to win here."""
        return self.for_points.loss > PARTED

    def as_dict(self, record: Record) -> dict[str, Any]:
        """Return everything as JSON can hold it."""
        options = {"best": self.best, "chosen": self.chosen, "for_points": self.for_points}
        return {
            "turn": self.turn,
            "roll": self.number,
            "dice": format_dice(record.rules, self.dice),
            **{name: format_action(record.rules, one.action) for name, one in options.items()},
            "value": self.chosen.value,
            "loss": self.loss,
            "parted": self.parted,
            "exact": self.exact,
        }


def review_chances(
    record: Record,
    reviews: Sequence[Review],
    win_probability: WinProbability | None = None,
    progress: Progress | None = None,
) -> list[list[ChanceReview]]:
    """Return the decisions of both players judged by their chances, in the order of play.

    Decisions of games too large for chances to be told are left out.

    Parameters
    ----------
    reviews : sequence of Review
        The same game judged by points.
    win_probability : WinProbability, optional
        Of the game; a new one unless told.
    progress : callable, optional
        Called with the done share of the work, from 0 to 1.

    Raises
    ------
    InputError
        When there are not two players, or boxes are announced.
    """
    record.rules.check_unannounced("the chances of two players")
    if len(record.players) != 2:
        raise InconsistentError(
            f"chances of a game of {len(record.players)}: expected a record of two players"
        )
    win_probability = win_probability or WinProbability(record.rules)
    judged: list[list[ChanceReview]] = [[], []]
    game, left = Game(record.rules, record.players), [iter(one.decisions) for one in reviews]
    for count, event in enumerate(record.events, start=1):
        stage, position = game.stage, game.position
        game.push(event)
        if position is None or isinstance(event, Roll):
            continue
        decision = next(left[stage.player])
        answers = win_probability.answers(position, stage.cards[1 - stage.player])
        if answers is not None:
            judged[stage.player].append(
                ChanceReview(
                    decision.turn,
                    decision.number,
                    position.dice,
                    answers.options[0],
                    answers.of(event),
                    answers.of(decision.best.action),
                    answers.exact,
                )
            )
        if progress:
            progress(count / len(record.events))
    return judged
