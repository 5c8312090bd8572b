"""The mean and the second moment of the points to come from every state, with optimal play."""

from dataclasses import replace

import numpy as np

from rollwise.solving.card_solution import CardSolution
from rollwise.solving.kernels.moments import fill_moments
from rollwise.solving.policy import OptimalPolicy
from rollwise.solving.values import Moments


def with_moments(solution: CardSolution, threads: int | None = None) -> CardSolution:
    """Return the solution of a game that fits in one table with the moments of points to come.

    The player follows the policy :class:`rollwise.strategies.Optimal`, including its rule for ties.
    """
    model = solution.model
    policy = OptimalPolicy(solution, threads=threads)
    bonus_L, points_O = model.bonus_L.astype(np.float64), model.total_points_O.astype(np.float64)
    mean, second = policy.compiled.rows(bonus_L), policy.compiled.rows(bonus_L**2)
    policy.backward((fill_moments, points_O, mean, second))
    lanes = slice(model.lanes)
    return replace(solution, moments=Moments(mean[:, lanes], second[:, lanes]))
