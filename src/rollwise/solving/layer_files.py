"""The layers of a large game as files: written whole, checked when read, by one process at a time.

A file is an array as numpy writes it, followed by a checksum of the file's name and of all that
stands before.
"""

import hashlib
import io
import logging
import shutil
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from rollwise.files import note_use, sweep_drafts, write_atomically

log = logging.getLogger("rollwise")

Values = NDArray[np.float64]
Shape = tuple[int, ...]

BLOCK = 1 << 26
"""Bytes that one thread hashes at a time."""

LOCK, WANTED = "lock", "wanted"
"""Files beside the layers: held by whoever writes them; there if the user asked for all of them."""


class LayerFiles:
    """Finished layers in a folder of their own.

    Parameters
    ----------
    folder : Path
        Made when the first layer is written. Its name says what the layers are of.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def _path(self, layer: int) -> Path:
        return self.folder / f"layer-{layer:02}.npy"

    def read(self, layer: int, shape: Shape) -> Values | None:
        """Return a finished layer, as a view of its file; None where there is none to be trusted.

        All of it is read once, to be checked.
        """
        path, head = self._path(layer), _head(shape)
        size = 8 * int(np.prod(shape))
        try:
            with path.open("rb") as file:
                begins = file.read(len(head))
                file.seek(len(head) + size)
                ends = file.read()
                # Of the open file: another one may take its place. Writable, as far as numba knows.
                offset = len(head)
                values = np.memmap(file, np.float64, mode="c", offset=offset, shape=shape)
            if begins != head or ends != self._sum(layer, head, values):
                raise ValueError("not what was written")
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as error:
            log.warning("%s cannot be used, computing it again (%s)", path, error)
            return None
        note_use(path)
        return values

    def write(self, layer: int, values: Values) -> None:
        """Write a finished layer.

        Raises
        ------
        OSError
            When it cannot be written.
        """
        head = _head(values.shape)
        self.folder.mkdir(parents=True, exist_ok=True)
        write_atomically(self._path(layer), head, values.data, self._sum(layer, head, values))

    def drop(self, layer: int) -> None:
        """Delete a layer, if there is one."""
        self._path(layer).unlink(missing_ok=True)

    def ask_for_all(self) -> None:
        """Note that the user asked for these layers: they make no room for others.

        Raises
        ------
        OSError
            When that cannot be written.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        write_atomically(self.folder / WANTED, b"")

    def room_for(self, size: int) -> bool:
        """Return whether the disk has room for so many bytes more."""
        home = next(path for path in (self.folder, *self.folder.parents) if path.exists())
        return shutil.disk_usage(home).free > size

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Let no other process or thread write these layers meanwhile; wait while one does.

        Where there are no locks, two of them compute the same layers, and nothing worse.
        """
        with suppress(OSError):  # what cannot be written is said when a layer is to be
            self.folder.mkdir(parents=True, exist_ok=True)
        with _locked(self.folder, wait=True):
            sweep_drafts(self.folder)
            yield

    def _sum(self, layer: int, head: bytes, values: Values) -> bytes:
        """Return the checksum of a layer; threads hash its blocks."""
        content = values.reshape(-1).view(np.uint8).data
        blocks = [content[start : start + BLOCK] for start in range(0, len(content), BLOCK)]
        with ThreadPoolExecutor() as threads:
            sums = threads.map(lambda block: hashlib.sha256(block).digest(), blocks)
            name = f"{self.folder.name}/{self._path(layer).name}".encode()
            return hashlib.sha256(b"".join([name, head, *sums])).digest()


def _head(shape: tuple[int, ...]) -> bytes:
    """Return how numpy begins a file of such an array."""
    head = io.BytesIO()
    told = {"descr": "<f8", "fortran_order": False, "shape": shape}
    np.lib.format.write_array_header_1_0(head, told)
    return head.getvalue()


def in_use(folder: Path) -> bool:
    """Return whether somebody is writing the layers of a folder."""
    with _locked(folder, wait=False) as free:
        return not free


@contextmanager
def _locked(folder: Path, *, wait: bool) -> Iterator[bool]:
    """Hold the lock of a folder, if there can be one; yield False if another one has it."""
    try:
        import fcntl  # not on every platform

        file = (folder / LOCK).open("wb")
    except (ImportError, OSError):
        yield True
        return
    with file:  # which gives the lock back
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if not wait:
                yield False
                return
            log.warning("another process is solving this game: waiting for it")
            fcntl.flock(file, fcntl.LOCK_EX)
        except OSError:  # a file system without locks
            pass
        yield True
