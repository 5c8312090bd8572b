r"""The value of a game of several columns too large for one table: its cards are products.

A card is a card of each column. Of a column :math:`i` it matters which boxes are filled and what
the upper total is, as far as its bonus can still depend on it: its *nodes*,

.. math::
    V(n_1, …, n_m) = \sum_r P(r) \, \max \left( p + V(n_1, …, n_i', …, n_m) \right)

with the turn in between as in :mod:`rollwise.solving.bellman`. No card is listed: the number of one
is made of those of its nodes. Yamb down, up and free: of 471 × 284 × 43,680 cards that occur
143 × 106 × 20,000 differ in what is still to come.
"""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from rollwise.errors import TooLargeError
from rollwise.model.arrays import Model, build
from rollwise.model.classes import NO_CLASS
from rollwise.model.outcomes import Outcomes, boxes_of, number_outcomes
from rollwise.model.reachable import reachable
from rollwise.rules import Rules
from rollwise.solving.kernels.columns import (
    Board,
    ColumnsLayer,
    ColumnsScratch,
    backward_columns,
)
from rollwise.solving.kernels.vector import WIDTH
from rollwise.solving.layers import Sweep
from rollwise.solving.objectives import EXPECTED
from rollwise.solving.progress import Progress, within
from rollwise.solving.storage.cuts import Shape, bytes_of
from rollwise.solving.storage.keeping import AllInFiles, Keeping, LastTwo, Resumable
from rollwise.solving.storage.layer_files import LayerFiles

MAX_BYTES = 10 << 30
"""Of two neighbouring layers."""

Integers = NDArray[np.int64]


def column_model(rules: Rules, column: int) -> Model:
    """Return the arrays of one column of a game, as a game of its own."""
    boxes = tuple(rules.categories[k] for k in rules.column_boxes[column])
    return build(rules.model_copy(update={"columns": (), "categories": boxes}))


@dataclass(frozen=True, eq=False)
class Nodes:
    """The cards of a column that differ in what is still to come, N of them; number 0 is empty.

    Attributes
    ----------
    model : Model
        Of the column alone.
    class_N, lane_N : int64 arrays of shape (N,)
    number_C_L : int64 array of shape (C, L)
        The node of each class and lane, -1 where no game comes.
    """

    model: Model
    class_N: Integers
    lane_N: Integers
    number_C_L: Integers

    @classmethod
    def of(cls, model: Model) -> "Nodes":
        """Return the nodes of a column."""
        every = np.arange(model.n_classes)
        first_C, last_C = model.first_lane_C[every], model.last_lane_C[every]
        class_X, lane_X = np.nonzero(reachable(model))
        told_X = np.clip(lane_X, first_C[class_X], last_C[class_X])
        spots, number_X = np.unique(class_X * model.lanes + told_X, return_inverse=True)
        number_C_L = np.full((model.n_classes, model.lanes), -1)
        number_C_L[class_X, lane_X] = number_X.ravel()
        return cls(model, *np.divmod(spots, model.lanes), number_C_L)

    def after(self, k: int, points: int) -> Integers:
        """Return the node after points in a box of the column, -1 where it may not be filled."""
        model = self.model
        open_N = model.open_boxes(self.class_N)[:, k]
        code_N = model.code_C[self.class_N[open_N]] + model.stride_K[k]
        class_N = np.asarray(model.class_S[code_N], dtype=np.int64)
        assert (class_N != NO_CLASS).all()
        upper = model.rules.categories[k].section == "upper"
        lane_N = np.minimum(self.lane_N[open_N] + points * upper, model.lanes - 1)
        found = np.full(len(self.class_N), -1)
        found[open_N] = self.number_C_L[class_N, lane_N]
        return found


class Columns:
    """A game of several columns, laid out for a sweep.

    Attributes
    ----------
    parts : list of Nodes
        Of all columns but the last.
    last : Model
        Of the last column.
    board : Board
    offset_F_N : int64 array of shape (K + 2, N)
        With f filled boxes the row of a card is the offset of its node and its class together.
    shapes : list of tuple of int
        Of each layer.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        *others, self.last = (column_model(rules, n) for n in range(len(rules.columns)))
        self.parts = [Nodes.of(model) for model in others]
        sizes = [len(part.class_N) for part in self.parts]
        self.part_N = np.indices(sizes).reshape(len(sizes), -1)
        self.steps = [int(np.prod(sizes[n + 1 :])) for n in range(len(sizes))]
        dice = self.last.lattice
        scored = number_outcomes(rules, boxes_of(rules), dice.counts_P_F[dice.first_roll :])
        mask_N = sum(
            _spread(part.model.mask_C[part.class_N], rules.column_boxes[n])[self.part_N[n]]
            for n, part in enumerate(self.parts)
        )
        mask_C = _spread(self.last.mask_C[np.arange(self.last.n_classes)], rules.column_boxes[-1])
        mask_G, group_N = np.unique(np.asarray(mask_N), return_inverse=True)
        self.board = Board(
            option_T_R_K=np.ascontiguousarray(scored.option_T_V_K[:, : len(dice.rolls)]),
            starts_K=np.append(scored.outcome_starts_K[:, 0], len(scored.points_O)).astype(
                np.int64
            ),
            before_K=np.array([0 if b is None else 1 << b for b in rules.before]),
            points_O=scored.points_O.astype(np.float64),
            shift_O=self._shifts(scored),
            mask_C=mask_C,
            mask_G=mask_G,
            nodes=np.argsort(group_N, kind="stable"),
            starts_G=np.searchsorted(np.sort(group_N), np.arange(len(mask_G) + 1)),
            after_N_O=self._nodes_after(scored),
            after_C_O=self._classes_after(scored),
        )
        self._lay_rows(np.bitwise_count(np.asarray(mask_N)).astype(np.int64))

    def _lay_rows(self, filled_N: Integers) -> None:
        n, starts = len(self.rules.categories), self.last.layer_starts
        stride = -(-(self.last.lanes + WIDTH) // WIDTH) * WIDTH
        boxes = len(starts) - 2
        self.offset_F_N = np.empty((n + 1, len(filled_N)), dtype=np.int64)
        self.shapes: list[Shape] = []
        for turns in range(n + 1):
            there_N = np.clip(turns - filled_N, 0, boxes)
            size_N = np.where(there_N == turns - filled_N, np.diff(starts)[there_N], 0)
            ends = np.cumsum(size_N)
            self.offset_F_N[turns] = ends - size_N - starts[there_N]
            self.shapes.append((int(ends[-1]), 1, stride))

    def _shifts(self, scored: Outcomes) -> Integers:
        """Return how many lanes of the last column each outcome moves."""
        own = np.isin(scored.category_O, self.rules.column_boxes[-1])
        upper = [category.section == "upper" for category in self.rules.categories]
        moves = own & np.append(upper, False)[scored.category_O]
        return np.where(moves, np.minimum(scored.points_O, self.last.lanes - 1), 0)

    def _nodes_after(self, scored: Outcomes) -> NDArray[np.int32]:
        number_N = np.arange(self.part_N.shape[1])
        after_N_O = np.full((len(number_N), len(scored.points_O)), -1, dtype=np.int32)
        for n, (part, step) in enumerate(zip(self.parts, self.steps, strict=True)):
            for place, k in enumerate(self.rules.column_boxes[n]):
                for o in np.flatnonzero(scored.category_O == k).tolist():
                    moved = part.after(place, int(scored.points_O[o]))[self.part_N[n]]
                    after = number_N + (moved - self.part_N[n]) * step
                    after_N_O[:, o] = np.where(moved >= 0, after, -1)
        return after_N_O

    def _classes_after(self, scored: Outcomes) -> NDArray[np.int32]:
        model, every = self.last, np.arange(self.last.n_classes)
        after_C_O = np.full((len(every), len(scored.points_O)), -1, dtype=np.int32)
        open_C_K = model.open_boxes(every)
        for place, k in enumerate(self.rules.column_boxes[-1]):
            open_C = np.flatnonzero(open_C_K[:, place])
            after = model.class_S[model.code_C[open_C] + model.stride_K[place]]
            after_C_O[np.ix_(open_C, scored.category_O == k)] = np.asarray(after)[:, None]
        return after_C_O

    @property
    def full_cards(self) -> NDArray[np.float64]:
        """The bonuses of all columns of full cards, of the shape of the last layer."""
        bonus_N = sum(
            part.model.bonus_L[part.lane_N][self.part_N[n]] for n, part in enumerate(self.parts)
        )
        full_N = np.asarray(bonus_N)[self._nodes_with(len(self.rules.categories))]
        stride = self.shapes[-1][-1]
        last_L = np.pad(self.last.bonus_L, (0, stride - self.last.lanes), "edge")
        return (full_N[:, None, None] + last_L).astype(np.float64)

    def _nodes_with(self, turns: int) -> Integers:
        """Return the nodes that have cards after so many turns."""
        rows = np.diff(self.offset_F_N[turns], append=0)
        del rows
        filled_N = np.bitwise_count(self.board.mask_G)
        boxes = len(self.last.layer_starts) - 2
        group = np.flatnonzero((turns - filled_N >= 0) & (turns - filled_N <= boxes))
        return np.sort(np.concatenate([self._nodes_of(g) for g in group.tolist()]))

    def _nodes_of(self, group: int) -> Integers:
        first, last = self.board.starts_G[group : group + 2]
        return self.board.nodes[first:last]

    def tasks(self, turns: int) -> Integers:
        """Return the groups of nodes and classes of a layer, shape (tasks, 2)."""
        starts = self.last.layer_starts
        found = [np.empty((0, 2), dtype=np.int64)]
        for group, filled in enumerate(np.bitwise_count(self.board.mask_G).tolist()):
            if 0 <= turns - filled < len(starts) - 1:
                classes = np.arange(starts[turns - filled], starts[turns - filled + 1])
                found.append(np.stack([np.full_like(classes, group), classes], axis=1))
        return np.concatenate(found)


def _spread(mask: NDArray[np.int64], boxes: tuple[int, ...]) -> Integers:
    """Return masks of the boxes of a column as masks of all boxes."""
    return np.asarray((mask[:, None] >> np.arange(len(boxes)) & 1) @ (1 << np.array(boxes)))


def solve_columns(
    rules: Rules,
    *,
    files: LayerFiles | None = None,
    on_disk: bool = False,
    threads: int | None = None,
    progress: Progress | None = None,
) -> tuple[Columns, Keeping]:
    """Return a game of several columns, and the expected score still to come from its cards.

    Parameters
    ----------
    rules : Rules
        Of several columns.
    files : LayerFiles, optional
        Where finished layers go, so that an interrupted run goes on; nowhere unless told.
    on_disk : bool
        Keep all layers there; else the last two.
    threads : int, optional
        As many as the process may use unless told. The result does not depend on it.
    progress : callable, optional
        Called with the done share of the work, from 0 to 1, now and then.

    Raises
    ------
    TooLargeError
        When memory or disk would not do.
    """
    columns = Columns(rules)
    largest = max(map(sum, pairwise(map(bytes_of, columns.shapes))))
    if largest > MAX_BYTES:
        raise TooLargeError(
            f"{rules.name}: two layers of cards take {largest / 2**30:.1f} GiB: expected at most "
            f"{MAX_BYTES >> 30}"
        )
    sweep = Sweep(columns.last, EXPECTED, threads)
    rows_F = [shape[0] for shape in columns.shapes]

    def compute(turns: int) -> None:
        values, after = keeping.room(turns), keeping.whole(turns + 1)
        # Tasks of few and of many cards in turn, so that parts of them are alike.
        tasks = columns.tasks(turns)
        tasks = tasks[np.random.default_rng(turns).permutation(len(tasks))]
        sweep.each_part(
            0,
            len(tasks),
            backward_columns,
            rules.rolls - 1,
            sweep.arrays,
            sweep.streams,
            columns.board,
            ColumnsLayer(
                tasks,
                columns.offset_F_N[turns],
                columns.offset_F_N[turns + 1],
                values.reshape(-1, values.shape[-1]),
                after.reshape(-1, after.shape[-1]),
            ),
            scratch=lambda arrays, streams: ColumnsScratch.of(columns.board, streams),
            done=within(
                progress, sum(rows_F[turns + 1 :]) / sum(rows_F), sum(rows_F[turns:]) / sum(rows_F)
            ),
        )
        keeping.put(turns, values)

    keeping: Keeping = LastTwo(columns.shapes)
    if files is not None:
        keeping = (AllInFiles if on_disk else Resumable)(columns.shapes, files)
    keeping.fill(columns.full_cards, compute)
    return columns, keeping
