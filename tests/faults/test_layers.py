"""Check that saved layers are whole or missing, that damaged ones are not used, and runs resume."""

import os
import random
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from damages import damage
from games import card_in
from games_with_layers import small_maxi
from rollwise.files import ABANDONED, new_draft
from rollwise.game.position import Position
from rollwise.game.scorecard import State
from rollwise.rules import Rules
from rollwise.solving import values
from rollwise.solving.cache import LAYERS, entry_path
from rollwise.solving.objectives import EXPECTED
from rollwise.solving.solver import Solver
from rollwise.solving.storage.layers import Values, open_layer, save_layer

MAXI = small_maxi(4)
VALUES = np.arange(24, dtype=np.float64).reshape(2, 3, 4)


@pytest.fixture(autouse=True)
def _large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROLLWISE_CACHE", str(tmp_path))
    monkeypatch.setattr(values, "SMALL", 0)


def layers_of(rules: Rules) -> Path:
    return entry_path(rules, EXPECTED.name, LAYERS)


def solved(rules: Rules, cache: bool = True) -> list[Values]:
    """Return copies of all layers of a game."""
    solution = Solver(rules, cache=cache).solve_by_card(on_disk=True)
    return [np.array(layer) for layer in solution.remaining_C_L.layers]


def same(ours: list[Values], theirs: list[Values]) -> bool:
    return all(np.array_equal(*pair, equal_nan=True) for pair in zip(ours, theirs, strict=True))


def test_a_layer_is_a_numpy_file_that_reads_leave_unchanged(tmp_path: Path) -> None:
    save_layer(tmp_path, 3, VALUES)
    layer = open_layer(tmp_path, 3, VALUES.shape)
    assert layer is not None
    assert np.array_equal(layer, VALUES)
    layer[:] = 0
    assert np.array_equal(np.load(tmp_path / "layer-03.npy"), VALUES)


def test_every_flipped_bit_is_noticed(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    save_layer(tmp_path, 0, VALUES)
    path = tmp_path / "layer-00.npy"
    content = path.read_bytes()
    for at in range(len(content)):
        path.write_bytes(content[:at] + bytes([content[at] ^ 1 << at % 8]) + content[at + 1 :])
        assert open_layer(tmp_path, 0, VALUES.shape) is None
    assert caplog.text.count("layer-00.npy is damaged") == len(content)
    path.write_bytes(content)
    assert open_layer(tmp_path, 0, VALUES.shape) is not None


def test_a_layer_is_bound_to_its_game_and_number(tmp_path: Path) -> None:
    for game in ("one", "other"):
        (tmp_path / game).mkdir()
    for ending in (".npy", ".json"):
        save_layer(tmp_path / "one", 0, VALUES)
        shutil.copy2(tmp_path / f"one/layer-00{ending}", tmp_path / f"other/layer-00{ending}")
        shutil.copy2(tmp_path / f"one/layer-00{ending}", tmp_path / f"one/layer-01{ending}")
    assert open_layer(tmp_path / "one", 0, VALUES.shape) is not None
    assert open_layer(tmp_path / "one", 1, VALUES.shape) is None
    assert open_layer(tmp_path / "other", 0, VALUES.shape) is None


@pytest.mark.parametrize("rounds", [15, pytest.param(200, marks=pytest.mark.slow)])
def test_damaged_layers_give_no_wrong_value(rounds: int) -> None:
    """Check advice and all layers after damage; the files are then as they were."""
    assert MAXI.upper_bonus is not None
    bonus = MAXI.upper_bonus.model_copy(update={"points": 7})
    other, expected = MAXI.model_copy(update={"upper_bonus": bonus}), solved(MAXI)
    assert not same(solved(other), expected)
    source, last = random.Random(rounds), len(expected) - 1
    states = [State(0), State(0b0010), State(0b1001), State(0b0111)]
    positions = [Position.of(card_in(MAXI, state), (1, 2, 3, 5, 6, 6), 2) for state in states]
    options = [Solver(MAXI).solve(position=position).options(position) for position in positions]
    names = [f"layer-{n:02}{ending}" for n in range(last) for ending in (".npy", ".json")]
    for _ in range(rounds):
        for name in source.sample(names, source.choice((1, 1, 3))):
            path = layers_of(MAXI) / name
            files = [layers_of(game) / other for game in (MAXI, other) for other in names]
            damage(path, [file for file in files if file.suffix == path.suffix], source)
        number = source.randrange(len(states))
        solution = Solver(MAXI).solve(position=positions[number])
        assert solution.options(positions[number]) == options[number]
        assert same(solved(MAXI), expected)
    assert all(open_layer(layers_of(MAXI), n, expected[n].shape) is not None for n in range(last))


def test_a_layer_is_compared_before_others_are_computed_from_it() -> None:
    """Check that a changed bit is noticed although the time of the file has not changed."""
    expected, path = solved(MAXI), layers_of(MAXI) / "layer-02.npy"
    content, times = bytearray(path.read_bytes()), path.stat()
    content[-1] ^= 1
    path.write_bytes(content)
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
    (path.parent / "layer-01.npy").unlink()
    assert same(solved(MAXI), expected)


SOLVE = """
import sys
sys.path.insert(0, sys.argv[1])
from games_with_layers import small_maxi
from rollwise.solving import values
from rollwise.solving.solver import Solver
values.SMALL = 0
game = small_maxi(6)
"""

KILLED = f"""{SOLVE}
import os, random, signal, time
source, took = random.Random(5), 0.0
for kill in range(-2, int(sys.argv[2])):
    start, child = time.perf_counter(), os.fork()
    if not child:
        Solver(game, cache=kill >= 0, threads=1).solve(on_disk=True)
        os._exit(0)
    if kill >= 0:
        time.sleep(source.uniform(0, took))
        os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    took = time.perf_counter() - start if kill < 0 else took / 1.2
"""


@pytest.mark.parametrize("kills", [2, pytest.param(20, marks=pytest.mark.slow)])
def test_a_killed_solver_resumes(kills: int) -> None:
    game = small_maxi(6)
    command = [sys.executable, "-c", KILLED, str(Path(__file__).parents[1]), str(kills)]
    subprocess.run(command, check=True)
    finished = {path: path.stat().st_ino for path in layers_of(game).glob("*.npy")}
    assert same(solved(game), solved(game, cache=False))
    with_notes = [path for path in finished if path.with_suffix(".json").exists()]
    assert all(path.stat().st_ino == finished[path] for path in with_notes)


def test_two_processes_solve_one_game() -> None:
    game = small_maxi(6)
    command = [sys.executable, "-c", f"{SOLVE}Solver(game).solve(on_disk=True)"]
    both = [subprocess.Popen([*command, str(Path(__file__).parents[1])]) for _ in range(2)]
    assert [process.wait() for process in both] == [0, 0]
    solver = Solver(game)
    layers = solver.solve_by_card(on_disk=True).remaining_C_L.layers
    assert solver.from_cache
    assert same([np.asarray(layer) for layer in layers], solved(game, cache=False))


def test_drafts_of_killed_writers_are_deleted() -> None:
    solved(MAXI)
    old, fresh = (new_draft(layers_of(MAXI) / "layer-00.npy") for _ in range(2))
    for draft in (old, fresh):
        draft.write_bytes(b"half")
    (layers_of(MAXI) / "layer-01.npy").unlink()
    written = old.stat().st_mtime - 2 * ABANDONED
    os.utime(old, (written, written))
    solved(MAXI)
    assert not old.exists()
    assert fresh.exists(), "its writer may be at work"
