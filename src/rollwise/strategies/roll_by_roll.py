"""Strategies that decide one roll at a time, without a policy for the whole turn.

The arrays of N rolls are int64 of shape (N,): the class, the lane, and the points so far of each
scorecard, the index of each roll in the lattice, and the number of rerolls left.
"""

from abc import abstractmethod

import numpy as np
from numpy.typing import NDArray

from rollwise.model.arrays import Model
from rollwise.solving.turn_policy import TurnPolicy
from rollwise.strategies.strategy import Strategy

Integers = NDArray[np.int64]

NONE = -1
"""The code that marks an entry without dice to keep, or without a category."""


class RollByRoll(Strategy):
    """A strategy that makes one decision for each roll in a batch.

    A simulation calls :meth:`decide` only for rolls that occur, which saves most decisions of a
    strategy that depends on the points so far. :meth:`turn_policy` calls it for all possible rolls.
    """

    sees_score = True

    @abstractmethod
    def decide(
        self,
        model: Model,
        class_N: Integers,
        lane_N: Integers,
        score_N: Integers,
        roll_N: Integers,
        left_N: Integers,
    ) -> tuple[Integers, Integers]:
        """Return the lattice indices of the dice to keep, and the categories.

        For each roll, exactly one of the two is ``NONE``. To keep all dice, return a category.
        """

    def turn_policy(self, model: Model, c: int, lane: int, score: int = 0) -> TurnPolicy:
        """Return the policy of a turn; to score a roll early, the policy keeps all its dice."""
        rerolls, n_rolls = int(model.rerolls_C[c]), len(model.lattice.rolls)
        left_N = np.repeat(np.arange(rerolls + 1), n_rolls)
        roll_N = np.tile(np.arange(n_rolls), rerolls + 1)
        class_N, lane_N, score_N = np.full((len(roll_N), 3), (c, lane, score)).T
        kept_N, category_N = self.decide(model, class_N, lane_N, score_N, roll_N, left_N)
        whole_N = np.where(kept_N == NONE, roll_N + model.lattice.first_roll, kept_N)
        keeps = tuple(whole_N.reshape(rerolls + 1, n_rolls)[:0:-1])
        ends = len(roll_N) if model.rules.stops else n_rolls
        return TurnPolicy(keeps, np.maximum(category_N[:ends], 0))
