"""The solver for objectives that ignore the points so far, with a cache of its solutions.

Reading a solution does not need Numba, which takes a third of a second to import. Therefore, only
the methods that need Numba import it.
"""

from collections.abc import Callable
from concurrent.futures import Executor
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from rollwise.errors import InconsistentError, MalformedError
from rollwise.game.position import Position
from rollwise.model.arrays import Model, build
from rollwise.model.classes import Root, check_joint, exceeds_table
from rollwise.model.size import check_table
from rollwise.rules import Rules
from rollwise.solving import cache as tables
from rollwise.solving.cache_entries import layers_folder
from rollwise.solving.card_solution import STATE_MISSING, CardSolution
from rollwise.solving.objectives import (
    BEST_CASE,
    EXPECTED,
    CardObjective,
    Objective,
    check_risk,
)
from rollwise.solving.progress import Progress
from rollwise.solving.storage.layer_files import LayerFiles
from rollwise.solving.storage.stores import LocalStore, Store, shared_store
from rollwise.solving.values import is_large, stored_values

if TYPE_CHECKING:
    from rollwise.solving.by_score.solver import ScoreSolver


class CardSolver:
    """A solver for one game, which solves each objective only once.

    Parameters
    ----------
    rules : Rules
    threads : int, optional
        Default: all cores that the process can use.
    cache : bool
        Whether to use the cache on disk.
    root : Root, optional
        The scorecard from which the game continues; default: the empty scorecard.
    store : Store, optional
        Where to save all layers of a game, instead of tables in the cache.
    executor : callable, optional
        Creates an executor whose workers solve a game part by part.

    Attributes
    ----------
    from_cache : bool
        Whether all results so far were read from disk, so that nothing was solved.
    """

    def __init__(
        self,
        rules: Rules,
        threads: int | None,
        cache: bool,
        root: Root | None = None,
        store: Store | None = None,
        executor: Callable[[], Executor] | None = None,
    ) -> None:
        self.rules, self.root = rules, root
        self.threads, self.cache = threads, cache and store is None
        self._store, self._executor = store, executor
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
        if cached is None and not on_disk and is_large(self.model):
            turns = position.state.filled.bit_count() if position else 0
            stored = self._stored_after(objective, turns)
            if stored is None and turns and exceeds_table(self.rules):
                raise InconsistentError(STATE_MISSING)
            rest = self.after(position) if position else self
            if stored is None and rest is not self:
                self.from_cache = False
                return rest.solve(objective, moments=moments, progress=progress)
            if stored is not None:
                return stored
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
        """Raise an error if the solver has an executor or a store, which the objective cannot use.

        Raises
        ------
        MalformedError
            If the solver has an executor or a store.
        """
        if self._store or self._executor:
            raise MalformedError(
                f"{objective.name} depends on the points so far, so it cannot be solved on a "
                "cluster or saved in a store; solve it on one machine, or use the objective "
                "expected"
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
            solution = tables.load(self.rules, objective)
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
            tables.save(solution)

    def _stored_after(self, objective: CardObjective, turns: int) -> CardSolution | None:
        """Return a solution with the saved layers of a large game.

        Return None if layer ``turns`` or the next layer is missing.
        """
        stores = self._store, shared_store() if self.cache else None
        near = slice(turns, turns + 2)
        solutions = (self.stored_in(store, objective, near) for store in dict.fromkeys(stores))
        return next((solution for solution in solutions if solution is not None), None)

    def stored_in(
        self, store: Store | None, objective: CardObjective, needed: slice
    ) -> CardSolution | None:
        """Return a solution with the saved layers of a large game.

        Return None if a layer in ``needed`` is missing.
        """
        if (files := self._files(objective, store)) is None:
            return None
        if exceeds_table(self.rules):
            from rollwise.solving.column_solver import stored_columns  # numba

            layers = stored_columns(self.model, files, needed)
            return CardSolution(self.rules, objective, self.model, layers) if layers else None
        full_L = objective.terminal(self.model.bonus_L.astype(np.float64))
        values = stored_values(self.model, files, needed, full_L)
        if values is None:
            return None
        return CardSolution(self.rules, objective, self.model, values)

    def _compute(
        self, objective: CardObjective, on_disk: bool, progress: Progress | None
    ) -> CardSolution:
        """Solve the game with the method that suits its size."""
        if objective.risk:
            check_risk(objective, self.best_case.value())
        files = self._files(objective)
        if self._executor:
            from rollwise.solving.distributed import solve_by_parts  # numba

            assert files is not None
            layers = solve_by_parts(self.model, objective, files, self._executor, progress)
        elif exceeds_table(self.rules):
            from rollwise.solving.column_solver import solve_columns  # numba

            every = on_disk or self._store is not None
            layers = solve_columns(self.model, files, every, self.threads, progress)
        else:
            from rollwise.solving.backward_induction import solve_cards  # numba

            layers = solve_cards(
                self.model,
                objective,
                files=files,
                on_disk=on_disk,
                in_store=self._store is not None,
                threads=self.threads,
                progress=progress,
            )
        self.from_cache &= layers.from_disk
        remaining = layers.table() if layers.small else layers
        return CardSolution(self.rules, objective, self.model, remaining)

    def _files(self, objective: CardObjective, store: Store | None = None) -> LayerFiles | None:
        """Return the files for the layers of a game, or None if layers are not saved.

        ``store`` replaces the default store.

        Raises
        ------
        MalformedError
            If layers must be saved and the name of ``objective`` does not define it.
        """
        folder = layers_folder(self.rules, objective)
        if not objective.named and (self._store or self._executor):
            raise MalformedError(
                f"values for {objective.name} cannot be saved, because the name does not define "
                "the objective; use an objective such as expected"
            )
        if objective.named and (self.cache or self._store or self._executor):
            used = store or self._store or LocalStore(folder.parent)
            return LayerFiles(used, folder.name)
        return None
