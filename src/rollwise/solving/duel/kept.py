"""Where layers of a whole game of two are kept, and which of them."""

import hashlib
import json
from pathlib import Path

from rollwise.files import cache_folder
from rollwise.rules import Rules
from rollwise.solving.cache_names import LAYERS, code
from rollwise.solving.storage.cuts import Shape, bytes_of
from rollwise.solving.storage.keeping import ALWAYS_READ, Keeping, Resumable
from rollwise.solving.storage.layer_files import LayerFiles, Values

WRITTEN = 1e8
"""Bytes that a disk writes in a second, at least."""

SHARE = 0.5
"""Of the work that a file saves, how much of the time it may take to write it."""


def folder_of(rules: Rules, tie: float, tables: int) -> Path:
    """Return the folder of the layers of a game, by what a tie is worth to who moves first.

    ``tables`` is how many numbers are kept of each pair and lead.
    """
    says = json.dumps([rules.model_dump(mode="json"), tie, tables])
    digest = hashlib.sha256(says.encode()).hexdigest()[:16]
    return cache_folder() / f"{rules.name}.duel.{code()}.{digest}{LAYERS}"


class Checkpoints(Resumable):
    """The last two layers in memory, and one in files: the last that was worth it.

    A layer of few dice may be computed as fast as it is written.

    Parameters
    ----------
    shapes : list of tuple of int
    files : LayerFiles
    seconds : list of float
        About what each layer takes to compute.
    """

    def __init__(self, shapes: list[Shape], files: LayerFiles, seconds: list[float]) -> None:
        super().__init__(shapes, files)
        self._seconds = seconds
        self._begun = len(shapes) - 1

    def _missing(self) -> list[int]:
        missing = super()._missing()
        self._begun = missing[0] + 1 if missing else 0
        return missing

    def put(self, layer: int, values: Values) -> None:
        """Keep a finished layer, in files too if work enough was done since the last one there."""
        saved = sum(self._seconds[layer : self._begun])
        if layer < ALWAYS_READ or bytes_of(self.shapes[layer]) / WRITTEN <= SHARE * saved:
            super().put(layer, values)
        else:
            Keeping.put(self, layer, values)

    def _drop_after(self, layer: int) -> None:
        for older in range(max(layer + 1, ALWAYS_READ), len(self.shapes) - 1):
            self._files.drop(older, self.shapes[older])
        self._begun = layer
