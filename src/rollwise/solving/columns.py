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

from dataclasses import dataclass, replace
from itertools import pairwise
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rollwise.errors import TooLargeError
from rollwise.model.arrays import Model, build
from rollwise.model.classes import NO_CLASS, each_column
from rollwise.model.size import reachable
from rollwise.rules import Rules
from rollwise.solving.kernels.backward import OtherColumns
from rollwise.solving.storage.layers import Values, open_layers
from rollwise.solving.values import Layers, Table, stride_of

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
        open_N = model.open_categories(self.class_N)[:, k]
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
"""The maximum number of joint nodes."""


def nodes_of_others(rules: Rules) -> list[Nodes]:
    """Return the nodes of each column but the last; TooLargeError if there are too many."""
    others = [Nodes.of(build(column)) for column in each_column(rules)[:-1]]
    number = prod(len(nodes.class_N) for nodes in others)
    if number > MAX_NODES:
        raise TooLargeError(
            f"{rules.name} is too large: all columns except the last have {number:,} states "
            f"together, and the limit is {MAX_NODES:,}; use fewer columns or categories"
        )
    return others


def rows_by_layer(rules: Rules) -> list[int]:
    """Return the number of rows in each layer, without a list of the states."""
    rows_F = np.diff(build(each_column(rules)[-1]).layer_starts)
    for nodes in nodes_of_others(rules):
        filled_N = np.bitwise_count(nodes.model.mask_C[nodes.class_N])
        rows_F = np.convolve(rows_F, np.bincount(filled_N))
    return [int(rows) for rows in rows_F]


class Columns:
    """The states of a game with several columns: all combinations of the states of its columns.

    A class of the ``model`` is a set of filled categories in all columns, and a lane is the
    upper-section total of the last column. A *joint node* is one node of each other column; there
    can be ``MAX_NODES``. ``others`` has the joint nodes of each class. The row of a state in its
    layer is ``row_C[c]`` plus the number of its joint node.
    """

    def __init__(self, joint: Model) -> None:
        self.rules = rules = joint.rules
        self._parts, self._last = nodes_of_others(rules), build(each_column(rules)[-1])
        sizes = [len(part.class_N) for part in self._parts]
        self._strides = [prod(sizes[n + 1 :]) for n in range(len(sizes))]
        part_N = np.indices(sizes).reshape(len(sizes), -1)
        mask_N = np.zeros(prod(sizes), dtype=np.int64)
        for part, own, number_N in zip(self._parts, rules.column_categories, part_N, strict=False):
            mask_N |= _spread(part.model.mask_C[part.class_N], own)[number_N]
        # Joint nodes with the same filled categories get consecutive numbers.
        order = np.argsort(mask_N, kind="stable")
        self._part_N, self._product_N, self._number_N = part_N[:, order], order, np.argsort(order)
        self.model = self._by_last_lane(joint)
        others_C = joint.mask_C & ~_spread(self._last.mask_C[-1:], rules.column_categories[-1])
        self.others = OtherColumns(
            first_C=np.searchsorted(mask_N[order], others_C),
            end_C=np.searchsorted(mask_N[order], others_C, side="right"),
            after_N_O=self._nodes_after(joint),
        )
        self.row_C, self.layers = self._lay_rows()

    def _by_last_lane(self, joint: Model) -> Model:
        """Return the model of the game whose lanes are the lanes of the last column."""
        rules, last = self.rules, self._last
        own_C = _class_of(last, rules.column_categories[-1], np.asarray(joint.mask_C))
        upper = [category.section == "upper" for category in rules.categories]
        own_K = np.isin(np.arange(len(upper)), rules.column_categories[-1])
        moves_O = np.append(own_K & upper, False)[joint.category_O]
        return replace(
            joint,
            lanes=last.lanes,
            bonus_L=last.bonus_L,
            shift_O=np.where(moves_O, np.minimum(joint.points_O, last.lanes - 1), 0),
            first_lane_C=last.first_lane_C[own_C],
            last_lane_C=last.last_lane_C[own_C],
            rows_C=last.rows_C[own_C],
        )

    def _lay_rows(self) -> tuple[Integers, Layers]:
        """Return the row of each class minus its first joint node, and the sizes of layers."""
        first_C, end_C, _ = self.others
        row_C, rows_F = -first_C, list[int]()
        for first, last in pairwise(self.model.layer_starts):
            ends = np.cumsum(end_C[first:last] - first_C[first:last])
            row_C[first + 1 : last] += ends[:-1]
            rows_F.append(int(ends[-1]))
        return row_C, Layers(rows_F, [range(1)] * len(rows_F), self.model.lanes)

    def _nodes_after(self, joint: Model) -> NDArray[np.int32]:
        """Return the joint node that each outcome leads to; -1 if its category is filled."""
        part_N, categories = self._part_N, self.rules.column_categories
        every_N = np.arange(part_N.shape[1])
        after_N_O = np.repeat(every_N[:, None], len(joint.points_O), axis=1).astype(np.int32)
        for n, (part, stride) in enumerate(zip(self._parts, self._strides, strict=True)):
            for place, k in enumerate(categories[n]):
                for o in np.flatnonzero(joint.category_O == k).tolist():
                    moved = part.after(place, int(joint.points_O[o]))[part_N[n]]
                    number = self._product_N + (moved - part_N[n]) * stride
                    after_N_O[:, o] = np.where(moved >= 0, self._number_N[number], -1)
        return after_N_O

    @property
    def full_cards(self) -> NDArray[np.float64]:
        """The upper bonuses of full scorecards, in the shape of the last layer."""
        full = slice(self.others.first_C[-1], self.others.end_C[-1])
        bonus_N = sum(
            part.model.bonus_L[part.lane_N][number_N]
            for part, number_N in zip(self._parts, self._part_N[:, full], strict=True)
        )
        padding = stride_of(self.model.lanes) - self.model.lanes
        last_L = np.pad(self.model.bonus_L, (0, padding), "edge")
        return (np.asarray(bonus_N)[:, None, None] + last_L).astype(np.float64)

    def places(self, mask_X: Integers, upper_X: Integers) -> tuple[Integers, Integers]:
        """Return the joint nodes of scorecards, and the lanes of their last columns.

        A joint node is -1 if the scorecard is unreachable. The scorecards are masks of filled
        categories and numbers that encode the upper-section totals of all columns.
        """
        totals, columns = self.rules.upper_totals(upper_X), self.rules.column_categories
        node_X, reached_X = np.zeros_like(mask_X), np.ones(len(mask_X), dtype=np.bool_)
        for part, stride, own, total_X in zip(
            self._parts, self._strides, columns, totals, strict=False
        ):
            model, class_X = part.model, _class_of(part.model, own, mask_X)
            lane_X = np.clip(total_X, model.first_lane_C[class_X], model.last_lane_C[class_X])
            part_X = np.where(class_X >= 0, part.number_C_L[class_X, lane_X], -1)
            node_X += part_X * stride
            reached_X &= part_X >= 0
        lane_X = np.minimum(totals[-1], self.model.lanes - 1)
        return np.where(reached_X, self._number_N[node_X], -1), lane_X


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
        reached = np.flatnonzero(c >= 0)
        class_X = c.flat[reached]
        mask_X = np.asarray(self.model.mask_C[class_X])
        node_X, lane_X = self.columns.places(mask_X, lane.flat[reached])
        turns_X = np.where(node_X >= 0, np.bitwise_count(mask_X), -1)
        for turns in np.unique(turns_X[turns_X >= 0]).tolist():
            if (values := self.layers[turns]) is not None:
                here = turns_X == turns
                row = self.columns.row_C[class_X[here]] + node_X[here]
                result.flat[reached[here]] = values[row, 0, lane_X[here]]
        return result


def stored_columns(model: Model, folder: Path, needed: slice) -> ColumnTable | None:
    """Return the saved layers of a game, or None if a layer in ``needed`` is missing."""
    columns = Columns(model)
    layers = [*open_layers(folder, columns.layers.shapes[:-1]), columns.full_cards]
    if any(values is None for values in layers[needed]):
        return None
    return ColumnTable(model, layers, columns=columns)
