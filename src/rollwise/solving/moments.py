"""The spread of the final score: its mean and second moment from every card, under best play."""

from dataclasses import replace

import numpy as np

from rollwise.solving.card_solution import CardSolution
from rollwise.solving.kernels.moments import fill_moments
from rollwise.solving.kernels.spread import Tied, fill_tied_second
from rollwise.solving.kernels.tied import TiedScratch
from rollwise.solving.layers import Sweep
from rollwise.solving.play import BestPlay
from rollwise.solving.solution import TIE
from rollwise.solving.values import Moments, sd_of


def with_moments(solution: CardSolution, threads: int | None = None) -> CardSolution:
    """Return the solution with the mean and the second moment of what is still to come.

    Both are those of the play of :class:`rollwise.strategies.Optimal`, ties included.
    """
    model = solution.model
    play = BestPlay(solution, threads=threads)
    bonus_L, points_O = model.bonus_L.astype(np.float64), model.step_O.astype(np.float64)
    mean, second = play.sweep.rows(bonus_L), play.sweep.rows(bonus_L**2)
    play.backward((fill_moments, points_O, mean, second))
    lanes = slice(model.lanes)
    return replace(solution, moments=Moments(mean[:, lanes], second[:, lanes]))


def spread_of_ties(solution: CardSolution, threads: int | None = None) -> tuple[float, float]:
    """Return the least and the most SD of the final score, over all plays for the best mean.

    Where options are equally good each of them may be taken: the mean is the same, the law is not.

    Parameters
    ----------
    solution : CardSolution
        For the expected score.

    Raises
    ------
    TooLargeError
        When the game is too large for one table.
    """
    solution.rules.check_unannounced("the spread of equally good play")
    sweep = Sweep(solution.model, solution.objective, threads)
    values_C_L = sweep.padded(solution.table_C_L)
    least, most = (_second_moment(sweep, Tied(values_C_L, TIE, sign)) for sign in (1.0, -1.0))
    mean = solution.value()
    return float(sd_of(mean, least)), float(sd_of(mean, most))


def _second_moment(sweep: Sweep, tied: Tied) -> float:
    """Return the second moment of the final score that a rule for ties comes to."""
    second_C_L = sweep.rows(tied.sign * sweep.model.bonus_L.astype(np.float64) ** 2)
    for first, last in sweep.layers[-2::-1]:
        sweep.each_part(
            first,
            last,
            fill_tied_second,
            sweep.arrays,
            sweep.streams,
            tied,
            second_C_L,
            scratch=TiedScratch.of,
        )
    return tied.sign * float(second_C_L[0, 0])
