"""Check that a value table in a wheel is used only if solving would give the same table."""

import logging
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest

from rollwise.rules import load_rules
from rollwise.solving import cache
from rollwise.solving.solver import Solver
from rollwise.solving.storage.tables import read_table, write_table

RULES = load_rules("micro-yahtzee")
ROOT = Path(__file__).parents[2]


@pytest.fixture
def shipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the file of a table in the form that a wheel contains; the cache is empty."""
    folder = tmp_path / "tables"
    monkeypatch.setenv("ROLLWISE_CACHE", str(folder))
    Solver(RULES).solve()
    monkeypatch.setenv("ROLLWISE_CACHE", str(tmp_path / "cache"))
    (table,) = folder.rglob("*.npz")
    monkeypatch.setattr(cache, "SHIPPED", table.parent)
    return table


def test_a_shipped_table_replaces_solving(shipped: Path, tmp_path: Path) -> None:
    solver = Solver(RULES)
    solution = solver.solve_by_card()
    assert solver.from_cache
    assert not (tmp_path / "cache").exists()
    solved = Solver(RULES, cache=False).solve_by_card()
    assert np.array_equal(solution.table_C_L, solved.table_C_L, equal_nan=True)


def test_tables_of_other_code_are_not_used(shipped: Path) -> None:
    header, arrays = read_table(shipped)
    write_table(shipped, header | {"code": "0" * 16}, arrays)
    solver = Solver(RULES)
    solver.solve()
    assert not solver.from_cache


def test_a_damaged_table_is_reported_and_solved(
    shipped: Path, caplog: pytest.LogCaptureFixture
) -> None:
    shipped.write_bytes(shipped.read_bytes()[:-1])
    first, second = Solver(RULES), Solver(RULES)
    with caplog.at_level(logging.WARNING, logger="rollwise"):
        first.solve()
        assert "computing it again" in caplog.text
    assert not first.from_cache
    caplog.clear()
    second.solve()
    assert second.from_cache, "what was solved is kept, and comes first"
    assert caplog.text == ""


@pytest.mark.slow
def test_advice_from_shipped_tables_compiles_nothing(tmp_path: Path) -> None:
    environment = {**os.environ, "HATCH_BUILD_HOOKS_ENABLE": "1"}
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(build, cwd=ROOT, env=environment, check=True)
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as content:
        content.extractall(tmp_path / "site")
    cache = tmp_path / "cache"
    environment = {**os.environ, "ROLLWISE_CACHE": str(cache), "NUMBA_CACHE_DIR": str(cache)}
    for game in ("yahtzee", "kniffel", "yatzy"):
        command = [sys.executable, "-m", "rollwise", "advise", "11366", "--rules", game]
        solved = subprocess.run(command, check=True, capture_output=True)
        read = subprocess.run(
            command,
            env=environment | {"PYTHONPATH": str(tmp_path / "site")},
            check=True,
            capture_output=True,
        )
        assert read.stdout == solved.stdout
    assert not cache.exists()
