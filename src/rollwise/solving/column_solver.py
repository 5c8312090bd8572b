r"""The value of a game of several columns too large for one table: its cards are products.

A card is a card of each column. Of a column :math:`i` it matters which boxes are filled and what
the upper total is, as far as its bonus can still depend on it: its *nodes*,

.. math::
    V(n_1, …, n_m) = \sum_r P(r) \, \max \left( p + V(n_1, …, n_i', …, n_m) \right)

with the turn in between as in :mod:`rollwise.solving.bellman`. No card is listed: the number of one
is made of those of its nodes. Yamb down, up and free: of 471 × 284 × 43,680 cards that occur
143 × 103 × 34,576 have to be computed.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rollwise.model.classes import MAX_JOINT, joint_size
from rollwise.rules import Rules
from rollwise.solving.cache_names import layers_of
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
from rollwise.solving.storage.stored_layer import StoredLayer
from rollwise.solving.storage.stores import LocalStore


@dataclass(frozen=True, eq=False)
class ColumnsValues:
    """The expected score still to come from cards of several columns.

    Attributes
    ----------
    columns : Columns
    layers : list
        As :class:`rollwise.solving.storage.keeping.Keeping` has them.
    from_disk : bool
        Whether all that was asked for was there, and nothing was solved.
    """

    columns: Columns
    layers: Sequence[Values | StoredLayer | None]
    from_disk: bool

    @property
    def states(self) -> int:
        """How many cards some game reaches."""
        return self.columns.states

    def value(self) -> float:
        """Return the value from the start."""
        return float(np.asarray(self.layers[0])[0, 0, 0])


def solve_large(
    rules: Rules, *, cache: bool, on_disk: bool, progress: Progress | None
) -> ColumnsValues | None:
    """Return the values of a game of several columns that has too many cards for one table.

    None of other games. With ``cache`` an interrupted run goes on, else as :func:`solve_columns`.
    """
    if not rules.columns or joint_size(rules) <= MAX_JOINT:
        return None
    folder = layers_of(rules, EXPECTED)
    files = LayerFiles(LocalStore(folder.parent), folder.name) if cache else None
    return solve_columns(rules, files=files, on_disk=on_disk, progress=progress)


def solve_columns(
    rules: Rules,
    *,
    files: LayerFiles | None = None,
    on_disk: bool = False,
    threads: int | None = None,
    progress: Progress | None = None,
) -> ColumnsValues:
    """Return the expected score still to come from the cards of a game of several columns.

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
    return ColumnsValues(columns, keeping.layers, from_disk)
