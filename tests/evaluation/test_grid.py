"""Test near-exact two-player values on grids."""

import numpy as np
import pytest
from hypothesis import given, settings

from rollwise.errors import InputError
from rollwise.game.position import Position
from rollwise.game.scorecard import Scorecard
from rollwise.rules import Rules, load_rules
from rollwise.two_player.grid import Grid, cubic_weights
from rollwise.two_player.solution import DuelSolution
from rollwise.two_player.solver import DuelSolver
from rollwise.two_player.win_probability import UNLIMITED, Limit, WinQuery
from small_games import small_rules

few_categories = small_rules(saves=True).filter(
    lambda rules: rules.dice < 3 and len(rules.categories) < 4
)
ALL_POINTS = Grid(difference=1, upper=1, cut=0.0)
EIGHT_OPEN = "ones=3,twos=6,three-of-a-kind=20,four-of-a-kind=0,small-straight=30"
COARSE = Grid(difference=8, upper=6, fine_difference=2, fine_upper=1)
YAHTZEE = load_rules("yahtzee")
LATE = "ones=3,twos=6,threes=9,three-of-a-kind=20,four-of-a-kind=0,small-straight=30"
CARD = f"{LATE},large-straight=40,fours=12,fives=10"


class TestWeights:
    def test_cubic_polynomials_are_exact(self) -> None:
        points = np.array([[0.0, 7.0, 12.0, 20.0]] * 3)
        at = np.array([3.0, 8.0, 19.0])
        weights = cubic_weights(at, points)
        assert (weights * points**3).sum(axis=1) == pytest.approx(at**3, rel=1e-12)

    def test_missing_points_have_no_weight(self) -> None:
        weights = cubic_weights(np.array([3.0]), np.array([[0.0, 4.0, np.nan, np.nan]]))
        assert weights.tolist() == [[0.25, 0.75, 0.0, 0.0]]


class TestText:
    def test_steps(self) -> None:
        assert Grid.parse("difference=4,upper=8") == Grid(4, 8)
        assert str(Grid.parse("upper=10")) == "difference=8,upper=10"

    @pytest.mark.parametrize("text", ["", "4", "upper=0", "upper=2,upper=4", "steps=3", "upper=x"])
    def test_unknown_grids(self, text: str) -> None:
        with pytest.raises(InputError, match="such as difference=4,upper=8"):
            Grid.parse(text)

    def test_the_difference_is_a_power_of_2(self) -> None:
        with pytest.raises(InputError, match="must be a power of 2, not 6"):
            Grid.parse("difference=6")


class TestSmallGames:
    @settings(max_examples=5)
    @given(few_categories)
    def test_a_grid_of_all_points_equals_the_exact_solver(self, rules: Rules) -> None:
        solver = DuelSolver(rules, threads=1, cache=False)
        assert solver.solve(grid=ALL_POINTS).chances() == solver.solve().chances()

    @settings(max_examples=5)
    @given(few_categories)
    def test_results_do_not_depend_on_threads(self, rules: Rules) -> None:
        coarse = Grid(difference=4, upper=3, fine_difference=1, fine_upper=0)
        single, double = (
            DuelSolver(rules, threads=n, cache=False).solve(grid=coarse) for n in (1, 2)
        )
        assert single.chances() == double.chances()


class TestEndgame:
    def test_all_values_of_a_turn_are_near_the_exact_values(self) -> None:
        card, solver = Scorecard(YAHTZEE, CARD), DuelSolver(YAHTZEE, cache=False)
        position = Position.of(card, (1, 1, 3, 6, 6), 2)
        exact, near = solver.solve(card, card), solver.solve(card, card, grid=COARSE)
        assert exact.exact
        assert not near.exact
        values = {option.action: option.value for option in exact.options(position)}
        errors = [abs(option.value - values[option.action]) for option in near.options(position)]
        assert 0 < max(errors) < 1e-3

    def test_the_estimated_error(self) -> None:
        card, solver = Scorecard(YAHTZEE, CARD), DuelSolver(YAHTZEE, cache=False)
        query = WinQuery(solver, card, card, UNLIMITED, ties=False, grid=COARSE, always_grid=True)
        assert query.method == "grid"
        near, exact = query.answer(), solver.solve(card, card, ties=False).value()
        assert isinstance(near, DuelSolution)
        assert near.error is not None
        assert abs(near.value() - exact) < near.error

    def test_the_tie_probability_can_have_a_larger_error_than_the_value(self) -> None:
        card, solver = Scorecard(YAHTZEE, CARD), DuelSolver(YAHTZEE, cache=False)
        exact, near = solver.solve(card, card), solver.solve(card, card, grid=COARSE)
        chances, near_chances = exact.chances(), near.chances()
        assert chances
        assert near_chances
        error = abs(near_chances.tie - chances.tie)
        assert abs(near.value() - exact.value()) < error < 1e-3

    @pytest.mark.parametrize(
        ("states", "method"), [(4e9, "solve"), (3.5e9, "grid"), (1e9, "estimate")]
    )
    def test_a_grid_is_used_where_it_is_within_the_limit(self, states: float, method: str) -> None:
        card = Scorecard(YAHTZEE, EIGHT_OPEN)
        solver = DuelSolver(YAHTZEE)
        query = WinQuery(solver, card, card, Limit(states), ties=False, grid=Grid())
        assert query.method == method

    def test_saved_layers_answer_later_questions(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("rollwise.two_player.solver.SAVED_STATES", 1000)
        card, solver = Scorecard(YAHTZEE, CARD), DuelSolver(YAHTZEE)
        solution = solver.solve(card, card, ties=False, grid=COARSE)
        cached = DuelSolver(YAHTZEE).cached(card, card, ties=False, grid=COARSE)
        assert cached is not None
        assert cached.grid == COARSE
        assert cached.value() == solution.value()
        assert solver.cached(card, card, ties=False) is None
