"""The client of the current request, and the recent CPU time of each client."""

import math
import time
from collections import OrderedDict
from collections.abc import Callable
from contextvars import ContextVar

CLIENT: ContextVar[str] = ContextVar("client", default="")
"""The client on whose behalf the current task runs; empty for the server itself."""

HALF_LIFE = 60.0
"""The seconds after which CPU time counts half."""

MAX_CLIENTS = 10_000
"""The maximum number of clients whose CPU time is recorded."""


class CpuShares:
    """The CPU seconds of each client, with exponential decay.

    Parameters
    ----------
    clock : callable
        Returns the time in seconds.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._used = OrderedDict[str, tuple[float, float]]()

    def used(self, client: str) -> float:
        """Return the recent CPU seconds of a client."""
        seconds, since = self._used.get(client, (0.0, 0.0))
        return seconds * math.exp2((since - self._clock()) / HALF_LIFE)

    def charge(self, client: str, seconds: float) -> None:
        """Add CPU seconds to a client."""
        self._used[client] = self.used(client) + seconds, self._clock()
        self._used.move_to_end(client)
        if len(self._used) > MAX_CLIENTS:
            self._used.popitem(last=False)

    def until(self, client: str, most: float) -> float:
        """Return the seconds until a client has at most ``most`` recent CPU seconds."""
        return HALF_LIFE * math.log2(max(self.used(client) / most, 1.0))
