"""Giving up early: the fewest turns until a score is reached, when a game may be begun anew.

A player who wants a score of T plays game after game, gives up one that goes badly between turns,
and is done when his points, with the upper bonus once it is earned, reach T. With a price q for a
turn and a reward of 1 for T an attempt is worth P - q E(turns), and giving up is worth nothing. At
the price where beginning is worth nothing too, q = P / E(turns) is the highest such ratio, and 1/q
is the expected number of all turns played.

The price is found by Dinkelbach's method: the ratio of the best attempt at one price is the next
price. It rises to the solution, faster than linearly.

References
----------
T. Verhoeff, Optimal Solitaire Yahtzee Strategies (1999), "Optimal premature stopping" as a
challenge. W. Dinkelbach, On nonlinear fractional programming (1967).

The best probability of reaching every score, in one sweep.

To reach T from s points is to reach 0 from s - T: one sweep that starts from all of -1, -2, … has
the answers for all targets, also for every card on the way. What is kept is one array, not the
hundreds of megabytes that it is read off.
"""

from dataclasses import astuple, dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from rollwise.errors import MalformedError
from rollwise.solving.objectives import target
from rollwise.solving.progress import Progress, within

if TYPE_CHECKING:  # it takes the compiler
    from rollwise.solving.by_score.solver import ScoreSolver
from typing import TYPE_CHECKING

from rollwise.solving.by_score.windows import Start

if TYPE_CHECKING:  # it takes the compiler
    from rollwise.solving.by_score.solver import ScoreSolver


ROUNDING = 1e-12

ROUNDS = 6
"""Of five or six rounds, whatever the game: each doubles the digits of the price, or more."""


@dataclass(frozen=True)
class Attempts:
    """How long it takes to reach a score.

    Attributes
    ----------
    score : int
    success : float
        Probability that one attempt reaches it.
    turns_an_attempt : float
        Expected turns of one attempt, ended by success, by giving up or by a full card.
    turns, games : float
        Expected turns and attempts until success.
    patient_success, patient_turns : float
        The best probability when every game is played to its end, and the expected turns then.
    """

    score: int
    success: float
    turns_an_attempt: float
    patient_success: float
    patient_turns: float

    @property
    def numbers(self) -> NDArray[np.float64]:
        """All but the score, in their order."""
        return np.array(astuple(self)[1:])

    @property
    def turns(self) -> float:
        """Expected turns until success."""
        return self.turns_an_attempt / self.success

    @property
    def games(self) -> float:
        """Expected attempts until success."""
        return 1 / self.success


def fewest_turns(solver: "ScoreSolver", score: int, progress: Progress | None = None) -> Attempts:
    """Return how soon a score can be reached when games may be given up between turns.

    See :meth:`rollwise.solving.solver.Solver.fewest_turns`.
    """
    _check(solver, score)
    to_its_end = _part(progress, 0, 0.5)  # it has no companion: half the work of a round
    to_the_end = solver.solve(target(score), progress=to_its_end)
    patient = to_the_end.value()
    turns = len(solver.rules.categories)
    price = patient / turns
    layout = solver.worth_more(to_the_end, price * (1 - ROUNDING))
    success, length = patient, float(turns)
    rounds = 0
    while True:
        objective = replace(target(score), price=price, floor=0.0, plays_on=False)
        told = _part(progress, rounds + 0.5, rounds + 1.5)
        solution = solver.solve(objective, turns=True, layout=layout, progress=told)
        worth = solution.value()
        if worth <= ROUNDING * price:
            return Attempts(score, success, length, patient, turns / patient)
        length = float(solution.turns_at_start()[-1])
        success = worth + price * length
        if success / length <= price * (1 + ROUNDING):
            return Attempts(score, success, length, patient, turns / patient)
        # To go on takes a turn or more: what is worth less than that it gets dearer is given up.
        layout = solver.worth_more(solution, (success / length - price) * (1 - ROUNDING))
        price = success / length
        rounds += 1


def stopping_size(solver: "ScoreSolver", score: int) -> int:
    """Return how many cards with a score each round goes over."""
    _check(solver, score)
    return solver.size_of(target(score))


def _check(solver: "ScoreSolver", score: int) -> None:
    if not 1 <= score <= solver.highest:
        raise MalformedError(f"expected a score from 1 to {solver.highest}, got {score}")


def _part(progress: Progress | None, begin: float, end: float) -> Progress | None:
    """Return the progress of some of the rounds, as a part of all that are expected."""
    whole = ROUNDS + 0.5
    return within(progress, min(begin / whole, 1.0), min(end / whole, 1.0))


def best_targets(solver: "ScoreSolver", progress: Progress | None = None) -> NDArray[np.float64]:
    """Return the best probability of a final score of at least T, for T = 1, 2, … the highest one.

    See :meth:`rollwise.solving.solver.Solver.targets`.
    """
    if solver.highest == 0:
        return np.empty(0)
    every_score = Start(low=-solver.highest, high=0)
    solution = solver.solve(target(0), every_score, start_only=True, progress=progress)
    return solution.values_at_start()[::-1]
