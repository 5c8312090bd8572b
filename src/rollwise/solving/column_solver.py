r"""Dynamic programming for games with several columns that are too large for one table.

A scorecard consists of columns. The points to come in column :math:`i` depend only on its filled
categories and on its upper-section total. The total is clipped to the range in which the bonus
still depends on it. All states of a column with the same filled categories and the same clipped
total form one *node*. Let :math:`n_i` be the node of column :math:`i`, and let :math:`P(r)` be the
probability of the roll :math:`r`. Scoring gives the points :math:`p` and changes one node to
:math:`n_i'`. Without rerolls, the Bellman equation is

.. math::
    V(n_1, …, n_m) = \sum_r P(r) \, \max \left( p + V(n_1, …, n_i', …, n_m) \right)

Rerolls work as in :mod:`rollwise.solving.backward_induction`. No list of states is needed: the
number of a state is computed from the nodes of its columns. In Yamb with the columns down, up, and
free, 471 × 284 × 43,680 reachable scorecards become 143 × 103 × 34,576 states.

:class:`Nodes` numbers the states of one column. :class:`Columns` numbers the states of all columns
together.
"""

from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rollwise.errors import TooLargeError
from rollwise.model.arrays import Model, build
from rollwise.model.classes import NO_CLASS, each_column
from rollwise.model.outcomes import Outcomes, number_outcomes, special_categories
from rollwise.model.size import reachable
from rollwise.rules import Rules
from rollwise.solving.kernels.columns import (
    ColumnsGame,
    ColumnsLayer,
    backward_columns,
)
from rollwise.solving.kernels.vector import WIDTH
from rollwise.solving.kernels.work import Work
from rollwise.solving.layers import Sweep
from rollwise.solving.objectives import EXPECTED
from rollwise.solving.progress import Progress, within_layer
from rollwise.solving.storage.layers import (
    ALWAYS_READ,
    Shape,
    Values,
    check_memory,
    fill_layers,
    open_layers,
)
from rollwise.solving.values import Table

Integers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Nodes:
    """The N nodes of one column; node 0 is the empty column."""

    # The game with only this column.
    model: Model
    # The class and the lane of each node.
    class_N: Integers
    lane_N: Integers
    # The node of each class and clipped lane; -1 if no node has this class and lane.
    number_C_L: Integers

    @classmethod
    def of(cls, model: Model) -> "Nodes":
        """Return the nodes of a column."""
        every = np.arange(model.n_classes)
        first_C, last_C = model.first_lane_C[every], model.last_lane_C[every]
        class_X, lane_X = np.nonzero(reachable(model))
        settled_X = np.clip(lane_X, first_C[class_X], last_C[class_X])
        codes = np.unique(class_X * model.lanes + settled_X)
        class_N, lane_N = np.divmod(codes, model.lanes)
        number_C_L = np.full((model.n_classes, model.lanes), -1)
        number_C_L[class_N, lane_N] = np.arange(len(codes))
        return cls(model, class_N, lane_N, number_C_L)

    def after(self, k: int, points: int) -> Integers:
        """Return the successor of each node after scoring ``points`` in category ``k``.

        The successor is -1 if the category is filled.
        """
        model = self.model
        open_N = model.open_boxes(self.class_N)[:, k]
        code_N = model.code_C[self.class_N[open_N]] + model.stride_K[k]
        class_N = np.asarray(model.class_S[code_N], dtype=np.int64)
        assert (class_N != NO_CLASS).all()
        upper = model.rules.categories[k].section == "upper"
        first_N, last_N = model.first_lane_C[class_N], model.last_lane_C[class_N]
        lane_N = np.clip(self.lane_N[open_N] + points * upper, first_N, last_N)
        number_N = np.full(len(self.class_N), -1)
        number_N[open_N] = self.number_C_L[class_N, lane_N]
        return number_N


MAX_NODES = 1 << 20
"""The maximum number of combinations of nodes of all columns but the last."""


class Columns:
    """The states of a game with several columns: all combinations of the states of its columns.

    ``parts`` are the nodes of each column but the last, and ``last`` is the game with only the last
    column. ``board`` has the kernel arrays of the game with all columns. The row of a state in
    layer F is the offset of its combination of nodes, ``offset_F_N``, plus the class of its last
    column. More than ``MAX_NODES`` combinations of nodes raise a TooLargeError.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        *others, self.last = map(build, each_column(rules))
        self.parts = [Nodes.of(model) for model in others]
        sizes = [len(part.class_N) for part in self.parts]
        if prod(sizes) > MAX_NODES:
            raise TooLargeError(
                f"{rules.name} is too large: all columns except the last have {prod(sizes):,} "
                f"states together, and the limit is {MAX_NODES:,}; use fewer columns or categories"
            )
        self.part_N = np.indices(sizes).reshape(len(sizes), -1)
        self.steps = [int(np.prod(sizes[n + 1 :])) for n in range(len(sizes))]
        dice = self.last.lattice
        scored = number_outcomes(
            rules, special_categories(rules), dice.counts_P_F[dice.first_roll :]
        )
        mask_N = sum(
            _spread(part.model.mask_C[part.class_N], rules.column_categories[n])[self.part_N[n]]
            for n, part in enumerate(self.parts)
        )
        mask_C = _spread(
            self.last.mask_C[np.arange(self.last.n_classes)], rules.column_categories[-1]
        )
        mask_G, group_N = np.unique(np.asarray(mask_N), return_inverse=True)
        self.board = ColumnsGame(
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
        last_turns = len(starts) - 2
        self.offset_F_N = np.empty((n + 1, len(filled_N)), dtype=np.int64)
        self.shapes: list[Shape] = []
        for turns in range(n + 1):
            turns_N = np.clip(turns - filled_N, 0, last_turns)
            size_N = np.where(turns_N == turns - filled_N, np.diff(starts)[turns_N], 0)
            ends = np.cumsum(size_N)
            self.offset_F_N[turns] = ends - size_N - starts[turns_N]
            self.shapes.append((int(ends[-1]), 1, stride))

    def _shifts(self, scored: Outcomes) -> Integers:
        """Return the lane shift of each outcome, which is 0 outside the last column."""
        own = np.isin(scored.category_O, self.rules.column_categories[-1])
        upper = [category.section == "upper" for category in self.rules.categories]
        moves = own & np.append(upper, False)[scored.category_O]
        return np.where(moves, np.minimum(scored.points_O, self.last.lanes - 1), 0)

    def _nodes_after(self, scored: Outcomes) -> NDArray[np.int32]:
        number_N = np.arange(self.part_N.shape[1])
        after_N_O = np.full((len(number_N), len(scored.points_O)), -1, dtype=np.int32)
        for n, (part, step) in enumerate(zip(self.parts, self.steps, strict=True)):
            for place, k in enumerate(self.rules.column_categories[n]):
                for o in np.flatnonzero(scored.category_O == k).tolist():
                    moved = part.after(place, int(scored.points_O[o]))[self.part_N[n]]
                    after = number_N + (moved - self.part_N[n]) * step
                    after_N_O[:, o] = np.where(moved >= 0, after, -1)
        return after_N_O

    def _classes_after(self, scored: Outcomes) -> NDArray[np.int32]:
        model, every = self.last, np.arange(self.last.n_classes)
        after_C_O = np.full((len(every), len(scored.points_O)), -1, dtype=np.int32)
        open_C_K = model.open_boxes(every)
        for place, k in enumerate(self.rules.column_categories[-1]):
            open_C = np.flatnonzero(open_C_K[:, place])
            after = model.class_S[model.code_C[open_C] + model.stride_K[place]]
            after_C_O[np.ix_(open_C, scored.category_O == k)] = np.asarray(after)[:, None]
        return after_C_O

    @property
    def full_cards(self) -> NDArray[np.float64]:
        """The upper bonuses of full scorecards, in the shape of the last layer."""
        bonus_N = sum(
            part.model.bonus_L[part.lane_N][self.part_N[n]] for n, part in enumerate(self.parts)
        )
        full_N = np.asarray(bonus_N)[np.sort(self.board.nodes[self.board.starts_G[-2] :])]
        stride = self.shapes[-1][-1]
        last_L = np.pad(self.last.bonus_L, (0, stride - self.last.lanes), "edge")
        return (full_N[:, None, None] + last_L).astype(np.float64)

    def places(self, mask_X: Integers, upper_X: Integers) -> tuple[Integers, Integers, Integers]:
        """Return the nodes of scorecards, and the classes and lanes of their last columns.

        A node or a class is negative if the scorecard is unreachable. The scorecards are masks of
        filled categories and numbers that encode the upper-section totals of all columns.
        """
        totals, columns = self.rules.upper_totals(upper_X), self.rules.column_categories
        node_X = np.zeros_like(mask_X)
        for part, step, own, total_X in zip(self.parts, self.steps, columns, totals, strict=False):
            model, class_X = part.model, _class_of(part.model, own, mask_X)
            lane_X = np.clip(total_X, model.first_lane_C[class_X], model.last_lane_C[class_X])
            part_X = np.where(class_X >= 0, part.number_C_L[class_X, lane_X], -1)
            node_X = np.where((node_X >= 0) & (part_X >= 0), node_X + part_X * step, -1)
        class_X = _class_of(self.last, columns[-1], mask_X)
        return node_X, class_X, np.minimum(totals[-1], self.last.lanes - 1)

    def tasks(self, turns: int) -> Integers:
        """Return every pair of a node group and a class in layer ``turns``, shape (tasks, 2)."""
        starts = self.last.layer_starts
        tasks = [np.empty((0, 2), dtype=np.int64)]
        for group, filled in enumerate(np.bitwise_count(self.board.mask_G).tolist()):
            if 0 <= turns - filled < len(starts) - 1:
                classes = np.arange(starts[turns - filled], starts[turns - filled + 1])
                tasks.append(np.stack([np.full_like(classes, group), classes], axis=1))
        return np.concatenate(tasks)


def _class_of(model: Model, categories: tuple[int, ...], mask_X: Integers) -> Integers:
    """Return the classes of the column with these categories, given masks of all columns."""
    code_X = (mask_X[:, None] >> np.array(categories) & 1) @ model.stride_K
    return np.asarray(model.class_S[code_X], dtype=np.int64)


def _spread(mask: NDArray[np.int64], categories: tuple[int, ...]) -> Integers:
    """Convert masks over the given categories of a column to masks over all categories."""
    return np.asarray(
        (mask[:, None] >> np.arange(len(categories)) & 1) @ (1 << np.array(categories))
    )


@dataclass(frozen=True, eq=False, kw_only=True)
class ColumnTable(Table):
    """The values of a game with several columns, indexed by class and lane of all columns together.

    The location of each value is computed from ``columns``, so no list of the states is needed.
    """

    columns: Columns

    def _in_layers(self, c: NDArray[Any], lane: NDArray[Any]) -> Values:
        result = np.full(c.shape, np.nan)
        here = np.asarray(c >= 0)
        mask_X = np.asarray(self.model.mask_C[c[here]])
        node_X, class_X, lane_X = self.columns.places(mask_X, lane[here])
        turns_X = np.where((node_X >= 0) & (class_X >= 0), np.bitwise_count(mask_X), -1)
        value_X = np.full(len(mask_X), np.nan)
        for turns in np.unique(turns_X[turns_X >= 0]).tolist():
            if (values := self.layers[turns]) is not None:
                in_layer = turns_X == turns
                row = self.columns.offset_F_N[turns][node_X[in_layer]] + class_X[in_layer]
                value_X[in_layer] = values[row, 0, lane_X[in_layer]]
        result[here] = value_X
        return result


def stored_columns(model: Model, folder: Path, needed: slice) -> ColumnTable | None:
    """Return the saved layers of a game, or None if a layer in ``needed`` is missing."""
    columns = Columns(model.rules)
    layers = [*open_layers(folder, columns.shapes[:-1]), columns.full_cards]
    if any(values is None for values in layers[needed]):
        return None
    return ColumnTable(model, layers, columns=columns)


class ColumnSweep(Sweep):
    """The last column as arrays for the kernel, with scratch arrays for all columns."""

    def __init__(self, columns: Columns, threads: int | None) -> None:
        super().__init__(columns.last, EXPECTED, threads)
        self._board, self._rerolls = columns.board, columns.rules.rolls - 1

    def work(self) -> Work:
        """Return the scratch arrays of a thread."""
        tables, _, categories = self._board.option_T_R_K.shape
        outcomes = len(self._board.points_O)
        return Work.of(self.game.lattice_index, categories, outcomes, tables, self._rerolls)


def solve_columns(
    model: Model,
    folder: Path | None = None,
    on_disk: bool = False,
    threads: int | None = None,
    progress: Progress | None = None,
) -> ColumnTable:
    """Return the expected points to come in every state of a game with several columns.

    ``folder`` is where finished layers are saved, so that an interrupted run can resume; by
    default, they are not saved. With ``on_disk``, all layers are saved; by default, only the first
    two and the last finished one.
    """
    rules, columns = model.rules, Columns(model.rules)
    check_memory(rules.name, columns.shapes)
    sweep = ColumnSweep(columns, threads)
    mixed = np.random.default_rng(1)
    work = [shape[0] for shape in columns.shapes]

    def step(turns: int, values: Values, after: Values) -> None:
        tasks = mixed.permutation(columns.tasks(turns))  # so that all parts have similar work
        sweep.run(
            backward_columns,
            0,
            len(tasks),
            rules.rolls - 1,
            columns.board,
            ColumnsLayer(
                tasks,
                columns.offset_F_N[turns],
                columns.offset_F_N[turns + 1],
                values.reshape(-1, values.shape[-1]),
                after.reshape(-1, after.shape[-1]),
            ),
            done=within_layer(progress, work, turns),
        )

    layers = fill_layers(
        columns.shapes,
        columns.full_cards,
        step,
        staying=len(columns.shapes) if on_disk else ALWAYS_READ,
        folder=folder,
        must_save=on_disk and folder is not None,
    )
    return ColumnTable(model, layers, columns=columns)
