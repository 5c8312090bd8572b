"""The values of all cards of a game, layer by layer, and the moments of the score.

Where rolls are saved, their number grows with every turn, and with it the rows of a card: as one
table they would be twice as large.
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
"""Bytes: a game that saves rolls and has less is solved in memory, as one table."""

VECTOR = 16
"""Numbers that kernels compute at a time: of such vectors rows are made."""


def count_values(rules: Rules) -> int:
    """Return how many values the cards of a game have, before it is solved; rolls saved apart."""
    return int(np.sum(build(rules.unsaved).rows_C))


def shapes_of(model: Model) -> list[Shape]:
    """Return the shape of each layer: sets of boxes, numbers of saved rolls, lanes with padding."""
    stride = -(-(model.lanes + VECTOR) // VECTOR) * VECTOR
    classes_F = np.diff(model.layer_starts).tolist()
    return [
        (classes // len(saved), saved.stop, stride)
        for classes, saved in zip(classes_F, model.saved_F, strict=True)
    ]


def is_large(model: Model) -> bool:
    """Return whether all cards of a game are too many for one table."""
    if exceeds_table(model.rules):
        return True
    return model.rules.carries_rolls and sum(map(bytes_of, shapes_of(model))) > SMALL


@dataclass(frozen=True, eq=False)
class Layers:
    """Values by class and lane, indexed like one array.

    Attributes
    ----------
    model : Model
    arrays : list of float64 array, StoredLayer or None
        The values of each layer, of shape (classes, saved + 1, stride) as
        :func:`rollwise.solving.kernels.backward.backward` writes them; None where not kept.
    small : bool
        Whether one table would do: all values are kept.
    from_disk : bool
        Whether all of them were read, and none solved.
    """

    model: Model
    arrays: list[Values | StoredLayer | None]
    small: bool
    from_disk: bool

    def __getitem__(self, key: tuple[Any, Any]) -> Values:
        """Return the values of classes on lanes, of the shape that both broadcast to.

        NaN where they are not kept.
        """
        c, lane = np.broadcast_arrays(*key)
        model = self.model
        layer = np.searchsorted(model.layer_starts, c, side="right") - 1
        found = np.full(c.shape, np.nan)
        for number in np.unique(layer[layer >= 0]).tolist():
            values = self.arrays[number]
            if values is not None:
                here, numbers = layer == number, model.saved_F[number]
                place, more = np.divmod(c[here] - model.layer_starts[number], len(numbers))
                found[here] = values[place, numbers.start + more, lane[here]]
        return found

    def table(self) -> Values:
        """Return all values as one array of shape (C, L): no copy where layers lie in one."""
        begun = self.model.root.filled.bit_count()
        arrays = [np.asarray(values) for values in self.arrays[begun:]]
        rows = [
            values[:, saved.start :].reshape(-1, values.shape[-1])
            for values, saved in zip(arrays, self.model.saved_F[begun:], strict=True)
        ]
        return _joined(rows)[:, : self.model.lanes]


def _joined(layers: list[Values]) -> Values:
    """Return the rows of all layers: the array that they are one after another, or a new one."""
    whole = layers[0].base
    size = sum(rows.size for rows in layers)
    if whole is None or whole.size != size or any(rows.base is not whole for rows in layers):
        return np.concatenate(layers)
    return whole.reshape(-1, layers[0].shape[-1])


def full_cards(full_L: NDArray[np.float64], shape: Shape) -> Values:
    """Return the layer of full cards, from what one of them is worth on each lane."""
    return np.broadcast_to(np.pad(full_L, (0, shape[-1] - len(full_L)), "edge"), shape).copy()


def kept_layers(
    model: Model, files: LayerFiles, needed: slice, full_L: NDArray[np.float64]
) -> Layers | None:
    """Return the game as far as it is in files, if all layers that are needed are.

    ``full_L`` is what a full card is worth on each lane: these are in no file.
    """
    shapes = shapes_of(model)
    layers = [*stored_layers(files, shapes)[:-1], full_cards(full_L, shapes[-1])]
    if any(values is None for values in layers[needed]):
        return None
    return Layers(model, layers, small=False, from_disk=True)


@dataclass(frozen=True, eq=False)
class Moments:
    """Mean and second moment of what is still to come from each state, under best play.

    Attributes
    ----------
    mean_C_L, second_C_L : float64 arrays of shape (classes, lanes), or Layers
        Of the points, the upper bonus included; NaN as in ``CardSolution.remaining_C_L``.
    """

    mean_C_L: NDArray[np.float64] | Layers
    second_C_L: NDArray[np.float64] | Layers


def sd_of(mean: ArrayLike, second: ArrayLike) -> NDArray[np.float64]:
    """Return the standard deviations that first two moments make."""
    mean, second = np.asarray(mean), np.asarray(second)
    variance = second - mean * mean
    # Below this share of what is subtracted there is nothing but rounding.
    return np.sqrt(np.where(variance > 1e-13 * second, variance, 0.0))
