"""Layers on disk: written whole or not at all, and never trusted when damaged."""

import logging
import os
import random
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from games_with_layers import small_maxi
from rollwise.files import ABANDONED, new_draft
from rollwise.model.arrays import build
from rollwise.solving import bellman
from rollwise.solving.bellman import solve_cards
from rollwise.solving.layer_files import LayerFiles, in_use
from rollwise.solving.objectives import EXPECTED
from rollwise.solving.values import Layers
from waiting import wait_until

VALUES = np.arange(24, dtype=np.float64).reshape(2, 3, 4)


@pytest.fixture(autouse=True)
def _large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bellman, "SMALL", 0)


def solved(folder: Path, on_disk: bool = False) -> Layers:
    return solve_cards(build(small_maxi(3)), EXPECTED, folder=folder, on_disk=on_disk)


def _zeroed(content: bytes) -> bytes:
    return bytes(len(content))


def _values_zeroed(content: bytes) -> bytes:
    return content[:128] + bytes(len(content) - 160) + content[-32:]


def _cut(content: bytes) -> bytes:
    return content[: len(content) // 2]


def _flipped(content: bytes) -> bytes:
    at = random.Random(len(content)).randrange(128, len(content) - 32)
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
def test_damage_is_noticed_said_and_mended(
    tmp_path: Path,
    damage: Callable[[bytes], bytes],
    on_disk: bool,
    caplog: pytest.LogCaptureFixture,
) -> None:
    whole = [
        values.copy()
        for values in solved(tmp_path / "whole", on_disk).arrays[:2]
        if values is not None
    ]
    for layer in (0, 1):
        path = tmp_path / "whole" / f"layer-{layer:02}.npy"
        path.write_bytes(damage(path.read_bytes()))
    caplog.set_level(logging.WARNING, "rollwise")
    again = solved(tmp_path / "whole", on_disk)
    assert not again.from_disk
    assert "computing it again" in caplog.text
    for one, other in zip(whole, again.arrays[:2], strict=True):
        assert other is not None
        assert np.array_equal(one, other, equal_nan=True)
    caplog.clear()
    assert solved(tmp_path / "whole", on_disk).from_disk
    assert caplog.text == ""


def test_a_layer_is_not_one_of_another_place(tmp_path: Path) -> None:
    LayerFiles(tmp_path / "one").write(0, VALUES)
    assert LayerFiles(tmp_path / "one").read(0, VALUES.shape) is not None
    (tmp_path / "one").rename(tmp_path / "other")
    assert LayerFiles(tmp_path / "other").read(0, VALUES.shape) is None


def test_every_bit_of_a_layer_counts(tmp_path: Path) -> None:
    files = LayerFiles(tmp_path)
    files.write(0, VALUES)
    path = tmp_path / "layer-00.npy"
    content = path.read_bytes()
    for at in range(len(content)):
        path.write_bytes(content[:at] + bytes([content[at] ^ 1 << at % 8]) + content[at + 1 :])
        assert files.read(0, VALUES.shape) is None, at
    path.write_bytes(content)
    found = files.read(0, VALUES.shape)
    assert found is not None
    assert np.array_equal(found, VALUES)


def test_writers_of_one_layer_never_meet_in_a_draft(tmp_path: Path) -> None:
    """Two write while a third reads: whatever it gets is whole."""
    files, stop, seen = LayerFiles(tmp_path), threading.Event(), list[float]()
    large = np.zeros((4, 50, 100))

    def write(number: float) -> None:
        while not stop.is_set():
            files.write(0, large + number)

    writers = [threading.Thread(target=write, args=(number,)) for number in (1.0, 2.0)]
    for writer in writers:
        writer.start()
    try:
        wait_until(lambda: (tmp_path / "layer-00.npy").exists())
        while len(seen) < 40 or len(set(seen)) < 2:
            values = files.read(0, large.shape)
            assert values is not None
            assert values.min() == values.max()
            seen.append(float(values[0, 0, 0]))
    finally:
        stop.set()
        for writer in writers:
            writer.join()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["layer-00.npy"]


def test_one_process_at_a_time(tmp_path: Path) -> None:
    program = (
        "import sys; from pathlib import Path\n"
        "from rollwise.solving.layer_files import LayerFiles\n"
        "with LayerFiles(Path(sys.argv[1])).alone():\n    print('mine', flush=True); input()"
    )
    command = [sys.executable, "-c", program, str(tmp_path)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe) as first:
        assert first.stdout is not None
        assert first.stdout.readline() == b"mine\n"
        assert in_use(tmp_path)
        waited: list[bool] = []

        def wait() -> None:
            with LayerFiles(tmp_path).alone():
                waited.append(first.poll() is not None)

        second = threading.Thread(target=wait)
        second.start()
        first.kill()  # whoever dies gives its lock back
        second.join()
    assert waited in ([True], [False])  # a process may be dead before its parent hears of it
    assert not in_use(tmp_path)


def test_drafts_of_killed_writers_are_swept(tmp_path: Path) -> None:
    files = LayerFiles(tmp_path)
    old, fresh = (new_draft(tmp_path / "layer-07.npy") for _ in range(2))
    for draft in (old, fresh):
        draft.write_bytes(b"half")
    written = old.stat().st_mtime - 2 * ABANDONED
    os.utime(old, (written, written))
    with files.alone():
        pass
    assert not old.exists()
    assert fresh.exists(), "its writer may be at work"
