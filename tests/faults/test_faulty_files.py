"""Check that no data is damaged or lost if an open, a write, an fsync, or a rename fails once."""

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
    """Compile the library that makes calls fail, and return its path."""
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
        "record",
        *(
            pytest.param(name, marks=pytest.mark.slow)
            for name in ("review", "import", "solve", "layers")
        ),
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
    result = json.loads(done.stdout.splitlines()[-1])
    assert result["wrong"] == []
    assert result["calls"] >= 4


@pytest.mark.slow
def test_kills_at_random_moments() -> None:
    """Run a short form of the benchmark in CONTRIBUTING.md."""
    script = HERE.parent.parent / "benchmarks" / "kills.py"
    done = subprocess.run([sys.executable, str(script), "15"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
