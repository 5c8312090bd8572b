"""A strategy for a target score that uses a normal approximation of the final score.

Source: T. Verhoeff, *Optimal Solitaire Yahtzee Strategies*, lists the best strategy to beat a given
high score among the remaining challenges, with an "approximation via normal distribution and
computed mean & variance".
"""

import numpy as np
from numpy.typing import NDArray

from rollwise.errors import MalformedError, TooLargeError
from rollwise.model.turn import choose_keeps, rerolls, score_rolls
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.position_index import CardIndex
from rollwise.solving.solution import TOLERANCE, rule_for_ties
from rollwise.solving.turn_policy import Cards
from rollwise.solving.values import sd_of
from rollwise.strategies.roll_by_roll import NONE, Integers, RollByRoll

ROLLS = 512
"""The maximum number of rolls that are decided together; it limits memory."""

CERTAIN = 2.0**17
"""The limit of the quotients; adding the tie breaker to larger numbers would have no effect."""


class NormalApproximation(RollByRoll):
    """The strategy that maximizes the probability of a target under a normal distribution.

    Each option has the mean and the standard deviation (SD) of the final score if the player takes
    the option and then plays for the expected score. The strategy chooses the option with the
    highest (points so far + mean of the points to come − target + ½) / SD. If the SD is 0, the
    option is certain to reach the target or certain to miss it.

    Options whose quotients differ by less than ``TOLERANCE`` are tied. Ties are broken as in
    :class:`Optimal`; scoring the roll counts as keeping all dice.

    ``solution`` is the solution for the expected score, and ``highest`` is the highest possible
    score of the game. The game must fit in one table, because the SDs are not available otherwise.
    """

    ties = rule_for_ties()

    def __init__(self, solution: CardSolution, target: int, highest: int) -> None:
        rules = solution.rules
        self.name = f"normal:{target}"
        if not 1 <= target <= highest:
            raise MalformedError(
                f"{self.name} is impossible, because the scores of {rules.name} are at most "
                f"{highest}; use a target from 1 to {highest}"
            )
        if solution.moments is None and solution.is_whole:
            from rollwise.solving.moments import with_moments  # imports numba

            solution = with_moments(solution)
        if solution.moments is None:
            raise TooLargeError(
                f"{self.name} needs the standard deviation of the score from all states, which is "
                f"not available for {rules.name}; use optimal, or a game with fewer categories"
            )
        self.rules, self._points, self.target = rules, solution, target

    def decide(self, cards: Cards, roll_N: Integers, left: int) -> tuple[Integers, Integers]:
        """Return the dice to keep from each roll, or the category in which to score it."""
        keep_N, category_N = np.empty((2, len(roll_N)), dtype=np.int64)
        order = np.lexsort((cards.lane_G, cards.class_G))
        for part in np.array_split(order, -(-len(order) // ROLLS)):
            keep_N[part], category_N[part] = self._decide(cards.at(part), roll_N[part], left)
        return keep_N, category_N

    def _decide(self, cards: Cards, roll_N: Integers, left: int) -> tuple[Integers, Integers]:
        """Return the decisions for at most ``ROLLS`` rolls."""
        model, score_N, each_N = cards.model, cards.score_G, np.arange(len(roll_N))
        dice, card_2_N = model.lattice, np.stack([cards.class_G, cards.lane_G])
        die = TOLERANCE / model.rules.dice
        card_2_G, card_N = np.unique(card_2_N, axis=1, return_inverse=True)
        places = [CardIndex(c, lane, 0) for c, lane in card_2_G.T.tolist()]
        values_Q_G_E_K = self._points.final_roll_values_each(places)
        end_N = roll_N + left * len(dice.rolls) * model.rules.stops
        value_N_K, *moments = values_Q_G_E_K[:, card_N, end_N]
        z_N_K = np.where(value_N_K > -np.inf, self._z(score_N, *moments), -np.inf)
        best_N = z_N_K.max(axis=1)
        category_N = (z_N_K >= best_N[:, None] - TOLERANCE).argmax(axis=1)
        if not left:
            return np.full_like(roll_N, NONE), category_N
        values_Q_G_E, _ = score_rolls(values_Q_G_E_K, TOLERANCE)
        *_, (values_Q_G_P, _) = rerolls(dice, values_Q_G_E, left, "mean", die)
        z_N_P = self._z(score_N, *values_Q_G_P[1:, card_N])
        z_N_P[:, dice.first_roll :] = -np.inf
        whole_N = dice.first_roll + roll_N
        z_N_P[each_N, whole_N] = best_N
        keep_N = choose_keeps(dice, z_N_P, die)[each_N, roll_N]
        scores_N = keep_N == whole_N
        return np.where(scores_N, NONE, keep_N), np.where(scores_N, category_N, NONE)

    def _z(
        self, score_N: Integers, mean_N_A: NDArray[np.float64], second_N_A: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Return the quotients of options, given the moments of their points to come."""
        with np.errstate(divide="ignore"):
            z_N_A = (score_N[:, None] + mean_N_A - self.target + 0.5) / sd_of(mean_N_A, second_N_A)
        return np.clip(z_N_A, -CERTAIN, CERTAIN)
