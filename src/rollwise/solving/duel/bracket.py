r"""An interval that holds the value of a game of two of any size.

A player who looks at his own card alone may be given an opponent who knows beforehand what he will
end with: no real one does better. With P*(T) the best probability of at least T points, such an
opponent gets no more than (P*(s) + P*(s + 1)) / 2 out of a final score of s, ties half. So

.. math:: \underline W = \max E \, \bigl(1 - \tfrac12 P^*(S) - \tfrac12 P^*(S + 1)\bigr)

over all plays of one card is a chance that either player can be sure of, and the value to who moves
first lies between it and one less it.
"""

import numpy as np
from numpy.typing import NDArray

from rollwise.solving.objectives import ScoreObjective
from rollwise.solving.solver import Solver


def bracket(solver: Solver) -> tuple[float, float]:
    """Return between what the chance of who moves first lies when both play best, ties half.

    Exact up to rounding, less than 1e-12; nothing is simulated.

    Raises
    ------
    TooLargeError
        When the game has too many states for objectives of the final score.
    """
    reach_T = np.concatenate([[1.0], solver.targets(), [0.0]])

    def utility(scores: NDArray[np.int64]) -> NDArray[np.float64]:
        return np.asarray(1 - (reach_T[scores] + reach_T[scores + 1]) / 2)

    sure = ScoreObjective(
        "sure-chance", "chance against one who knows the score", "probability", utility=utility
    )
    low = solver.solve(sure).value()
    return low, 1 - low
