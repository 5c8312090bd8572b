"""Upper totals as lanes: what each earns, and which of them a card can come to."""

import numpy as np
from numpy.typing import NDArray

from rollwise.model.classes import Classes, Numbers
from rollwise.model.outcomes import Outcomes
from rollwise.rules import Rules


class UpperLanes:
    """The lanes of a game; axes as in :mod:`rollwise.model.arrays`.

    Attributes
    ----------
    total_L, told_L, bonus_L : int64 arrays of shape (L,)
        Of :class:`rollwise.model.arrays.Model`.
    """

    def __init__(self, rules: Rules, cards: Classes, scored: Outcomes) -> None:
        bonus, cap = rules.upper_bonus, rules.upper_cap
        totals_L_N = np.array(list(rules.upper_totals(np.arange(rules.upper_numbers)))).T
        bonus_T = np.array([bonus.at(n) if bonus else 0 for n in range(totals_L_N.max() + 1)])
        self.total_L: NDArray[np.int64] = totals_L_N.sum(axis=1)
        self.told_L = np.minimum(totals_L_N, cap) @ np.array(rules.upper_steps)
        self.bonus_L: NDArray[np.int64] = bonus_T[totals_L_N].sum(axis=1)
        self._cards, self._cap, self._columns = cards, cap, bool(rules.columns)
        starts_K = scored.outcome_starts_K.tolist()
        self._highest_K = np.array([scored.shift_O[each[0] : each[3]].max() for each in starts_K])
        self._out_of_reach = (bonus.threshold if bonus else 0) - 1 - self._highest_K.sum()

    def __len__(self) -> int:
        return len(self.total_L)

    def first(self, c: Numbers) -> NDArray[np.int32]:
        """Return the last lane below which the bonus is out of reach, or the first lane."""
        return self._ends(c)[0].astype(np.int32)

    def last(self, c: Numbers) -> NDArray[np.int32]:
        """Return the last lane to which a game can come."""
        return self._ends(c)[1].astype(np.int32)

    def number(self, c: Numbers) -> Numbers:
        """Return how many lanes there are from the first to the last."""
        first, last = self._ends(c)
        return 1 + last - first

    def _ends(self, c: Numbers) -> tuple[Numbers, Numbers]:
        """Return the first and the last lane.

        Lanes of several columns are in no order in which those come first, or others come last.
        """
        if self._columns:
            return np.zeros_like(c), np.full_like(c, len(self) - 1)
        reach = self._reach(c)
        last = np.minimum(self._cap, reach)
        return np.clip(self._out_of_reach + reach, 0, last), last

    def _reach(self, c: Numbers) -> Numbers:
        """Return the highest upper total of cards, not capped."""
        mask, highest = self._cards.mask_C[c], np.zeros_like(c)
        for k in np.flatnonzero(self._highest_K).tolist():
            highest += (mask >> k & 1) * self._highest_K[k]
        return highest
