"""The exact value of every action in many games: what learners are measured by."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rollwise import Solution, solve
from rollwise.learning.games import Games
from rollwise.learning.kernels.oracle import TurnScratch, Worths, foresee, regret
from rollwise.solving.by_score.solution import ScoreSolution
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.solution import TIE

Floats = NDArray[np.float64]


class Oracle:
    """What is to be expected in each of some games, and what an action gives away.

    Parameters
    ----------
    games : Games
    objective : {"expected", "target:SCORE"}
        What values are: expected final scores, or chances of such a score. The game is solved for
        it, or read from disk.

    Attributes
    ----------
    solution : Solution

    Raises
    ------
    TooLargeError
        When the game has too many cards for one table.
    """

    def __init__(self, games: Games, objective: str = "expected") -> None:
        self.games = games
        self.solution: Solution = solve(games.rules, objective)
        model, number = games.model, games.number
        shape = number, games.arrays.most_left + 1, len(model.lattice.points)
        remaining_C_L = np.empty((0, 0))
        if isinstance(self.solution, CardSolution):
            remaining_C_L = np.ascontiguousarray(self.solution.table_C_L)
        scored_N_O = np.full((number, len(model.points_O)), -np.inf)
        self._worths = Worths(remaining_C_L, scored_N_O, np.empty(shape), np.empty(number))

    def look(self) -> tuple[Floats, NDArray[np.int64]]:
        """Return the value of each game, float64 of shape (N,), and a best action, int64 (N,).

        The expected final score, or the chance of the target. A best action is -1 where the game
        is over.
        """
        games, best_N = self.games, np.empty(self.games.number, dtype=np.int64)
        if isinstance(self.solution, ScoreSolution):
            for n in np.flatnonzero(games.stand.fresh_N & ~games.stand.over_N).tolist():
                self._worths.scored_N_O[n] = _scored(self.solution, games, n)
        told = games.arrays, games.dice, games.cards, games.stand, TIE, self._worths
        games.each(foresee, *told, best_N, room=self._room)
        worth_N = self._worths.top_N + games.stand.over_N * self._ended()
        return self.solution.objective.totals(games.cards.score_N, worth_N).copy(), best_N

    def regrets(self, action_N: ArrayLike) -> Floats:
        """Return what actions would give away in the games last looked at, float64 (N,).

        That is the value of the best action less that of the one taken; for one that is not
        allowed, which ends the game, all that was still to come.
        """
        games = self.games
        regret_N = np.empty(games.number)
        told: tuple[Any, ...] = games.arrays, games.cards, games.stand, self._worths
        games.each(regret, games.chosen(action_N), *told, self._ended(), regret_N)
        return regret_N

    def _ended(self) -> Floats:
        """Return what it is worth to end each game as it stands, as worths of actions are told."""
        if isinstance(self.solution, ScoreSolution):
            return self.solution.objective.utility(self.games.points_N)
        model = self.games.model
        return model.bonus_L[self.games.cards.lane_N].astype(np.float64)

    def _room(self) -> TurnScratch:
        """Return the room that a thread needs."""
        _, stages, points = self._worths.kept_N_J_P.shape
        model = self.games.model
        ends = np.empty((stages * len(model.lattice.rolls), len(model.rules.keys)), dtype=np.uint16)
        return TurnScratch(ends, np.empty(points), np.empty(points, dtype=np.uint16))


def _scored(solution: ScoreSolution, games: Games, n: int) -> Floats:
    """Return what scoring each outcome in one game is worth, float64 of shape (O,)."""
    model, cards, flat = games.model, games.cards, solution.flat
    c, lane, score = int(cards.class_N[n]), int(cards.lane_N[n]), int(cards.score_N[n])
    outcomes = model.outcomes_of(c)[1:]  # the first one is forbidden
    after = model.class_after(c, outcomes), model.lane_after(lane, outcomes)
    worth_O = np.full(len(model.points_O), -np.inf)
    total = score + model.step_O[outcomes]
    worth_O[outcomes] = solution.at(solution.values, *after, total, flat.below, flat.above)
    return worth_O
