"""The player who answers another one."""

from rollwise.solving.solution import Solution
from rollwise.strategies.optimal import Optimal


class Duel(Optimal):
    """Plays to win against one opponent, as :mod:`rollwise.evaluation.duel_play` says.

    With nobody opposite, or with several, he plays for points: that is all that a turn policy of
    one card can say.

    Parameters
    ----------
    solution : Solution
        Of the game for the expected score.
    """

    def __init__(self, solution: Solution) -> None:
        super().__init__(solution)
        self.name = "duel"
