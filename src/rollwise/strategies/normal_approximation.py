"""A strategy for a target score that uses a normal approximation of the final score.

Source: T. Verhoeff, *Optimal Solitaire Yahtzee Strategies*, lists the best strategy to beat a given
high score among the remaining challenges, with an "approximation via normal distribution and
computed mean & variance".
"""

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rollwise.errors import MalformedError, TooLargeError
from rollwise.model.arrays import Model
from rollwise.model.turn import options_of_all
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.solution import TIE, rule_for_ties
from rollwise.solving.values import Moments
from rollwise.strategies.optimal import values_after
from rollwise.strategies.roll_by_roll import NONE, Integers, RollByRoll

if TYPE_CHECKING:
    from rollwise.solving.kernels.normal_approximation import Decisions

STATES = 512
"""The maximum number of scorecards per call of the compiled code; it limits memory."""


class NormalApproximation(RollByRoll):
    """The strategy that maximizes the probability of a target under a normal distribution.

    Each option has the mean and the standard deviation (SD) of the final score if the player takes
    the option and then plays for the expected score. The strategy chooses the option with the
    highest (points so far + mean of the points to come − target + ½) / SD. If the SD is 0, the
    option is certain to reach the target or certain to miss it.

    Options whose quotients differ by less than ``TIE`` are tied. Ties are broken as in
    :class:`Optimal`; scoring the roll counts as keeping all dice.

    Parameters
    ----------
    solution : CardSolution
        The solution for the expected score.
    target : int
        The target score.
    highest : int
        The highest possible score of the game.

    Raises
    ------
    MalformedError
        If the target is not between 1 and the highest possible score.
    TooLargeError
        If the game is so large that the SDs are not available.
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
        self.solution, self.target = solution, target

    @property
    def moments(self) -> Moments:
        """The moments of the points to come with optimal play for the expected score."""
        assert self.solution.moments is not None
        return self.solution.moments

    def decide(
        self,
        model: Model,
        class_N: Integers,
        lane_N: Integers,
        score_N: Integers,
        roll_N: Integers,
        left_N: Integers,
    ) -> tuple[Integers, Integers]:
        """Return the dice to keep from each roll, or the category in which to score it.

        The parameters and the result are the same as for :meth:`RollByRoll.decide`.
        """
        from rollwise.solving.kernels.normal_approximation import Decisions  # imports numba

        keep_N, category_N = np.full((2, len(class_N)), NONE)
        # Sort the rolls by the number of rerolls of their turn, then by scorecard.
        order = np.lexsort((lane_N, class_N, model.rerolls_C[class_N]))
        card_2_N = np.stack([class_N[order], lane_N[order]])
        new = np.flatnonzero((np.diff(card_2_N, prepend=-1) != 0).any(axis=0))
        rerolls_G = model.rerolls_C[card_2_N[0, new]].astype(np.int64)
        ends = np.append(new, len(order))
        cuts = np.flatnonzero(np.diff(rerolls_G, prepend=-1)).tolist()
        for begin, end in pairwise([*cuts, len(new)]):
            for first in range(begin, end, STATES):
                last = min(first + STATES, end)
                here = slice(ends[first], ends[last])
                rolls = order[here]
                kept, scored = np.full((2, len(rolls)), NONE)
                class_G, lane_G = card_2_N[:, new[first:last]]
                classes, table_G = np.unique(class_G, return_inverse=True)
                decisions = Decisions(
                    ends[first : last + 1] - ends[first],
                    table_G,
                    (score_N[rolls] - self.target).astype(np.float64) + 0.5,
                    roll_N[rolls].astype(np.int64),
                    left_N[rolls].astype(np.int64),
                    kept,
                    scored,
                )
                self._decide(model, classes, class_G, lane_G, decisions)
                keep_N[rolls], category_N[rolls] = kept, scored
        return keep_N, category_N

    def _decide(
        self,
        model: Model,
        classes: NDArray[np.int64],
        class_G: NDArray[np.int64],
        lane_G: NDArray[np.int64],
        decisions: "Decisions",
    ) -> None:
        from rollwise.solving.kernels.normal_approximation import MomentScratch, decide
        from rollwise.solving.kernels.policy import TieRule
        from rollwise.solving.kernels.scalar_turn import LatticeArrays

        dice, points_O = LatticeArrays.of(model.lattice), model.total_points_O.astype(np.float64)
        rest_G_O: Any = values_after(self.solution, self.moments.mean_C_L, class_G, lane_G)
        square_G_O = values_after(self.solution, self.moments.second_C_L, class_G, lane_G)
        decide(
            MomentScratch.of(dice, int(model.rerolls_C[classes[0]]), len(points_O)),
            points_O + rest_G_O,
            points_O * (points_O + 2 * rest_G_O) + square_G_O,
            options_of_all(model, classes),
            dice,
            model.rules.stops,
            TieRule(TIE, TIE / model.rules.dice),
            decisions,
        )
