"""Optimal strategies for any objective of one player, and for two-player games."""

from functools import partial

import numpy as np
from numpy.typing import NDArray

from rollwise.errors import InconsistentError, MalformedError
from rollwise.model.classes import NO_CLASS
from rollwise.solving.card_solution import STATE_MISSING, CardSolution
from rollwise.solving.solution import Solution, rule_for_ties
from rollwise.solving.turn_policy import Cards, Turns, best_turn, best_turns
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

    solution: Solution

    def __init__(self, solution: Solution, *, fewer_dice: bool = False) -> None:
        self.solution = solution
        self.die_bonus = (-1 if fewer_dice else 1) * solution.tolerance / solution.rules.dice
        self.rules = solution.rules
        self.sees = ("lane", "score") if solution.objective.needs_score else ("lane",)
        self.ties = (
            rule_for_ties(fewer_dice=fewer_dice)
            if solution.tolerance
            else "Of equally good options, optimal play takes the highest expected score"
        )
        self.name = "optimal" if solution.objective.name == "expected" else solution.objective.name

    def turns(self, cards: Cards) -> Turns:
        """Return the optimal policies of turns."""
        solution, tolerance, die = self.solution, self.solution.tolerance, self.die_bonus
        chance = solution.objective.chance
        if chance == "mean" and isinstance(solution, CardSolution):
            return best_turns(cards, outcome_values(solution, cards), tolerance=tolerance, die=die)
        every = zip(*(array_G.tolist() for array_G in cards[1:]), strict=True)
        values = (solution.final_roll_values(*card)[0] for card in every)
        best = partial(
            best_turn, cards.model, count=cards.rerolls, chance=chance, tolerance=tolerance, die=die
        )
        return Turns.stack(cards, map(best, values))


def outcome_values(solution: CardSolution, cards: Cards) -> NDArray[np.float64]:
    """Return the value of scoring each outcome on several scorecards, shape (G, O).

    The value of an outcome that is not legal on a scorecard is undefined.
    """
    objective, points_O = solution.objective, cards.model.total_points_O.astype(np.float64)
    remaining_G_O = _values_after(solution, cards.class_G, cards.lane_G)
    return np.asarray(objective.gain(points_O) * remaining_G_O + objective.points(points_O))


def _values_after(
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
    open_G_O = model.open_categories(classes_G)[:, model.category_O[outcomes]]
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

    responds = True

    def __init__(self, solution: Solution) -> None:
        super().__init__(solution)
        self.name = "duel"


def check_needs_no_opponent(strategy: object) -> None:
    """Raise MalformedError if the scores of a strategy depend on the opponent.

    The strategy can also be given by name, because to create it might solve the game.
    """
    if strategy == "duel" or getattr(strategy, "responds", False):
        raise MalformedError(
            "The strategy duel responds to an opponent, so its score depends on the opponent. "
            "Use simulate or compare."
        )
