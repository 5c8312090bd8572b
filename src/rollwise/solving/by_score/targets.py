"""The best probability of reaching every score, in one sweep.

To reach T from s points is to reach 0 from s - T: one sweep that starts from all of -1, -2, … has
the answers for all targets, also for every card on the way. What is kept is one array, not the
hundreds of megabytes that it is read off.
"""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from rollwise.rules import Rules
from rollwise.solving.by_score.start import Start
from rollwise.solving.cache import found_or_made
from rollwise.solving.cache_names import path_named
from rollwise.solving.objectives import target
from rollwise.solving.progress import Progress
from rollwise.solving.table_file import read_table, write_table

if TYPE_CHECKING:  # it takes the compiler
    from rollwise.solving.by_score.solver import ScoreSolver


def best_targets(solver: "ScoreSolver", progress: Progress | None = None) -> NDArray[np.float64]:
    """Return the best probability of a final score of at least T, for T = 1, 2, … the highest one.

    See :meth:`rollwise.solving.solver.Solver.targets`.
    """
    if solver.highest == 0:
        return np.empty(0)
    every_score = Start(low=-solver.highest, high=0)
    solution = solver.solve(target(0), every_score, start_only=True, progress=progress)
    return solution.values_at_start()[::-1]


def kept_targets(rules: Rules, make: Callable[[], NDArray[np.float64]]) -> NDArray[np.float64]:
    """Return what was kept of :func:`best_targets` for a game; else make it, and keep it."""
    return found_or_made(path_named(rules, "targets"), "targets", _read, make, _write)


def _read(path: Path) -> NDArray[np.float64]:
    _, arrays = read_table(path)
    return arrays["best"]


def _write(path: Path, best: NDArray[np.float64]) -> None:
    write_table(path, {}, {"best": np.ascontiguousarray(best)})
