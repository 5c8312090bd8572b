"""Check that the solver for games with several columns computes the same values as a table.

Other tests compare tables with the exact reference solver.
"""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from numpy.typing import NDArray

from games_with_layers import small_yamb
from rollwise.errors import InconsistentError, TooLargeError
from rollwise.experiments.comparison import compare
from rollwise.experiments.simulation import simulate
from rollwise.game.position import Position
from rollwise.game.scorecard import Scorecard
from rollwise.model import classes
from rollwise.model.arrays import build
from rollwise.model.size import reachable
from rollwise.rules import Rules, load_rules
from rollwise.solving.backward_induction import solve_cards
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.columns import Columns, rows_by_layer
from rollwise.solving.objectives import EXPECTED
from rollwise.solving.solver import Solver, solve
from rollwise.strategies import Optimal
from small_games import of_columns


def value(rules: Rules, **options: Any) -> float:
    """Compute the value of a game at the start without a list of its states."""
    model = build(rules)
    layers = solve_cards(model, EXPECTED, columns=Columns(model), threads=1, **options)
    return CardSolution(rules, EXPECTED, model, layers).value()


@settings(max_examples=40)
@given(of_columns())
def test_values_of_small_games(rules: Rules) -> None:
    assert value(rules) == solve(rules, cache=False).value()


THREE = small_yamb()


def test_three_columns_of_short_yamb() -> None:
    assert value(THREE) == solve(THREE, cache=False).value()


def test_two_columns_of_yamb() -> None:
    rules = load_rules("yamb-down-up")
    assert value(rules) == solve(rules).value()


def test_rows_are_counted_without_a_list_of_classes(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [rows for rows, *_ in Columns(build(THREE)).layers.shapes]
    monkeypatch.setattr(classes, "MAX_SETS", 100)
    with pytest.raises(TooLargeError, match="sets of filled categories"):
        build(THREE)
    assert rows_by_layer(THREE) == rows


def test_an_interrupted_run_resumes(tmp_path: Path) -> None:
    folder = tmp_path / "version" / "game.layers"

    def stop(share: float) -> None:
        if share > 0.5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        value(THREE, folder=folder, progress=stop)
    shares: list[float] = []
    assert value(THREE, folder=folder, progress=shares.append) == value(THREE)
    assert min(shares) > 0.3  # finished layers were not computed again


@pytest.fixture(scope="module")
def table() -> CardSolution:
    """Return the solution of a short game with three columns as one table."""
    return Solver(THREE, cache=False).solve_by_card()


@pytest.fixture(scope="module")
def states() -> tuple[NDArray[np.int64], ...]:
    """Return the class and the lane of each state, computed while a list of them is allowed."""
    return reachable(build(THREE)).nonzero()


class TestSavedLayers:
    """Check that saved layers without a list of states give the same results as a table."""

    @pytest.fixture
    def folder(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        monkeypatch.setattr(classes, "MAX_JOINT", 1000)
        monkeypatch.setenv("ROLLWISE_CACHE", str(tmp_path))
        return tmp_path

    def test_values_of_all_states(
        self, states: tuple[NDArray[np.int64], ...], folder: Path, table: CardSolution
    ) -> None:
        saved = Solver(THREE).solve_by_card(on_disk=True)
        c, lane = states
        assert not saved.is_whole
        assert saved.states == len(c)
        assert (saved.remaining_C_L[c, lane] == table.remaining_C_L[c, lane]).all()
        again = Solver(THREE)
        assert again.solve().options("115") == table.options("115")
        assert again.from_cache

    def test_simulated_games(self, folder: Path, table: CardSolution) -> None:
        saved = Solver(THREE).solve_by_card(on_disk=True)
        played, expected = (
            simulate(Optimal(solution), THREE, 200, seed=1) for solution in (saved, table)
        )
        assert (played.points_N_K == expected.points_N_K).all()

    def test_strategies_are_compared_by_simulated_distributions(self, folder: Path) -> None:
        solution = Solver(THREE).solve_by_card(on_disk=True)
        (entry,) = compare([Optimal(solution)], solution, seed=1).entries
        assert not entry.exact
        assert entry.distribution.mean == pytest.approx(entry.losses.scores_N.mean())
        assert entry.losses.total == pytest.approx(0, abs=1e-9)

    def test_unavailable_states(self, folder: Path, table: CardSolution) -> None:
        solution = Solver(THREE).solve_by_card()
        assert solution.value() == table.value()
        assert solution.options("115") == table.options("115")
        later = Position.of(Scorecard(THREE, "free-ones=1,free-twos=2,free-yamb=0"), (1, 1, 5), 2)
        with pytest.raises(InconsistentError, match="contains only the states near its start"):
            solution.options(later)
        with pytest.raises(InconsistentError, match="contains only the states near its start"):
            Solver(THREE).solve(position=later)
        with pytest.raises(InconsistentError, match="contains only the states near its start"):
            simulate(Optimal(solution), THREE, 5)
        solution = Solver(THREE).solve_by_card(on_disk=True)
        assert solution.options(later) == table.options(later)
        assert Solver(THREE).solve(position=later).options(later) == solution.options(later)

    @pytest.mark.parametrize("question", ["worst-case", "target:20", "least-variance"])
    def test_objectives_that_need_a_table(self, question: str, folder: Path) -> None:
        with pytest.raises(TooLargeError, match="fit in a table"):
            solve(THREE, question, cache=False)
