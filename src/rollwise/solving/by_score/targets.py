"""The best probability of reaching every score, in one sweep.

To reach T from s points is to reach 0 from s - T: one sweep that starts from all of -1, -2, … has
the answers for all targets, also for every card on the way. What is kept is one array, not the
hundreds of megabytes that it is read off.
"""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from rollwise.solving.by_score.start import Start
from rollwise.solving.objectives import target
from rollwise.solving.progress import Progress

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
