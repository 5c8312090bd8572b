"""The spread of the final score: its mean and second moment from every card, under best play."""

from dataclasses import replace

import numpy as np

from rollwise.solving.card_solution import CardSolution, Moments
from rollwise.solving.kernels.moments import fill_mean, fill_second
from rollwise.solving.play import BestPlay


def with_moments(solution: CardSolution, threads: int | None = None) -> CardSolution:
    """Return the solution with the mean and the second moment of what is still to come.

    Both are those of the play of :class:`rollwise.strategies.Optimal`, ties included.
    """
    model = solution.model
    play = BestPlay(solution, threads=threads)
    bonus_L, points_O = model.bonus_L.astype(np.float64), model.step_O.astype(np.float64)
    mean, second = play.sweep.rows(bonus_L), play.sweep.rows(bonus_L**2)
    play.backward((fill_mean, points_O, mean), (fill_second, points_O, mean, second))
    lanes = slice(model.lanes)
    return replace(solution, moments=Moments(mean[:, lanes], second[:, lanes]))
