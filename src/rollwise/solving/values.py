"""The values of all cards of a game, layer by layer, and the moments of the score.

Where rolls are saved, their number grows with every turn, and with it the rows of a card: as one
table they would be twice as large.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rollwise.model.arrays import Model, build
from rollwise.rules import Rules
from rollwise.solving.storage.layer_files import Values
from rollwise.solving.storage.stored_layer import StoredLayer


def count_values(rules: Rules) -> int:
    """Return how many values the cards of a game have, before it is solved; rolls saved apart."""
    return int(np.sum(build(rules.unsaved).rows_C))


@dataclass(frozen=True, eq=False)
class Layers:
    """Values by class and lane, indexed like one array.

    Attributes
    ----------
    model : Model
    place_C : int64 array
        The place of each class without saved rolls among those of its layer, -1 if it is not
        solved.
    arrays : list of float64 array, StoredLayer or None
        The values of each layer, of shape (classes, saved + 1, stride) as
        :func:`rollwise.solving.kernels.backward.backward` writes them; None where not kept.
    small : bool
        Whether one table would do: all values are kept.
    from_disk : bool
        Whether all of them were read, and none solved.
    """

    model: Model
    place_C: NDArray[np.int64]
    arrays: list[Values | StoredLayer | None]
    small: bool
    from_disk: bool

    def __getitem__(self, key: tuple[Any, Any]) -> Values:
        """Return the values of classes on lanes, of the shape that both broadcast to.

        NaN where they are not kept.
        """
        c, lane = np.broadcast_arrays(*key)
        saved = self.model.saved_C[c]
        layer = np.bitwise_count(self.model.mask_C[c])
        place = self.place_C[self.model.unsaved_C[c]]
        found = np.full(c.shape, np.nan)
        for number in np.unique(layer):
            values = self.arrays[number]
            if values is not None:
                here = (layer == number) & (place >= 0) & (saved < values.shape[1])
                found[here] = values[place[here], saved[here], lane[here]]
        return found

    def table(self) -> Values:
        """Return all values as one array of shape (C, L)."""
        rules, lanes = self.model.rules, self.model.lanes
        layers = []
        for turns, values in enumerate(self.arrays):
            assert isinstance(values, np.ndarray)
            least = rules.saved_after(turns).start
            layers.append(values[:, least:, :lanes].reshape(-1, lanes))
        return np.concatenate(layers)


@dataclass(frozen=True, eq=False)
class Moments:
    """Mean and second moment of what is still to come from each state, under best play.

    Attributes
    ----------
    mean_C_L, second_C_L : float64 arrays of shape (classes, lanes)
        Of the points, the upper bonus included; NaN as in ``CardSolution.remaining_C_L``.
    """

    mean_C_L: NDArray[np.float64]
    second_C_L: NDArray[np.float64]


def sd_of(mean: ArrayLike, second: ArrayLike) -> NDArray[np.float64]:
    """Return the standard deviations that first two moments make."""
    mean, second = np.asarray(mean), np.asarray(second)
    variance = second - mean * mean
    # Below this share of what is subtracted there is nothing but rounding.
    return np.sqrt(np.where(variance > 1e-13 * second, variance, 0.0))
