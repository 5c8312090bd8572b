"""Opponents whose scorecards are known: some ignore yours, and one can respond to it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rollwise.errors import InputError, MalformedError
from rollwise.game.position import Position
from rollwise.game.scorecard import Scorecard, describe_card, format_card
from rollwise.questions.answer import Data, Hidden
from rollwise.questions.duel import responses
from rollwise.questions.progress import is_remote
from rollwise.questions.solving import distribution_after, player, solved_with_moments
from rollwise.solving.objective_parser import BEAT
from rollwise.solving.objectives import beating
from rollwise.solving.solution import Solution

if TYPE_CHECKING:
    from rollwise.two_player.near_optimal import NearOptimal
    from rollwise.two_player.size import DuelSize
    from rollwise.two_player.solution import DuelSolution

    AnySolution = Solution | DuelSolution | NearOptimal

DUEL = "duel"
"""The name of the strategy of an opponent who responds."""

MOST = 5
"""The maximum number of opponents in a question from the network."""


class Opponent(Data):
    """An opponent with a strategy, or one who responds to the player to move."""

    card: str
    plays: str
    mean: float | None = None
    """The mean final score, unless the opponent responds."""
    sd: float | None = None
    scorecard: Hidden[Scorecard]

    def __str__(self) -> str:
        start = f"Opponent: {describe_card(self.scorecard)}, "
        if self.mean is None:
            return f"{start}responds to your play"
        score = f"expected score {self.mean:.2f} (SD {self.sd:.2f})"
        return f"{start}strategy {self.plays}, {score}"


def check_opponents(objective: str, number: int, strategy: str | None) -> None:
    """Raise an error if the options for opponents contradict each other."""
    if number and objective != BEAT:
        raise InputError(
            "--opponent works only with --objective beat. Add --objective beat, and for an "
            f"opponent who responds to your play --opponent-strategy {DUEL}."
        )
    if strategy and not number:
        raise InputError(
            "--opponent-strategy needs an opponent. Add the opponent's scorecard, "
            "such as --opponent - for an empty one."
        )
    if objective == BEAT and not number:
        raise InputError(
            "--objective beat needs an opponent. Add the opponent's scorecard, such as "
            "--opponent - for an empty one, or use --objective beat:optimal."
        )
    if is_remote() and number > MOST:
        raise MalformedError(f"opponent: expected at most {MOST} scorecards, got {number}")
    if number > 1 and strategy == DUEL:
        raise InputError(
            f"--opponent-strategy {DUEL} is for one opponent, not {number}. "
            "Use only one --opponent."
        )


def against(
    position: Position, cards: Sequence[Scorecard], strategy: str
) -> tuple[list[Opponent], AnySolution, DuelSize | None]:
    """Solve the game for the probability of a higher score than all opponents.

    Return the opponents, the solution, and the size of an exact solution if this one is not exact
    and could be.
    """
    if strategy == DUEL:
        (card,) = cards
        opponent = Opponent(card=format_card(card), plays=DUEL, scorecard=card)
        return [opponent], *responses(position, card)
    opponents, finals = [], []
    for card in cards:
        game = card.rules
        last = None if card.is_full else Position.of(card, next(game.every_roll()), rolls_left=0)
        playing = player(strategy, game, position=last)
        final = distribution_after(card, playing)
        finals.append(final)
        written = format_card(card)
        opponents.append(
            Opponent(card=written, plays=strategy, mean=final.mean, sd=final.sd, scorecard=card)
        )
    goal = beating([(final, 1) for final in finals])
    return opponents, solved_with_moments(position.rules, goal, position), None
