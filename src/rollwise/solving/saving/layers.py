"""The values of a game that saves rolls, layer by layer: in memory, or some of them on disk.

The number of rolls that can be saved grows with every turn, and with it the rows of a card: as one
table they would be twice as large. In mid-game a layer of a large game takes gigabytes. A finished
layer can be written to a file, whole or not at all; whoever was interrupted goes on from the last
one.
"""

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rollwise.files import DRAFT
from rollwise.model.arrays import Model

Values = NDArray[np.float64]

PART = 1 << 16
"""Classes read at a time."""


@dataclass(frozen=True, eq=False)
class Layers:
    """Values by class and lane, indexed like one array.

    Attributes
    ----------
    model : Model
    place_C : int64 array
        The place of each class without saved rolls among those of its layer, -1 if it is not
        solved.
    arrays : sequence of float64 array or None
        The values of each layer, of shape (classes, saved + 1, stride) as
        :func:`rollwise.solving.kernels.backward.backward` writes them; None where not kept.
    small : bool
        Whether one table would do: all values are kept.
    from_disk : bool
        Whether all of them were read, and none solved.
    """

    model: Model
    place_C: NDArray[np.int64]
    arrays: Sequence[Values | None]
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
        classes = np.arange(self.model.n_classes)
        return np.concatenate(
            [
                self[part[:, None], np.arange(self.model.lanes)[None]]
                for part in np.array_split(classes, -(-len(classes) // PART))
            ]
        )


class Files:
    """Finished layers in a folder of their own.

    Parameters
    ----------
    folder : Path
        Made when the first layer is written.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def _path(self, layer: int) -> Path:
        return self._folder / f"layer-{layer:02}.npy"

    def read(self, layer: int, shape: tuple[int, ...]) -> Values | None:
        """Return a finished layer, as a view of its file; None where there is none."""
        try:
            values = np.load(self._path(layer), mmap_mode="c")  # writable as far as numba can tell
        except (OSError, ValueError):
            return None
        fits = values.shape == shape and values.dtype == np.float64
        return values if fits else None

    def write(self, layer: int, values: Values) -> None:
        """Write a finished layer.

        Raises
        ------
        OSError
            When it cannot be written.
        """
        path = self._path(layer)
        self._folder.mkdir(parents=True, exist_ok=True)
        draft = path.with_name(f"{path.name}{DRAFT}")
        with draft.open("wb") as file:
            np.save(file, values)
        draft.replace(path)

    def drop(self, layer: int) -> None:
        """Delete a layer, if there is one."""
        self._path(layer).unlink(missing_ok=True)

    def room_for(self, size: int) -> bool:
        """Return whether the disk has room for so many bytes more."""
        home = next(path for path in (self._folder, *self._folder.parents) if path.exists())
        return shutil.disk_usage(home).free > size
