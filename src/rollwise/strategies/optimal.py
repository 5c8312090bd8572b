"""The best play for an objective, read off a solution."""

from rollwise.model import Model
from rollwise.solution import TIE, Solution
from rollwise.strategies.base import Strategy, TurnPolicy
from rollwise.turn import best_keep_values, choose_keeps, keep_values


class Optimal(Strategy):
    """The strategy of a solution.

    Ties: of keeps whose values differ by less than ``TIE`` the one with more dice is taken, then
    the one that gives up the lower faces; of categories the first in card order.
    """

    def __init__(self, solution: Solution) -> None:
        self.solution = solution
        self.name = "optimal" if solution.objective.name == "expected" else solution.objective.name

    def turn_policy(self, model: Model, c: int, lane: int) -> TurnPolicy:
        """Return the best turn from one card."""
        solution = self.solution
        value_R_K = solution.category_values(c, lane)
        value_R = value_R_K.max(axis=1)
        categories = (value_R_K >= value_R[:, None] - TIE).argmax(axis=1)
        keeps = []
        for _ in range(model.rules.rolls - 1):
            value_P = keep_values(model.lattice, value_R, solution.objective.chance)
            keeps.append(choose_keeps(model.lattice, value_P, TIE))
            value_R = best_keep_values(model.lattice, value_P)[model.lattice.first_roll :]
        return TurnPolicy(tuple(reversed(keeps)), categories)
