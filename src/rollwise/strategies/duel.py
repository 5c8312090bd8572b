"""The player who answers another one."""

from rollwise.errors import MalformedError
from rollwise.solving.solution import Solution
from rollwise.strategies.optimal import Optimal
from rollwise.strategies.strategy import Strategy


class Duel(Optimal):
    """Plays to win against one opponent, as :mod:`rollwise.evaluation.duel_play` says.

    A turn policy of one card alone can only say how to play for points.

    Parameters
    ----------
    solution : Solution
        Of the game for the expected score.
    """

    def __init__(self, solution: Solution) -> None:
        super().__init__(solution)
        self.name = "duel"


def check_plays_alone(strategy: Strategy) -> None:
    """Check that a strategy has a law with nobody opposite.

    Raises
    ------
    MalformedError
        When it answers another player.
    """
    if isinstance(strategy, Duel):
        raise MalformedError(
            "duel answers another player, and has no exact law alone: expected rollwise simulate, "
            "compare or match, or rollwise duel --games N"
        )
