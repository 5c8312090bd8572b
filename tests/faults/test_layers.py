"""Check that layers on disk are written completely or not at all, and never used if damaged."""

import logging
import os
import random
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games_with_layers import files_in, small_maxi
from rollwise.errors import InputError
from rollwise.files import ABANDONED, new_draft
from rollwise.game.position import Position
from rollwise.model.arrays import build
from rollwise.solving import values
from rollwise.solving.backward_induction import solve_cards
from rollwise.solving.objectives import EXPECTED
from rollwise.solving.solver import Solver
from rollwise.solving.storage import chunks
from rollwise.solving.storage.layer_files import DamagedError, StoredLayer
from rollwise.solving.storage.stores import in_use
from rollwise.solving.values import Layers
from waiting import wait_until

VALUES = np.arange(24, dtype=np.float64).reshape(2, 3, 4)


@pytest.fixture(autouse=True)
def _large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(values, "SMALL", 0)


def solved(folder: Path, on_disk: bool = False) -> Layers:
    return solve_cards(build(small_maxi(3)), EXPECTED, files=files_in(folder), on_disk=on_disk)


def _zeroed(content: bytes) -> bytes:
    return bytes(len(content))


def _values_zeroed(content: bytes) -> bytes:
    return content[:128] + bytes(len(content) - 192) + content[-64:]


def _cut(content: bytes) -> bytes:
    return content[: len(content) // 2]


def _flipped(content: bytes) -> bytes:
    at = random.Random(len(content)).randrange(128, len(content) - 64)
    return content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :]


def _longer(content: bytes) -> bytes:
    return content + bytes(8)


def _without_sum(content: bytes) -> bytes:
    return content[:-32]


def _emptied(content: bytes) -> bytes:
    return b""


DAMAGES = [_zeroed, _values_zeroed, _cut, _flipped, _longer, _without_sum, _emptied]


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("on_disk", [False, True])
def test_damaged_parts_are_reported_and_replaced(
    tmp_path: Path,
    damage: Callable[[bytes], bytes],
    on_disk: bool,
    caplog: pytest.LogCaptureFixture,
) -> None:
    whole = solved(tmp_path / "whole", on_disk).arrays[:2]
    for path in (tmp_path / "whole").glob("layer-0[01].*"):
        path.write_bytes(damage(path.read_bytes()))
    caplog.set_level(logging.WARNING, "rollwise")
    again = solved(tmp_path / "whole", on_disk)
    assert not again.from_disk
    assert "computing it again" in caplog.text
    for expected, layer in zip(whole, again.arrays[:2], strict=True):
        assert np.array_equal(np.asarray(expected), np.asarray(layer), equal_nan=True)
    caplog.clear()
    assert solved(tmp_path / "whole", on_disk).from_disk
    assert caplog.text == ""


def test_damage_found_while_reading_is_reported(tmp_path: Path) -> None:
    """Check that every read is verified, and only the deleted part is computed again."""
    whole = solved(tmp_path, on_disk=True)
    path = tmp_path / "layer-02.0000.npy"
    content = path.read_bytes()
    path.write_bytes(_values_zeroed(content))
    layers = solved(tmp_path, on_disk=True)
    assert layers.from_disk
    first = int(layers.model.layer_starts[2])
    with pytest.raises(DamagedError, match=rf"{path}.*delete it, and run `rollwise solve --save`"):
        layers[first, 0]
    path.unlink()
    others = {other: other.stat().st_mtime_ns for other in tmp_path.glob("layer-*")}
    again = solved(tmp_path, on_disk=True)
    assert not again.from_disk
    assert again[first, 0] == whole[first, 0]
    assert path.read_bytes() == content
    unchanged = [other for other in others if not other.name.startswith("layer-02")]
    assert all(other.stat().st_mtime_ns == others[other] for other in unchanged)


def test_layers_in_a_shared_store_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Check that a solver reads layers from ``$ROLLWISE_STORE``, and writes nothing there."""
    rules = small_maxi(3)
    Solver(rules, store=tmp_path / "shared").solve()
    monkeypatch.setenv("ROLLWISE_CACHE", str(tmp_path / "cache"))
    position = Position(rules, "112566 | rolls-left 1 | card ones=3")
    alone = Solver(rules)
    options = alone.solve(position=position).options(position)
    assert not alone.from_cache
    monkeypatch.setenv("ROLLWISE_STORE", str(tmp_path / "shared"))
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")}
    solver = Solver(rules)
    assert solver.solve(position=position).options(position) == options
    assert solver.from_cache
    assert before == {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")}
    monkeypatch.setenv("ROLLWISE_STORE", "ftp://nowhere")
    with pytest.raises(InputError, match="cannot use 'ftp://nowhere' as a store; give a folder"):
        Solver(rules).solve(position=position)


def test_a_layer_is_bound_to_its_name(tmp_path: Path) -> None:
    files_in(tmp_path / "one").write(0, VALUES)
    assert np.array_equal(files_in(tmp_path / "one").read(0, VALUES.shape), VALUES)
    (tmp_path / "one").rename(tmp_path / "other")
    with pytest.raises(DamagedError):
        files_in(tmp_path / "other").read(0, VALUES.shape)


def test_every_flipped_bit_is_noticed(tmp_path: Path) -> None:
    files, values = files_in(tmp_path), VALUES[:1]
    files.write(0, values)
    path = tmp_path / "layer-00.0000.npy"
    assert np.array_equal(np.load(path), values)
    content = path.read_bytes()
    for at in range(len(content)):
        path.write_bytes(content[:at] + bytes([content[at] ^ 1 << at % 8]) + content[at + 1 :])
        with pytest.raises(DamagedError):
            files.read(0, values.shape)
        if at >= 128:  # only numpy reads the header before this offset
            with pytest.raises(DamagedError):
                StoredLayer(files, 0, values.shape)[*np.zeros((3, 1), dtype=np.int64)]
    path.write_bytes(content)
    assert np.array_equal(files.read(0, values.shape), values)


@settings(max_examples=12, deadline=None)
@given(
    st.tuples(st.integers(1, 40), st.integers(1, 3), st.integers(1, 5)),
    st.integers(6, 11),
    st.integers(4, 8),
    st.randoms(use_true_random=False),
)
def test_round_trip_of_any_shape(
    shape: tuple[int, ...], part: int, block: int, rng: random.Random
) -> None:
    """Check that layers of any shape and chunk size are read back: whole, by value, and by row."""
    values = np.array([rng.random() for _ in range(int(np.prod(shape)))]).reshape(shape)
    with pytest.MonkeyPatch.context() as patch, TemporaryDirectory() as folder:
        patch.setattr(chunks, "PART", 1 << part)
        patch.setattr(chunks, "BLOCK", 1 << block)
        files = files_in(Path(folder))
        files.write(7, values)
        assert files.missing([shape] * 8)[7] == []
        assert np.array_equal(files.read(7, shape), values)
        stored = StoredLayer(files, 7, shape)
        assert np.array_equal(np.asarray(stored), values)
        if stored.cuts.row:
            index = np.array([[rng.randrange(n) for n in shape] for _ in range(20)]).T
            assert np.array_equal(stored[tuple(index)], values[tuple(index)])
            rows = np.array(sorted(rng.sample(range(shape[0]), rng.randint(1, shape[0]))))
            gathered, positions = stored.gather(rows)
            assert np.array_equal(gathered[positions], values[rows])


def test_concurrent_writers_use_separate_drafts(tmp_path: Path) -> None:
    """Check that a reader always gets a complete file while two threads write it."""
    files, stop, seen = files_in(tmp_path), threading.Event(), list[float]()
    large = np.zeros((1, 50, 400))

    def write(number: float) -> None:
        while not stop.is_set():
            files.write(0, large + number)

    def read_both() -> bool:
        values = files.read(0, large.shape)
        assert values.min() == values.max()
        seen.append(float(values[0, 0, 0]))
        return len(seen) >= 40 and len(set(seen)) == 2

    writers = [threading.Thread(target=write, args=(number,)) for number in (1.0, 2.0)]
    for writer in writers:
        writer.start()
    try:
        wait_until(lambda: (tmp_path / "layer-00.0000.npy").exists())
        wait_until(read_both)
    finally:
        stop.set()
        for writer in writers:
            writer.join()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["layer-00.0000.npy"]


def test_one_process_at_a_time(tmp_path: Path) -> None:
    program = (
        "import sys; from pathlib import Path\n"
        "from rollwise.solving.storage.stores import LocalStore\n"
        "with LocalStore(Path(sys.argv[1])).lock('.'):\n    print('mine', flush=True); input()"
    )
    command = [sys.executable, "-c", program, str(tmp_path)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe) as first:
        assert first.stdout is not None
        assert first.stdout.readline() == b"mine\n"
        assert in_use(tmp_path)
        waited: list[bool] = []

        def wait() -> None:
            with files_in(tmp_path).lock():
                waited.append(first.poll() is not None)

        second = threading.Thread(target=wait)
        second.start()
        first.kill()  # a dead process releases its lock
        second.join()
    assert waited in ([True], [False])  # a process can be dead before its parent notices
    assert not in_use(tmp_path)


def test_drafts_of_killed_writers_are_deleted(tmp_path: Path) -> None:
    files = files_in(tmp_path)
    old, fresh = (new_draft(tmp_path / "layer-07.0000.npy") for _ in range(2))
    for draft in (old, fresh):
        draft.write_bytes(b"half")
    written = old.stat().st_mtime - 2 * ABANDONED
    os.utime(old, (written, written))
    with files.lock():
        pass
    assert not old.exists()
    assert fresh.exists(), "its writer may be at work"
