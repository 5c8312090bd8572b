"""Stores for files: a folder on this machine, a shared folder, or an object store.

Each game has its own folder. A file is written atomically, and can be read in pieces.

The optional dependency ``rollwise[store]`` supports object stores: S3 and compatible stores, Google
Cloud Storage, and Azure Blob Storage. They write objects atomically, even with several writers,
which is enough for layers. The client library repeats failed requests with exponential backoff.
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

from rollwise.errors import MalformedError, missing_extra, quoted
from rollwise.files import delete_drafts, note_use, write_own

log = logging.getLogger("rollwise")

LOCK = "lock"
"""The name of the file that a writer locks in a folder."""


class Store(Protocol):
    """A store for files with names such as ``game.layers/layer-03.0001.npy``.

    A store can be pickled, because each process that uses it gets a copy. Several threads can call
    all methods at the same time. The methods raise OSError on failure.
    """

    def sizes(self, folder: str) -> dict[str, int]:
        """Return the size in bytes of each file in a folder, by file name.

        The result is empty if the folder does not exist.
        """
        ...

    def read(self, name: str, start: int, stop: int) -> bytes:
        """Return bytes ``start .. stop - 1`` of a file, or fewer if the file is shorter."""
        ...

    def write(self, name: str, *parts: bytes | memoryview) -> None:
        """Write a file atomically: a reader sees either the old file or the whole new file."""
        ...

    def drop(self, name: str) -> None:
        """Delete a file if it exists."""
        ...

    def free_bytes(self) -> float:
        """Return the free space in bytes."""
        ...

    def lock(self, folder: str) -> AbstractContextManager[None]:
        """Lock a folder, and wait while another process or thread holds the lock.

        Locks only save work: without them, two writers might compute the same files.
        """
        ...

    def location(self, name: str) -> str:
        """Return the location of a file, to show in messages."""
        ...


@dataclass(frozen=True)
class LocalStore:
    """A folder in a file system, local or shared.

    Attributes
    ----------
    home : Path
        The folder. It is created by the first write.
    """

    home: Path

    def sizes(self, folder: str) -> dict[str, int]:
        """Return the size of each file in a folder."""
        try:
            with os.scandir(self.home / folder) as files:
                return {file.name: file.stat().st_size for file in files}
        except FileNotFoundError:
            return {}

    def read(self, name: str, start: int, stop: int) -> bytes:
        """Return bytes ``start .. stop - 1`` of a file."""
        path = self.home / name
        note_use(path)
        with path.open("rb") as file:
            file.seek(start)
            return file.read(stop - start)

    def write(self, name: str, *parts: bytes | memoryview) -> None:
        """Write a file atomically; a symbolic link raises OSError."""
        path = self.home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        write_own(path, *parts)

    def drop(self, name: str) -> None:
        """Delete a file if it exists."""
        (self.home / name).unlink(missing_ok=True)

    def free_bytes(self) -> float:
        """Return the free space on the disk in bytes."""
        existing = next(path for path in (self.home, *self.home.parents) if path.exists())
        return shutil.disk_usage(existing).free

    @contextmanager
    def lock(self, folder: str) -> Iterator[None]:
        """Lock a folder, and delete the drafts of interrupted writes."""
        path = self.home / folder
        with suppress(OSError):  # reported when a file is written
            path.mkdir(parents=True, exist_ok=True)
        with _locked(path, wait=True):
            delete_drafts(path)
            yield

    def location(self, name: str) -> str:
        """Return the path of a file."""
        return str(self.home / name)


OBJECTS = ("s3", "gs", "az")
"""The protocols in the addresses of object stores."""


def open_store(where: str | Path) -> Store:
    """Return the store at an address.

    Parameters
    ----------
    where : str or Path
        A folder, or an address such as ``s3://bucket/games``.

    Raises
    ------
    MissingExtraError
        If the package for object stores is needed and not installed.
    MalformedError
        If ``where`` is not a valid address.
    """
    protocol, colon, path = str(where).partition("://")
    if not colon or protocol == "file":
        return LocalStore(Path(path if colon else where).absolute())
    if protocol not in OBJECTS:
        protocols = " or ".join(f"{name}://" for name in OBJECTS)
        raise MalformedError(
            f"cannot use {quoted(where)} as a store; give a folder, or an address that begins with "
            f"{protocols}"
        )
    if find_spec("obstore") is None:
        raise missing_extra(f"a store at {protocol}://", "obstore", "store")

    try:
        check_address(str(where))
    except ValueError as error:
        raise MalformedError(
            f"{quoted(where)} is not a valid address of a store: {error}"
        ) from error
    return RemoteStore(str(where))


def shared_store() -> Store | None:
    """Return the additional store for reading large games, or None if there is none.

    The environment variable ``ROLLWISE_STORE`` contains the store's address.
    """
    where = os.environ.get("ROLLWISE_STORE")
    return open_store(where) if where else None


def in_use(folder: Path) -> bool:
    """Return whether another process holds the lock of a local folder."""
    with _locked(folder, wait=False) as free:
        return not free


@contextmanager
def _locked(folder: Path, *, wait: bool) -> Iterator[bool]:
    """Hold the lock of a folder, if the system has locks; yield False if the lock is taken."""
    try:
        import fcntl  # not on every platform

        number = os.open(folder / LOCK, os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW, 0o666)
        file = os.fdopen(number, "wb")
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
            log.warning("waiting for another process that is solving this game")
            fcntl.flock(file, fcntl.LOCK_EX)
        except OSError:  # the file system has no locks
            pass
        yield True


TIMEOUT, CONNECT_TIMEOUT = "60s", "5s"
"""The time limits for a response from a store, and for establishing a connection."""

RETRIES = 6
"""The maximum number of times to repeat a failed request: after 0.1 s, then 0.2 s, and so on."""


@lru_cache(maxsize=8)
def _connection(url: str) -> Any:
    """Return the client library's store for a URL. A process shares one store per URL."""
    from obstore.store import from_url

    return from_url(
        url,
        client_options={
            "timeout": TIMEOUT,
            "connect_timeout": CONNECT_TIMEOUT,
            "allow_http": True,  # for addresses that begin with http://
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
        The address, such as ``s3://bucket/games``. Environment variables provide credentials and
        endpoints.
    """

    url: str

    def sizes(self, folder: str) -> dict[str, int]:
        """Return the size of each file in a folder."""
        import obstore

        with self._as_os_errors(folder):
            pages = obstore.list(_connection(self.url), prefix=folder)
            return {
                file["path"].rpartition("/")[2]: file["size"] for page in pages for file in page
            }

    def read(self, name: str, start: int, stop: int) -> bytes:
        """Return bytes ``start .. stop - 1`` of a file."""
        import obstore

        with self._as_os_errors(name):
            return bytes(obstore.get_range(_connection(self.url), name, start=start, end=stop))

    def write(self, name: str, *parts: bytes | memoryview) -> None:
        """Write a file atomically."""
        import obstore

        with self._as_os_errors(name):
            obstore.put(_connection(self.url), name, b"".join(parts), use_multipart=False)

    def drop(self, name: str) -> None:
        """Delete a file if it exists."""
        import obstore

        with self._as_os_errors(name):
            obstore.delete(_connection(self.url), name)

    def free_bytes(self) -> float:
        """Return infinity, because object stores report no limit."""
        return inf

    def lock(self, folder: str) -> AbstractContextManager[None]:
        """Return a context manager that does nothing, because object stores have no locks."""
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
            failed = f"the store failed ({why}); check its address and credentials"
            raise OSError(errno.EIO, failed, self.location(name)) from error


def check_address(url: str) -> None:
    """Check that the client library accepts an address.

    Raises
    ------
    ValueError
        If the client library rejects the address. The message says why.
    """
    from obstore.exceptions import BaseError

    try:
        _connection(url)
    except BaseError as error:
        raise ValueError(str(error).partition("\n")[0]) from error
