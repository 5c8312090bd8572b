"""Kernel arguments, layers, and threads for passes over all states of a game."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rollwise.model.arrays import Model
from rollwise.model.size import check_table
from rollwise.solving.jobs import usable_cores
from rollwise.solving.kernels.lattice_index import BEST, MEAN, WORST, index_lattice
from rollwise.solving.kernels.legal_outcomes import Arrays, Game
from rollwise.solving.kernels.vector import aligned
from rollwise.solving.kernels.work import Work
from rollwise.solving.objectives import EXPECTED, CardObjective
from rollwise.solving.progress import Progress
from rollwise.solving.values import stride_of

CHUNKS_PER_THREAD = 8
"""The number of chunks of a layer per thread; several chunks balance unequal work."""


class Memory:
    """A buffer that is reused for one layer after another.

    The first access to new memory can take as long as the computation. Memory that is reserved but
    never accessed takes no time.
    """

    def __init__(self) -> None:
        self._array = np.empty(0)

    def take(self, size: int) -> NDArray[np.float64]:
        """Return an uninitialized array, which reuses the memory of the previous array."""
        if size > len(self._array):
            self._array = aligned(8 * size)
        return self._array[:size]


class CompiledGame:
    """A game as arrays for the kernels, and threads that run the kernels.

    Results do not depend on the number of threads. ``objective`` defines the values of outcomes,
    which only kernels with values by class and lane read. ``stride`` is the length of a row of
    these values. ``kind`` is the type of the values within a turn. ``layers`` has the first class
    of each layer and one past its last class, from the empty scorecard to full scorecards.
    """

    def __init__(
        self,
        model: Model,
        objective: CardObjective = EXPECTED,
        threads: int | None = None,
        kind: type[np.floating[Any]] = np.float64,
    ) -> None:
        self.model = model
        self._kind = kind
        self.threads = threads or usable_cores()
        self._pool = ThreadPoolExecutor(self.threads)  # its threads end with this object
        self.stride = stride_of(model.lanes)
        check_table(model.rules, self.stride * model.n_classes)
        chance = {"mean": MEAN, "worst": WORST, "best": BEST}[objective.chance]
        points = model.total_points_O.astype(np.float64)
        self.game = Game(
            Arrays.of(model, objective.gain(points), objective.points(points)),
            *index_lattice(model.lattice, chance),
        )
        self._works: list[Work] = []
        self.layers = [(int(first), int(last)) for first, last in pairwise(model.layer_starts)]

    def rows(self, full_card: NDArray[Any]) -> NDArray[np.float64]:
        """Return an array of shape (C, stride) with values only in the rows of full scorecards.

        ``full_card`` is the value of a full scorecard in each lane, shape (L,).
        """
        rows = np.empty((self.model.n_classes, self.stride))
        first, last = self.layers[-1]
        rows[first:last] = self._extended(full_card)
        return rows

    def padded(self, values_C_L: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return values as padded rows that the kernels can read, shape (C, stride)."""
        rows = np.empty((self.model.n_classes, self.stride))
        rows[:, : self.model.lanes] = values_C_L
        rows[:, self.model.lanes :] = values_C_L[:, -1:]
        return rows

    def _extended(self, values_L: NDArray[Any]) -> NDArray[Any]:
        return np.append(values_L, np.full(self.stride - len(values_L), values_L[-1]))

    def work(self) -> Work:
        """Return the scratch arrays of a thread."""
        arrays = self.game.arrays
        tables, _, categories = arrays.option_T_V_K.shape
        rerolls = max(int(arrays.class_C.rerolls.max()), 1)
        outcomes = len(arrays.outcome_O)
        return Work.of(self.game.lattice_index, categories, outcomes, tables, rerolls, self._kind)

    def run(
        self,
        kernel: Callable[..., None],
        first: int,
        last: int,
        *rest: Any,
        done: Progress | None = None,
    ) -> None:
        """Run a kernel on the items ``first .. last - 1``, in parts that are shared among threads.

        The kernel is called as ``kernel(start, stop, work, game, *rest)`` for the items
        ``start .. stop - 1``. ``done`` gets the fraction of finished parts.
        """

        def part(start: int, stop: int) -> None:
            work = self._works.pop() if self._works else self.work()
            kernel(start, stop, work, self.game, *rest)
            self._works.append(work)

        parts = min(last - first, CHUNKS_PER_THREAD * self.threads) or 1
        cuts = [first + (last - first) * part // parts for part in range(parts + 1)]
        jobs = [self._pool.submit(part, *span) for span in pairwise(cuts)]
        try:
            for number, job in enumerate(jobs, start=1):
                job.result()
                if done:
                    done(number / parts)
        finally:
            for job in jobs:  # interrupted: do not start the remaining parts
                job.cancel()
