"""The exact value of every action in many games: what learners are measured by."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rollwise import solve
from rollwise.learning.games import Games
from rollwise.learning.kernels.oracle import Room, Worths, foresee, regret
from rollwise.solving.card_solution import CardSolution

Floats = NDArray[np.float64]


class Oracle:
    """What is to be expected in each of some games, and what an action gives away.

    Parameters
    ----------
    games : Games
    solution : CardSolution, optional
        Of the game, for the expected score; it is solved, or read from disk, unless told.

    Raises
    ------
    TooLargeError
        When the game has too many cards for one table.
    """

    def __init__(self, games: Games, solution: CardSolution | None = None) -> None:
        self.games = games
        self.solution = solution or solve(games.rules)
        model, number = games.model, games.number
        shape = number, games.arrays.most_left + 1, len(model.lattice.points)
        self._worths = Worths(
            self.solution.table_C_L,
            np.empty((number, len(model.points_O))),
            np.empty(shape),
            np.empty(number),
        )

    def look(self) -> tuple[Floats, NDArray[np.int64]]:
        """Return the expected final scores, float64 of shape (N,), and best actions, int64 (N,).

        Points so far are counted. A best action is -1 where the game is over.
        """
        games, tie = self.games, self.solution.tie
        value_N, best_N = np.empty(games.number), np.empty(games.number, dtype=np.int64)
        told = games.arrays, games.dice, games.cards, games.stand, tie, self._worths
        games.each(foresee, *told, value_N, best_N, room=self._room)
        return value_N, best_N

    def _room(self) -> Room:
        """Return the room that a thread needs."""
        _, stages, points = self._worths.kept_N_J_P.shape
        model = self.games.model
        ends = np.empty((stages * len(model.lattice.rolls), len(model.rules.keys)), dtype=np.uint16)
        return Room(ends, np.empty(points), np.empty(points, dtype=np.uint16))

    def regrets(self, action_N: ArrayLike) -> Floats:
        """Return what actions would give away in the games last looked at, float64 (N,).

        That is the value of the best action less that of the one taken; for one that is not
        allowed, which ends the game, all that was still to come.
        """
        games = self.games
        regret_N = np.empty(games.number)
        told: tuple[Any, ...] = games.arrays, games.cards, games.stand, self._worths
        games.each(regret, games.chosen(action_N), *told, regret_N)
        return regret_N
