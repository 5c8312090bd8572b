"""Reviews of two-player games by win probability."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rollwise.errors import InconsistentError
from rollwise.game.actions import Roll
from rollwise.game.game import Game
from rollwise.reviews.review import Review
from rollwise.solving.progress import Progress, within

if TYPE_CHECKING:  # needs numba
    from rollwise.two_player.solution import DuelOption
    from rollwise.two_player.win_probability import WinProbability

PARTED = 1e-6
"""The largest loss in win probability at which an action still counts as best to win."""


@dataclass(frozen=True)
class WinReview:
    """The review of one decision by win probability; a tie counts as half a win.

    Attributes
    ----------
    turn, number : int
        The number of the player's turn and the number of the roll in the turn, both counting from
        1.
    dice : tuple of int
    best, chosen, for_points : DuelOption
        The best action to win, the chosen action, and the best action for points.
    exact : bool
        Whether the probabilities are exact; otherwise, near-exact on a grid, or near-optimal.
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
        """The win probability lost by the decision."""
        return 0.0 if self.chosen.best else self.chosen.loss

    @property
    def parted(self) -> bool:
        """Whether the best action for points is not the best action to win."""
        return self.for_points.loss > PARTED


def check_two_players(game: Game) -> None:
    """Raise InconsistentError unless a game has two players."""
    if len(game.players) != 2:
        raise InconsistentError(
            f"win probabilities need a game of two players; this game has {len(game.players)}"
        )


def review_win_probability(
    game: Game,
    reviews: Sequence[Review],
    win_probability: WinProbability | None = None,
    progress: Progress | None = None,
) -> list[list[WinReview]]:
    """Review the decisions of both players of a game by win probability.

    A decision is omitted if the game is too large for win probabilities at that point.

    Parameters
    ----------
    game : Game
    reviews : sequence of Review
        The reviews of the same game by expected score.
    win_probability : WinProbability, optional
        The win probabilities of this game; by default, rollwise computes them.
    progress : callable, optional
        Called with the completed fraction of the work, from 0 to 1.

    Returns
    -------
    list of list of WinReview
        One list per player, in the order of play.

    Raises
    ------
    InputError
        If there are not two players.
    """
    check_two_players(game)
    if win_probability is None:
        from rollwise.two_player.win_probability import WinProbability  # numba

        win_probability = WinProbability(game.rules)
    chance_reviews: list[list[WinReview]] = [[], []]
    decisions = [iter(review.decisions) for review in reviews]
    for count, (stage, event, _) in enumerate(game.steps, start=1):
        position = stage.position
        if position is None or isinstance(event, Roll):
            continue
        decision = next(decisions[stage.player])
        solving = within(progress, (count - 1) / len(game.events), count / len(game.events))
        advice = win_probability.answers(position, stage.cards[1 - stage.player], solving)
        if advice is not None:
            chance_reviews[stage.player].append(
                WinReview(
                    decision.turn,
                    decision.number,
                    position.dice,
                    advice.options[0],
                    advice.of(event),
                    advice.of(decision.best.action),
                    advice.exact,
                )
            )
        if progress:
            progress(count / len(game.events))
    return chance_reviews
