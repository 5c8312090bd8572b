r"""The value of a game of several columns too large for one table: its cards are products.

A card is a card of each column. Of a column :math:`i` it matters which boxes are filled and what
the upper total is, as far as its bonus can still depend on it: its *nodes*,

.. math::
    V(n_1, …, n_m) = \sum_r P(r) \, \max \left( p + V(n_1, …, n_i', …, n_m) \right)

with the turn in between as in :mod:`rollwise.solving.bellman`. No card is listed: the number of one
is made of those of its nodes. Yamb down, up and free: of 471 × 284 × 43,680 cards that occur
143 × 103 × 34,576 have to be computed.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from rollwise.model.arrays import Model
from rollwise.solving.column_layout import Columns
from rollwise.solving.kernels.columns import ColumnsLayer, ColumnsScratch, backward_columns
from rollwise.solving.layers import Sweep
from rollwise.solving.objectives import EXPECTED
from rollwise.solving.progress import Progress, within
from rollwise.solving.storage.keeping import (
    AllInFiles,
    Keeping,
    LastTwo,
    Resumable,
    check_memory,
)
from rollwise.solving.storage.layer_files import LayerFiles, Values
from rollwise.solving.storage.stored_layer import stored_layers
from rollwise.solving.values import Layers


@dataclass(frozen=True, eq=False)
class ColumnLayers(Layers):
    """Values by class and lane of all columns together, though no such card is listed.

    Attributes
    ----------
    columns : Columns
    """

    columns: Columns

    def __getitem__(self, key: tuple[Any, Any]) -> Values:
        """Return the values of classes on lanes, of the shape that both broadcast to.

        NaN where they are not kept, and where no game has such a card.
        """
        c, lane = np.broadcast_arrays(*key)
        found = np.full(c.shape, np.nan)
        here = np.asarray(c >= 0)
        mask_X = np.asarray(self.model.mask_C[c[here]])
        node_X, class_X, lane_X = self.columns.places(mask_X, lane[here])
        turns_X = np.where((node_X >= 0) & (class_X >= 0), np.bitwise_count(mask_X), -1)
        value_X = np.full(len(mask_X), np.nan)
        for turns in np.unique(turns_X[turns_X >= 0]).tolist():
            if (values := self.arrays[turns]) is not None:
                some = turns_X == turns
                row = self.columns.offset_F_N[turns][node_X[some]] + class_X[some]
                value_X[some] = values[row, np.zeros_like(row), lane_X[some]]
        found[here] = value_X
        return found


def kept_columns(model: Model, files: LayerFiles, needed: slice) -> ColumnLayers | None:
    """Return a game as far as it is in files, if all layers that are needed are."""
    columns = Columns(model.rules)
    layers = [*stored_layers(files, columns.shapes)[:-1], columns.full_cards]
    if any(values is None for values in layers[needed]):
        return None
    return ColumnLayers(model, layers, small=False, from_disk=True, columns=columns)


def solve_columns(
    model: Model,
    files: LayerFiles | None = None,
    on_disk: bool = False,
    threads: int | None = None,
    progress: Progress | None = None,
) -> ColumnLayers:
    """Return the expected score still to come from the cards of a game of several columns.

    Parameters
    ----------
    model : Model
        Of all columns together.
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
    rules, columns = model.rules, Columns(model.rules)
    check_memory(rules.name, columns.shapes)
    sweep = Sweep(columns.last, EXPECTED, threads)
    rows_F = [shape[0] for shape in columns.shapes]
    mixed = np.random.default_rng(1)

    def compute(turns: int) -> None:
        values, after = keeping.room(turns), keeping.whole(turns + 1)
        tasks = mixed.permutation(columns.tasks(turns))  # so that parts of them are alike
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
    from_disk = keeping.fill(columns.full_cards, compute)
    return ColumnLayers(model, keeping.layers, small=False, from_disk=from_disk, columns=columns)
