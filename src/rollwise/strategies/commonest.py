"""Keep the commonest face, and take what scores most: what many a first program does."""

import numpy as np

from rollwise.dice import Lattice
from rollwise.model import Model
from rollwise.strategies.base import Strategy, TurnPolicy
from rollwise.strategies.greedy import Greedy


class CommonestFace(Strategy):
    """Keep the dice of the commonest face, the highest if there are several.

    The last roll is scored where it has the most points, as :class:`Greedy` does.
    """

    name = "commonest-face"
    sees_lane = False

    def turn_policy(self, model: Model, c: int, lane: int, score: int = 0) -> TurnPolicy:
        """Keep the commonest face of every roll."""
        keep_R = _commonest(model.lattice)
        return TurnPolicy((keep_R,) * int(model.rerolls_C[c]), Greedy().categories(model, c))


def _commonest(lattice: Lattice) -> "np.ndarray[tuple[int, ...], np.dtype[np.int64]]":
    return np.array(
        [
            lattice.point((face,) * roll.count(face))
            for roll in lattice.rolls
            for face in [max(roll, key=lambda face: (roll.count(face), face))]
        ]
    )
