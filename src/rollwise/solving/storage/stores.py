"""Stores for files: a folder on this machine, a shared folder, or an object store.

A file is written completely or not at all, and can be read in pieces. The files of a game are in a
folder of their own.

Object stores are S3 and compatible ones, Google's, and Microsoft's (extra ``store``). They write an
object completely or not at all, even with several writers, and that is all that layers need. The
library repeats failed requests, with exponential backoff.
"""

import errno
import logging
import os
import shutil
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import dataclass
from datetime import timedelta
from functools import lru_cache
from importlib.util import find_spec
from math import inf
from pathlib import Path
from typing import Any, Protocol

from rollwise.errors import MalformedError, MissingExtraError, quoted
from rollwise.files import note_use, sweep_drafts, write_atomically

log = logging.getLogger("rollwise")

LOCK = "lock"
"""The file in a folder that a writer locks."""


class Store(Protocol):
    """A place that stores files by name, such as ``game.layers/layer-03.0001.npy``.

    Every process that uses it gets a copy, so it can be pickled. All methods can be called from
    many threads, and raise OSError on failure.
    """

    def sizes(self, folder: str) -> dict[str, int]:
        """Return the size of every file in a folder, by its name there; empty if none exists."""
        ...

    def read(self, name: str, start: int, stop: int) -> bytes:
        """Return bytes ``start .. stop - 1`` of a file, fewer if it is shorter."""
        ...

    def write(self, name: str, *parts: bytes | memoryview) -> None:
        """Write a file: a reader sees all of the parts, or the old file."""
        ...

    def drop(self, name: str) -> None:
        """Delete a file, if there is one."""
        ...

    def free_bytes(self) -> float:
        """Return how many more bytes fit."""
        ...

    def lock(self, folder: str) -> AbstractContextManager[None]:
        """Lock a folder against other processes and threads; wait for another writer.

        Without locks, two writers compute the same files, and no harm is done.
        """
        ...

    def location(self, name: str) -> str:
        """Return the name of a file for messages."""
        ...


@dataclass(frozen=True)
class LocalStore:
    """A folder on this machine, or one that it shares with others.

    Attributes
    ----------
    home : Path
        Created when something is written.
    """

    home: Path

    def sizes(self, folder: str) -> dict[str, int]:
        """Return the size of every file in a folder, by its name there; empty if none exists."""
        try:
            with os.scandir(self.home / folder) as files:
                return {file.name: file.stat().st_size for file in files}
        except FileNotFoundError:
            return {}

    def read(self, name: str, start: int, stop: int) -> bytes:
        """Return bytes ``start .. stop - 1`` of a file, fewer if it is shorter."""
        path = self.home / name
        note_use(path)
        with path.open("rb") as file:
            file.seek(start)
            return file.read(stop - start)

    def write(self, name: str, *parts: bytes | memoryview) -> None:
        """Write a file: a reader sees all of the parts, or the old file."""
        path = self.home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, *parts)

    def drop(self, name: str) -> None:
        """Delete a file, if there is one."""
        (self.home / name).unlink(missing_ok=True)

    def free_bytes(self) -> float:
        """Return how many more bytes fit on the disk."""
        existing = next(path for path in (self.home, *self.home.parents) if path.exists())
        return shutil.disk_usage(existing).free

    @contextmanager
    def lock(self, folder: str) -> Iterator[None]:
        """Lock a folder against other processes and threads; wait for another writer."""
        path = self.home / folder
        with suppress(OSError):  # reported when a file is written
            path.mkdir(parents=True, exist_ok=True)
        with _locked(path, wait=True):
            sweep_drafts(path)
            yield

    def location(self, name: str) -> str:
        """Return the path of a file."""
        return str(self.home / name)


OBJECTS = ("s3", "gs", "az")
"""Protocols of object stores."""


def open_store(where: str | Path) -> Store:
    """Return the store at an address.

    Parameters
    ----------
    where : str or Path
        A folder, or an address such as ``s3://bucket/games``.

    Raises
    ------
    MissingExtraError
        When the package for object stores is not installed.
    MalformedError
        When the text is no address of a store.
    """
    protocol, colon, path = str(where).partition("://")
    if not colon or protocol == "file":
        return LocalStore(Path(path if colon else where).absolute())
    if protocol not in OBJECTS:
        protocols = ", ".join(f"{name}://" for name in OBJECTS)
        raise MalformedError(f"{quoted(where)}: expected a folder, or an address of {protocols}")
    if find_spec("obstore") is None:
        raise MissingExtraError(
            f'{protocol}:// needs obstore: expected pip install "rollwise[store]" before'
        )

    try:
        check_address(str(where))
    except ValueError as error:
        raise MalformedError(f"{quoted(where)}: expected a store's address: {error}") from error
    return RemoteStore(str(where))


def shared_store() -> Store | None:
    """Return the store that ``$ROLLWISE_STORE`` names, from which large games are read, too."""
    where = os.environ.get("ROLLWISE_STORE")
    return open_store(where) if where else None


def in_use(folder: Path) -> bool:
    """Return whether another process writes to a folder of this machine."""
    with _locked(folder, wait=False) as free:
        return not free


@contextmanager
def _locked(folder: Path, *, wait: bool) -> Iterator[bool]:
    """Hold the lock of a folder, if the system has locks; yield False if it is taken."""
    try:
        import fcntl  # not on every platform

        file = (folder / LOCK).open("wb")
    except (ImportError, OSError):
        yield True
        return
    with file:  # closing it releases the lock
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if not wait:
                yield False
                return
            log.warning("another process is solving this game: waiting for it")
            fcntl.flock(file, fcntl.LOCK_EX)
        except OSError:  # the file system has no locks
            pass
        yield True


TIMEOUT, CONNECT_TIMEOUT = "60s", "5s"
"""Time limits for an answer of a store, and for a connection."""

RETRIES = 6
"""How often a failed request is repeated, after 0.1 s, 0.2 s, and so on."""


@lru_cache(maxsize=8)
def _connection(url: str) -> Any:
    """Return the library's store, one per process, with its connections."""
    from obstore.store import from_url

    return from_url(
        url,
        client_options={
            "timeout": TIMEOUT,
            "connect_timeout": CONNECT_TIMEOUT,
            "allow_http": True,  # if its own address says so
        },
        retry_config={
            "max_retries": RETRIES,
            "retry_timeout": timedelta(minutes=5),
            "backoff": {
                "init_backoff": timedelta(seconds=0.1),
                "max_backoff": timedelta(seconds=10),
                "base": 2,
            },
        },
    )


@dataclass(frozen=True)
class RemoteStore:
    """A folder in an object store: objects whose names have a common prefix.

    Attributes
    ----------
    url : str
        Such as ``s3://bucket/games``. The environment has credentials and endpoints.
    """

    url: str

    def sizes(self, folder: str) -> dict[str, int]:
        """Return the size of every file in a folder, by its name there; empty if none exists."""
        import obstore

        with self._as_os_errors(folder):
            pages = obstore.list(_connection(self.url), prefix=folder)
            return {
                file["path"].rpartition("/")[2]: file["size"] for page in pages for file in page
            }

    def read(self, name: str, start: int, stop: int) -> bytes:
        """Return bytes ``start .. stop - 1`` of a file, fewer if it is shorter."""
        import obstore

        with self._as_os_errors(name):
            return bytes(obstore.get_range(_connection(self.url), name, start=start, end=stop))

    def write(self, name: str, *parts: bytes | memoryview) -> None:
        """Write a file: a reader sees all of the parts, or the old file."""
        import obstore

        with self._as_os_errors(name):
            obstore.put(_connection(self.url), name, b"".join(parts), use_multipart=False)

    def drop(self, name: str) -> None:
        """Delete a file, if there is one."""
        import obstore

        with self._as_os_errors(name):
            obstore.delete(_connection(self.url), name)

    def free_bytes(self) -> float:
        """Return infinity: object stores report no limit."""
        return inf

    def lock(self, folder: str) -> AbstractContextManager[None]:
        """Return a context without effect: object stores have no locks."""
        return nullcontext()

    def location(self, name: str) -> str:
        """Return the address of a file."""
        return f"{self.url.rstrip('/')}/{name}"

    @contextmanager
    def _as_os_errors(self, name: str) -> Iterator[None]:
        from obstore.exceptions import BaseError

        try:
            yield
        except (BaseError, OSError) as error:  # a missing object raises a built-in error
            why = str(error).partition("\n")[0].partition("<")[0].rstrip(" .:")
            failed = f"expected a store that does what is asked, but: {why}"
            raise OSError(errno.EIO, failed, self.location(name)) from error


def check_address(url: str) -> None:
    """Check that an address is complete.

    Raises
    ------
    ValueError
        When it is not; the message says why.
    """
    from obstore.exceptions import BaseError

    try:
        _connection(url)
    except BaseError as error:
        raise ValueError(str(error).partition("\n")[0]) from error
