"""A least-recently-used cache, bounded by the number and the size of its values."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from math import inf
from typing import TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class LruCache(OrderedDict[K, V]):
    """Computed values by key; the least recently used values are evicted first.

    Parameters
    ----------
    most : int
        The maximum number of values.
    bytes_of : callable, optional
        Returns the size of a value in bytes, or None for a value that is neither counted nor
        evicted.
    max_bytes : float
        The maximum size of all values; the value used last is always kept.
    """

    def __init__(
        self,
        most: int,
        bytes_of: Callable[[V], int | None] = lambda _: 0,
        max_bytes: float = inf,
    ) -> None:
        super().__init__()
        self.most, self.bytes_of, self.max_bytes = most, bytes_of, max_bytes

    def get_or_compute(self, key: K, compute: Callable[[], V]) -> V:
        """Return the value of a key, and compute it if it is missing."""
        if key not in self:
            self[key] = compute()
        self.move_to_end(key)
        self._evict()
        return self[key]

    def _evict(self) -> None:
        measured = {key: self.bytes_of(value) for key, value in self.items()}
        sizes = {key: size for key, size in measured.items() if size is not None}
        for key in list(sizes)[:-1]:
            if len(sizes) <= self.most and sum(sizes.values()) <= self.max_bytes:
                return
            del sizes[key], self[key]
