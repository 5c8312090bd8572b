"""The solver for objectives that ignore the points so far, with a cache of its solutions.

Reading a solution does not need Numba, which takes a third of a second to import. Therefore, only
the methods that need Numba import it.
"""

from concurrent.futures import Executor
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from rollwise.cache_folder import WANTED, make_own
from rollwise.errors import InconsistentError, MalformedError
from rollwise.files import replace_file
from rollwise.game.position import Position
from rollwise.model.arrays import Model, build
from rollwise.model.classes import Root, check_joint, exceeds_table
from rollwise.model.size import check_table
from rollwise.rules import Rules
from rollwise.solving import cache
from rollwise.solving.card_solution import STATE_MISSING, CardSolution
from rollwise.solving.objectives import (
    BEST_CASE,
    EXPECTED,
    CardObjective,
    Objective,
    check_risk,
)
from rollwise.solving.progress import Progress
from rollwise.solving.values import Table, is_large, stored_table

if TYPE_CHECKING:
    from rollwise.solving.by_score.solver import ScoreSolver


class CardSolver:
    """A solver for one game, which solves each objective only once.

    ``cache`` is whether to use the cache on disk. ``root`` is the scorecard from which the game
    continues; default: the empty scorecard. An executor solves a game part by part, with its layers
    in the cache. ``from_cache`` is whether all results so far were read from disk, not solved.
    """

    def __init__(
        self,
        rules: Rules,
        threads: int | None,
        cache: bool,
        root: Root | None = None,
        executor: Executor | None = None,
    ) -> None:
        self.rules, self.root, self.threads, self.cache = rules, root, threads, cache
        self._executor = executor
        self.from_cache = True
        self._solutions: dict[str, CardSolution] = {}

    @cached_property
    def model(self) -> Model:
        """The arrays of the game, shared with the solutions in memory."""
        for solution in self._solutions.values():
            return solution.model
        if self.root is None and not exceeds_table(self.rules):
            check_table(self.rules.unsaved)
        return build(self.rules, self.root)

    @property
    def expected(self) -> CardSolution:
        """The solution for the expected score."""
        return self.solve(EXPECTED)

    @property
    def best_case(self) -> CardSolution:
        """The solution for the highest possible score."""
        return self.solve(BEST_CASE)

    @cached_property
    def by_score(self) -> "ScoreSolver":
        """The solver for objectives of the final score."""
        from rollwise.solving.by_score.solver import ScoreSolver, check_rows  # numba

        check_joint(self.rules)
        check_rows(self.model)  # fail early: solving for the expected score can take minutes
        self.from_cache = False  # values by score are not cached
        return ScoreSolver(self.expected, self.best_case, self.threads)

    def solve(
        self,
        objective: CardObjective,
        position: Position | None = None,
        *,
        moments: bool = False,
        on_disk: bool = False,
        progress: Progress | None = None,
    ) -> CardSolution:
        """Return the solution for an objective.

        See :meth:`rollwise.solving.solver.Solver.solve`.
        """
        if objective.name != EXPECTED.name or self._executor:
            check_joint(self.rules)
        cached = self._find(objective)
        if cached is None and is_large(self.model):
            turns = position.state.filled.bit_count() if position else 0
            needed = slice(None) if on_disk else slice(turns, turns + 2)
            stored = self.stored(objective, needed)
            if stored is not None:
                return stored
            if position and not on_disk:
                if turns and exceeds_table(self.rules):
                    raise InconsistentError(STATE_MISSING)
                rest = self.after(position)
                if rest is not self:
                    self.from_cache = False
                    return rest.solve(objective, moments=moments, progress=progress)
        solution = cached or self._compute(objective, on_disk, progress)
        try:
            if moments and solution.moments is None and solution.is_whole:
                from rollwise.solving.moments import with_moments  # numba

                self.from_cache = False
                solution = with_moments(solution, self.threads)  # might not fit in memory
        finally:
            if solution is not cached:
                self._save(solution)
        return solution

    def check_alone(self, objective: Objective) -> None:
        """Raise MalformedError if the solver has an executor, which the objective cannot use."""
        if self._executor:
            raise MalformedError(
                f"{objective.name} depends on the points so far, so it cannot be solved on a "
                "cluster; solve it on one machine, or use the objective expected"
            )

    def after(self, position: Position) -> "CardSolver":
        """Return a solver for the states that are reachable from the scorecard of a position.

        Return this solver for an empty scorecard, or for a game that fits in one table.
        """
        state = position.state
        if not state.filled or not self.rules.carries_rolls or not is_large(self.model):
            return self
        root = Root(state.filled, state.eligible, position.saved)
        return CardSolver(self.rules, self.threads, cache=False, root=root)

    def _find(self, objective: CardObjective) -> CardSolution | None:
        """Return the solution from memory or from the cache, or None."""
        if not objective.named:
            return None
        if objective.name not in self._solutions and self.cache:
            solution = cache.load_table(self.rules, objective)
            if solution is not None:
                self._solutions[objective.name] = solution
        return self._solutions.get(objective.name)

    def _save(self, solution: CardSolution) -> None:
        """Save a solution in memory and in the cache.

        Do nothing unless the solution is one table, and the name of its objective defines it.
        """
        if not (solution.is_whole and solution.objective.named):
            return
        self._solutions[solution.objective.name] = solution
        if self.cache:
            cache.save_table(solution)

    def stored(self, objective: CardObjective, needed: slice) -> CardSolution | None:
        """Return a solution with the saved layers of a large game.

        Return None if a layer in ``needed`` is missing.
        """
        folder = self._folder(objective)
        if folder is None or not folder.is_dir():
            return None
        if exceeds_table(self.rules):
            from rollwise.solving.column_solver import stored_columns  # numba

            table: Table | None = stored_columns(self.model, folder, needed)
        else:
            full_L = objective.terminal(self.model.bonus_L.astype(np.float64))
            table = stored_table(self.model, folder, needed, full_L)
        return CardSolution(self.rules, objective, self.model, table) if table else None

    def _compute(
        self, objective: CardObjective, on_disk: bool, progress: Progress | None
    ) -> CardSolution:
        """Solve the game with the method that suits its size."""
        self.from_cache = False
        if objective.risk:
            check_risk(objective, self.best_case.value())
        folder = self._folder(objective)
        if on_disk and folder is not None and is_large(self.model):
            make_own(folder.parent)
            folder.mkdir(exist_ok=True)
            replace_file(folder / WANTED)
        if exceeds_table(self.rules):
            from rollwise.solving.column_solver import solve_columns  # numba

            table: Table = solve_columns(self.model, folder, on_disk, self.threads, progress)
        else:
            from rollwise.solving.backward_induction import solve_cards  # numba

            table = solve_cards(
                self.model,
                objective,
                folder=folder,
                on_disk=on_disk,
                executor=self._executor,
                threads=self.threads,
                progress=progress,
            )
        return CardSolution(self.rules, objective, self.model, table)

    def _folder(self, objective: CardObjective) -> Path | None:
        """Return the folder for the layers of a game, or None if layers are not saved.

        If an executor needs saved layers and they cannot be saved, raise a MalformedError.
        """
        if objective.named and self.cache:
            return cache.entry_path(self.rules, objective.name, cache.LAYERS)
        if self._executor and objective.named:
            raise MalformedError(
                "a cluster reads finished layers from the cache; leave out --no-cache"
            )
        if self._executor:
            raise MalformedError(
                f"values for {objective.name} cannot be saved, because the name does not define "
                "the objective; use an objective such as expected"
            )
        return None
