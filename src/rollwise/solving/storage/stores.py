"""Places that keep files: a folder of this machine, or one that many machines reach.

A file is written whole or not at all, and read in pieces. What a store keeps of one game stands in
a folder of its own.

Object stores: S3 and whatever speaks its protocol, Google's and Microsoft's (extra ``store``).

What they keep is written whole or not at all, whoever else writes the same: that is all that layers
ask for. Requests that fail for a moment are sent again by the library, after a growing pause.
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
"""The file in a folder that is held by whoever writes there."""


class Store(Protocol):
    """A place that keeps files by name, such as ``game.layers/layer-03.0001.npy``.

    Every process that is to use it gets a copy, so it can be pickled. All methods may be called
    from many threads, and raise OSError when the place does not do what is asked.
    """

    def sizes(self, folder: str) -> dict[str, int]:
        """Return the bytes of every file in a folder, by their names there; none if it is none."""
        ...

    def read(self, name: str, start: int, stop: int) -> bytes:
        """Return bytes ``start .. stop - 1`` of a file, fewer where it ends before."""
        ...

    def write(self, name: str, *parts: bytes | memoryview) -> None:
        """Write a file: a reader sees all of the parts, or the old file."""
        ...

    def drop(self, name: str) -> None:
        """Delete a file, if there is one."""
        ...

    def room(self) -> float:
        """Return how many bytes more there is room for."""
        ...

    def alone(self, folder: str) -> AbstractContextManager[None]:
        """Let no other process or thread write to a folder meanwhile; wait while one does.

        Where there are no locks, two of them compute the same files, and nothing worse.
        """
        ...

    def told(self, name: str) -> str:
        """Return how a person is told of a file."""
        ...


@dataclass(frozen=True)
class LocalStore:
    """A folder of this machine, or one that it shares with others.

    Attributes
    ----------
    home : Path
        Made when something is written.
    """

    home: Path

    def sizes(self, folder: str) -> dict[str, int]:
        """Return the bytes of every file in a folder, by their names there; none if it is none."""
        try:
            with os.scandir(self.home / folder) as found:
                return {file.name: file.stat().st_size for file in found}
        except FileNotFoundError:
            return {}

    def read(self, name: str, start: int, stop: int) -> bytes:
        """Return bytes ``start .. stop - 1`` of a file, fewer where it ends before."""
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

    def room(self) -> float:
        """Return how many bytes more the disk has room for."""
        there = next(path for path in (self.home, *self.home.parents) if path.exists())
        return shutil.disk_usage(there).free

    @contextmanager
    def alone(self, folder: str) -> Iterator[None]:
        """Let no other process or thread write to a folder meanwhile; wait while one does."""
        path = self.home / folder
        with suppress(OSError):  # what cannot be written is said when a file is to be
            path.mkdir(parents=True, exist_ok=True)
        with _locked(path, wait=True):
            sweep_drafts(path)
            yield

    def told(self, name: str) -> str:
        """Return how a person is told of a file: by its path."""
        return str(self.home / name)


OBJECTS = ("s3", "gs", "az")
"""Protocols of object stores."""


def open_store(where: str | Path) -> Store:
    """Return a store by its address.

    Parameters
    ----------
    where : str or Path
        A folder, or an address such as ``s3://bucket/games``.

    Raises
    ------
    MissingExtraError
        When object stores cannot be used.
    MalformedError
        When it is no address of a store.
    """
    protocol, colon, path = str(where).partition("://")
    if not colon or protocol == "file":
        return LocalStore(Path(path if colon else where).absolute())
    if protocol not in OBJECTS:
        known = ", ".join(f"{name}://" for name in OBJECTS)
        raise MalformedError(f"{quoted(where)}: expected a folder, or an address of {known}")
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
    """Return the store that ``$ROLLWISE_STORE`` names: large games are read from it, too.

    Raises
    ------
    MissingExtraError, MalformedError
        As :func:`open_store` does.
    """
    where = os.environ.get("ROLLWISE_STORE")
    return open_store(where) if where else None


def in_use(folder: Path) -> bool:
    """Return whether somebody writes to a folder of this machine."""
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


TIMEOUT, CONNECT_TIMEOUT = "60s", "5s"
"""How long a store has for an answer, and for a connection."""

RETRIES = 6
"""How often a request is sent again, after 0.1 s, 0.2 s, and so on."""


@lru_cache(maxsize=8)
def _opened(url: str) -> Any:
    """Return the library's store; one a process, with its connections."""
    from obstore.store import from_url

    return from_url(
        url,
        client_options={
            "timeout": TIMEOUT,
            "connect_timeout": CONNECT_TIMEOUT,
            "allow_http": True,  # where its own address says so
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
    """Objects of a store whose names begin alike.

    Attributes
    ----------
    url : str
        Such as ``s3://bucket/games``. Who may use it, and where it is, the environment says.
    """

    url: str

    def sizes(self, folder: str) -> dict[str, int]:
        """Return the bytes of every file in a folder, by their names there; none if it is none."""
        import obstore

        with self._told_as_os_errors(folder):
            found = obstore.list(_opened(self.url), prefix=folder)
            return {
                file["path"].rpartition("/")[2]: file["size"] for some in found for file in some
            }

    def read(self, name: str, start: int, stop: int) -> bytes:
        """Return bytes ``start .. stop - 1`` of a file, fewer where it ends before."""
        import obstore

        with self._told_as_os_errors(name):
            return bytes(obstore.get_range(_opened(self.url), name, start=start, end=stop))

    def write(self, name: str, *parts: bytes | memoryview) -> None:
        """Write a file: a reader sees all of the parts, or the old file."""
        import obstore

        with self._told_as_os_errors(name):
            obstore.put(_opened(self.url), name, b"".join(parts), use_multipart=False)

    def drop(self, name: str) -> None:
        """Delete a file, if there is one."""
        import obstore

        with self._told_as_os_errors(name):
            obstore.delete(_opened(self.url), name)

    def room(self) -> float:
        """Return how many bytes more there is room for: a store says of no limit."""
        return inf

    def alone(self, folder: str) -> AbstractContextManager[None]:
        """Object stores have no locks."""
        return nullcontext()

    def told(self, name: str) -> str:
        """Return how a person is told of a file: by its address."""
        return f"{self.url.rstrip('/')}/{name}"

    @contextmanager
    def _told_as_os_errors(self, name: str) -> Iterator[None]:
        from obstore.exceptions import BaseError

        try:
            yield
        except (BaseError, OSError) as error:  # what is not there is one of Python's own
            why = str(error).partition("\n")[0].partition("<")[0].rstrip(" .:")
            failed = f"expected a store that does what is asked, but: {why}"
            raise OSError(errno.EIO, failed, self.told(name)) from error


def check_address(url: str) -> None:
    """Check that an address is complete.

    Raises
    ------
    ValueError
        When it is not; it says why.
    """
    from obstore.exceptions import BaseError

    try:
        _opened(url)
    except BaseError as error:
        raise ValueError(str(error).partition("\n")[0]) from error
