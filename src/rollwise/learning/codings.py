"""The numbering of actions: the sets of dice to keep come first, and the categories follow."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from rollwise.errors import IllegalError, InputError, TooLargeError
from rollwise.game.actions import Keep, Score
from rollwise.model.dice_lattice import Lattice, lattice
from rollwise.rules import Rules

Coding = Literal["keeps", "dice"]

MAX_PAIRS = 50_000_000
"""The maximum number of pairs that consist of a roll and an action that keeps dice."""

NONE = -1


@dataclass(frozen=True, eq=False)
class Actions:
    """The numbered actions of a game.

    Attributes
    ----------
    rules : Rules
    keep_R_A : int16 array of shape (R, A)
        The lattice point of the dice that each of the first A actions keeps, for each of the R
        rolls in lattice order; -1 if the roll does not contain these dice.
    """

    rules: Rules
    keep_R_A: NDArray[np.int16]

    @property
    def keeps(self) -> int:
        """The number of actions that keep dice; the other actions fill the categories in order."""
        return self.keep_R_A.shape[1]

    @property
    def number(self) -> int:
        """The number of actions."""
        return self.keeps + len(self.rules.categories)

    def meaning(self, action: int, roll: int) -> Keep | Score | None:
        """Return the move with the number ``action`` at the roll with the index ``roll``.

        Return None if the move keeps dice that the roll does not contain.
        """
        if action >= self.keeps:
            return Score.each(self.rules.keys)[action - self.keeps]
        point = int(self.keep_R_A[roll, action])
        return None if point == NONE else Keep(lattice(self.rules.kinds).points[point])

    def number_of(self, action: Keep | Score, roll: int) -> int:
        """Return the lowest action number with the same effect as the move ``action`` at a roll.

        Raises
        ------
        IllegalError
            If the move keeps all dice, or dice that the roll does not contain.
        """
        if isinstance(action, Score):
            return self.keeps + action.category
        same_A = self.keep_R_A[roll] == lattice(self.rules.kinds).point(action.dice)
        if not same_A.any():
            raise IllegalError(f"cannot keep {action.dice}; keep only dice of the roll")
        return int(same_A.argmax())


def actions_of(rules: Rules, coding: Coding) -> Actions:
    """Return the numbered actions of a game.

    Parameters
    ----------
    coding : {"keeps", "dice"}
        ``keeps`` numbers the sets of dice to keep in lattice order: by size, then by sorted faces.
        ``dice`` numbers the 2**n subsets of n dice. Bit d is set if the action keeps die d, where
        the dice are sorted by face.

    Raises
    ------
    InputError
        If the coding is unknown.
    TooLargeError
        If there are more than ``MAX_PAIRS`` pairs of a roll and an action that keeps dice, or more
        than 32,767 sets of dice to keep.
    """
    dice = lattice(rules.kinds)
    if coding not in ("keeps", "dice"):
        raise InputError(f"unknown coding of actions {coding!r}; use keeps or dice")
    size = dice.first_roll if coding == "keeps" else 1 << dice.dice
    if len(dice.rolls) * size > MAX_PAIRS or dice.first_roll > np.iinfo(np.int16).max:
        fix = "try actions='dice'" if coding == "keeps" else "choose a game with fewer dice"
        raise TooLargeError(
            f"{rules.name} has too many sets of dice to keep ({size:,}) for the action coding "
            f"{coding!r}; {fix}"
        )
    return Actions(rules, _all_keeps(dice) if coding == "keeps" else _all_masks(dice))


def _all_keeps(dice: Lattice) -> NDArray[np.int16]:
    counts_K_F, counts_R_F = np.split(dice.counts_P_F, [dice.first_roll])
    within_R_K = np.ones((len(counts_R_F), len(counts_K_F)), dtype=np.bool_)
    for counts_K, counts_R in zip(counts_K_F.T, counts_R_F.T, strict=True):
        within_R_K &= counts_K <= counts_R[:, None]
    return np.where(within_R_K, np.arange(dice.first_roll), NONE).astype(np.int16)


def _all_masks(dice: Lattice) -> NDArray[np.int16]:
    """Return the lattice point that each mask keeps from each roll, or -1 if it keeps all dice."""
    masks = np.arange(1 << dice.dice)
    point_R_M = np.repeat(np.arange(len(dice.rolls))[:, None] + dice.first_roll, len(masks), axis=1)
    sorted_R_D = np.array(dice.rolls) - 1
    for d, symbol_R in enumerate(sorted_R_D.T):
        rerolled = (masks >> d & 1) == 0
        point_R_M[:, rerolled] = dice.child_P_F[point_R_M[:, rerolled], symbol_R[:, None]]
    point_R_M[:, -1] = NONE
    return point_R_M.astype(np.int16)
