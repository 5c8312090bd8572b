"""The value function of a game as a table by class and lane, and the moments of the score.

In a game with saved rolls, a player can have more saved rolls after each turn, so later layers have
more rows. One table for all layers would therefore be twice as large as separate layers.

The axes of a layer are the classes (ignoring saved rolls), the number of saved rolls, and the lanes
(padded to whole vectors).
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rollwise.model.arrays import Model, build
from rollwise.model.classes import exceeds_table
from rollwise.rules import Rules
from rollwise.solving.storage.layers import Shape, Values, bytes_of, open_layer, open_layers

SMALL = 1 << 30
"""The largest size in bytes of a game with saved rolls that is solved as one table in memory."""

VECTOR = 16
"""The number of values that kernels compute at a time; row lengths are multiples of it."""


def count_values(rules: Rules) -> int:
    """Return the number of values in a solution of a game, ignoring saved rolls."""
    return int(np.sum(build(rules.unsaved).rows_C))


def stride_of(lanes: int) -> int:
    """Return the length of a row with this number of lanes and at least a vector of padding."""
    return -(-(lanes + VECTOR) // VECTOR) * VECTOR


@dataclass(frozen=True)
class Layers:
    """The sizes of the layers of a game, from the empty scorecard to full scorecards."""

    # The number of classes in each layer, ignoring saved rolls, and the numbers of saved rolls.
    classes_F: list[int]
    saved_F: list[range]
    lanes: int

    @classmethod
    def of(cls, classes_F: list[int], saved_F: list[range], lanes: int) -> "Layers":
        """Return the layers, given the number of classes with each number of saved rolls."""
        pairs = zip(classes_F, saved_F, strict=True)
        return cls([classes // len(saved) for classes, saved in pairs], saved_F, lanes)

    @property
    def shapes(self) -> list[Shape]:
        """The shape of each layer."""
        stride = stride_of(self.lanes)
        return [
            (classes, saved.stop, stride)
            for classes, saved in zip(self.classes_F, self.saved_F, strict=True)
        ]


def layers_of(model: Model) -> Layers:
    """Return the sizes of the layers of a game with one table, or with saved rolls."""
    return Layers.of(np.diff(model.layer_starts).tolist(), model.saved_F, model.lanes)


def is_large(model: Model) -> bool:
    """Return whether a game has too many states for one table."""
    return has_many_states(model.rules, layers_of(model))


def has_many_states(rules: Rules, layers: Layers) -> bool:
    """Return whether a game with these layers has too many states for one table."""
    if exceeds_table(rules):
        return True
    return rules.carries_rolls and sum(map(bytes_of, layers.shapes)) > SMALL


@dataclass(frozen=True, eq=False)
class Table:
    """Values by class and lane: one array, or an array for each layer of a large game.

    ``layers`` has the layers as :func:`rollwise.solving.kernels.backward.backward` writes them, or
    None for a layer that is not available. It is empty if there is one array.
    """

    model: Model
    layers: list[Values | None]
    array_C_L: Values | None = None

    def __getitem__(self, key: tuple[Any, Any]) -> Values:
        """Return the value of each pair of class and lane (broadcast), or NaN if unavailable."""
        if self.array_C_L is not None:
            return np.asarray(self.array_C_L[key])
        return self._in_layers(*np.broadcast_arrays(*key))

    def _in_layers(self, c: NDArray[Any], lane: NDArray[Any]) -> Values:
        model = self.model
        layer = np.searchsorted(model.layer_starts, c, side="right") - 1
        result = np.full(c.shape, np.nan)
        for number in np.unique(layer[layer >= 0]).tolist():
            values = self.layers[number]
            if values is not None:
                here, numbers = layer == number, model.saved_F[number]
                filled, extra = np.divmod(c[here] - model.layer_starts[number], len(numbers))
                result[here] = values[filled, numbers.start + extra, lane[here]]
        return result

    def joined(self) -> "Table":
        """Return the table with all layers in one array, without a copy if possible."""
        begun = self.model.root.filled.bit_count()
        rows = [
            layer[:, saved.start :].reshape(-1, layer.shape[-1])
            for layer, saved in zip(
                map(np.asarray, self.layers[begun:]), self.model.saved_F[begun:], strict=True
            )
        ]
        whole, size = rows[0].base, sum(part.size for part in rows)
        if whole is None or whole.size != size or any(part.base is not whole for part in rows):
            whole = np.concatenate(rows)
        array_C_L = whole.reshape(-1, rows[0].shape[-1])[:, : self.model.lanes]
        return Table(self.model, [], array_C_L)

    def __getstate__(self) -> dict[str, Any]:
        """Return the state for a pickle, with the paths of layers in files instead of values."""
        layers = [
            (Path(values.filename).parent, layer, values.shape)
            if isinstance(values, np.memmap) and values.filename
            else values
            for layer, values in enumerate(self.layers)
        ]
        return {**vars(self), "layers": layers}

    def __setstate__(self, state: dict[str, Any]) -> None:
        layers = [open_layer(*v) if isinstance(v, tuple) else v for v in state["layers"]]
        vars(self).update(state, layers=layers)


def full_cards(full_L: NDArray[np.float64], shape: Shape) -> Values:
    """Return the layer of full scorecards in the given shape, from the value of each lane."""
    return np.broadcast_to(np.pad(full_L, (0, shape[-1] - len(full_L)), "edge"), shape).copy()


def stored_table(
    model: Model, folder: Path, needed: slice, full_L: NDArray[np.float64]
) -> Table | None:
    """Return the saved layers of a game, or None if a layer in ``needed`` is missing.

    ``full_L`` is the value of a full scorecard in each lane. The layer of full scorecards is never
    saved.
    """
    shapes = layers_of(model).shapes
    layers = [*open_layers(folder, shapes[:-1]), full_cards(full_L, shapes[-1])]
    return None if any(values is None for values in layers[needed]) else Table(model, layers)


@dataclass(frozen=True, eq=False)
class Moments:
    """The mean and the second moment of the points to come from each state, with optimal play.

    Both include the upper bonus, and are NaN where ``CardSolution.remaining_C_L`` is NaN.
    """

    mean_C_L: NDArray[np.float64]
    second_C_L: NDArray[np.float64]


def sd_of(mean: ArrayLike, second: ArrayLike) -> NDArray[np.float64]:
    """Return standard deviations, given means and second moments."""
    mean, second = np.asarray(mean), np.asarray(second)
    variance = second - mean * mean
    # Smaller variances, relative to the second moment, are rounding errors.
    return np.sqrt(np.where(variance > 1e-13 * second, variance, 0.0))
