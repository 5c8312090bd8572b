"""The entry points of the solver: :func:`solve` and :class:`Solver`.

:func:`solve` solves a game for one objective, and accepts strings. A :class:`Solver` solves a game
for several objectives, computes shared results once, and takes objectives and positions as objects.
"""

from collections.abc import Callable
from concurrent.futures import Executor
from typing import TYPE_CHECKING, overload

import numpy as np
from numpy.typing import NDArray

from rollwise.errors import InputError, quoted
from rollwise.game.position import Position, PositionLike, as_position
from rollwise.rules import RulesLike, as_rules
from rollwise.solving.by_score.mean_variance import FrontierPoint, frontier, solve_mean_variance
from rollwise.solving.by_score.targets_and_restarting import (
    RestartedGames,
    best_targets,
    fewest_turns,
    stopping_size,
)
from rollwise.solving.cache import is_cached, load_or_compute_numbers
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.card_solver import CardSolver
from rollwise.solving.objective_parser import parse_objective
from rollwise.solving.objectives import (
    EXPECTED,
    CardObjective,
    Objective,
    ScoreObjective,
    VarianceObjective,
)
from rollwise.solving.position_index import EMPTY_CARD, Start
from rollwise.solving.progress import Progress
from rollwise.solving.solution import Solution

if TYPE_CHECKING:  # needs numba
    from rollwise.solving.by_score.solver import ScoreSolver


@overload
def solve(
    rules: RulesLike,
    objective: CardObjective = ...,
    *,
    position: PositionLike | None = ...,
    moments: bool = ...,
    on_disk: bool = ...,
    cache: bool = ...,
    threads: int | None = ...,
    progress: Progress | None = ...,
) -> CardSolution: ...


@overload
def solve(
    rules: RulesLike,
    objective: Objective | str,
    *,
    position: PositionLike | None = ...,
    moments: bool = ...,
    on_disk: bool = ...,
    cache: bool = ...,
    threads: int | None = ...,
    progress: Progress | None = ...,
) -> Solution: ...


def solve(
    rules: RulesLike,
    objective: Objective | str = EXPECTED,
    *,
    position: PositionLike | None = None,
    moments: bool = False,
    on_disk: bool = False,
    cache: bool = True,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Solution:
    """Return the value of every state of a game with optimal play.

    Parameters
    ----------
    rules, cache, threads, progress
        As for :class:`Solver`.
    objective : Objective or str
        The quantity to maximize, such as ``"target:300"``; default: the expected score.
    position : PositionLike, optional
        As for :meth:`Solver.solve`; also text in the format of :class:`Position`, or dice.
    moments, on_disk
        As for :meth:`Solver.solve`.

    Returns
    -------
    CardSolution or ScoreSolution
        A ScoreSolution if values depend on the points so far, otherwise a CardSolution.

    Raises
    ------
    TooLargeError
        If the table of the game does not fit in memory.
    MalformedError
        If a string is not an objective or not a position, or if the game does not support the
        objective.

    Examples
    --------
    >>> solve("micro-yahtzee")
    <Solution of micro-yahtzee for expected: 25.94444444 from the start>
    >>> solve("micro-yahtzee", "target:30")
    <Solution of micro-yahtzee for target:30: 0.4444444444 from the start>
    """
    solver = Solver(rules, threads, cache, progress)
    return solver.solve(
        parse_objective(objective) if isinstance(objective, str) else objective,
        position=None if position is None else as_position(solver.rules, position),
        moments=moments,
        on_disk=on_disk,
    )


class Solver:
    """A solver for several objectives of one game, which computes shared results once.

    Parameters
    ----------
    rules : Rules, str, or Path
        The rules of the game, or the name of a preset.
    threads : int, optional
        Default: all cores that the process can use. No result depends on this number.
    cache : bool
        Read tables from the disk cache, and write new tables to it. Custom objectives are not
        cached. Objectives of the final score are not cached either, because their tables take
        hundreds of megabytes.
    progress : callable, optional
        Called repeatedly with the completed fraction of a computation, from 0 to 1.
    executor : Executor, optional
        Solves the game part by part, for objectives that do not depend on the points so far. All
        its processes must be able to read the cache. Default: the threads of this process.

    Attributes
    ----------
    rules : Rules

    Examples
    --------
    >>> solver = Solver("micro-yahtzee")
    >>> solver.solve()
    <Solution of micro-yahtzee for expected: 25.94444444 from the start>
    >>> solver.solve(parse_objective("target:30"))
    <Solution of micro-yahtzee for target:30: 0.4444444444 from the start>
    """

    def __init__(
        self,
        rules: RulesLike,
        threads: int | None = None,
        cache: bool = True,
        progress: Progress | None = None,
        *,
        executor: Executor | None = None,
    ) -> None:
        self.rules = as_rules(rules)
        self.progress = progress
        self._by_card = CardSolver(self.rules, threads, cache, executor=executor)

    def __repr__(self) -> str:
        return f"Solver({self.rules.named!r})"

    @property
    def from_cache(self) -> bool:
        """Whether all results so far were read from disk, so that nothing was solved."""
        return self._by_card.from_cache

    @overload
    def solve(
        self,
        objective: CardObjective = ...,
        *,
        position: Position | None = ...,
        moments: bool = ...,
        on_disk: bool = ...,
    ) -> CardSolution: ...

    @overload
    def solve(
        self,
        objective: Objective,
        *,
        position: Position | None = ...,
        moments: bool = ...,
        on_disk: bool = ...,
    ) -> Solution: ...

    def solve(
        self,
        objective: Objective = EXPECTED,
        *,
        position: Position | None = None,
        moments: bool = False,
        on_disk: bool = False,
    ) -> Solution:
        """Return the value of every state with optimal play.

        Parameters
        ----------
        objective : Objective
            The quantity to maximize; default: the expected score.
        position : Position, optional
            Solve only the states that are reachable from the scorecard of this position. This
            applies to objectives of the final score, and to large games that save rolls. Default:
            the whole game.
        moments : bool
            Also compute the expected final score for every option. If values do not depend on the
            points so far and fit in one table, also compute the standard deviation of the final
            score.
        on_disk : bool
            Save the values of all states of a large game to disk. For Maxi Yatzy, this takes about
            17 GB. By default, only the first turns of a large game are available.

        Returns
        -------
        CardSolution or ScoreSolution
            A ScoreSolution if values depend on the points so far, otherwise a CardSolution.

        Raises
        ------
        TooLargeError
            If the table of the game does not fit in memory.
        MalformedError
            If the game does not support the objective.
        InputError
            If the objective is not a card, score, or variance objective.
        """
        if isinstance(objective, CardObjective):
            return self._by_card.solve(
                objective, position, moments=moments, on_disk=on_disk, progress=self.progress
            )
        self._by_card.check_alone(objective)
        solver, start = self._scores_from(position)
        if isinstance(objective, ScoreObjective):
            return solver.solve(objective, start, expected=moments, progress=self.progress)
        if isinstance(objective, VarianceObjective):
            return solve_mean_variance(solver, objective, start, self.progress)
        raise InputError(
            "an objective must be an Objective or its name, such as 'target:250', not "
            f"{quoted(objective)}"
        )

    def _scores_from(self, position: Position | None) -> "tuple[ScoreSolver, Start]":
        """Return the solver for objectives of the final score, and the start state."""
        if position is None:
            return self._by_card.by_score, EMPTY_CARD
        solver = self._by_card.after(position)
        self._by_card.from_cache = False
        return solver.by_score, Start.of(solver.model, position)

    def targets(self) -> NDArray[np.float64]:
        """Return the highest probability of a final score of at least T, for T = 1, 2, ….

        Each entry has a separate optimal strategy; no single strategy achieves all entries.

        Returns
        -------
        float64 array of shape (highest score,)
            The probabilities, which do not increase with T. Their sum is an upper bound on the
            expected score of every strategy.

        Raises
        ------
        TooLargeError
            If a table does not fit in memory.
        """
        return self._cached("targets", lambda: best_targets(self._by_card.by_score, self.progress))

    def frontier(self, position: Position | None = None) -> list[FrontierPoint]:
        """Return the mean–variance frontier, with one entry for each integer score (*center*).

        The strategy of an entry minimizes the mean squared distance of its final score from the
        center. The first entry has the lowest SD. The centers go up to twice the expected score;
        the last entry is a center so far away that its strategy has the highest mean.

        Parameters
        ----------
        position : Position, optional
            The games continue from the scorecard of this position; default: the empty scorecard.

        Raises
        ------
        TooLargeError
            If a table does not fit in memory.
        """
        return frontier(*self._scores_from(position), self.progress)

    def fewest_turns(self, score: int) -> RestartedGames:
        """Return the results of the strategy that reaches a score in the fewest expected turns.

        The player can restart the game between turns. A game ends when the points so far reach the
        score, or when the scorecard is full.

        Raises
        ------
        MalformedError
            If no game reaches the score.
        TooLargeError
            If a table does not fit in memory.
        """

        def compute() -> NDArray[np.float64]:
            return fewest_turns(self._by_card.by_score, score, self.progress).numbers

        return RestartedGames(score, *self._cached(f"restart-{score}", compute).tolist())

    def stopping_size(self, score: int) -> int:
        """Return the number of states that each round of :meth:`fewest_turns` computes.

        A state includes the points so far. Return 0 if the result is already cached.
        """
        if self._by_card.cache and is_cached(self.rules, f"restart-{score}"):
            return 0
        return stopping_size(self._by_card.by_score, score)

    def _cached(self, name: str, compute: Callable[[], NDArray[np.float64]]) -> NDArray[np.float64]:
        """Return an array from the cache, or compute and cache it.

        If there is no cache, only compute the array.
        """
        if not self._by_card.cache:
            return compute()
        return load_or_compute_numbers(self.rules, name, compute)
