"""Things that take long to make: each is made once, however many ask for it at a time."""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Generator, Hashable
from math import inf
from typing import Any, Generic, TypeVar

from rollwise.web.line import JobStatus

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


class InFlight(Generic[T_co]):
    """A thing in the making, to be awaited by any number; once all have gone it is given up.

    Who reads a page may load it again: for him it is made on for a while (:meth:`patiently`).

    Attributes
    ----------
    notice : JobStatus
        What those who wait may know.
    """

    def __init__(
        self, make: Callable[[JobStatus], Awaitable[T_co]], forget: Callable[[], None]
    ) -> None:
        self.notice = JobStatus()
        self._task = asyncio.ensure_future(make(self.notice))
        self._task.add_done_callback(lambda _: forget() if self.has_failed else None)
        self._waiting = 0
        self._end: asyncio.TimerHandle | None = None

    def __await__(self) -> Generator[Any, None, T_co]:
        return self._made().__await__()

    @property
    def is_made(self) -> bool:
        """Whether it is there, so that nobody has to wait for it."""
        return self._task.done() and not self.has_failed

    @property
    def made(self) -> T_co:
        """The thing, once it is made."""
        return self._task.result()

    @property
    def has_failed(self) -> bool:
        """Whether it will never be there."""
        task = self._task
        return task.cancelling() > 0 or (
            task.done() and (task.cancelled() or task.exception() is not None)
        )

    async def patiently(self, seconds: float) -> T_co:
        """Return the thing; if who waits goes, it is made on for some seconds all the same."""
        return await self._made(seconds)

    def give_up(self) -> None:
        """Make it no further, unless somebody waits for it."""
        if not self._waiting and not self._task.done():
            self._task.cancel()

    async def _made(self, seconds: float = 0.0) -> T_co:
        self._waiting += 1
        if self._end is not None:
            self._end.cancel()
        try:
            return await asyncio.shield(self._task)
        finally:
            self._waiting -= 1
            if seconds:
                self._end = asyncio.get_running_loop().call_later(seconds, self.give_up)
            else:
                self.give_up()


class SingleFlight(Generic[T]):
    """Things by key, all of one event loop; those not asked for longest are given up.

    Parameters
    ----------
    most : int
        How many are kept.
    bytes_of : callable, optional
        What a thing takes in memory.
    room : float
        Bytes that all of them may take; the one asked for last is kept in any case.
    """

    def __init__(
        self, most: int, bytes_of: Callable[[T], int] = lambda _: 0, room: float = inf
    ) -> None:
        self.most, self.bytes_of, self.room = most, bytes_of, room
        self._things = OrderedDict[Hashable, InFlight[T]]()

    def has(self, key: Hashable) -> bool:
        """Return whether a thing is being made, or there already."""
        thing = self._things.get(key)
        return thing is not None and not thing.has_failed

    def get(self, key: Hashable, make: Callable[[JobStatus], Awaitable[T]]) -> InFlight[T]:
        """Return the thing with this key, to be awaited; what failed is made again."""
        thing = self._things.get(key)
        if thing is None or thing.has_failed:
            self._things.pop(key, None)
            thing = self._things[key] = InFlight(make, lambda: self._forget(key))
        self._things.move_to_end(key)
        self._make_room()
        return thing

    def _make_room(self) -> None:
        things = self._things.items()
        made = {key: self.bytes_of(thing.made) for key, thing in things if thing.is_made}
        for old in list(made)[:-1]:
            if len(made) <= self.most and sum(made.values()) <= self.room:
                return
            del made[old], self._things[old]

    def _forget(self, key: Hashable) -> None:
        if (thing := self._things.get(key)) is not None and thing.has_failed:
            del self._things[key]
