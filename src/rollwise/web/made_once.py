"""Things that take long to make: each is made once, however many ask for it at a time."""

from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future
from threading import Lock
from typing import Any, TypeVar

T = TypeVar("T")


class MadeOnce:
    """Things by key, safe for any thread; those not asked for longest are given up.

    Parameters
    ----------
    most : int
        How many are kept.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self._lock = Lock()
        self._things: OrderedDict[object, Future[Any]] = OrderedDict()

    def has(self, key: object) -> bool:
        """Return whether a thing is there already, so that nobody has to wait for it."""
        thing = self._things.get(key)
        return thing is not None and thing.done()

    def get(self, key: object, make: Callable[[], T]) -> T:
        """Return the thing with this key; whoever comes while it is made waits for it.

        What ``make`` raises is raised to all who wait; who comes later makes it again.
        """
        with self._lock:
            thing = self._things.get(key)
            mine = thing is None
            if thing is None:
                thing = self._things[key] = Future[Any]()
            self._things.move_to_end(key)
        if mine:
            try:
                thing.set_result(make())
            except BaseException as error:
                thing.set_exception(error)
            with self._lock:
                if thing.exception() is not None and self._things.get(key) is thing:
                    del self._things[key]
                while len(self._things) > self.most:
                    self._things.popitem(last=False)
        made: T = thing.result()
        return made
