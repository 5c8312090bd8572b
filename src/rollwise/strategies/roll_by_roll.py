"""Strategies that decide one roll at a time, without a policy for the whole turn."""

from abc import abstractmethod

import numpy as np
from numpy.typing import NDArray

from rollwise.solving.turn_policy import Cards, Turns
from rollwise.strategies.strategy import Strategy

Integers = NDArray[np.int64]

NONE = -1
"""The code that marks an entry without dice to keep, or without a category."""


class RollByRoll(Strategy):
    """A strategy that makes one decision for each roll in a batch.

    A simulation calls :meth:`decide` only for rolls that occur, which saves most decisions of a
    strategy that depends on the points so far. :meth:`turns` calls it for all possible rolls.
    """

    sees = ("lane", "score")

    @abstractmethod
    def decide(self, cards: Cards, roll_N: Integers, left: int) -> tuple[Integers, Integers]:
        """Return the lattice indices of the dice to keep, and the categories, of shape (N,).

        ``cards`` has the scorecard of each roll, and ``left`` is the number of rerolls left. For
        each roll, exactly one of the two results is ``NONE``. To keep all dice, return a category.
        """

    def turns(self, cards: Cards) -> Turns:
        """Return policies that keep all dice in order to score a roll early."""
        dice, number = cards.model.lattice, len(cards.class_G)
        n_rolls, every_G_R = len(dice.rolls), np.repeat(np.arange(number), len(dice.rolls))
        roll_N = np.tile(np.arange(n_rolls), number)
        keeps, categories = [], []
        for left in range(cards.rerolls + 1):
            keep_N, category_N = self.decide(cards.at(every_G_R), roll_N, left)
            keeps.append(np.where(keep_N == NONE, roll_N + dice.first_roll, keep_N))
            categories.append(np.maximum(category_N, 0).reshape(number, n_rolls))
        keeps_G_J_R = np.reshape(keeps[:0:-1], (-1, number, n_rolls)).swapaxes(0, 1)
        ends = len(categories) if cards.model.rules.stops else 1
        return Turns(
            cards,
            np.ascontiguousarray(keeps_G_J_R, dtype=np.uint16),
            np.concatenate(categories[:ends], axis=1).astype(np.uint8),
        )
