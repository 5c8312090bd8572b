"""Test games that save rolls: policies, large games, and files.

The values of these games are tested in test_fast_equals_reference.py.
"""

import pickle
import random
import shutil
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games import card_in
from games_with_layers import small_maxi
from rollwise.cache_folder import code_hash
from rollwise.errors import InconsistentError, InputError, MalformedError, TooLargeError
from rollwise.experiments.simulation import simulate
from rollwise.game.position import Position
from rollwise.game.scorecard import State
from rollwise.model.arrays import build, unsaved
from rollwise.model.size import reachable
from rollwise.model.turn import keep_values, roll_values
from rollwise.rules import Rules, load_rules
from rollwise.solving import backward_induction, solver, values
from rollwise.solving.backward_induction import solve_cards
from rollwise.solving.compiled_game import CompiledGame
from rollwise.solving.kernels.backward import Chains, Layer, backward
from rollwise.solving.objectives import BEST_CASE, EXPECTED, Objective, target
from rollwise.solving.solver import Solver, solve
from rollwise.solving.storage import layers as storage
from rollwise.solving.storage.layers import bytes_of
from rollwise.solving.turn_policy import Cards
from rollwise.solving.values import layers_of
from rollwise.strategies import Greedy, Optimal, RandomStrategy
from small_games import plain_rules, relatives, small_rules

MAXI, MICRO = load_rules("maxi-yatzy"), load_rules("micro-yahtzee")
carrying_rules = relatives(saves=True).filter(lambda rules: rules.carries_rolls)
"""Rules with carried rolls. About half of the drawn rules pass, which is enough for hypothesis."""

saving_rules = plain_rules().map(
    lambda rules: rules.model_copy(update={"saves_rolls": True, "rolls": max(rules.rolls, 2)})
)


def same_options(whole: Solver, rest: Solver, position: Position, objective: Objective) -> None:
    """Check that solving the rest of a game gives the same options as solving all of it."""
    theirs = whole.solve(objective, position=position, moments=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(solver, "is_large", lambda model: not model.root.filled)
        ours = rest.solve(objective, position=position, moments=True)
    assert bool(ours.model.root.filled) == bool(position.state.filled)
    assert not theirs.model.root.filled
    assert ours.options(position) == theirs.options(position)


class TestPlay:
    @settings(max_examples=12)
    @given(saving_rules)
    def test_batches_agree_with_turn_policies(self, rules: Rules) -> None:
        solution = solve(rules, cache=False, threads=1)
        model, best = solution.model, Optimal(solution)
        for turns in range(len(rules.categories)):
            first = int(model.layer_starts[turns])
            for saved in rules.saved_after(turns):
                c = first + saved
                lanes = np.arange(model.first_lane_C[c], model.last_lane_C[c] + 1)
                every = best.turns(Cards(model, lanes * 0 + c, lanes, lanes * 0))
                assert every.keeps.shape[1] == rules.rolls - 1 + saved
                for g, lane in enumerate(lanes.tolist()):
                    turn = best.turns(Cards.one(model, c, lane))
                    assert (every.keeps[g] == turn.keeps[0]).all()
                    assert (every.categories[g] == turn.categories[0]).all()

    def test_mean_of_simulated_games(self) -> None:
        rules = small_maxi()
        solution = solve(rules, cache=False)
        games = simulate(Optimal(solution), rules, 20_000, seed=3)
        error = games.scores_N.std() / np.sqrt(20_000)
        assert abs(games.scores_N.mean() - solution.value()) < 4 * error

    @pytest.mark.parametrize("player", [Greedy(), RandomStrategy()])
    def test_strategies_do_not_exceed_their_rolls(self, player: Greedy | RandomStrategy) -> None:
        rules = small_maxi(3)
        games = simulate(player, rules, 500, seed=5, log=True)
        assert games.log is not None
        spent = games.log.thrown_N.cumsum(axis=1)
        assert (spent <= rules.rolls * np.arange(1, 4)).all()
        assert (games.log.thrown_N >= 1).all()

    def test_more_saved_rolls_never_lower_the_value(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(values, "SMALL", 0)
        for layer in solve_cards(build(small_maxi()), EXPECTED, on_disk=True).layers[1:-1]:
            assert layer is not None
            more = np.diff(np.nan_to_num(np.asarray(layer)), axis=1)
            assert (more >= -1e-12).all()
            assert (more > 1e-3).any()


def test_memory_is_checked_first(monkeypatch: pytest.MonkeyPatch) -> None:
    model = build(small_maxi(2))
    two = max(bytes_of(here) + bytes_of(after) for here, after in pairwise(layers_of(model).shapes))
    monkeypatch.setattr(storage, "MAX_BYTES", two)
    solve_cards(model, EXPECTED)
    monkeypatch.setattr(storage, "MAX_BYTES", two - 1)
    with pytest.raises(TooLargeError, match=r"needs about .* GiB of memory"):
        solve_cards(model, EXPECTED)


@settings(max_examples=10)
@given(small_rules(saves=True))
def test_a_table_has_the_values_of_each_layer(rules: Rules) -> None:
    table = solve_cards(build(rules), EXPECTED, threads=1).array_C_L
    assert table is not None
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(backward_induction, "is_large", lambda model: True)
        layers = solve_cards(build(rules), EXPECTED, on_disk=True, threads=1)
    c, lane = np.ogrid[: table.shape[0], : table.shape[1]]
    assert np.array_equal(table, layers[c, lane], equal_nan=True)
    again = pickle.loads(pickle.dumps(layers))
    assert np.array_equal(table, again[c, lane], equal_nan=True)


@pytest.mark.slow
@settings(max_examples=20)
@given(carrying_rules)
def test_one_chain_equals_one_turn_per_number_of_saved_rolls(rules: Rules) -> None:
    """Check the chains against separate turns for each number of saved rolls."""
    solution = Solver(rules, cache=False, threads=1).solve_by_card()
    compiled = CompiledGame(solution.model, threads=1)
    model, work = compiled.model, compiled.work()
    values = compiled.rows(EXPECTED.terminal(model.bonus_L.astype(np.float64)))
    for (first, last), (_, end) in reversed(list(pairwise(compiled.layers))):
        index_C = np.arange(model.n_classes) - first
        index_C[last:end] -= last - first
        for rerolls in np.unique(model.rerolls_C[first:last]):
            classes = np.flatnonzero(model.rerolls_C[first:last] == rerolls) + first
            saved_before_N_J = np.full((1, rerolls + 1), -1)
            saved_before_N_J[0, -1] = 0
            chains = Chains(np.zeros_like(saved_before_N_J), saved_before_N_J)
            layer = Layer(classes, index_C, 1, 1, values[first:last], values[last:end])
            backward(0, len(classes), work, compiled.game, chains, None, layer)
    ours = values[:, : model.lanes]
    assert np.array_equal(ours, solution.table_C_L, equal_nan=True)


class TestLargeGames:
    """Tests of games that are treated as large: layers are dropped or saved, and runs resume."""

    @pytest.fixture(autouse=True)
    def _large(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(values, "SMALL", 0)

    @pytest.fixture
    def folder(self, tmp_path: Path) -> Path:
        return tmp_path / "version" / "game.layers"

    def test_the_first_two_layers_are_saved(self, folder: Path) -> None:
        table = solve_cards(build(small_maxi()), EXPECTED, folder=folder)
        assert [layer is not None for layer in table.layers[:3]] == [True, True, False]
        assert {path.name for path in folder.glob("*.npy")} == {"layer-00.npy", "layer-01.npy"}

    def test_a_pickle_has_the_paths_of_saved_layers(self, folder: Path) -> None:
        table = solve_cards(build(small_maxi()), EXPECTED, folder=folder, on_disk=True)
        pickled = pickle.dumps(table)
        assert len(pickled) < folder.joinpath("layer-02.npy").stat().st_size
        again, c = pickle.loads(pickled), np.arange(table.model.n_classes)
        assert np.array_equal(again[c, 3], table[c, 3], equal_nan=True)

    def test_an_interrupted_run_resumes(self, folder: Path) -> None:
        whole = solve_cards(build(small_maxi()), EXPECTED)
        seen: list[float] = []

        def stop(share: float) -> None:
            seen.append(share)
            if share > 0.5:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            solve_cards(build(small_maxi()), EXPECTED, folder=folder, progress=stop)
        assert len(list(folder.glob("*.npy"))) == 1
        again: list[float] = []
        resumed = solve_cards(build(small_maxi()), EXPECTED, folder=folder, progress=again.append)
        assert again[0] > seen[0]
        assert again[-1] == pytest.approx(1)
        assert resumed[0, 0] == whole[0, 0]

    def test_all_layers_are_saved(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        table = solve_cards(build(small_maxi()), EXPECTED, on_disk=True, folder=folder)
        assert len(list(folder.glob("*.npy"))) == len(table.layers) - 1
        monkeypatch.setattr(values, "SMALL", 1 << 30)
        whole = solve_cards(build(small_maxi()), EXPECTED)
        c, lane = np.ogrid[: table.model.n_classes, : table.model.lanes]
        assert np.array_equal(table[c, lane], whole[c, lane], equal_nan=True)

    def test_too_little_disk_space(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        model, full = build(small_maxi()), lambda _: shutil._ntuple_diskusage(1, 1, 0)
        with monkeypatch.context() as patch:
            patch.setattr(shutil, "disk_usage", full)
            with pytest.raises(TooLargeError, match=r"0\.0 GiB is free"):
                solve_cards(model, EXPECTED, on_disk=True, folder=folder)
        solve_cards(model, EXPECTED, on_disk=True, folder=folder)
        monkeypatch.setattr(shutil, "disk_usage", full)
        solve_cards(model, EXPECTED, on_disk=True, folder=folder)  # all layers exist

    def test_solving_from_a_scorecard(self, monkeypatch: pytest.MonkeyPatch) -> None:
        rules = small_maxi()
        monkeypatch.setattr(values, "SMALL", 1 << 30)
        whole, rest = Solver(rules, cache=False), Solver(rules, cache=False)
        for filled, left in ((0b00101, 6), (0b10000, 0), (0b11110, 2)):
            position = Position.of(card_in(rules, State(filled)), (1, 2, 5, 5, 6, 6), left)
            for objective in (EXPECTED, target(60)):
                same_options(whole, rest, position, objective)

    def test_no_sd_from_layers(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("ROLLWISE_CACHE", str(tmp_path))
        stored = Solver(small_maxi()).solve_by_card(on_disk=True, moments=True)
        assert (stored.moments, stored.sd()) == (None, None)

    def test_jobs_compute_the_same_bits(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Check the layers of a game, and the table of a game that fits in memory."""
        monkeypatch.setenv("ROLLWISE_CACHE", str(tmp_path))
        whole = Solver(small_maxi(), cache=False).solve_by_card(on_disk=True)
        c, lane = np.ogrid[: whole.model.n_classes, : whole.model.lanes]
        with ThreadPoolExecutor(2) as executor:
            layers = Solver(small_maxi(), executor=executor).solve_by_card(on_disk=True)
            monkeypatch.setattr(values, "SMALL", 1 << 30)
            table = Solver(MICRO, executor=executor).solve_by_card()
        for ours, theirs in ((layers, whole), (table, Solver(MICRO, cache=False).solve_by_card())):
            ours_C_L, theirs_C_L = ours.remaining_C_L[c, lane], theirs.remaining_C_L[c, lane]
            assert np.array_equal(ours_C_L, theirs_C_L, equal_nan=True)
            c, lane = np.ogrid[: table.model.n_classes, : table.model.lanes]

    def test_jobs_need_the_folder_the_code_and_the_cache(self, folder: Path) -> None:
        rules, rows = small_maxi(), range(1)
        with pytest.raises(InputError, match="a worker cannot read"):
            backward_induction.solve_part(folder, rules, "expected", code_hash(), 0, rows)
        with pytest.raises(InputError, match="another version of rollwise"):
            backward_induction.solve_part(folder, rules, "expected", "0", 0, rows)
        with ThreadPoolExecutor(1) as executor:
            with pytest.raises(MalformedError, match="leave out --no-cache"):
                Solver(rules, cache=False, executor=executor).solve()
            with pytest.raises(MalformedError, match="cannot be solved on a cluster"):
                Solver(rules, executor=executor).solve(target(50))

    def test_missing_layers_are_reported(self) -> None:
        rules = small_maxi()
        solution = solve(rules, cache=False)
        position = Position.of(card_in(rules, State(0b00111)), (1, 1, 2, 3, 5, 6), 2)
        with pytest.raises(InconsistentError, match="contains only the states near its start"):
            solution.options(position)


@pytest.mark.slow
@settings(max_examples=12)
@given(carrying_rules, st.data())
def test_the_rest_of_a_game_has_the_same_options(rules: Rules, data: st.DataObject) -> None:
    whole, rest = Solver(rules, cache=False, threads=1), Solver(rules, cache=False, threads=1)
    solution = whole.solve(moments=True)
    model = solution.model
    game, unfinished = unsaved(model), range(int(model.layer_starts[-2]))
    unsaved_C = [game.class_of(int(model.mask_C[c]), bool(model.eligible_C[c])) for c in unfinished]
    states = np.argwhere(reachable(game)[unsaved_C])
    c, lane = states[data.draw(st.integers(0, len(states) - 1))].tolist()
    parts = (int(model.mask_C[c]), lane, bool(model.eligible_C[c]), int(model.saved_C[c]))
    dice = data.draw(st.sampled_from(model.lattice.rolls))
    left = data.draw(st.integers(0, int(model.rerolls_C[c])))
    position = Position.of(card_in(rules, State(*parts)), dice, left)
    most = int(whole.solve(BEST_CASE).value())
    for objective in (EXPECTED, *[target(most)][:most]):
        same_options(whole, rest, position, objective)


@pytest.mark.slow
def test_maxi_yatzy_late_in_the_game() -> None:
    """Check the Bellman equation with at most six open categories, computing turns in NumPy."""
    random_ = random.Random(9)
    filled = sum(1 << k for k in random_.sample(range(20), 14))
    start = Position.of(card_in(MAXI, State(filled)), (1, 2, 3, 4, 5, 6), 0)
    solution = Solver(MAXI, cache=False).solve_by_card(position=start)
    model = solution.model
    for turns in range(14, 20):
        open_categories = [k for k in range(20) if not filled >> k & 1]
        added = sum(1 << k for k in random_.sample(open_categories, turns - 14))
        c = model.class_of(filled | added, saved=random_.choice(model.saved_F[turns]))
        upper = random_.randrange(int(model.first_lane_C[c]), int(model.last_lane_C[c]) + 1)
        end_E = solution.final_roll_values(c, upper)[0].max(axis=1)
        first_R = roll_values(model.lattice, end_E, int(model.rerolls_C[c]), "mean")[-1]
        value = keep_values(model.lattice, first_R, "mean")[0]
        assert value == pytest.approx(float(solution.remaining_C_L[c, upper]), abs=1e-9)
