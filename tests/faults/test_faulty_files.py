"""Every open, write, fsync and rename fails once, in turn: nothing wrong, lost or left over."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def layer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the layer that fails, compiled."""
    compiler = shutil.which("cc")
    if compiler is None or sys.platform != "linux":
        pytest.skip("no C compiler for Linux")
    path = tmp_path_factory.mktemp("layer") / "faulty_files.so"
    source = HERE.parent / "faulty_files.c"
    subprocess.run([compiler, "-shared", "-fPIC", "-o", path, source, "-ldl"], check=True)
    return path


@pytest.mark.parametrize(
    "operation",
    [
        "save",
        "review",
        "import",
        "solve",
        "layers",
        "record",
        "migrate",
    ],
)
def test_every_call_fails_once(layer: Path, operation: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, str(HERE / "every_call_fails.py"), str(tmp_path), operation],
        env={**os.environ, "LD_PRELOAD": str(layer), "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    assert found["wrong"] == []
    assert found["calls"] >= 4


def test_kills_at_random_moments() -> None:
    """A short form of what docs/reliability.md reports."""
    script = HERE.parent.parent / "benchmarks" / "kills.py"
    done = subprocess.run([sys.executable, str(script), "15"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
