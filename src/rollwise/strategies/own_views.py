"""What a strategy of one's own may see of some cards, as numbers: equal for what looks equal."""

from functools import cache, lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rollwise.game.scorecard import Dice, legal_keeps
from rollwise.model.arrays import Model
from rollwise.model.lattice import Kinds, lattice
from rollwise.model.outcomes import FORBIDDEN

Reading = tuple[Any, ...]
"""What was read: a word, and of what. ``("open",)``, ``("holds", k)``, ``("row", r, left)``, …"""

OPEN, TURN, UPPER, SCORE = ("open",), ("turn",), ("upper",), ("score",)


@lru_cache(maxsize=8)
def _number_of_roll(kinds: Kinds) -> dict[Dice, int]:
    return {roll: number for number, roll in enumerate(lattice(kinds).rolls)}


@lru_cache(maxsize=4096)
def keeps_of(kinds: Kinds, dice: Dice) -> dict[Dice, int]:
    """Return the point of everything that can be kept of a roll, all of it too, by its dice."""
    return {keep: lattice(kinds).point(keep) for keep in (*legal_keeps(dice), dice)}


class Scores(NamedTuple):
    """What one row of an option table gives.

    Attributes
    ----------
    boxes : dict of str to (int, int)
        Points and bit of each box.
    legal : int
        The bits of those in which the rules allow to score.
    """

    boxes: dict[str, tuple[int, int]]
    legal: int


class Views:
    """Some cards as a strategy may see them, all with turns of one length.

    What can be read of a card is told by a number, its *code*, equal for what looks equal.

    Parameters
    ----------
    classes_G, uppers_G, scores_G : int64 arrays of shape (G,)
    sees : tuple of str
        Which of ``"upper"`` and ``"score"`` the strategy has announced that it reads.
    """

    def __init__(
        self,
        model: Model,
        classes_G: NDArray[np.int64],
        uppers_G: NDArray[np.int64],
        scores_G: NDArray[np.int64],
        sees: tuple[str, ...] = (),
    ) -> None:
        self.model, self.rules, self.sees = model, model.rules, sees
        self.number = len(classes_G)
        boxes_G = model.open_boxes(classes_G) @ (1 << np.arange(len(model.rules.keys)))
        self.boxes_G: list[int] = boxes_G.tolist()
        self.rolls = model.lattice.rolls
        self.row_of_roll = _number_of_roll(model.rules.kinds)
        self.column = {key: k for k, key in enumerate(model.rules.keys)}
        self._classes_G = classes_G
        self._codes: dict[Reading, NDArray[np.int64]] = {
            OPEN: boxes_G,
            TURN: np.bitwise_count(model.mask_C[classes_G]).astype(np.int64) + 1,
            UPPER: uppers_G,
            SCORE: scores_G,
        }
        self.keys = cache(lambda boxes: tuple(k for k, i in self.column.items() if boxes >> i & 1))
        self.scores = cache(self._scores)

    def codes(self, reading: Reading) -> NDArray[np.int64]:
        """Return the code of what a reading shows of each card, int64 of shape (G,)."""
        if reading not in self._codes:
            word, *of = reading
            if word == "holds":
                self._codes[reading] = self._codes[OPEN] >> of[0] & 1
            else:
                self._codes[reading] = self._row_codes(*of)
        return self._codes[reading]

    def _row_codes(self, r: int, left: int) -> NDArray[np.int64]:
        """Return by which row of which option table a roll is scored on each card, as one code."""
        model = self.model
        special = np.flatnonzero(model.special_J == r)
        row_G = model.special_row_C_J[self._classes_G][:, special[0]] if len(special) else r
        table_G = model.table_C[self._classes_G].astype(np.int64) + left
        return np.asarray(table_G * model.option_T_V_K.shape[1] + row_G)

    def _scores(self, code: int) -> Scores:
        model = self.model
        option_K = model.option_T_V_K[divmod(code, model.option_T_V_K.shape[1])]
        boxes = {
            key: (points, 1 << k)
            for (key, k), points in zip(
                self.column.items(), model.step_O[option_K].tolist(), strict=True
            )
        }
        return Scores(boxes, sum(1 << k for k in np.flatnonzero(option_K != FORBIDDEN).tolist()))
