"""Single flight: simultaneous requests for the same long computation share one run."""

import asyncio
from collections.abc import Awaitable, Callable, Generator, Hashable
from math import inf
from typing import Any, Generic, TypeVar

from rollwise.web.job_queue import JobStatus
from rollwise.web.lru_cache import LruCache

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

GRACE = 120.0
"""The seconds for which a computation continues after its page closes. The page might be reloaded,
or the phone might be asleep."""


class InFlight(Generic[T_co]):
    """A shared computation that any number of tasks can await.

    It is canceled when the last waiting task leaves. :meth:`wait` with a grace period lets the
    computation continue for a while, because someone might reload a page.

    Parameters
    ----------
    compute : callable
        Starts the computation.
    forget : callable, optional
        Called if the computation fails or is canceled.

    Attributes
    ----------
    status : JobStatus
        The progress of the computation.
    """

    def __init__(
        self,
        compute: Callable[[JobStatus], Awaitable[T_co]],
        forget: Callable[[], None] = lambda: None,
    ) -> None:
        self.status = JobStatus()
        self._task = asyncio.ensure_future(compute(self.status))
        self._task.add_done_callback(lambda _: forget() if self.has_failed else None)
        self._waiters = 0
        self._cancellation: asyncio.TimerHandle | None = None

    def __await__(self) -> Generator[Any, None, T_co]:
        return self.wait().__await__()

    @property
    def is_done(self) -> bool:
        """Whether the result is available."""
        return self._task.done() and not self.has_failed

    @property
    def result(self) -> T_co:
        """The result, which must be available."""
        return self._task.result()

    @property
    def has_failed(self) -> bool:
        """Whether the computation failed or was canceled."""
        task = self._task
        return task.cancelling() > 0 or (
            task.done() and (task.cancelled() or task.exception() is not None)
        )

    async def wait(self, grace: float = 0.0) -> T_co:
        """Await the result; if the last waiting task leaves, compute for ``grace`` more seconds."""
        self._waiters += 1
        if self._cancellation is not None:
            self._cancellation.cancel()
        try:
            return await asyncio.shield(self._task)
        finally:
            self._waiters -= 1
            if not grace:
                self.cancel_if_unused()
            elif not self._task.done():
                loop = asyncio.get_running_loop()
                self._cancellation = loop.call_later(grace, self.cancel_if_unused)

    def cancel_if_unused(self, leaving: int = 0) -> None:
        """Cancel the computation unless a task waits for it, besides ``leaving`` tasks."""
        if self._waiters <= leaving and not self._task.done():
            self._task.cancel()


class SingleFlight(Generic[T]):
    """Computations shared by key on one event loop, with a bounded cache of results.

    Parameters
    ----------
    most, bytes_of, max_bytes
        The bounds of the cache, as for :class:`~rollwise.web.lru_cache.LruCache`.
    """

    def __init__(
        self, most: int, bytes_of: Callable[[T], int] = lambda _: 0, max_bytes: float = inf
    ) -> None:
        def size(flight: InFlight[T]) -> int | None:
            return bytes_of(flight.result) if flight.is_done else None

        self._flights = LruCache[Hashable, InFlight[T]](most, size, max_bytes)

    def has(self, key: Hashable) -> bool:
        """Return whether a result is available or being computed."""
        flight = self._flights.get(key)
        return flight is not None and not flight.has_failed

    def get(self, key: Hashable, compute: Callable[[JobStatus], Awaitable[T]]) -> InFlight[T]:
        """Return the computation for a key; start it if it is new or has failed."""
        self._forget_failed(key)
        return self._flights.get_or_compute(
            key, lambda: InFlight(compute, lambda: self._forget_failed(key))
        )

    def _forget_failed(self, key: Hashable) -> None:
        if not self.has(key):
            self._flights.pop(key, None)
