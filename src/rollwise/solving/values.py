"""The value function of a game, layer by layer, and the moments of the score.

In a game with saved rolls, a player can have more saved rolls after each turn, so later layers have
more rows. One table for all layers would therefore be twice as large as separate layers.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rollwise.model.arrays import Model, build
from rollwise.model.classes import exceeds_table
from rollwise.rules import Rules
from rollwise.solving.storage.chunks import Shape, bytes_of
from rollwise.solving.storage.layer_files import LayerFiles, StoredLayer, Values, stored_layers

SMALL = 1 << 30
"""The largest size in bytes of a game with saved rolls that is solved as one table in memory."""

VECTOR = 16
"""The number of values that kernels compute at a time; row lengths are multiples of it."""


def count_values(rules: Rules) -> int:
    """Return the number of values in a solution of a game, ignoring saved rolls."""
    return int(np.sum(build(rules.unsaved).rows_C))


def shapes_of(model: Model) -> list[Shape]:
    """Return the shape of each layer.

    The axes are the classes (ignoring saved rolls), the number of saved rolls, and the lanes
    (padded to whole vectors).
    """
    stride = -(-(model.lanes + VECTOR) // VECTOR) * VECTOR
    classes_F = np.diff(model.layer_starts).tolist()
    return [
        (classes // len(saved), saved.stop, stride)
        for classes, saved in zip(classes_F, model.saved_F, strict=True)
    ]


def is_large(model: Model) -> bool:
    """Return whether a game has too many states for one table."""
    if exceeds_table(model.rules):
        return True
    return model.rules.carries_rolls and sum(map(bytes_of, shapes_of(model))) > SMALL


@dataclass(frozen=True, eq=False)
class Layers:
    """Values by class and lane, indexed like one array.

    Attributes
    ----------
    model : Model
    arrays : list of float64 array, StoredLayer, or None
        The values of each layer, as :func:`rollwise.solving.kernels.backward.backward` writes them;
        None if the layer is not available. :func:`shapes_of` defines their shapes.
    small : bool
        Whether the values are in memory and fit in one table.
    from_disk : bool
        Whether all layers were read from disk, so that none was solved.
    """

    model: Model
    arrays: list[Values | StoredLayer | None]
    small: bool
    from_disk: bool

    def __getitem__(self, key: tuple[Any, Any]) -> Values:
        """Return the value of each pair of class and lane (broadcast), or NaN if unavailable."""
        c, lane = np.broadcast_arrays(*key)
        model = self.model
        layer = np.searchsorted(model.layer_starts, c, side="right") - 1
        result = np.full(c.shape, np.nan)
        for number in np.unique(layer[layer >= 0]).tolist():
            values = self.arrays[number]
            if values is not None:
                here, numbers = layer == number, model.saved_F[number]
                filled, extra = np.divmod(c[here] - model.layer_starts[number], len(numbers))
                result[here] = values[filled, numbers.start + extra, lane[here]]
        return result

    def table(self) -> Values:
        """Return all values as one array of shape (C, L), without a copy if possible."""
        begun = self.model.root.filled.bit_count()
        arrays = [np.asarray(values) for values in self.arrays[begun:]]
        rows = [
            values[:, saved.start :].reshape(-1, values.shape[-1])
            for values, saved in zip(arrays, self.model.saved_F[begun:], strict=True)
        ]
        return _joined(rows)[:, : self.model.lanes]


def _joined(layers: list[Values]) -> Values:
    """Return the rows of all layers as one array, without a copy if possible."""
    whole = layers[0].base
    size = sum(rows.size for rows in layers)
    if whole is None or whole.size != size or any(rows.base is not whole for rows in layers):
        return np.concatenate(layers)
    return whole.reshape(-1, layers[0].shape[-1])


def full_cards(full_L: NDArray[np.float64], shape: Shape) -> Values:
    """Return the layer of full scorecards in the given shape, from the value of each lane."""
    return np.broadcast_to(np.pad(full_L, (0, shape[-1] - len(full_L)), "edge"), shape).copy()


def stored_values(
    model: Model, files: LayerFiles, needed: slice, full_L: NDArray[np.float64]
) -> Layers | None:
    """Return the saved layers of a game, or None if a layer in ``needed`` is missing.

    ``full_L`` is the value of a full scorecard in each lane. The layer of full scorecards is never
    saved.
    """
    shapes = shapes_of(model)
    layers = [*stored_layers(files, shapes)[:-1], full_cards(full_L, shapes[-1])]
    if any(values is None for values in layers[needed]):
        return None
    return Layers(model, layers, small=False, from_disk=True)


@dataclass(frozen=True, eq=False)
class Moments:
    """The mean and the second moment of the points to come from each state, with optimal play.

    Attributes
    ----------
    mean_C_L, second_C_L : float64 arrays of shape (classes, lanes)
        The mean and the second moment, including the upper bonus; NaN where
        ``CardSolution.remaining_C_L`` is NaN.
    """

    mean_C_L: NDArray[np.float64]
    second_C_L: NDArray[np.float64]


def sd_of(mean: ArrayLike, second: ArrayLike) -> NDArray[np.float64]:
    """Return standard deviations, given means and second moments."""
    mean, second = np.asarray(mean), np.asarray(second)
    variance = second - mean * mean
    # Smaller variances, relative to the second moment, are rounding errors.
    return np.sqrt(np.where(variance > 1e-13 * second, variance, 0.0))
