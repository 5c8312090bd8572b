"""Keep the commonest face, and take what scores most: what many a first program does."""

import numpy as np

from rollwise.model.arrays import Model
from rollwise.strategies.greedy import Greedy
from rollwise.strategies.strategy import Strategy, TurnPolicy


class CommonestFace(Strategy):
    """Keep the dice of the commonest face, the highest if there are several.

    The last roll is scored where it has the most points, as :class:`Greedy` does.
    """

    name = "commonest-face"
    sees_lane = False

    def turn_policy(self, model: Model, c: int, lane: int, score: int = 0) -> TurnPolicy:
        """Keep the commonest face of every roll."""
        keep_R = _commonest(model)
        return TurnPolicy((keep_R,) * int(model.rerolls_C[c]), Greedy().categories(model, c))


def _commonest(model: Model) -> "np.ndarray[tuple[int, ...], np.dtype[np.int64]]":
    keeps = []
    for roll in model.lattice.rolls:
        shown = model.rules.shown(roll)
        face = max(shown, key=lambda face: (shown.count(face), face))
        keep = (die for die, number in zip(roll, shown, strict=True) if number == face)
        keeps.append(model.lattice.point(tuple(keep)))
    return np.array(keeps)
