"""The best play for an objective, read off a solution."""

from rollwise.model import Model
from rollwise.solution import Solution
from rollwise.strategies.base import Strategy, TurnPolicy
from rollwise.turn import keep_dice, score_rolls, throw


class Optimal(Strategy):
    """The strategy of a solution.

    Ties: of keeps whose values differ by less than ``TIE`` the one with more dice is taken, then
    the one that gives up the lower faces; of categories the first in card order.

    Parameters
    ----------
    solution : Solution
    fewer_dice : bool
        Of equal keeps take the one with fewer dice, as Verhoeff's tables do.
    """

    def __init__(self, solution: Solution, *, fewer_dice: bool = False) -> None:
        self.solution = solution
        self.die_worth = (-1 if fewer_dice else 1) * solution.tie / solution.rules.dice
        self.sees_score = solution.objective.utility is not None
        self.name = "optimal" if solution.objective.name == "expected" else solution.objective.name

    def turn_policy(self, model: Model, c: int, lane: int, score: int = 0) -> TurnPolicy:
        """Return the best turn from one card."""
        solution = self.solution
        worth_Q_R, categories = score_rolls(solution.score_worths(c, lane, score)[:1], solution.tie)
        keeps = []
        for _ in range(model.rules.rolls - 1):
            worth_Q_P = throw(model.lattice, worth_Q_R, solution.objective.chance)
            worth_Q_R, keep_R = keep_dice(model.lattice, worth_Q_P, self.die_worth)
            keeps.append(keep_R)
        return TurnPolicy(tuple(reversed(keeps)), categories)
