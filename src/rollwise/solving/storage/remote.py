"""Object stores: S3 and whatever speaks its protocol, Google's and Microsoft's (extra ``store``).

What they keep is written whole or not at all, whoever else writes the same: that is all that layers
ask for. Requests that fail for a moment are sent again by the library, after a growing pause.
"""

import errno
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from datetime import timedelta
from functools import lru_cache
from math import inf
from typing import Any

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
