"""Targets: the highest probability of reaching each score, and the fewest turns with restarts.

The probability of reaching a score of T from s points is the probability of reaching 0 from s - T
points. So one backward induction with the start scores -1, -2, … solves all targets
(:func:`best_targets`). The cache contains only the array of these probabilities, because the
value tables take hundreds of megabytes.

Finding the fewest turns is an optimal stopping problem (:func:`fewest_turns`). A player who wants a
score of T plays game after game and can restart between turns. The player succeeds when the points
reach T, including the upper bonus once it is earned. The game then ends, with or without restarts.
Let each turn have a price of q, and let success have a reward of 1. An attempt with success
probability P then has the value P - q E(turns). Restarting has the value 0. At one price q, the
best attempt also has the value 0. This price is the highest ratio P / E(turns) of any attempt, and
1/q is the expected number of turns in all attempts.

Dinkelbach's method finds this price: the ratio of the best attempt at one price is the next price.
The prices increase, and they converge faster than linearly.

References
----------
T. Verhoeff, Optimal Solitaire Yahtzee Strategies (2003 or later), lists "Optimal premature
stopping" as a challenge. W. Dinkelbach, On nonlinear fractional programming (1967).
"""

from dataclasses import astuple, dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from rollwise.errors import MalformedError
from rollwise.solving.objectives import target
from rollwise.solving.position_index import Start
from rollwise.solving.progress import Progress, within

if TYPE_CHECKING:  # needs numba
    from rollwise.solving.by_score.solver import ScoreSolver


ROUNDING = 1e-12

ROUNDS = 6
"""The usual number of rounds of Dinkelbach's method.

Each round at least doubles the correct digits of the price.
"""


def best_targets(solver: "ScoreSolver", progress: Progress | None = None) -> NDArray[np.float64]:
    """Return the highest probability of a final score of at least T, for T = 1, 2, …."""
    if solver.highest == 0:
        return np.empty(0)
    every_score = Start(low=-solver.highest, high=0)
    solution = solver.solve(target(0), every_score, start_only=True, progress=progress)
    return solution.values_at_start()[::-1]


@dataclass(frozen=True)
class RestartedGames:
    """The expected numbers of turns and attempts until a player reaches a score."""

    score: int
    # The probability that one attempt reaches the score.
    success: float
    # The expected number of turns in one attempt. An attempt ends with success, with a restart, or
    # with a full scorecard.
    turns_an_attempt: float
    # The highest probability of success in one game without restarts, and the expected number of
    # turns in one of these games, which end with success or with a full scorecard.
    patient_success: float
    patient_turns_a_game: float

    @property
    def numbers(self) -> NDArray[np.float64]:
        """All fields except the score, in their order."""
        return np.array(astuple(self)[1:])

    @property
    def turns(self) -> float:
        """The expected number of turns until success."""
        return self.turns_an_attempt / self.success

    @property
    def games(self) -> float:
        """The expected number of attempts until success."""
        return 1 / self.success

    @property
    def patient_turns(self) -> float:
        """The expected number of turns until success if the player never restarts."""
        return self.patient_turns_a_game / self.patient_success


def fewest_turns(
    solver: "ScoreSolver", score: int, progress: Progress | None = None
) -> RestartedGames:
    """Return the expected numbers of turns and attempts to reach a score with optimal restarts."""
    _check(solver, score)
    no_restarts = solver.solve(
        target(score), turns=True, rounds=ROUNDS + 1, progress=_part(progress, 0, 1)
    )
    patient, patient_turns = no_restarts.value(), float(no_restarts.turns_at_start()[-1])
    turns = len(solver.rules.categories)
    price = patient / turns
    layout = solver.valued_above(no_restarts, price * (1 - ROUNDING))
    success, length = patient, float(turns)
    rounds = 0
    while True:
        objective = replace(target(score), price=price, floor=0.0, score_weight=0.0)
        part = _part(progress, rounds + 1, rounds + 2)
        solution = solver.solve(objective, turns=True, layout=layout, rounds=0, progress=part)
        value = solution.value()
        if value <= ROUNDING * price:
            return RestartedGames(score, success, length, patient, patient_turns)
        length = float(solution.turns_at_start()[-1])
        success = value + price * length
        if success / length <= price * (1 + ROUNDING):
            return RestartedGames(score, success, length, patient, patient_turns)
        # The next price makes each turn more expensive by this difference. In a state with a lower
        # value than the difference, the player then restarts.
        layout = solver.valued_above(solution, (success / length - price) * (1 - ROUNDING))
        price = success / length
        rounds += 1


def _check(solver: "ScoreSolver", score: int) -> None:
    if not 1 <= score <= solver.highest:
        raise MalformedError(f"the score must be from 1 to {solver.highest}, not {score}")


def _part(progress: Progress | None, begin: float, end: float) -> Progress | None:
    """Return a progress callback for rounds ``begin`` to ``end`` out of about ``ROUNDS``."""
    whole = ROUNDS + 1
    return within(progress, min(begin / whole, 1.0), min(end / whole, 1.0))
