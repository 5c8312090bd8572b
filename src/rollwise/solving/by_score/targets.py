"""Reaching a score: the best probability for every target, and the fewest turns with restarts.

To reach T from s points is to reach 0 from s - T. So one backward induction that starts from all of
-1, -2, … answers all targets (:func:`best_targets`). The cache keeps one array of probabilities,
not the tables of hundreds of megabytes behind it.

The fewest turns are an optimal stopping problem (:func:`fewest_turns`). A player who wants a score
of T plays game after game, restarts between turns if a game goes badly, and is done when their
points reach T, with the upper bonus once it is earned. With a price q per turn and a reward of 1
for T, an attempt has the value P - q E(turns), and restarting has the value 0. At the price where
an attempt has the value 0, too, q = P / E(turns) is the highest such ratio, and 1/q is the expected
number of turns in all attempts.

Dinkelbach's method finds the price: the ratio of the best attempt at one price is the next price.
The prices rise to the solution faster than linearly.

References
----------
T. Verhoeff, Optimal Solitaire Yahtzee Strategies (1999), "Optimal premature stopping" as a
challenge. W. Dinkelbach, On nonlinear fractional programming (1967).
"""

from dataclasses import astuple, dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from rollwise.errors import MalformedError
from rollwise.solving.objectives import target
from rollwise.solving.place import Start
from rollwise.solving.progress import Progress, within

if TYPE_CHECKING:  # needs numba
    from rollwise.solving.by_score.solver import ScoreSolver


ROUNDING = 1e-12

ROUNDS = 6
"""Games take five or six rounds: each at least doubles the correct digits of the price."""


def best_targets(solver: "ScoreSolver", progress: Progress | None = None) -> NDArray[np.float64]:
    """Return the highest probability of a final score of at least T, for T = 1, 2, ….

    See :meth:`rollwise.solving.solver.Solver.targets`.
    """
    if solver.highest == 0:
        return np.empty(0)
    every_score = Start(low=-solver.highest, high=0)
    solution = solver.solve(target(0), every_score, start_only=True, progress=progress)
    return solution.values_at_start()[::-1]


@dataclass(frozen=True)
class Attempts:
    """How long it takes to reach a score.

    Attributes
    ----------
    score : int
    success : float
        Probability that one attempt reaches the score.
    turns_an_attempt : float
        Expected turns of one attempt, which ends with success, a restart, or a full scorecard.
    turns, games : float
        Expected turns and attempts until success.
    patient_success, patient_turns : float
        The highest probability if every game is played to its end, and the expected turns then.
    """

    score: int
    success: float
    turns_an_attempt: float
    patient_success: float
    patient_turns: float

    @property
    def numbers(self) -> NDArray[np.float64]:
        """All fields but the score, in their order."""
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
    """Return how soon a player who can restart between turns reaches a score.

    See :meth:`rollwise.solving.solver.Solver.fewest_turns`.
    """
    _check(solver, score)
    to_its_end = _part(progress, 0, 0.5)  # no companion quantity: half the work of a round
    to_the_end = solver.solve(target(score), progress=to_its_end)
    patient = to_the_end.value()
    turns = len(solver.rules.categories)
    price = patient / turns
    layout = solver.valued_above(to_the_end, price * (1 - ROUNDING))
    success, length = patient, float(turns)
    rounds = 0
    while True:
        objective = replace(target(score), price=price, floor=0.0, plays_on=False)
        part = _part(progress, rounds + 0.5, rounds + 1.5)
        solution = solver.solve(objective, turns=True, layout=layout, progress=part)
        value = solution.value()
        if value <= ROUNDING * price:
            return Attempts(score, success, length, patient, turns / patient)
        length = float(solution.turns_at_start()[-1])
        success = value + price * length
        if success / length <= price * (1 + ROUNDING):
            return Attempts(score, success, length, patient, turns / patient)
        # Going on takes a turn or more: a state of less value than that is given up.
        layout = solver.valued_above(solution, (success / length - price) * (1 - ROUNDING))
        price = success / length
        rounds += 1


def stopping_size(solver: "ScoreSolver", score: int) -> int:
    """Return how many states and scores each round computes."""
    _check(solver, score)
    return solver.size_of(target(score))


def _check(solver: "ScoreSolver", score: int) -> None:
    if not 1 <= score <= solver.highest:
        raise MalformedError(f"expected a score from 1 to {solver.highest}, got {score}")


def _part(progress: Progress | None, begin: float, end: float) -> Progress | None:
    """Return the progress of some rounds, as a part of the expected number of rounds."""
    whole = ROUNDS + 0.5
    return within(progress, min(begin / whole, 1.0), min(end / whole, 1.0))
