"""Layers of values, computed from the last to the first, in memory or in files.

A layer is an array whose first axis numbers its rows. A finished layer in a folder is a NumPy file
with its final name, ``layer-03.npy``, so an interrupted run resumes from it. Reading maps the file
into memory, so that only the values that are used are loaded.

Beside it, ``layer-03.json`` has the name of the layer, the CRC-32 of its file, and the modification
time at which the checksum was last compared. A saved layer is compared again before others are
computed from it, and whenever this time has changed, as on a copy of the folder. A damaged layer is
computed again.
"""

import io
import json
import logging
import math
import os
import shutil
import time
import zlib
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from itertools import chain, pairwise, repeat, takewhile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from rollwise.cache_folder import WANTED, evict, make_own, note_use
from rollwise.errors import TooLargeError, check_memory
from rollwise.files import delete_drafts, replace_file, replacing

log = logging.getLogger("rollwise")

Values = NDArray[Any]
Shape = tuple[int, ...]

MAX_BYTES = 10 << 30
"""The largest size of two neighboring layers, in bytes."""

ALWAYS_READ = 2
"""The number of layers at the start of a game that always stay available.

These layers are small, and every request reads them.
"""

BEFORE = 10**10
"""The nanoseconds by which the modification time of a compared layer precedes the present.

So every later change of the file also changes the time, even on a file system with coarse times.
"""


def bytes_of(shape: Shape, kind: DTypeLike = np.float64) -> int:
    """Return the size in bytes of an array with the given shape and type."""
    return np.dtype(kind).itemsize * math.prod(shape)


def check_layers(name: str, shapes: list[Shape]) -> None:
    """Raise TooLargeError if two neighboring layers of a game do not fit in memory."""
    size = max(here + after for here, after in pairwise(map(bytes_of, shapes)))
    check_memory(f"{name} needs about", size, MAX_BYTES, "use a game with fewer categories")


def _path(folder: Path, layer: int) -> Path:
    return folder / f"layer-{layer:02}.npy"


def _name(path: Path) -> str:
    """Return the identity of a layer: the version of the code, the game, and the number."""
    return "/".join(path.parts[-3:])


def _head(shape: Shape, kind: DTypeLike) -> bytes:
    """Return the header of a NumPy file with an array of this shape and type."""
    head = io.BytesIO()
    header = {"descr": np.dtype(kind).str, "fortran_order": False, "shape": shape}
    np.lib.format.write_array_header_1_0(head, header)
    return head.getvalue()


def save_layer(folder: Path, layer: int, values: Values) -> None:
    """Write a finished layer; raise OSError if this fails."""
    path, head = _path(folder, layer), _head(values.shape, values.dtype)
    content = np.ascontiguousarray(values).reshape(-1).view(np.uint8).data
    with replacing(path) as file:
        file.write(head)
        file.write(content)
    _note_checksum(path, zlib.crc32(content, zlib.crc32(head)))


def _note_checksum(path: Path, checksum: int) -> None:
    """Save the checksum of a layer file that has just been written or compared."""
    now = time.time_ns()
    os.utime(path, ns=(now, now - BEFORE))
    note = {"layer": _name(path), "crc32": f"{checksum:08x}", "modified": path.stat().st_mtime_ns}
    replace_file(path.with_suffix(".json"), json.dumps(note).encode())


def open_layer(
    folder: Path,
    layer: int,
    shape: Shape,
    kind: DTypeLike = np.float64,
    *,
    compare: bool = False,
) -> Values | None:
    """Return a saved layer as a memory map; None if it is missing or damaged.

    ``compare`` compares its checksum in any case. Writing to the map does not change the file.
    """
    path, head = _path(folder, layer), _head(shape, kind)
    try:
        if not path.is_symlink() and _is_whole(path, head, bytes_of(shape, kind), compare):
            note_use(path)
            return np.memmap(path, kind, "c", offset=len(head), shape=shape)
    except FileNotFoundError:
        return None
    except (OSError, ValueError, LookupError, TypeError):
        pass
    log.warning("%s is damaged; it is not used", path)
    return None


def _is_whole(path: Path, head: bytes, size: int, compare: bool) -> bool:
    """Return whether a file is the layer with its name and size, and has not changed."""
    note, stat = json.loads(path.with_suffix(".json").read_bytes()), path.stat()
    if note["layer"] != _name(path) or stat.st_size != len(head) + size:
        return False
    if compare or stat.st_mtime_ns != note["modified"]:
        content = np.memmap(path, np.uint8, "r")
        checksum = zlib.crc32(content.data)
        if content[: len(head)].tobytes() != head or checksum != int(note["crc32"], 16):
            return False
        with suppress(OSError):
            _note_checksum(path, checksum)
    return True


def open_layers(
    folder: Path, shapes: Iterable[Shape], kinds: Iterable[DTypeLike] = repeat(np.float64)
) -> list[Values | None]:
    """Return each saved layer, and None for each layer that is missing or damaged."""
    each = enumerate(zip(shapes, kinds, strict=False))
    return [open_layer(folder, layer, *array) for layer, array in each]


def fill_layers(
    shapes: list[Shape],
    full_cards: Values,
    step: Callable[[int, Values, Values], None],
    *,
    kinds: Sequence[DTypeLike] | None = None,
    first: int = 0,
    staying: int = ALWAYS_READ,
    room: Callable[[int], Values] | None = None,
    folder: Path | None = None,
    must_save: bool = False,
    is_worth_saving: Callable[[int], bool] = lambda layer: True,
    announce: Callable[[set[int]], None] = lambda layers: None,
) -> list[Values | None]:
    """Compute the missing layers of a game by backward induction.

    Parameters
    ----------
    shapes : list of tuple of int
        The shape of each layer.
    full_cards : array
        The values of the last layer.
    step : callable
        ``step(layer, values, after)`` writes the values of a layer to ``values``, given the values
        of the next layer.
    kinds : list of dtype, optional
        The type of each layer; default: float64.
    first : int
        The first layer to compute.
    staying : int
        The layers before this number stay available. Another layer stays until the layer before it
        is finished, unless the user asked to keep all.
    room : callable, optional
        Returns the uninitialized array for a layer.
    folder : Path, optional
        Where to look up finished layers, and to save them; by default, they are not saved.
    must_save : bool
        Save all layers; a layer that cannot be saved is an error.
    is_worth_saving : callable
        Otherwise, returns whether to save a finished layer, given its number.
    announce : callable
        Called before the work with the numbers of the layers to compute.

    Returns
    -------
    list of array or None
        Each layer, or None if it is not available.

    Raises
    ------
    TooLargeError
        If all layers must be saved and the disk is too small for them.
    OSError
        If a layer must be saved and cannot be written.
    """
    last, kinds = len(shapes) - 1, kinds or [np.float64] * len(shapes)
    layers: list[Values | None] = [None] * last
    if folder is not None:
        try:
            make_own(folder.parent)
            folder.mkdir(exist_ok=True)
            delete_drafts(folder)
            layers = open_layers(folder, shapes[:-1], kinds)
        except OSError as error:
            if must_save:
                raise
            log.warning("cannot save finished layers: %s", error)
            folder = None
    layers.append(full_cards)
    missing = [layer for layer in range(first, min(staying, last)) if layers[layer] is None]
    if not missing:
        return layers
    if folder is not None and staying > last:
        _check_disk(folder, sum(bytes_of(shapes[layer], kinds[layer]) for layer in missing))
    absent = (takewhile(lambda later: layers[later] is None, range(n, last)) for n in missing)
    announce(set(chain.from_iterable(absent)))
    intact = {last}
    while missing:
        layer = missing[-1]
        if layer + 1 not in intact:
            if folder is not None and layers[layer + 1] is not None:
                array = shapes[layer + 1], kinds[layer + 1]
                layers[layer + 1] = open_layer(folder, layer + 1, *array, compare=True)
            if layers[layer + 1] is None:
                missing.append(layer + 1)
                continue
        intact.add(missing.pop())
        layers[layer] = values = room(layer) if room else np.empty(shapes[layer], kinds[layer])
        step(layer, values, np.asarray(layers[layer + 1]))
        if staying <= layer + 1 < last:
            layers[layer + 1] = None
        if folder is None or not (must_save or is_worth_saving(layer)):
            continue
        try:
            save_layer(folder, layer, values)
        except OSError as error:
            if must_save:
                raise
            log.warning("cannot save a finished layer: %s", error)
        else:
            mapped = open_layer(folder, layer, shapes[layer], kinds[layer])
            layers[layer] = values if mapped is None else mapped
            if not (folder / WANTED).exists():
                _drop(folder, range(max(layer + 1, staying), last))
    if folder is not None:
        evict(spared=folder)
    return layers


def _drop(folder: Path, layers: Iterable[int]) -> None:
    """Delete saved layers that are not needed any more."""
    for path in (_path(folder, layer) for layer in layers):
        with suppress(OSError):
            path.unlink(missing_ok=True)
            path.with_suffix(".json").unlink(missing_ok=True)


def keep_layers(folder: Path) -> None:
    """Create a folder for the layers of a game, and mark it as requested by the user."""
    make_own(folder.parent)
    folder.mkdir(exist_ok=True)
    replace_file(folder / WANTED)


def _check_disk(folder: Path, size: int) -> None:
    """Raise TooLargeError if layers of this size do not fit on the disk."""
    free = shutil.disk_usage(folder).free
    if free < size:
        raise TooLargeError(
            f"{folder} needs {size / 2**30:,.1f} GiB more disk space, but only "
            f"{free / 2**30:,.1f} GiB is free; delete other files, or set ROLLWISE_CACHE to a "
            "folder on a larger disk"
        )
