"""A strategy that follows a value table."""

import numpy as np
from numpy.typing import NDArray

from rollwise.errors import MalformedError
from rollwise.model.arrays import Model
from rollwise.solving.turn_policy import Choices, best_turns
from rollwise.strategies.strategy import BatchStrategy


class ByValues(BatchStrategy):
    """The strategy that maximizes the points of a turn plus the value of the state after it.

    With the values of the solver, this is the optimal strategy. Ties are broken as in
    :class:`Optimal`.

    Parameters
    ----------
    value_C_L : float64 array of shape (C, L)
        The expected points to come in each state (:class:`rollwise.model.arrays.Model` defines the
        axes). They include the upper bonus, even in states where it is already earned.
    name : str
    """

    def __init__(self, value_C_L: NDArray[np.float64], name: str = "by-values") -> None:
        self.value_C_L, self.name = value_C_L, name

    def _choices(
        self,
        model: Model,
        classes_G: NDArray[np.int64],
        lanes_G: NDArray[np.int64],
        scores_G: NDArray[np.int64],
    ) -> Choices:
        if self.value_C_L.shape != (model.n_classes, model.lanes):
            raise MalformedError(
                f"the values of {self.name} have shape {self.value_C_L.shape}; "
                f"{model.rules.name} needs "
                f"shape {(model.n_classes, model.lanes)}"
            )
        every_O = np.arange(len(model.points_O))
        after_G_O = model.class_after(classes_G[:, None], every_O)
        lane_G_O = model.lane_after(lanes_G[:, None], every_O)
        value_G_O = model.total_points_O + self.value_C_L[after_G_O, lane_G_O]
        return best_turns(model, value_G_O, np.arange(len(classes_G)), classes_G)
