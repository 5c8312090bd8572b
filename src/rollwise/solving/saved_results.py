"""The saved results of one game: its solutions in memory, and its results in the cache.

Reading them does not need Numba, which takes a third of a second to import. Therefore, only the
method that needs Numba imports it.
"""

from collections.abc import Callable
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from rollwise.game.position import Position
from rollwise.model.arrays import Model, build
from rollwise.model.classes import Root, exceeds_table
from rollwise.model.size import check_table
from rollwise.rules import Rules
from rollwise.solving.by_score.saved_turns import find_turns, save_turns
from rollwise.solving.by_score.solution import ScoreSolution
from rollwise.solving.cache import (
    LAYERS,
    entry_path,
    load_or_compute_numbers,
    load_table,
    save_table,
)
from rollwise.solving.card_solution import CardSolution, highest_score
from rollwise.solving.objectives import BEST_CASE, EXPECTED, CardObjective, ScoreObjective
from rollwise.solving.position_index import START, CardIndex
from rollwise.solving.storage.layers import keep_layers
from rollwise.solving.values import Table, is_large, stored_table


class SavedResults:
    """The saved results of one game, from a root or from the empty scorecard.

    ``cache`` is whether to use the cache on disk.
    """

    def __init__(self, rules: Rules, cache: bool, root: Root | None = None) -> None:
        self.rules, self.cached, self._root = rules, cache, root
        self._solutions: dict[str, CardSolution] = {}

    @cached_property
    def model(self) -> Model:
        """The game as arrays, shared with the solutions in memory."""
        for solution in self._solutions.values():
            return solution.model
        if not exceeds_table(self.rules):
            check_table(self.rules.unsaved)
        return build(self.rules, self._root)

    def find(self, objective: CardObjective, layers: slice = slice(None)) -> CardSolution | None:
        """Return the saved solution for an objective, or None.

        If the game is too large for one table, its values are read from the saved layers when they
        are needed. Return None if one of ``layers`` is missing.
        """
        if not objective.named:
            return None
        if objective.name not in self._solutions and self.cached:
            solution = load_table(self.rules, objective)
            if solution is None:
                return self._find_layers(objective, layers)
            self._solutions[objective.name] = solution
        return self._solutions.get(objective.name)

    def _find_layers(self, objective: CardObjective, layers: slice) -> CardSolution | None:
        folder = entry_path(self.rules, objective.name, LAYERS)
        if not folder.is_dir() or not is_large(self.model):
            return None
        if exceeds_table(self.rules):
            from rollwise.solving.columns import stored_columns  # numba

            table: Table | None = stored_columns(self.model, folder, layers)
        else:
            full_L = objective.terminal(self.model.bonus_L.astype(np.float64))
            table = stored_table(self.model, folder, layers, full_L)
        return CardSolution(self.rules, objective, self.model, table) if table else None

    def save(self, solution: CardSolution) -> None:
        """Save a solution, if it is one table, and if the name of its objective defines it."""
        if solution.is_whole and solution.objective.named:
            self._solutions[solution.objective.name] = solution
            if self.cached:
                save_table(solution)

    def find_turns(
        self, objective: ScoreObjective, position: Position | None, *, with_expected: bool
    ) -> ScoreSolution | None:
        """Return saved turns for an objective of the final score, from the scorecard of a position.

        Return None if they are missing, or if another result that they need is missing.
        """
        expected, best_case = self.find(EXPECTED), self.find(BEST_CASE)
        if not (self.cached and expected and expected.is_whole and best_case):
            return None
        card = START if position is None else CardIndex.of_card(expected.model, position)
        highest = highest_score(best_case)
        return find_turns(objective, expected, highest, card, with_expected=with_expected)

    def save_turns(self, solution: ScoreSolution, highest: int) -> None:
        """Save the first turns of a solution for an objective of the final score."""
        if self.cached:
            save_turns(solution, highest)

    def layers_folder(self, objective: CardObjective, *, wanted: bool) -> Path | None:
        """Return the folder for the layers of a solution, or None if they are not saved.

        If all layers of a large game are ``wanted``, mark the folder, so that they stay in it.
        """
        if not (objective.named and self.cached):
            return None
        folder = entry_path(self.rules, objective.name, LAYERS)
        if wanted and is_large(self.model):
            keep_layers(folder)
        return folder

    def numbers(self, name: str, compute: Callable[[], NDArray[np.float64]]) -> NDArray[np.float64]:
        """Return an array from the cache, or compute and cache it."""
        return load_or_compute_numbers(self.rules, name, compute) if self.cached else compute()
