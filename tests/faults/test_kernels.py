"""Check that kernels give the same results with any number of threads, and are never stale."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import rollwise
from rollwise.rules import load_rules
from rollwise.solving.solver import Solver

PACKAGE = Path(rollwise.__file__).parent


def run_elsewhere(program: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a program in a new process with this environment."""
    return subprocess.run(
        [sys.executable, "-c", program],
        check=True,
        capture_output=True,
        text=True,
        env={**os.environ, **environment},
    )


@pytest.mark.parametrize("name", ["yahtzee", "yahtzee-forced-joker", "yatzy-forced-order"])
def test_one_and_two_threads(name: str) -> None:
    rules = load_rules(name)
    single, double = (
        Solver(rules, cache=False, threads=threads).solve_by_card() for threads in (1, 2)
    )
    assert np.array_equal(single.table_C_L, double.table_C_L, equal_nan=True)


class TestKeptCode:
    """Check that a new process uses cached compiled code unless a kernel has changed since."""

    PROGRAM = """
import rollwise
from rollwise.model.arrays import build
from rollwise.rules import load_rules
from rollwise.solving.position_index import Start
from rollwise.solving.by_score.windows import reached
from rollwise.solving.kernels.rows import reach_scores
from rollwise.solving.compiled_game import CompiledGame
reached(CompiledGame(build(load_rules("micro-yahtzee"))), Start())
print(rollwise.__file__, sum(reach_scores.stats.cache_hits.values()))
"""

    def found(self, package: Path, kept: Path) -> bool:
        """Return whether a new process finds a compiled kernel for a copy of the package."""
        environment = {"PYTHONPATH": str(package.parent), "NUMBA_CACHE_DIR": str(kept)}
        output = run_elsewhere(self.PROGRAM, **environment, PYTHONDONTWRITEBYTECODE="1").stdout
        file, hits = output.split()
        assert Path(file).parent == package
        return hits == "1"

    @pytest.fixture
    def package(self, tmp_path: Path) -> Path:
        ignored = shutil.ignore_patterns("__pycache__")
        return Path(shutil.copytree(PACKAGE, tmp_path / "rollwise", ignore=ignored))

    def test_compiled_code_is_reused_until_a_kernel_changes(
        self, package: Path, tmp_path: Path
    ) -> None:
        files = sorted(package.rglob("*"))
        assert [self.found(package, tmp_path / "kept") for _ in range(2)] == [False, True]
        assert sorted(package.rglob("*")) == files, "written into the package"
        other = package / "solving/kernels/moments.py"
        other.write_text(other.read_text() + "CHANGED = True\n")
        assert [self.found(package, tmp_path / "kept") for _ in range(2)] == [False, True]

    @pytest.mark.slow
    def test_a_blocked_code_cache_is_only_a_warning(self, tmp_path: Path) -> None:
        blocked = tmp_path / "file"
        blocked.write_text("in the way")
        done = run_elsewhere(self.PROGRAM, NUMBA_CACHE_DIR=str(blocked))
        assert done.stderr.count("cannot save compiled code: ") == 1

    @pytest.mark.slow
    def test_no_writable_folder(self) -> None:
        """Solve a game without writable folders, as a user without a home directory must."""
        unset = dict.fromkeys(("ROLLWISE_CACHE", "NUMBA_CACHE_DIR", "XDG_CACHE_HOME"), "")
        program = "import rollwise; print(rollwise.solve('micro-yahtzee').value())"
        done = run_elsewhere(program, **unset, HOME="/proc/0")
        assert done.stdout.strip() == str(rollwise.solve("micro-yahtzee").value())
        assert "Traceback" not in done.stderr
