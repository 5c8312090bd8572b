"""The reachable two-player states of a game and their order in arrays.

A two-player state is a pair of scorecards between two turns and a *score difference*. The
difference is the last mover's score minus the score of the player to move. Scores do not include
upper bonuses before the end of the game. The scorecards and scores that one player can reach do not
depend on the other player. A score difference is *open* while both players can still win or tie.
Otherwise the highest final score of one player is below the lowest final score of the other player.
"""

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rollwise.solving.by_score.windows import reach
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.compiled_game import CompiledGame
from rollwise.solving.kernels.vector import WIDTH
from rollwise.solving.position_index import CardIndex
from rollwise.solving.rows import NONE, Rows, by_row, row_of
from rollwise.two_player.grid import Grid, GridPoints

Indices = NDArray[np.int64]

STRIPS = 32
"""The maximum number of strips in a layer. Its memory is released strip by strip."""

STRIP = 1 << 22
"""The approximate array length of a strip; a shorter layer is a single strip."""


@dataclass(frozen=True)
class TurnCards:
    """The scorecards that one player can have after ``turns`` turns, int64 arrays of shape (A,).

    Each is reachable with the scores ``low .. high - 1``. ``row_A`` numbers all rows of the game.
    ``least_A`` and ``most_A`` are the fewest and the most points to come, with the upper bonus.
    """

    turns: int
    row_A: Indices
    class_A: Indices
    lane_A: Indices
    low_A: Indices
    high_A: Indices
    least_A: Indices
    most_A: Indices

    def __len__(self) -> int:
        return len(self.row_A)

    def subset(self, numbers: Indices) -> "TurnCards":
        """Return the scorecards with these indices."""
        arrays = {name: value[numbers] for name, value in vars(self).items() if name != "turns"}
        return replace(self, **arrays)

    def number(self, row: Indices) -> Indices:
        """Return the index of each row among these scorecards; -1 if the row is not among them."""
        at = np.minimum(np.searchsorted(self.row_A, row), len(self) - 1)
        return np.where(self.row_A[at] == row, at, -1)

    def have(self, number: Indices, score: Indices) -> NDArray[np.bool_]:
        """Return whether the scorecards with these indices are reachable with these scores."""
        return (number >= 0) & (self.low_A[number] <= score) & (score < self.high_A[number])


class LayerCards(NamedTuple):
    """The scorecards of the last mover and of the player to move in one layer, and its grid.

    The layer contains the score differences that are multiples of ``step``, and on either side
    ``extra`` points more than are reachable, because interpolation reads them.
    """

    moved: TurnCards
    movers: TurnCards
    step: int = 1
    extra: int = 0


class ReachableCards:
    """The scorecards and scores that one player can reach under any policy.

    ``best_case`` is the solution for the maximum possible points from each scorecard.
    """

    def __init__(self, compiled: CompiledGame, best_case: CardSolution) -> None:
        self._compiled = compiled
        model = compiled.model
        bonus_C_L = np.broadcast_to(
            model.bonus_L.astype(np.float64), (model.n_classes, model.lanes)
        )
        self._least_X = by_row(model, bonus_C_L).astype(np.int64)
        self._most_X = by_row(model, best_case.table_C_L).astype(np.int64)
        self._class_X = np.repeat(np.arange(model.n_classes), model.rows_C)

    def cards_from(self, start: CardIndex) -> list[TurnCards]:
        """Return the reachable scorecards after each turn, beginning with only ``start``."""
        return self._by_turn(self._reached(start))

    def points_from(self, start: CardIndex, grid: Grid) -> GridPoints:
        """Return the grid points of all scorecards that ``start`` can become."""
        return GridPoints(grid, self._compiled.model, self._reached(start).low_X != NONE)

    def grid_cards_from(self, start: CardIndex, points: GridPoints) -> list[TurnCards]:
        """Return the scorecards after each turn between which others are interpolated."""
        return self._by_turn(self._reached(start, points.rows.point_X_N))

    def _reached(self, start: CardIndex, point_X_N: NDArray[np.int32] | None = None) -> Rows:
        """Return the rows that a player can reach from ``start``, or their grid points."""
        model = self._compiled.model
        rows = Rows.empty(np.asarray(model.rows_C))
        x = row_of(model, start.c, start.lane)
        rows.low_X[x], rows.high_X[x] = start.score, start.score + 1
        reach(self._compiled, rows, start.c, point_X_N)
        return rows

    def _by_turn(self, rows: Rows) -> list[TurnCards]:
        """Return the scorecards of the reachable rows after each turn."""
        row = np.flatnonzero(rows.low_X != NONE)
        turns = np.bitwise_count(self._compiled.model.mask_C[self._class_X[row]])
        last = len(self._compiled.model.layer_starts) - 2
        first = int(turns[0])
        return [self._cards(t, row[turns == t], rows) for t in range(first, last + 1)]

    def _cards(self, turns: int, row_A: Indices, rows: Rows) -> TurnCards:
        model = self._compiled.model
        class_A = self._class_X[row_A]
        lane_A = model.first_lane_C[class_A] + row_A - rows.first_row_C[class_A]
        low_A, high_A = rows.low_X[row_A], rows.high_X[row_A]
        least_A, most_A = self._least_X[row_A], self._most_X[row_A]
        return TurnCards(turns, row_A, class_A, lane_A, low_A, high_A, least_A, most_A)


def layers_from(
    moved: list[TurnCards], movers: list[TurnCards], grid: Grid | None = None
) -> list[LayerCards]:
    """Return the scorecards of each layer, given the scorecards of each player after each turn.

    ``moved`` belongs to the player who moved last before the first layer.
    """
    layers = []
    turns, step, extra = moved[-1].turns, 1, 0
    for _ in range(len(moved) + len(movers) - 1):
        if grid is not None:
            step = grid.step(turns - movers[0].turns)
            # An interpolation reads up to two steps further in every turn.
            extra = min(extra + 3 * step, 4 * grid.difference) if step > 1 else extra
        layers.append(LayerCards(moved[0], movers[0], step, extra))
        moved, movers = movers[1:], moved
    return layers


@dataclass(frozen=True)
class PairLayer:
    """All pairs of scorecards between two turns, and the positions of their score differences.

    The array of a layer is divided into strips by the scorecard of the player to move. The
    computation of the previous layer reads each strip only once.

    Attributes
    ----------
    moved, movers, step
        See :class:`LayerCards`.
    low_P, high_P : int32 arrays of shape (moved * movers,)
        The open score differences are ``low .. high - 1``, in steps. The last mover certainly wins
        above them, and certainly loses below them.
    start_P : int64 array of shape (moved * movers,)
        The array position of ``low``. The ``WIDTH`` numbers before it hold the value of all lower
        differences. At least ``WIDTH`` numbers after the open differences hold the value of all
        higher differences. Pairs without an open difference share a position.
    first_U, place_U : int64 arrays of shape (U + 1,)
        The first scorecard of the player to move in each strip, and the array position of the
        strip.
    """

    moved: TurnCards
    movers: TurnCards
    step: int
    low_P: NDArray[np.int32]
    high_P: NDArray[np.int32]
    start_P: Indices
    first_U: Indices
    place_U: Indices

    @classmethod
    def of(cls, moved: TurnCards, movers: TurnCards, step: int = 1, extra: int = 0) -> "PairLayer":
        """Return the layer of all pairs of one scorecard in ``moved`` and one in ``movers``."""
        low, high = open_differences(moved, movers, step, extra)
        size = padded_size(high - low)
        first_U = _strips(size.sum(axis=0))
        start, place_U = np.empty_like(size), np.full(len(first_U), 2 * WIDTH)
        for strip, (first, last) in enumerate(pairwise(first_U)):
            size_P = size[:, first:last].ravel()
            end_P = place_U[strip] + np.cumsum(size_P)
            start[:, first:last] = (end_P - size_P).reshape(len(moved), -1)
            place_U[strip + 1] = end_P[-1]
        start_P = np.where(size > 0, start, 0).ravel() + WIDTH
        low_P, high_P = (ends.astype(np.int32).ravel() for ends in (low, high))
        return cls(moved, movers, step, low_P, high_P, start_P, first_U, place_U)

    @property
    def size(self) -> int:
        """The length of a value array for this layer."""
        return int(self.place_U[-1])

    @property
    def lanes(self) -> int:
        """The number of two-player states: the open score differences over all pairs."""
        return int((self.high_P - self.low_P).sum(dtype=np.int64))


def open_differences(
    moved: TurnCards, movers: TurnCards, step: int = 1, extra: int = 0
) -> tuple[Indices, Indices]:
    """Return the lowest open score difference of each pair, and the highest plus 1, in steps.

    Both arrays have the shape (moved, movers).
    """
    least = moved.low_A[:, None] - movers.high_A + 1 - extra
    most = moved.high_A[:, None] - movers.low_A + extra
    low = np.clip(movers.least_A - moved.most_A[:, None], least, most)
    high = np.clip(movers.most_A - moved.least_A[:, None] + 1, least, most)
    low = np.minimum(low, high)
    if step == 1:
        return low, high
    return low // step, np.where(low < high, -((1 - high) // step) + 1, low // step)


def padded_size(length_P: Indices) -> Indices:
    """Return the padded array length of each pair, given its number of open score differences."""
    return np.where(length_P > 0, -(-length_P // WIDTH) + 2, 0) * WIDTH


def strip_count(size: float) -> int:
    """Return the number of strips of a layer whose array has the length ``size``."""
    return int(min(size // STRIP + 1, STRIPS))


def _strips(size_A: Indices) -> Indices:
    """Return the index of the first scorecard in each strip, and the number of scorecards.

    ``size_A`` is the padded array length for each scorecard of the player to move. The strips
    have similar sizes.
    """
    strips = min(strip_count(float(size_A.sum())), len(size_A))
    ends_A = np.cumsum(size_A)
    cuts = np.searchsorted(ends_A, ends_A[-1] * np.arange(1, strips) // strips) + 1
    return np.unique(np.concatenate([[0], cuts, [len(size_A)]]))
