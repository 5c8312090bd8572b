"""Optimal strategies for any objective of one player, and for two-player games."""

import numpy as np
from numpy.typing import NDArray

from rollwise.errors import InconsistentError, MalformedError
from rollwise.model.arrays import Model
from rollwise.model.classes import NO_CLASS
from rollwise.solving.card_solution import STATE_MISSING, CardSolution
from rollwise.solving.solution import Solution, rule_for_ties
from rollwise.solving.turn_policy import Choices, TurnPolicy, best_turn, best_turns
from rollwise.strategies.strategy import Strategy


class Optimal(Strategy):
    """The optimal strategy of a solution.

    Options whose values differ by less than the solution's tolerance are tied. Among tied sets of
    dice to keep, the strategy prefers the set with the most dice, and then the set that rerolls the
    lowest faces. Among tied categories, it scores in the category that comes first on the
    scorecard.

    Parameters
    ----------
    solution : Solution
    fewer_dice : bool
        Whether to break ties by keeping the fewest dice, as Verhoeff's tables do.
    """

    def __init__(self, solution: Solution, *, fewer_dice: bool = False) -> None:
        self.solution = solution
        self.die_bonus = (-1 if fewer_dice else 1) * solution.tie / solution.rules.dice
        self.sees_score = solution.objective.needs_score
        self.ties = (
            rule_for_ties(fewer_dice=fewer_dice)
            if solution.tie
            else "Of equally good options, optimal play takes the highest expected score"
        )
        self.name = "optimal" if solution.objective.name == "expected" else solution.objective.name

    def turn_policy(self, model: Model, c: int, lane: int, score: int = 0) -> TurnPolicy:
        """Return the optimal policy of a turn."""
        solution = self.solution
        return best_turn(
            model,
            solution.final_roll_values(c, lane, score)[0],
            count=int(model.rerolls_C[c]),
            chance=solution.objective.chance,
            tie=solution.tie,
            die=self.die_bonus,
        )

    def _choices(
        self,
        model: Model,
        classes_G: NDArray[np.int64],
        lanes_G: NDArray[np.int64],
        scores_G: NDArray[np.int64],
    ) -> Choices:
        solution = self.solution
        if solution.objective.chance != "mean" or not isinstance(solution, CardSolution):
            return super()._choices(model, classes_G, lanes_G, scores_G)
        value_G_O = outcome_values(solution, classes_G, lanes_G)
        each = np.arange(len(classes_G))
        return best_turns(model, value_G_O, each, classes_G, tie=solution.tie, die=self.die_bonus)


def outcome_values(
    solution: CardSolution, classes_G: NDArray[np.int64], lanes_G: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return the value of scoring each outcome on several scorecards, shape (G, O).

    The value of an outcome that is not legal on a scorecard is undefined.
    """
    objective = solution.objective
    points_O = solution.model.total_points_O.astype(np.float64)
    remaining_G_O = values_after(solution, classes_G, lanes_G)
    return np.asarray(objective.gain(points_O) * remaining_G_O + objective.points(points_O))


def values_after(
    solution: CardSolution, classes_G: NDArray[np.int64], lanes_G: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return the value of the state after each outcome on several scorecards, shape (G, O)."""
    model, values_C_L = solution.model, solution.remaining_C_L
    every_O = np.arange(len(model.total_points_O))
    if solution.is_whole:
        after_G_O = model.class_after(classes_G[:, None], every_O)
        return np.asarray(values_C_L[after_G_O, model.lane_after(lanes_G[:, None], every_O)])
    # If layers are in files, read only the states that can follow these turns.
    table_G = model.table_C[classes_G]
    in_turn_O = model.first_table_O <= (table_G + model.rerolls_C[classes_G]).max()
    outcomes = np.flatnonzero(in_turn_O & (model.last_table_O >= table_G.min()))
    open_G_O = model.open_boxes(classes_G)[:, model.category_O[outcomes]]
    after_G_O = np.where(open_G_O, model.class_after(classes_G[:, None], outcomes), NO_CLASS)
    after = values_C_L[after_G_O, model.lane_after(lanes_G[:, None], outcomes)]
    if np.isnan(after).all(axis=1).any():
        raise InconsistentError(STATE_MISSING)
    value_G_O = np.zeros((len(classes_G), len(every_O)))
    value_G_O[:, outcomes] = after
    return value_G_O


class Duel(Optimal):
    """The strategy that maximizes the win probability in a two-player game.

    :mod:`rollwise.two_player.policy` computes its decisions. If there is no opponent, the strategy
    maximizes the expected score.

    Parameters
    ----------
    solution : Solution
        The solution for the expected score.
    """

    def __init__(self, solution: Solution) -> None:
        super().__init__(solution)
        self.name = "duel"


def check_needs_no_opponent(strategy: Strategy) -> None:
    """Raise MalformedError if the scores of a strategy depend on the opponent."""
    if isinstance(strategy, Duel):
        raise MalformedError(
            "The strategy duel responds to an opponent, so its score depends on the opponent. "
            "Use simulate or compare."
        )
