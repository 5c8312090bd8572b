"""Keep the commonest face, and take what scores most: what many a first program does."""

import numpy as np
from numpy.typing import NDArray

from rollwise.model.arrays import Model
from rollwise.strategies.greedy import Greedy
from rollwise.strategies.strategy import Choices, Strategy, TurnPolicy


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

    def _choices(
        self,
        model: Model,
        classes_G: NDArray[np.int64],
        lanes_G: NDArray[np.int64],
        scores_G: NDArray[np.int64],
    ) -> Choices:
        keeps, categories = Greedy()._choices(model, classes_G, lanes_G, scores_G)
        keeps[:] = _commonest(model)
        return keeps, categories


def _commonest(model: Model) -> NDArray[np.int64]:
    keeps = []
    for roll in model.lattice.rolls:
        shown = model.rules.shown(roll)
        face = max(shown, key=lambda face: (shown.count(face), face))
        keep = (die for die, number in zip(roll, shown, strict=True) if number == face)
        keeps.append(model.lattice.point(tuple(keep)))
    return np.array(keeps)
