"""The law of the final score of a game that stands at any card: what others see of a player."""

from dataclasses import dataclass
from typing import Any

from rollwise.evaluation.forward import follow
from rollwise.evaluation.forward_by_score import follow_by_score
from rollwise.evaluation.play import play_of
from rollwise.game.notation import format_card
from rollwise.game.scorecard import Scorecard
from rollwise.law import Law
from rollwise.model.arrays import build
from rollwise.solving.by_score.solution import ScoreSolution
from rollwise.solving.place import CardPlace
from rollwise.solving.progress import Progress
from rollwise.strategies import Optimal, Strategy, as_strategy, check_plays_alone


@dataclass(frozen=True)
class Opponent:
    """Somebody else at the table: his card, how he plays on, and the law of his final score."""

    card: Scorecard
    plays: str
    law: Law

    def as_dict(self) -> dict[str, Any]:
        """Return the opponent as JSON can hold it."""
        law = self.law
        return {
            "card": format_card(self.card),
            "plays": self.plays,
            "mean": law.mean,
            "sd": law.sd,
        }

    def __str__(self) -> str:
        told = self.as_dict()
        return "against {card}: {plays} play ends with {mean:.2f} ± {sd:.2f}".format(**told)


def final_law(
    strategy: Strategy | str,
    card: Scorecard,
    *,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Law:
    """Return the exact law of the final score of a strategy that plays on from a card.

    Parameters
    ----------
    strategy : Strategy or str
        Or its name, as :func:`rollwise.strategies.parse_strategy` reads it.
    card : Scorecard
        Before a turn, or full; its points are included.
    threads, progress
        As :func:`rollwise.evaluation.evaluate.evaluate` takes them.

    Raises
    ------
    MalformedError
        When there is no strategy of that name.
    InconsistentError
        When the strategy is a solution that starts from another card.
    TooLargeError
        When the game is too large for its cards to be played through.
    """
    if card.is_full:
        return Law.certain(card.points)
    strategy = as_strategy(strategy, card.rules)
    check_plays_alone(strategy)
    place = CardPlace.of_card(build(card.rules), card)
    if isinstance(strategy, Optimal) and isinstance(strategy.solution, ScoreSolution):
        return follow_by_score(strategy.solution, place, threads, progress).score
    return follow(play_of(strategy, card.rules, threads), place, progress).score
