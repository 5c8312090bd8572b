"""The best probability of reaching every score, in one sweep.

To reach T from s points is to reach 0 from s - T: one sweep that starts from all of -1, -2, … has
the answers for all targets, also for every card on the way.
"""

import numpy as np
from numpy.typing import NDArray

from rollwise.rules import Rules
from rollwise.solving.by_score.solver import solve_by_score
from rollwise.solving.by_score.windows import Start
from rollwise.solving.cards import solve_cards
from rollwise.solving.objectives import BEST_CASE, target
from rollwise.solving.progress import Progress


def best_targets(
    rules: Rules,
    *,
    cache: bool = True,
    threads: int | None = None,
    progress: Progress | None = None,
) -> NDArray[np.float64]:
    """Return the best probability of a final score of at least T, for T = 1, 2, … the highest one.

    No strategy has them all: each entry belongs to another one.

    Returns
    -------
    float64 array
        Never increasing; its sum is an upper bound of the expected score of any strategy.

    Raises
    ------
    TooLargeError
        When a table would not fit.
    """
    highest = int(solve_cards(rules, BEST_CASE, cache=cache, threads=threads).value())
    if highest == 0:
        return np.empty(0)
    solution = solve_by_score(
        rules, target(0), Start(low=-highest, high=0), keep=False, cache=cache, threads=threads,
        progress=progress,
    )  # fmt: skip
    return solution.values_at_start()[::-1]
