"""Where finished layers go: into memory, all or the last two alone, or to disk.

In mid-game a layer of a large game takes gigabytes. A finished layer can be written to a file,
whole or not at all; whoever was interrupted goes on from there.
"""

import errno
import logging
import os
from contextlib import AbstractContextManager, nullcontext

import numpy as np

from rollwise.errors import TooLargeError
from rollwise.solving.layer_files import LayerFiles, Shape, Values

log = logging.getLogger("rollwise")


def bytes_of(shape: Shape) -> int:
    """Return the bytes of a layer."""
    return 8 * int(np.prod(shape))


class LayerStore:
    """Finished layers, from the last one to the first: all of them in memory.

    Attributes
    ----------
    shapes : list of tuple of int
        Of each layer, such as: classes, numbers of saved rolls, lanes.
    arrays : list of float64 array or None
        The layers; None where not kept.
    """

    def __init__(self, shapes: list[Shape]) -> None:
        self.shapes = shapes
        self.arrays: list[Values | None] = [None] * len(shapes)

    def alone(self) -> AbstractContextManager[None]:
        """Let nobody else write these layers meanwhile."""
        return nullcontext()

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


class LastTwo(LayerStore):
    """The last two layers in memory."""

    def room(self, layer: int) -> Values:
        """Return room for a layer; of those that stand the next one is kept."""
        if layer + 2 < len(self.arrays):
            self.arrays[layer + 2] = None
        return super().room(layer)


class Resumable(LastTwo):
    """The last two layers in memory and on disk, so that an interrupted run goes on from there."""

    def __init__(self, shapes: list[Shape], files: LayerFiles) -> None:
        super().__init__(shapes)
        self._files = files

    def alone(self) -> AbstractContextManager[None]:
        """Let no other process or thread write these layers meanwhile; wait while one does."""
        return self._files.alone()

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
            if layer + 2 < len(self.arrays) - 1:
                self._files.drop(layer + 2)
        except OSError as error:
            log.warning("a finished layer could not be kept: %s", error)


class OnDisk(LayerStore):
    """All layers on disk, and in memory as far as they are read.

    Raises
    ------
    TooLargeError
        When the disk has no room.
    OSError
        When a layer cannot be written, or not be read back.
    """

    def __init__(self, shapes: list[Shape], files: LayerFiles) -> None:
        super().__init__(shapes)
        self._files = files

    def alone(self) -> AbstractContextManager[None]:
        """Let no other process or thread write these layers meanwhile; wait while one does."""
        return self._files.alone()

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
        self._files.ask_for_all()
        return done

    def put(self, layer: int, values: Values) -> None:
        """Write a finished layer."""
        self._files.write(layer, values)
        self.arrays[layer] = self._files.read(layer, self.shapes[layer])
        if self.arrays[layer] is None:
            raise OSError(errno.EIO, os.strerror(errno.EIO), str(self._files.folder))
