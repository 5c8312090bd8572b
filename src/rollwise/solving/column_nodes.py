"""The cards of one column of a game: what of them matters for what is still to come."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rollwise.model.arrays import Model
from rollwise.model.classes import NO_CLASS
from rollwise.model.reachable import reachable

Integers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Nodes:
    """The cards of a column that differ in what is still to come, N of them; number 0 is empty.

    Attributes
    ----------
    model : Model
        Of the column alone.
    class_N, lane_N : int64 arrays of shape (N,)
    number_C_L : int64 array of shape (C, L)
        The node of each class and lane that matters, -1 where no game comes.
    """

    model: Model
    class_N: Integers
    lane_N: Integers
    number_C_L: Integers

    @classmethod
    def of(cls, model: Model) -> "Nodes":
        """Return the nodes of a column."""
        every = np.arange(model.n_classes)
        first_C, last_C = model.first_lane_C[every], model.last_lane_C[every]
        class_X, lane_X = np.nonzero(reachable(model))
        told_X = np.clip(lane_X, first_C[class_X], last_C[class_X])
        spots = np.unique(class_X * model.lanes + told_X)
        class_N, lane_N = np.divmod(spots, model.lanes)
        number_C_L = np.full((model.n_classes, model.lanes), -1)
        number_C_L[class_N, lane_N] = np.arange(len(spots))
        return cls(model, class_N, lane_N, number_C_L)

    def after(self, k: int, points: int) -> Integers:
        """Return the node after points in a box of the column, -1 where it may not be filled."""
        model = self.model
        open_N = model.open_boxes(self.class_N)[:, k]
        code_N = model.code_C[self.class_N[open_N]] + model.stride_K[k]
        class_N = np.asarray(model.class_S[code_N], dtype=np.int64)
        assert (class_N != NO_CLASS).all()
        upper = model.rules.categories[k].section == "upper"
        first_N, last_N = model.first_lane_C[class_N], model.last_lane_C[class_N]
        lane_N = np.clip(self.lane_N[open_N] + points * upper, first_N, last_N)
        found = np.full(len(self.class_N), -1)
        found[open_N] = self.number_C_L[class_N, lane_N]
        return found
