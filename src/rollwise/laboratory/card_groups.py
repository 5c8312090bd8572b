"""Games on cards that a strategy cannot tell apart, and how they are played."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from rollwise.model.arrays import Model
from rollwise.strategies import Strategy, TurnPolicy
from rollwise.strategies.strategy import Choices

Integers = NDArray[np.int64]


@dataclass(frozen=True)
class Cards:
    """The cards of all games: their classes, lanes, points so far (the bonus not yet counted)."""

    class_N: Integers
    lane_N: Integers
    points_N: Integers


class CardGroups:
    """Games on cards that a strategy cannot tell apart, where told with the same box announced.

    Attributes
    ----------
    number : int
    games : int64 array of shape (N,)
        The games, group by group.
    starts : int64 array of shape (number + 1,)
        Those of group g are ``games[starts[g] .. starts[g + 1] - 1]``.
    group_N : int64 array of shape (N,)
    """

    def __init__(
        self, strategy: Strategy, model: Model, cards: Cards, box_N: Integers | None = None
    ) -> None:
        self._strategy, self._model = strategy, model
        key_N = cards.class_N
        if box_N is not None:
            key_N = key_N * len(model.rules.categories) + box_N
        if strategy.sees_lane or strategy.sees_score:
            key_N = key_N * (int(cards.lane_N.max()) + 1) + cards.lane_N
        if strategy.sees_score:
            key_N = key_N * (int(cards.points_N.max()) + 1) + cards.points_N
        self.games = np.argsort(key_N, kind="stable")
        ordered = key_N[self.games]
        new = np.flatnonzero(np.diff(ordered, prepend=ordered[0] - 1))
        self.number = len(new)
        self.starts = np.append(new, len(ordered))
        self.group_N = np.empty(len(ordered), dtype=np.int64)
        self.group_N[self.games] = np.repeat(np.arange(self.number), np.diff(self.starts))
        leaders = self.games[new]
        self.class_G = cards.class_N[leaders]
        self.lane_G = cards.lane_N[leaders]
        self.points_G = cards.points_N[leaders]
        self.box_G = None if box_N is None else box_N[leaders]

    def policy(self, group: int) -> TurnPolicy:
        """Return the turn policy of a group."""
        return self._strategy.turn_policy(
            self._model,
            int(self.class_G[group]),
            int(self.lane_G[group]),
            int(self.points_G[group]),
        )

    def classes(self, first: int, last: int) -> Iterator[tuple[int, int]]:
        """Yield (first, one past the last) of the groups of each class within a span."""
        changes = np.flatnonzero(np.diff(self.class_G[first:last], prepend=-1)) + first
        yield from pairwise([*changes.tolist(), last])

    def announced(self, first: int, last: int) -> NDArray[np.uint8]:
        """Return the box that some groups announce after each first roll."""
        span = slice(first, last)
        return self._strategy.announced_at(self._model, self.class_G[span], self.lane_G[span])

    def choices(self, first: int, last: int) -> Choices:
        """Return the certain choices of some groups, in the order of the groups."""
        span = slice(first, last)
        if self.box_G is not None:
            return self._strategy.choices_in(
                self._model, self.class_G[span], self.lane_G[span], self.box_G[span]
            )
        return self._strategy.choices_at(
            self._model, self.class_G[span], self.lane_G[span], self.points_G[span]
        )
