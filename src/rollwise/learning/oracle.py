"""An oracle that gives the exact value of every action in many games, to evaluate learners."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rollwise.learning.games import Games
from rollwise.learning.kernels.oracle import (
    ActionValueArrays,
    TurnScratch,
    find_best_actions,
    find_regrets,
)
from rollwise.solving.by_score.solution import ScoreSolution
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.solution import TOLERANCE, Solution
from rollwise.solving.solver import solve

Floats = NDArray[np.float64]


class Oracle:
    """The exact values of many games, and the regret of actions.

    Parameters
    ----------
    games : Games
    objective : {"expected", "target:SCORE"}
        Values are expected final scores, or probabilities of a final score of at least SCORE. The
        solution is computed or read from the cache.

    Attributes
    ----------
    solution : Solution
        The solution of the game for the objective.
    """

    def __init__(self, games: Games, objective: str = "expected") -> None:
        self.games = games
        self.solution: Solution = solve(games.rules, objective)
        model, number = games.model, games.number
        shape = number, games.arrays.max_rerolls + 1, len(model.lattice.points)
        remaining_C_L = np.empty((0, 0))
        if isinstance(self.solution, CardSolution):
            remaining_C_L = np.ascontiguousarray(self.solution.table_C_L)
        outcome_N_O = np.full((number, len(model.points_O)), -np.inf)
        self._values = ActionValueArrays(
            remaining_C_L, outcome_N_O, np.empty(shape), np.empty(number)
        )

    def look(self) -> tuple[Floats, NDArray[np.int64]]:
        """Return the value of each game and a best action: float64 and int64 of shape (N,).

        The value is the expected final score, or the probability of reaching the target. The best
        action is -1 if the game is over.
        """
        games, action_N = self.games, np.empty(self.games.number, dtype=np.int64)
        if isinstance(self.solution, ScoreSolution):
            for n in np.flatnonzero(games.states.fresh_N & ~games.states.over_N).tolist():
                self._values.outcome_N_O[n] = _outcome_values(self.solution, games, n)
        state = games.arrays, games.lattice, games.cards, games.states
        games.run(
            find_best_actions, *state, TOLERANCE, self._values, action_N, scratch=self._turn_scratch
        )
        value_N = self._values.best_N + games.states.over_N * self._end_values()
        return self.solution.objective.totals(games.cards.score_N, value_N).copy(), action_N

    def regrets(self, action_N: ArrayLike) -> Floats:
        """Return the regret of one action per game, float64 of shape (N,).

        A regret is the value of the best action minus the value of the chosen action. The values
        come from the last call of :meth:`look`. An illegal action ends the game, so its value is
        the value of the game without further points.
        """
        games = self.games
        regret_N = np.empty(games.number)
        state: tuple[Any, ...] = games.arrays, games.cards, games.states, self._values
        games.run(find_regrets, games.as_actions(action_N), *state, self._end_values(), regret_N)
        return regret_N

    def _end_values(self) -> Floats:
        """Return the value of each game if it ends now, in the same unit as the action values."""
        if isinstance(self.solution, ScoreSolution):
            return self.solution.objective.utility(self.games.points_N)
        model = self.games.model
        return model.bonus_L[self.games.cards.lane_N].astype(np.float64)

    def _turn_scratch(self) -> TurnScratch:
        """Return the scratch arrays of a thread."""
        _, stages, points = self._values.keep_N_J_P.shape
        model = self.games.model
        ends = np.empty((stages * len(model.lattice.rolls), len(model.rules.keys)), dtype=np.uint16)
        return TurnScratch(ends, np.empty(points), np.empty(points, dtype=np.uint16))


def _outcome_values(solution: ScoreSolution, games: Games, n: int) -> Floats:
    """Return the value of each outcome in game n, float64 of shape (O,)."""
    model, cards, flat = games.model, games.cards, solution.flat
    c, lane, score = int(cards.class_N[n]), int(cards.lane_N[n]), int(cards.score_N[n])
    outcomes = model.outcomes_of(c)[1:]  # without the forbidden outcome
    after = model.class_after(c, outcomes), model.lane_after(lane, outcomes)
    value_O = np.full(len(model.points_O), -np.inf)
    total = score + model.total_points_O[outcomes]
    value_O[outcomes] = solution.at(solution.values, *after, total, flat.below, flat.above)
    return value_O
