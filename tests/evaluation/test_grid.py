"""Test near-exact two-player values on grids, and the nodes of exact ones."""

import json
from dataclasses import replace
from itertools import combinations, product
from math import comb
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from numpy.typing import NDArray

from repository import DOCS, ROOT
from rollwise.game.position import Position
from rollwise.game.scorecard import Scorecard
from rollwise.model.arrays import build
from rollwise.rules import Rules, load_rules
from rollwise.solving.compiled_game import CompiledGame
from rollwise.solving.position_index import CardIndex
from rollwise.solving.solver import Solver
from rollwise.two_player import layout
from rollwise.two_player.grid import (
    COARSE,
    ERRORS,
    FINE,
    GAP,
    GRIDS,
    LIGHT,
    CategoryLaws,
    Grid,
    GridChoices,
    GridErrors,
    best_nodes,
    cubic_weights,
    grids_for,
    measured_errors,
)
from rollwise.two_player.layout import ReachableCards
from rollwise.two_player.nodes import CardRows, alike
from rollwise.two_player.solution import DuelSolution
from rollwise.two_player.solver import DuelSolver
from rollwise.two_player.win_probability import UNLIMITED, Limit, WinQuery
from small_games import small_rules

few_categories = small_rules(saves=True).filter(
    lambda rules: rules.dice < 3 and len(rules.categories) < 4
)
ALL_NODES = Grid("all", nodes_by_open=(99,), error_by_open=(0.0,), step=4, first=0)
WIDEST = Grid("widest", nodes_by_open=(1,), error_by_open=(1.0,), step=8, first=1)
YAHTZEE, PLAIN = load_rules("yahtzee"), load_rules("yahtzee-plain")
LATE = "ones=3,twos=6,threes=9,three-of-a-kind=20,four-of-a-kind=0,small-straight=30"
CARD = f"{LATE},large-straight=40,fours=12,fives=10"
EIGHT_OPEN = "ones=3,twos=6,three-of-a-kind=20,four-of-a-kind=0,small-straight=30"
UPPER_END = (
    "ones=3,fours=12,three-of-a-kind=20,four-of-a-kind=0,full-house=25,small-straight=30,"
    "large-straight=40,yahtzee=0"
)
UPPER_LATER = (
    "ones=3,four-of-a-kind=20,chance=20,full-house=25,small-straight=30,large-straight=40,yahtzee=0"
)
END = "ones=3,twos=6,threes=9,three-of-a-kind=20,four-of-a-kind=0,small-straight=30,yahtzee=0"


class TestNodes:
    def test_totals_that_no_open_category_tells_apart_are_alike(self) -> None:
        """Check Sixes alone, with a bonus for 63 points: only the number of sixes counts."""
        model = build(PLAIN)
        sixes = PLAIN.keys.index("sixes")
        c = model.class_of(((1 << len(PLAIN.keys)) - 1) ^ 1 << sixes)
        rows = CardRows(model)
        nodes = alike(rows)
        totals = np.arange(64)
        row = rows.row_of(c, totals)
        needed = np.where(totals < 63, -(-(63 - totals) // 6), 0)
        needed[needed > 5] = 0
        earned = np.where((needed == 0) & (totals < 63), -35, 0)
        pairs = {*zip(needed.tolist(), nodes.node_X_N[row, 0].tolist(), strict=True)}
        assert len(pairs) == len({node for _, node in pairs}) == len({n for n, _ in pairs}) == 6
        assert np.array_equal(nodes.points_X_N[row, 0], earned)

    def test_the_best_nodes_have_the_least_cost(self) -> None:
        random = np.random.default_rng(5)
        to_come, probability = np.sort(random.random(9)), random.random(9)

        def cost(is_node: NDArray[np.bool_]) -> float:
            nodes = np.concatenate([[0.0], to_come[is_node], [1.0]])
            x, p = to_come[~is_node], probability[~is_node]
            after = np.searchsorted(nodes, x)
            return float((p * ((x - nodes[after - 1]) * (nodes[after] - x) + GAP)).sum())

        every = [np.isin(np.arange(9), chosen) for chosen in combinations(range(9), 3)]
        best = best_nodes(probability, to_come, 3)
        assert best.sum() == 3
        assert cost(best) == pytest.approx(min(map(cost, every)), abs=1e-12)


class TestSteps:
    def test_cubic_polynomials_are_exact(self) -> None:
        places = 4 * (np.arange(4) - 1.0)
        assert cubic_weights(4) @ places**3 == pytest.approx(np.arange(4.0) ** 3, abs=1e-12)

    def test_scores_in_multiples_of_five_need_all_differences(self) -> None:
        model = build(PLAIN)
        full = (1 << len(PLAIN.keys)) - 1
        fives = ["full-house", "small-straight", "large-straight", "yahtzee"]
        others = ["threes", "sixes", "three-of-a-kind", "chance"]
        classes = np.array(
            [
                model.class_of(full - sum(1 << PLAIN.keys.index(key) for key in keys))
                for keys in (fives, others)
            ]
        )
        assert np.diag(GridChoices(model, LIGHT).steps(classes, classes, 4)).tolist() == [1, 4]

    def test_the_total_of_one_category(self) -> None:
        """Check the number of ones in five dice with three rolls, and the better of two turns."""
        total = CategoryLaws(build(PLAIN)).total(1 << PLAIN.keys.index("ones"), 7)
        alone = np.array([comb(5, n) * 91**n * 125 ** (5 - n) / 216**5 for n in range(6)])
        best = np.diff(np.cumsum(alone) ** 2, prepend=0.0)
        assert total[7:13] == pytest.approx((alone + best) / 2, abs=1e-12)
        assert total.sum() == pytest.approx(1)


class TestSmallGames:
    @settings(max_examples=5)
    @given(few_categories)
    def test_a_grid_of_all_nodes_equals_the_exact_solver(self, rules: Rules) -> None:
        solver = DuelSolver(rules, threads=1, cache=False)
        exact = solver.solve().value()
        assert solver.solve(grid=ALL_NODES).value() == pytest.approx(exact, abs=1e-6)
        assert solver.solve(grid=FINE).value() == pytest.approx(exact, abs=1e-4)

    @settings(max_examples=5)
    @given(few_categories)
    def test_results_do_not_depend_on_threads(self, rules: Rules) -> None:
        values = [
            DuelSolver(rules, threads=n, cache=False).solve(grid=WIDEST).value() for n in (1, 2)
        ]
        assert values[0] == values[1]

    def test_steps_before_all_differences(self) -> None:
        """Check a first turn that interpolates differences which no game reaches."""
        card, solver = Scorecard(PLAIN, UPPER_END), DuelSolver(PLAIN, cache=False)
        grid = Grid(
            "steps", nodes_by_open=(99,), error_by_open=(0, 0, 0, 0, 0, 1e-3), step=8, first=1
        )
        near, exact = (solver.solve(card, card, ties=False, grid=g) for g in (grid, None))
        assert near.value() == pytest.approx(exact.value(), abs=1e-3)

    def test_values_of_16_bits(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(layout, "MAX_FLOATS", 5000)
        solver = DuelSolver("generala", cache=False)
        card = Scorecard("generala", "ones=3,twos=6,threes=9,fours=8,straight=0,full-house=30")
        near, exact = (solver.solve(card, card, ties=False, grid=grid) for grid in (FINE, None))
        kinds = [near.layers.shape(t)[1] for t in range(len(near.layers))]
        assert np.float32 in kinds
        assert np.uint16 in kinds
        assert 0 < abs(near.value() - exact.value()) < 2e-5


@pytest.fixture(scope="module")
def endgame() -> tuple[Scorecard, DuelSolver, DuelSolution]:
    """Return a scorecard with six open categories, a solver, and the exact solution."""
    card, solver = Scorecard(PLAIN, END), DuelSolver(PLAIN, cache=False)
    return card, solver, solver.solve(card, card, ties=False)


class TestEndgame:
    def test_a_known_value(self, endgame: tuple[Scorecard, DuelSolver, DuelSolution]) -> None:
        """Check the value that a separate program computes, with half the states of all totals."""
        _, _, exact = endgame
        assert exact.value() == pytest.approx(0.4922736340, abs=6e-11)
        assert exact.lanes < 5e6

    @pytest.mark.parametrize("name", GRIDS)
    def test_errors_are_not_larger_than_measured(self, name: str) -> None:
        card, solver = Scorecard(PLAIN, UPPER_END), DuelSolver(PLAIN, cache=False)
        exact, near = (solver.solve(card, card, ties=False, grid=g) for g in (None, GRIDS[name]))
        errors = measured_errors(PLAIN.name, 5, name)
        assert near.errors == errors
        if name != "coarse":  # in so short a game, its margins have more states than it saves
            assert near.lanes < exact.lanes
        assert abs(near.value() - exact.value()) <= errors.value_largest
        position = Position.of(card, (1, 1, 3, 6, 6), 2)
        values = {option.action: option.value for option in exact.options(position)}
        options = near.options(position)
        off = [abs(option.value - values[option.action]) for option in options]
        assert 0 < max(off) <= errors.option_largest
        assert options[0].chances is None

    def test_the_most_accurate_method_within_the_limit(self) -> None:
        card, solver = Scorecard(PLAIN, EIGHT_OPEN), DuelSolver(PLAIN)
        lanes = [
            solver.size(card, card, ties=False, grid=grid).lanes for grid in (None, FINE, LIGHT)
        ]
        assert lanes == sorted(lanes, reverse=True)
        queries = [
            WinQuery(solver, card, card, Limit(most, most), ties=False, grids=[FINE, LIGHT])
            for most in (*lanes, lanes[-1] - 1)
        ]
        assert [query.method for query in queries] == ["solve", "grid", "grid", "estimate"]
        assert [query.grid for query in queries[1:]] == [FINE, LIGHT, None]

    def test_a_grid_can_be_requested(self) -> None:
        card, solver = Scorecard(YAHTZEE, CARD), DuelSolver(YAHTZEE, cache=False)
        query = WinQuery(solver, card, card, UNLIMITED, grids=[LIGHT], always_grid=True)
        assert query.method == "grid"
        solution = query.answer()
        assert isinstance(solution, DuelSolution)
        assert solution.grid == LIGHT

    def test_saved_layers_answer_later_questions(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("rollwise.two_player.solver.SAVED_STATES", 1000)
        card, solver = Scorecard(YAHTZEE, CARD), DuelSolver(YAHTZEE)
        solution = solver.solve(card, card, ties=False, grid=LIGHT)
        cached = DuelSolver(YAHTZEE).cached(card, card, ties=False, grid=LIGHT)
        assert cached is not None
        assert cached.grid == LIGHT
        assert cached.value() == solution.value()
        assert solver.cached(card, card, ties=False) is None

    def test_a_saved_game_answers_questions_about_later_turns(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Check turns of both players, and that the table is not used if a tie is a loss."""
        monkeypatch.setenv("ROLLWISE_CACHE", str(tmp_path))
        solver = DuelSolver("micro-yahtzee")
        whole = solver.solve(grid=LIGHT, save=True)
        half = Scorecard(solver.rules, "double=6")
        for card, opponent in ((half, half), (Scorecard.empty(solver.rules), half)):
            query = WinQuery(
                DuelSolver("micro-yahtzee"), card, opponent, Limit(0, 0), grids=[LIGHT]
            )
            assert query.method == "cached"
            saved, alone = query.answer(), solver.solve(card, opponent, ties=False)
            assert isinstance(saved, DuelSolution)
            assert saved.grid == LIGHT
            assert saved.lanes == whole.lanes
            assert saved.value() == pytest.approx(alone.value(), abs=1e-6)
            position = Position.of(card, (1,), 0)
            values = [{o.action: o.value for o in s.options(position)} for s in (saved, alone)]
            assert values[0] == pytest.approx(values[1], abs=1e-6)
        lost = replace(query, tie=0.0)
        assert lost.method == "estimate"

    def test_an_exact_saved_game_precedes_one_on_a_grid(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("ROLLWISE_CACHE", str(tmp_path))
        solver, half = DuelSolver("micro-yahtzee"), "double=6"
        for grid in (LIGHT, None):
            solver.solve(grid=grid, save=True)
        card = Scorecard(solver.rules, half)
        query = WinQuery(DuelSolver("micro-yahtzee"), card, card, Limit(0, 0))
        assert query.method == "cached"
        saved = query.answer()
        assert isinstance(saved, DuelSolution)
        assert saved.exact
        assert saved.chances() == solver.solve(card, card).chances()

    def test_a_solution_to_save_needs_only_memory(self) -> None:
        card, solver = Scorecard(PLAIN, EIGHT_OPEN), DuelSolver(PLAIN)
        query = WinQuery(solver, card, card, Limit(0, 0), grids=[LIGHT])
        assert query.method == "estimate"
        assert replace(query, save=True).method == "grid"


@pytest.mark.parametrize(("open_categories", "light"), [(1, LIGHT), (10, LIGHT), (11, COARSE)])
def test_the_light_grid_of_a_whole_game_is_coarse(open_categories: int, light: Grid) -> None:
    assert grids_for(open_categories) == {"fine": FINE, "light": light}


def test_every_scorecard_of_a_game_has_a_value() -> None:
    """Check totals whose nodes do not follow from other nodes, with few and with many points."""
    solver, card = DuelSolver(PLAIN), Scorecard(PLAIN, UPPER_LATER)
    near = solver.solve(card, card, grid=COARSE, on_disk=True)
    reachable = ReachableCards(PLAIN, CompiledGame(solver.model), Solver(PLAIN))
    cards = reachable.cards_from(CardIndex.of_card(solver.model, card))
    for t in range(len(near.layers)):
        moved, mover = cards[(t + 1) // 2], cards[t // 2]
        for score_B, score_A in product(
            (moved.low_A, moved.high_A - 1), (mover.low_A, mover.high_A - 1)
        ):
            of_moved = moved.class_A[:, None], moved.lane_A[:, None], score_B[:, None]
            value = near.look_up(t, of_moved, (mover.class_A, mover.lane_A, score_A))
            assert not np.isnan(value).any()


def test_a_match_corrects_the_errors_of_the_grid(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Check ``benchmarks/whole_game.py`` in a game whose only errors are those of rounding."""
    monkeypatch.setenv("ROLLWISE_CACHE", str(tmp_path))
    monkeypatch.syspath_prepend(ROOT / "benchmarks")
    from whole_game import GROUP, groups_of, measure

    assert [number for number, _ in groups_of(GROUP + 1, seed=1)] == [GROUP, 1]
    solver = DuelSolver("micro-yahtzee")
    exact = solver.solve().value()
    assert abs(solver.solve(grid=LIGHT, save=True).value() - exact) > 1e-8
    row = next(measure("micro-yahtzee", {"win win": 1000}, seed=1, workers=1))
    assert abs(row["value"] - exact) < 1e-8
    assert abs(row["results"] - exact) < 4 * row["results_se"]


class TestErrors:
    def test_the_table_in_the_documentation(self) -> None:
        page = (DOCS / "two-player-theory.md").read_text(encoding="utf-8")
        for row in json.loads(ERRORS.read_text(encoding="utf-8")):
            numbers = [f"{100 * row[name]:.5f}" for name in GridErrors._fields]
            cells = (f"`{row['game']}`", f"{row['open']}", f"`{row['grid']}`", *numbers)
            assert f"| {' | '.join(cells)} |" in page

    def test_the_nearest_number_of_open_categories(self) -> None:
        assert measured_errors(PLAIN.name, 12, "light") == measured_errors(PLAIN.name, 8, "light")

    def test_another_game_has_the_largest_errors(self) -> None:
        other = measured_errors("yams", 6, "fine")
        both = [measured_errors(name, 6, "fine") for name in ("yahtzee", "yahtzee-plain")]
        assert other == tuple(map(max, *both))
        assert measured_errors("yahtzee", 9, "light") == measured_errors(PLAIN.name, 8, "light")
