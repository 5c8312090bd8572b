"""The entry points of the solver: :func:`solve` and :class:`Solver`.

:func:`solve` solves a game for one objective, and accepts strings. A :class:`Solver` solves a game
for several objectives, computes shared results once, and takes objectives and positions as objects.

Reading a saved solution does not need Numba, which takes a third of a second to import. Therefore,
only the methods that need Numba import it.
"""

from concurrent.futures import Executor
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from rollwise.errors import InconsistentError, InputError, MalformedError, quoted
from rollwise.game.position import Position, PositionLike, as_position
from rollwise.model.arrays import Model
from rollwise.model.classes import Root, check_joint, exceeds_table
from rollwise.rules import DEFAULT, RulesLike, as_rules
from rollwise.solving.by_score.mean_variance import FrontierPoint, frontier, solve_mean_variance
from rollwise.solving.by_score.targets_and_restarting import (
    RestartedGames,
    best_targets,
    fewest_turns,
)
from rollwise.solving.card_solution import STATE_MISSING, CardSolution
from rollwise.solving.objective_parser import parse_objective
from rollwise.solving.objectives import (
    BEST_CASE,
    EXPECTED,
    CardObjective,
    Objective,
    ScoreObjective,
    VarianceObjective,
    check_risk,
)
from rollwise.solving.position_index import EMPTY_CARD, Start
from rollwise.solving.progress import Progress
from rollwise.solving.saved_results import SavedResults
from rollwise.solving.solution import Solution
from rollwise.solving.values import is_large

if TYPE_CHECKING:  # needs numba
    from rollwise.solving.by_score.solver import ScoreSolver


def solve(
    rules: RulesLike = DEFAULT,
    objective: Objective | str = EXPECTED,
    *,
    position: PositionLike | None = None,
    moments: bool = False,
    on_disk: bool = False,
    first_turns: bool = False,
    cache: bool = True,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Solution:
    """Return the value of every state of a game with optimal play.

    Parameters
    ----------
    rules : Rules, str, or Path
        The rules of the game, or the name of a preset (default: ``"yahtzee"``).
    cache, threads, progress
        As for :class:`Solver`.
    objective : Objective or str
        The quantity to maximize, such as ``"target:300"``; default: the expected score.
    position : PositionLike, optional
        As for :meth:`Solver.solve`; also text in the format of :class:`Position`, or dice.
    moments, on_disk, first_turns
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
        first_turns=first_turns,
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
        cached. Tables for objectives of the final score take hundreds of megabytes, so the cache
        contains only their first turns (``first_turns`` of :meth:`solve`).
    progress : callable, optional
        Called repeatedly with the completed fraction of a computation, from 0 to 1.
    executor : Executor, optional
        Solves the game part by part, for objectives that do not depend on the points so far. All
        its processes must be able to read the cache. Default: the threads of this process.

    Attributes
    ----------
    rules : Rules
    from_cache : bool
        Whether all results so far were read from disk, so that nothing was solved.

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
        self.rules, self.progress = as_rules(rules), progress
        self.from_cache = True
        self._saved = SavedResults(self.rules, cache)
        self._threads, self._executor = threads, executor

    def __repr__(self) -> str:
        return f"Solver({self.rules.named!r})"

    @property
    def model(self) -> Model:
        """The game as arrays."""
        return self._saved.model

    def solve(
        self,
        objective: Objective = EXPECTED,
        *,
        position: Position | None = None,
        moments: bool = False,
        on_disk: bool = False,
        first_turns: bool = False,
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
            20 GB. By default, only the first turns of a large game are available.
        first_turns : bool
            Whether the turn from the position is enough. A solution for an objective of the final
            score is then read from the cache if it contains this turn, or solved and its first
            turns are written to the cache.

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
            return self.solve_by_card(
                objective, position=position, moments=moments, on_disk=on_disk
            )
        if not isinstance(objective, ScoreObjective | VarianceObjective):
            raise InputError(
                "an objective must be an Objective or its name, such as 'target:250', not "
                f"{quoted(objective)}"
            )
        if self._executor:
            raise MalformedError(
                f"{objective.name} depends on the points so far, so it cannot be solved on a "
                "cluster; solve it on one machine, or use the objective expected"
            )
        rest = self._rest(position)
        if first_turns and isinstance(objective, ScoreObjective):
            saved = rest._saved.find_turns(objective, position, with_expected=moments)
            if saved is not None:
                return saved
        solver, start = rest._by_score, rest._start(position)
        if isinstance(objective, VarianceObjective):
            return solve_mean_variance(solver, objective, start, self.progress)
        result = "The first turns are saved." * (first_turns and rest._saved.cached)
        solution = solver.solve(
            objective, start, expected=moments, saved=result, progress=self.progress
        )
        if first_turns:
            rest._saved.save_turns(solution, solver.highest)
        return solution

    def solve_by_card(
        self,
        objective: CardObjective = EXPECTED,
        *,
        position: Position | None = None,
        moments: bool = False,
        on_disk: bool = False,
    ) -> CardSolution:
        """Return the value of every scorecard, for an objective that ignores the points so far.

        Parameters and errors are the same as for :meth:`solve`.
        """
        if objective.name != EXPECTED.name or self._executor:
            check_joint(self.rules)
        turns = position.state.filled.bit_count() if position else 0
        layers = slice(None) if on_disk else slice(turns, turns + 2)
        saved = self._saved.find(objective, layers)
        if saved is None and position and not on_disk:
            if turns and exceeds_table(self.rules):
                raise InconsistentError(STATE_MISSING)
            rest = self._rest(position)
            if rest is not self:
                return rest.solve_by_card(objective, moments=moments)
        solution = saved or self._compute(objective, on_disk, self.progress)
        try:
            if moments and solution.moments is None and solution.is_whole:
                from rollwise.solving.moments import with_moments  # numba

                self.from_cache = False
                solution = with_moments(solution, self._threads)  # might not fit in memory
        finally:
            if solution is not saved:
                self._saved.save(solution)
        return solution

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
        return self._saved.numbers("targets", lambda: best_targets(self._by_score, self.progress))

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
        rest = self._rest(position)
        return frontier(rest._by_score, rest._start(position), self.progress)

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
            return fewest_turns(self._by_score, score, self.progress).numbers

        return RestartedGames(score, *self._saved.numbers(f"restart-{score}", compute).tolist())

    def _compute(
        self, objective: CardObjective, on_disk: bool = False, progress: Progress | None = None
    ) -> CardSolution:
        """Solve the game with the method that suits its size."""
        self.from_cache = False
        if objective.risk:
            check_risk(objective, self._table(BEST_CASE).value())
        folder = self._saved.layers_folder(objective, wanted=on_disk)
        if self._executor and folder is None:
            raise MalformedError(
                "a cluster reads finished layers from the cache; leave out --no-cache"
                if objective.named
                else f"values for {objective.name} cannot be saved, because the name does not "
                "define the objective; use an objective such as expected"
            )
        from rollwise.solving.backward_induction import solve_cards  # numba
        from rollwise.solving.columns import Columns  # numba

        table = solve_cards(
            self.model,
            objective,
            columns=Columns(self.model) if exceeds_table(self.rules) else None,
            folder=folder,
            on_disk=on_disk,
            executor=self._executor,
            threads=self._threads,
            progress=progress,
        )
        return CardSolution(self.rules, objective, self.model, table)

    def _table(self, objective: CardObjective) -> CardSolution:
        """Return the solution that another calculation needs, without a report of progress."""
        solution = self._saved.find(objective, slice(0, 2))
        if solution is None:
            solution = self._compute(objective)
            self._saved.save(solution)
        return solution

    @cached_property
    def _by_score(self) -> "ScoreSolver":
        """The solver for objectives of the final score."""
        from rollwise.solving.by_score.solver import ScoreSolver, check_windows  # numba

        check_joint(self.rules)
        check_windows(self.model)  # fail early: solving for the expected score can take minutes
        self.from_cache = False  # values by score are not cached
        return ScoreSolver(self._table(EXPECTED), self._table(BEST_CASE), self._threads)

    def _start(self, position: Position | None) -> Start:
        """Return the state and the score of a position; default: of the empty scorecard."""
        return EMPTY_CARD if position is None else Start.of(self.model, position)

    def _rest(self, position: Position | None) -> "Solver":
        """Return a solver for the states that are reachable from the scorecard of a position.

        Return this solver for an empty scorecard, or for a game that fits in one table.
        """
        if position is None:
            return self
        state = position.state
        if not state.filled or not self.rules.carries_rolls or not is_large(self.model):
            return self
        self.from_cache = False
        rest = Solver(self.rules, self._threads, cache=False, progress=self.progress)
        root = Root(state.filled, state.eligible, position.saved)
        rest._saved = SavedResults(self.rules, cache=False, root=root)
        return rest
