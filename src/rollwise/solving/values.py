"""The values of all cards, layer by layer: in memory, the last two alone, or on disk.

Where rolls are saved, their number grows with every turn, and with it the rows of a card: as one
table they would be twice as large. In mid-game a layer of a large game takes gigabytes. A finished
layer can be written to a file, whole or not at all; whoever was interrupted goes on from there.
"""

import logging
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rollwise.errors import TooLargeError
from rollwise.files import DRAFT
from rollwise.model.arrays import Model

log = logging.getLogger("rollwise")

Values = NDArray[np.float64]
Shape = tuple[int, int, int]


class Store:
    """Finished layers, from the last one to the first: all of them in memory.

    Attributes
    ----------
    shapes : list of (int, int, int)
        Of each layer: classes, numbers of saved rolls, lanes.
    arrays : list of float64 array or None
        The layers; None where not kept.
    """

    def __init__(self, shapes: list[Shape]) -> None:
        self.shapes = shapes
        self.arrays: list[Values | None] = [None] * len(shapes)

    def begin(self, full_cards: Values) -> int:
        """Take the layer of full cards; return the first layer that is at hand."""
        self.arrays[-1] = full_cards
        return len(self.arrays) - 1

    def room(self, layer: int) -> Values:
        """Return room for a layer, when the one after it stands."""
        return np.empty(self.shapes[layer])

    def put(self, layer: int, values: Values) -> None:
        """Keep a finished layer."""
        self.arrays[layer] = values


class LastTwo(Store):
    """The last two layers in memory."""

    def room(self, layer: int) -> Values:
        """Return room for a layer; of those that stand the next one is kept."""
        if layer + 2 < len(self.arrays):
            self.arrays[layer + 2] = None
        return super().room(layer)


class Files:
    """Finished layers in a folder of their own.

    Parameters
    ----------
    folder : Path
        Made when the first layer is written.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def _path(self, layer: int) -> Path:
        return self.folder / f"layer-{layer:02}.npy"

    def read(self, layer: int, shape: Shape) -> Values | None:
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
        self.folder.mkdir(parents=True, exist_ok=True)
        draft = path.with_name(f"{path.name}{DRAFT}")
        with draft.open("wb") as file:
            np.save(file, values)
        draft.replace(path)

    def drop(self, layer: int) -> None:
        """Delete a layer, if there is one."""
        self._path(layer).unlink(missing_ok=True)

    def room_for(self, size: int) -> bool:
        """Return whether the disk has room for so many bytes more."""
        home = next(path for path in (self.folder, *self.folder.parents) if path.exists())
        return shutil.disk_usage(home).free > size


class Resumable(LastTwo):
    """The last two layers in memory and on disk, so that an interrupted run goes on from there."""

    def __init__(self, shapes: list[Shape], files: Files) -> None:
        super().__init__(shapes)
        self._files = files

    def begin(self, full_cards: Values) -> int:
        """Take the layer of full cards; return the first layer that is at hand, or on disk."""
        last = super().begin(full_cards)
        self.arrays[:last] = map(self._files.read, range(last), self.shapes)
        return next(layer for layer, values in enumerate(self.arrays) if values is not None)

    def put(self, layer: int, values: Values) -> None:
        """Keep a finished layer, and no file that is needed no more."""
        super().put(layer, values)
        try:
            self._files.write(layer, values)
        except OSError as error:
            log.warning("a finished layer could not be kept: %s", error)
        if layer + 2 < len(self.arrays) - 1:
            self._files.drop(layer + 2)


class OnDisk(Store):
    """All layers on disk, and in memory as far as they are read.

    Raises
    ------
    TooLargeError
        When the disk has no room.
    OSError
        When a layer cannot be written.
    """

    def __init__(self, shapes: list[Shape], files: Files) -> None:
        super().__init__(shapes)
        self._files = files

    def begin(self, full_cards: Values) -> int:
        """Take the layer of full cards; return the first one from which on all are at hand."""
        done = super().begin(full_cards)
        while done > 0:  # all that follow have to be there
            values = self._files.read(done - 1, self.shapes[done - 1])
            if values is None:
                break
            done -= 1
            self.arrays[done] = values
        missing = sum(map(bytes_of, self.shapes[:done]))
        if not self._files.room_for(missing):
            folder = self._files.folder
            raise TooLargeError(f"{folder}: expected room for {missing / 2**30:.0f} GiB more")
        return done

    def put(self, layer: int, values: Values) -> None:
        """Write a finished layer."""
        self._files.write(layer, values)
        self.arrays[layer] = self._files.read(layer, self.shapes[layer])


def bytes_of(shape: Shape) -> int:
    """Return the bytes of a layer."""
    return 8 * int(np.prod(shape))


@dataclass(frozen=True, eq=False)
class Layers:
    """Values by class and lane, indexed like one array.

    Attributes
    ----------
    model : Model
    place_C : int64 array
        The place of each class without saved rolls among those of its layer, -1 if it is not
        solved.
    arrays : list of float64 array or None
        The values of each layer, of shape (classes, saved + 1, stride) as
        :func:`rollwise.solving.kernels.backward.backward` writes them; None where not kept.
    small : bool
        Whether one table would do: all values are kept.
    from_disk : bool
        Whether all of them were read, and none solved.
    """

    model: Model
    place_C: NDArray[np.int64]
    arrays: list[Values | None]
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
            assert values is not None
            least = rules.saved_after(turns).start
            layers.append(values[:, least:, :lanes].reshape(-1, lanes))
        return np.concatenate(layers)
