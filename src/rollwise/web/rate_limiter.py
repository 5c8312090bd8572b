"""A rate limiter: one token bucket per client."""

import time
from collections import OrderedDict
from collections.abc import Callable

RATE, BURST = 100.0, 1_000.0
"""The token bucket of a client: the tokens added per second, and the capacity."""

MAX_CLIENTS = 10_000
"""The maximum number of token buckets, one per client."""


class RateLimiter:
    """A token bucket per client."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._buckets = OrderedDict[str, tuple[float, float]]()

    def take(self, client: str, cost: float) -> float:
        """Take ``cost`` tokens and return 0, or return the seconds until a client has enough."""
        now = self._clock()
        tokens, since = self._buckets.pop(client, (BURST, now))
        tokens = min(tokens + RATE * (now - since), BURST)
        if tokens >= cost:
            tokens -= cost
            wait = 0.0
        else:
            wait = (cost - tokens) / RATE
        self._buckets[client] = tokens, now
        if len(self._buckets) > MAX_CLIENTS:
            self._buckets.popitem(last=False)
        return wait
