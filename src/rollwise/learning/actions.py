"""The numbering of actions: the sets of dice to keep come first, and the categories follow.

Sets of dice are in lattice order: by size, then by sorted faces. The set that an action keeps is
the lattice point with the same number. No action keeps all dice.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rollwise.errors import TooLargeError
from rollwise.game.actions import Keep, Score
from rollwise.model.dice_lattice import lattice
from rollwise.rules import Rules

MAX_PAIRS = 50_000_000
"""The maximum number of pairs that consist of a roll and an action that keeps dice."""


@dataclass(frozen=True, eq=False)
class Actions:
    """The numbered actions of a game.

    ``contains_R_A`` (bool, shape (R, A)) is whether each of the R rolls in lattice order contains
    the dice that each of the first A actions keeps.
    """

    rules: Rules
    contains_R_A: NDArray[np.bool_]

    @property
    def keeps(self) -> int:
        """The number of actions that keep dice; the other actions fill the categories in order."""
        return self.contains_R_A.shape[1]

    @property
    def number(self) -> int:
        """The number of actions."""
        return self.keeps + len(self.rules.categories)

    def meaning(self, action: int, roll: int) -> Keep | Score | None:
        """Return the move with the number ``action``, or None if the roll lacks its dice."""
        if action >= self.keeps:
            return Score(self.rules.keys[action - self.keeps])
        if not self.contains_R_A[roll, action]:
            return None
        return Keep(lattice(self.rules.kinds).points[action])


def actions_of(rules: Rules) -> Actions:
    """Return the numbered actions of a game."""
    dice = lattice(rules.kinds)
    if len(dice.rolls) * dice.first_roll > MAX_PAIRS:
        raise TooLargeError(
            f"{rules.name} has too many sets of dice to keep ({dice.first_roll:,}) for an "
            "environment; choose a game with fewer dice"
        )
    counts_A_F, counts_R_F = np.split(dice.counts_P_F, [dice.first_roll])
    contains_R_A = np.ones((len(counts_R_F), len(counts_A_F)), dtype=np.bool_)
    for counts_A, counts_R in zip(counts_A_F.T, counts_R_F.T, strict=True):
        contains_R_A &= counts_A <= counts_R[:, None]
    return Actions(rules, contains_R_A)
