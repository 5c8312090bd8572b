"""The reachable two-player states of a game and their order in arrays.

A two-player state is a pair of scorecards between two turns and a *score difference*. The
difference is the last mover's score minus the score of the player to move. Scores do not include
upper bonuses before the end of the game. The scorecards and scores that one player can reach do not
depend on the other player. A score difference is *open* while both players can still win or tie.
Otherwise the highest final score of one player is below the lowest final score of the other player.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rollwise.rules import Rules
from rollwise.solving.compiled_game import CompiledGame
from rollwise.solving.kernels.two_player import reach_nodes
from rollwise.solving.kernels.vector import WIDTH
from rollwise.solving.objectives import BEST_CASE
from rollwise.solving.position_index import CardIndex
from rollwise.solving.rows import NONE
from rollwise.solving.solver import Solver
from rollwise.two_player.grid import DEVIATIONS, FEW, MARGIN, GridChoices
from rollwise.two_player.nodes import CardRows, Floats, Indices, Nodes, alike, on_grid

STRIPS = 128
"""The maximum number of strips in a layer.

The memory of a layer is released strip by strip, and a look-up lists the pairs of one strip.
"""

MAX_PAIRS = 1 << 22
"""The maximum number of pairs of a layer that stays listed while others are used."""

MAX_FLOATS = 1 << 26
"""The longest array of a layer on a grid whose values are not rounded to 16 bits.

In large layers, the errors of rounding average out.
"""

PARTS = 8
"""The number of parts of layers that stay listed: those of two turns of both players."""

PAIRS_AT_ONCE = 1 << 20
"""The approximate number of pairs whose open score differences are computed together."""

STRIP = 1 << 22
"""The approximate array length of a strip; a shorter layer is a single strip."""


@dataclass(frozen=True)
class TurnCards:
    """The nodes that one player can have after ``turns`` turns, arrays of shape (A,).

    Each is reachable with the scores ``low .. high - 1``. ``row_A`` numbers all rows of the game.
    ``least_A`` and ``most_A`` are the fewest and the most points to come, with the upper bonus.
    ``mean_A`` and ``variance_A`` are those of the points to come of a player who maximizes points;
    without a grid, they are 0 and not used.
    """

    turns: int
    row_A: Indices
    class_A: Indices
    lane_A: Indices
    low_A: Indices
    high_A: Indices
    least_A: Indices
    most_A: Indices
    mean_A: Floats
    variance_A: Floats

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


class Windows(NamedTuple):
    """The open score differences of all pairs of scorecards, arrays of shape (moved, movers).

    The differences are ``low .. high - 1``, times ``step``. Without a grid, there are no steps.
    """

    low: Indices
    high: Indices
    step: NDArray[np.uint8] | None = None


class LayerCards(NamedTuple):
    """The scorecards of the last mover and of the player to move in one layer, and its grid.

    ``is_first`` is whether the layer is so early that all differences have values.
    """

    moved: TurnCards
    movers: TurnCards
    grid: GridChoices | None = None
    is_first: bool = False

    @property
    def pairs(self) -> int:
        """The number of pairs."""
        return len(self.moved) * len(self.movers)

    def windows(self) -> Windows:
        """Return the open score differences.

        On a grid, a game is also decided if the final score difference would be ``DEVIATIONS``
        standard deviations from 0. Interpolation reads some differences that no game reaches.
        """
        moved, movers, grid, is_first = self
        least = moved.low_A[:, None] - movers.high_A + 1
        most = moved.high_A[:, None] - movers.low_A
        low = movers.least_A - moved.most_A[:, None]
        high = movers.most_A - moved.least_A[:, None] + 1
        step: Any = np.uint8(1)
        most_open = grid.most_open(moved.turns, movers.turns) if grid else 0
        if grid and most_open > FEW:
            equal = movers.mean_A - moved.mean_A[:, None]
            far = DEVIATIONS * np.sqrt(movers.variance_A + moved.variance_A[:, None])
            low = np.maximum(low, np.ceil(equal - far).astype(np.int64))
            high = np.minimum(high, np.floor(equal + far).astype(np.int64) + 1)
        if grid and not is_first:
            step = grid.steps(moved.class_A, movers.class_A, most_open)
            margin = MARGIN * grid.grid.step
            least, most = least - margin, most + margin
        low, high = np.clip(low, least, most), np.clip(high, least, most)
        low = np.minimum(low, high)
        if grid is None:
            return Windows(low, high)
        apart = step.astype(np.int64)
        first = low // apart
        last = np.where(low < high, -((1 - high) // apart) + 1, first)
        return Windows(first, last, np.broadcast_to(step, low.shape))


class ReachableCards:
    """The nodes of a game that one player can reach under any policy, and their scores."""

    def __init__(self, rules: Rules, compiled: CompiledGame, solver: Solver) -> None:
        self.rows = CardRows(compiled.model)
        self.exact = alike(self.rows)
        self._rules, self._compiled, self._solver = rules, compiled, solver
        self._nothing_X = np.zeros(len(self.rows))

    def nodes_from(self, start: CardIndex, grid: GridChoices | None) -> Nodes:
        """Return the nodes of all scorecards that ``start`` can become."""
        if grid is None:
            return self.exact
        reached_X = self._reached(start, self.exact)[0] != NONE
        return on_grid(self.rows, self.exact, reached_X, self._moments_X[0], grid.choice(start))

    def cards_from(
        self, start: CardIndex, nodes: Nodes | None = None, on_grid: bool = False
    ) -> list[TurnCards]:
        """Return the reachable nodes after each turn, beginning with only ``start``."""
        low_X, high_X = self._reached(start, nodes or self.exact)
        model, row = self._compiled.model, np.flatnonzero(low_X != NONE)
        least_X, most_X = self._points_X
        mean_X, variance_X = self._moments_X if on_grid else (self._nothing_X, self._nothing_X)
        turns = np.bitwise_count(model.mask_C[self.rows.class_X[row]])
        columns = (
            self.rows.class_X,
            self.rows.lane_X,
            low_X,
            high_X,
            least_X,
            most_X,
            mean_X,
            variance_X,
        )
        return [
            TurnCards(t, row[turns == t], *(column[row[turns == t]] for column in columns))
            for t in range(int(turns[0]), len(model.layer_starts) - 1)
        ]

    def _reached(self, start: CardIndex, nodes: Nodes) -> tuple[Indices, Indices]:
        """Return the lowest and the highest score plus 1 of each row, or NONE if it is no node."""
        compiled, rows = self._compiled, self.rows
        low_X, high_X = np.full(len(rows), NONE), np.full(len(rows), -NONE)
        if nodes is self.exact:
            x = np.atleast_1d(rows.row_of(start.c, start.lane))
            low_N, high_N = np.array([start.score]), np.array([start.score + 1])
        else:  # games reach nodes that do not follow from other nodes
            low_N, high_N = self._reached(start, self.exact)
            x = np.flatnonzero(low_N != NONE)
            low_N, high_N = low_N[x], high_N[x]
        for node_N, points_N in zip(nodes.node_X_N[x].T, nodes.points_X_N[x].T, strict=True):
            is_node = node_N >= 0
            np.minimum.at(low_X, node_N[is_node], (low_N + points_N)[is_node])
            np.maximum.at(high_X, node_N[is_node], (high_N + points_N)[is_node])
        reach_nodes(
            start.c,
            compiled.model.n_classes,
            compiled.work(),
            compiled.game,
            rows.first_row_C,
            rows.lane_X,
            nodes.node_X_N,
            nodes.points_X_N,
            low_X,
            high_X,
        )
        return low_X, high_X

    @cached_property
    def _points_X(self) -> tuple[Indices, Indices]:
        """The fewest and the most points to come from each row."""
        rows, model = self.rows, self._compiled.model
        most_X = self._by_row(self._solver.solve_by_card(BEST_CASE).table_C_L)
        # A row that no game reaches has the points of the rows for which it stands, or a bound.
        np.fmax.at(most_X, self.exact.node_X_N[:, 0], most_X - self.exact.points_X_N[:, 0])
        bound_C = np.fmax.reduceat(most_X, rows.first_row_C[:-1]) + model.bonus_L.max()
        most_X = np.where(np.isnan(most_X), bound_C[rows.class_X], most_X)
        return model.bonus_L[rows.lane_X], most_X.astype(np.int64)

    @cached_property
    def _moments_X(self) -> tuple[Floats, Floats]:
        """The mean and the variance of the points to come from each row, if players maximize."""
        rows, model = self.rows, self._compiled.model
        moments = self._solver.solve_by_card(moments=True).moments
        assert moments is not None  # all values are in one table
        mean_X, second_X = self._by_row(moments.mean_C_L), self._by_row(moments.second_C_L)
        if model.rules.upper_bonus and not model.rules.columns:
            # In rows that no game reaches, the bonus is earned and nothing else depends on it.
            plain = Solver(self._rules.model_copy(update={"upper_bonus": None}), cache=False)
            moments = plain.solve_by_card(moments=True).moments
            assert moments is not None
            c, bonus = rows.class_X, float(model.bonus_L[-1])
            mean, second = moments.mean_C_L[c, 0], moments.second_C_L[c, 0]
            is_missing = np.isnan(mean_X)
            mean_X = np.where(is_missing, mean + bonus, mean_X)
            second_X = np.where(is_missing, second + 2 * bonus * mean + bonus**2, second_X)
        return mean_X, np.maximum(second_X - mean_X**2, 0.0)

    def _by_row(self, table_C_L: Floats) -> Floats:
        return np.asarray(table_C_L[self.rows.class_X, self.rows.lane_X])


def layers_from(
    moved: list[TurnCards], movers: list[TurnCards], grid: GridChoices | None = None
) -> list[LayerCards]:
    """Return the scorecards of each layer, given the scorecards of each player after each turn.

    ``moved`` belongs to the player who moved last before the first layer.
    """
    layers = []
    for t in range(len(moved) + len(movers) - 1):
        layers.append(LayerCards(moved[0], movers[0], grid, bool(grid and t < grid.grid.first)))
        moved, movers = movers[1:], moved
    return layers


class Strips(NamedTuple):
    """The parts of a layer's array, arrays of shape (U + 1,).

    Strip u belongs to the scorecards ``first_U[u] .. first_U[u + 1] - 1`` of the player to move,
    and has the array positions ``place_U[u] .. place_U[u + 1] - 1``.
    """

    first_U: Indices
    place_U: Indices

    @classmethod
    def of(cls, size_A: Indices) -> "Strips":
        """Return strips of similar sizes, given the array length for each scorecard."""
        ends_A = np.cumsum(size_A)
        strips = min(strip_count(float(ends_A[-1])), len(size_A))
        cuts = np.searchsorted(ends_A, ends_A[-1] * np.arange(1, strips) // strips) + 1
        first_U = np.unique(np.concatenate([[0], cuts, [len(size_A)]]))
        return cls(first_U, 2 * WIDTH + np.append(0, ends_A)[first_U])

    @property
    def size(self) -> int:
        """The length of a value array for the layer, with room for a vector after it."""
        return int(self.place_U[-1]) + WIDTH

    def around(self, number_A: Indices) -> tuple[int, int]:
        """Return the first of the strips that contain these scorecards, and the last one plus 1."""
        if len(number_A) == 0:
            return 0, 1
        u = np.searchsorted(self.first_U, (number_A.min(), number_A.max()), side="right")
        return int(u[0]) - 1, int(u[1])


@dataclass(frozen=True)
class PairLayer:
    """Pairs of scorecards between two turns, and the positions of their score differences.

    The array of a layer is divided into strips by the scorecard of the player to move. The
    computation of the previous layer reads each strip only once.

    Attributes
    ----------
    moved, movers
        See :class:`LayerCards`.
    low_P, high_P : int32 arrays of shape (moved * movers,)
        The open score differences are ``low .. high - 1``, in steps. The last mover certainly wins
        above them, and certainly loses below them.
    start_P : int64 array of shape (moved * movers,)
        The array position of ``low``. Without a grid, the ``WIDTH`` numbers before it hold the
        value of all lower differences, and at least ``WIDTH`` numbers after the open differences
        hold the value of all higher differences. Pairs without an open difference share a position.
    step_P : uint8 array of shape (moved * movers,), optional
        The steps on a grid.
    strips : Strips
        The strips of these players to move.
    """

    moved: TurnCards
    movers: TurnCards
    low_P: NDArray[np.int32]
    high_P: NDArray[np.int32]
    start_P: Indices
    step_P: NDArray[np.uint8] | None
    strips: Strips

    @classmethod
    def of(cls, cards: LayerCards, strips: Strips | None = None) -> "PairLayer":
        """Return the layer of all pairs of one scorecard of each player."""
        moved, movers, grid, _ = cards
        low, high = (np.empty((len(moved), len(movers)), dtype=np.int32) for _ in range(2))
        step = np.empty(low.shape, dtype=np.uint8) if grid else None
        for rows in np.array_split(np.arange(len(moved)), low.size // PAIRS_AT_ONCE + 1):
            windows = cards._replace(moved=moved.subset(rows)).windows()
            low[rows], high[rows] = windows.low, windows.high
            if step is not None and windows.step is not None:
                step[rows] = windows.step
        size, before = lengths(high - low, step is not None), WIDTH if step is None else 0
        strips = strips or Strips.of(size.sum(axis=0, dtype=np.int64))
        start = np.empty(low.shape, dtype=np.int64)
        for (first, last), place in zip(pairwise(strips.first_U), strips.place_U, strict=False):
            size_P = size[:, first:last].ravel()
            end_P = place + np.cumsum(size_P, dtype=np.int64)
            start_P = np.where(size_P > 0, end_P - size_P + before, WIDTH)
            start[:, first:last] = start_P.reshape(len(moved), -1)
        step_P = None if step is None else step.ravel()
        return cls(moved, movers, low.ravel(), high.ravel(), start.ravel(), step_P, strips)


class PairLayers:
    """The layers of a game. The pairs of a layer are listed when it is used.

    Of the layers with more than ``MAX_PAIRS`` pairs, only the latest one stays in memory.

    Attributes
    ----------
    cards : list of LayerCards
        The scorecards of each layer.
    strips : dict of int to Strips
        The strips of each layer that is or was listed.
    """

    def __init__(self, cards: list[LayerCards], strips: dict[int, Strips]) -> None:
        self.cards, self.strips = cards, strips
        self._small: dict[int, PairLayer] = {}
        self._large: tuple[int, PairLayer] | None = None
        self._listed = lru_cache(PARTS)(self._list)

    def __len__(self) -> int:
        return len(self.cards)

    def __iter__(self) -> Iterator[PairLayer]:
        return map(self.__getitem__, range(len(self)))

    def __getitem__(self, t: int) -> PairLayer:
        t = range(len(self))[t]
        if t in self._small:
            return self._small[t]
        if self._large is not None and self._large[0] == t:
            return self._large[1]
        layer = PairLayer.of(self.cards[t], self.strips.get(t))
        self._large, self.strips[t] = (t, layer), layer.strips
        if self.cards[t].pairs <= MAX_PAIRS:
            self._small[t] = layer
        return layer

    def shape(self, t: int) -> tuple[int, type[np.generic]]:
        """Return the length of the array of a layer, and the type of its values."""
        t = range(len(self))[t]
        size = (self.strips.get(t) or self[t].strips).size
        return size, kind_of(size, self.cards[t].grid is not None)

    def part(self, t: int, row: Indices) -> PairLayer:
        """Return a part of a layer, with all pairs of these rows of the player to move."""
        cards, strips = self.cards[t], self.strips.get(t)
        if strips is None or cards.pairs <= MAX_PAIRS:
            return self[t]
        number = cards.movers.number(row)
        return self._listed(t, *strips.around(number[number >= 0]))

    def _list(self, t: int, first: int, last: int) -> PairLayer:
        """Return the strips ``first .. last - 1`` of a layer."""
        cards, (first_U, place_U) = self.cards[t], self.strips[t]
        movers = cards.movers.subset(np.arange(first_U[first], first_U[last]))
        strips = Strips(first_U[first : last + 1] - first_U[first], place_U[first : last + 1])
        return PairLayer.of(cards._replace(movers=movers), strips)


def kind_of(size: float, is_grid: bool) -> type[np.generic]:
    """Return the type of the stored values of a layer, given the length of its array."""
    if not is_grid:
        return np.float64
    return np.float32 if size <= MAX_FLOATS else np.uint16


def lengths(length_P: Indices, is_grid: bool) -> Indices:
    """Return the array length of each pair, given its number of open score differences."""
    if is_grid:
        return length_P
    return np.where(length_P > 0, -(-length_P // WIDTH) + 2, 0) * WIDTH


def strip_count(size: float) -> int:
    """Return the number of strips of a layer whose array has the length ``size``."""
    return int(min(size // STRIP + 1, STRIPS))
