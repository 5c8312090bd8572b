"""The spread of the final score: its mean and second moment from every card, under best play."""

from dataclasses import replace

import numpy as np

from rollwise.evaluation.play import Sharing
from rollwise.solving.card_solution import CardSolution, Moments
from rollwise.solving.kernels.moments import moments
from rollwise.solving.layers import Sweep
from rollwise.strategies import Optimal


def with_moments(solution: CardSolution, threads: int | None = None) -> CardSolution:
    """Return the solution with the mean and the second moment of what is still to come.

    Both are those of the play of :class:`rollwise.strategies.Optimal`, ties included.
    """
    model = solution.model
    sweep = Sweep(model, solution.objective, threads)
    sharing = Sharing(Optimal(solution), sweep)
    bonus_L = model.bonus_L.astype(np.float64)
    mean, second = sweep.rows(bonus_L), sweep.rows(bonus_L**2)
    points_O = model.step_O.astype(np.float64)
    for layer in range(len(sweep.layers) - 2, -1, -1):
        first, last = sweep.layers[layer]
        shares = sharing.of_layer(layer)
        sweep.each_part(
            first,
            last,
            moments,
            first,
            sweep.game,
            shares.starts,
            shares.weights,
            points_O,
            sweep.stride,
            mean.reshape(-1),
            second.reshape(-1),
        )
    lanes = slice(model.lanes)
    return replace(solution, moments=Moments(mean[:, lanes], second[:, lanes]))
