"""Check that value tables are written completely or not at all, and never used if damaged."""

import json
import logging
import multiprocessing
import os
import random
import shutil
import signal
import subprocess
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from commands import run
from damages import damage
from rollwise.cache_folder import clear, compiled_folder
from rollwise.errors import TooLargeError
from rollwise.evaluation.evaluate import evaluate
from rollwise.files import write_atomically
from rollwise.rules import load_rules
from rollwise.solving.cache import entry_path
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.kernels.simulation import play_turns
from rollwise.solving.objectives import EXPECTED, exponential
from rollwise.solving.solver import Solver, solve
from rollwise.solving.storage.tables import TableError, read_table, write_table
from rollwise.solving.values import Moments
from waiting import wait_until

RULES = load_rules("yatzy-forced-order")
TABLE = "expected"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ROLLWISE_CACHE", str(tmp_path))
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    return tmp_path


class TestArrays:
    def test_round_trip(self, folder: Path) -> None:
        solution, again = (Solver(RULES).solve_by_card() for _ in range(2))
        assert again.objective == EXPECTED
        assert np.array_equal(again.table_C_L, solution.table_C_L, equal_nan=True)
        assert again.table_C_L.flags.writeable
        with np.load(entry_path(RULES, TABLE)) as arrays:
            assert np.array_equal(arrays["remaining_C_L"], solution.table_C_L, equal_nan=True)

    @pytest.mark.parametrize("change", ["float32", "shape", "name", "one more", "half the moments"])
    def test_other_arrays_are_refused(
        self, folder: Path, change: str, caplog: pytest.LogCaptureFixture
    ) -> None:
        value, path = solve(RULES).value(), entry_path(RULES, TABLE)
        header, arrays = read_table(path)
        values = arrays["remaining_C_L"]
        changed = {
            "float32": {"remaining_C_L": values.astype(np.float32)},
            "shape": {"remaining_C_L": values[1:]},
            "name": {"values": values},
            "one more": {"remaining_C_L": values, "more": values},
            "half the moments": {"remaining_C_L": values, "mean_C_L": values},
        }[change]
        write_table(path, header, changed)
        assert solve(RULES).value() == value
        assert "the table does not contain the expected arrays" in caplog.text

    def test_other_files_are_refused(self, tmp_path: Path) -> None:
        path = tmp_path / "table.npz"
        path.write_bytes(b"not a table")
        with pytest.raises(TableError, match="is damaged or is not a value table"):
            read_table(path)
        with pytest.raises(FileNotFoundError):
            read_table(tmp_path / "none.npz")


class TestCache:
    def test_saved_and_loaded(self, folder: Path) -> None:
        first = solve(RULES)
        path = entry_path(RULES, TABLE)
        written = path.stat().st_mtime_ns
        assert solve(RULES).value() == first.value()
        assert path.stat().st_mtime_ns == written
        assert clear() == (1, [])
        assert not path.exists()

    def test_advice_from_a_saved_table_loads_no_compiler(self, folder: Path) -> None:
        solve(RULES, moments=True)
        statements = (
            f"rollwise.solve({RULES.name!r}, moments=True).options('11366')",
            f"main(['advise', '11366', '--rules', {RULES.name!r}])",
        )
        for statement in statements:
            program = (
                f"import sys, rollwise\nfrom rollwise.cli import main\n{statement}\n"
                "sys.exit(bool({'numba', 'llvmlite'} & {*sys.modules}))"
            )
            assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0

    def test_without_cache_nothing_is_written(self, folder: Path) -> None:
        solve(RULES, cache=False)
        assert list(folder.iterdir()) == []

    def test_a_table_under_the_name_of_another_is_computed_again(
        self, folder: Path, caplog: pytest.LogCaptureFixture
    ) -> None:
        first, second = (
            evaluate("greedy", rules, cache=True).distribution.mean for rules in (RULES, "crag")
        )
        path, other = sorted(folder.rglob("*.distribution-of-greedy.*"), reverse=True)
        shutil.copy(other, path)
        for warning in (f"{path} contains another result", ""):
            assert evaluate("greedy", RULES, cache=True).distribution.mean == first != second
            assert warning in caplog.text
            assert bool(warning) == bool(caplog.text)
            caplog.clear()

    def test_written_once_and_without_moments_that_do_not_fit(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def without_moments(solution: CardSolution, threads: int | None) -> CardSolution:
            return replace(solution, moments=Moments(solution.table_C_L, solution.table_C_L))

        def none(solution: CardSolution, threads: int | None) -> CardSolution:
            raise TooLargeError("no room")

        written = list[CardSolution]()
        monkeypatch.setattr("rollwise.solving.saved_results.save_table", written.append)
        monkeypatch.setattr("rollwise.solving.moments.with_moments", without_moments)
        solve(RULES, moments=True)
        monkeypatch.setattr("rollwise.solving.moments.with_moments", none)
        with pytest.raises(TooLargeError):
            solve(RULES, moments=True)
        assert [solution.moments is not None for solution in written] == [True, False]

    def test_solve_prints_the_source_of_the_table(self, folder: Path) -> None:
        command = ["solve", "--rules", RULES.name]
        from_cache = [
            json.loads(run(*command, "--json", *more)[1])["from_cache"]
            for more in ([], [], ["--no-cache"])
        ]
        assert from_cache == [False, True, False]
        assert "(read from the cache)" in run(*command)[1]

    def test_a_custom_objective_is_not_cached(self, folder: Path) -> None:
        twice = replace(EXPECTED, name="twice", points=lambda points: 2 * points, named=False)
        assert solve(RULES, twice).value() > solve(RULES, replace(twice, points=abs)).value()
        assert list(folder.iterdir()) == []

    def test_every_risk_has_a_table(self, folder: Path) -> None:
        risks = 0.01, 0.01 + 1e-12
        assert Solver(RULES).solve_by_card(exponential(risks[0])).objective.risk == risks[0]
        assert Solver(RULES).solve_by_card(exponential(risks[1])).objective.risk == risks[1]

    def test_changed_rules_have_another_table(self, folder: Path) -> None:
        changed = RULES.model_copy(update={"rolls": 2})
        assert solve(RULES).value() > solve(changed).value()
        assert entry_path(RULES, TABLE) != entry_path(changed, TABLE)

    def test_an_unwritable_folder_is_only_a_warning(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
    ) -> None:
        blocked = tmp_path / "file"
        blocked.write_text("in the way")
        monkeypatch.setenv("ROLLWISE_CACHE", str(blocked))
        assert solve(RULES).value() > 0
        assert "cannot save" in caplog.text


class TestDamage:
    COMMAND = "compare", "optimal", "greedy", "--rules", "micro-yahtzee", "--json"
    KERNELS = "*.play_turns-*", "*.turn_losses-*"
    """The files of two kernels that the command uses, and that compile in less than a second."""

    @pytest.mark.parametrize("rounds", [60, pytest.param(300, marks=pytest.mark.slow)])
    def test_damaged_tables_are_computed_again(
        self, folder: Path, rounds: int, caplog: pytest.LogCaptureFixture
    ) -> None:
        rules = load_rules("micro-yahtzee")
        other = rules.model_copy(update={"rolls": rules.rolls + 1})
        solutions = [Solver(game).solve_by_card(moments=True) for game in (rules, other)]
        expected, (path, twin) = solutions[0], (entry_path(game, TABLE) for game in (rules, other))
        source, sd = random.Random(rounds), expected.sd()
        for _ in range(rounds):
            damage(path, [twin], source)
            with caplog.at_level(logging.WARNING, "rollwise"):
                again = Solver(rules).solve_by_card(moments=True)
            assert np.array_equal(again.table_C_L, expected.table_C_L, equal_nan=True)
            assert (again.value(), again.sd()) == (expected.value(), sd)
        assert caplog.text.count("computing it again") > 0.9 * rounds  # others change only times
        read_table(path)  # raises an error if the table is still damaged

    @pytest.mark.parametrize("rounds", [3, pytest.param(30, marks=pytest.mark.slow)])
    def test_damaged_files_are_named_and_replaced(self, tmp_path: Path, rounds: int) -> None:
        shared = Path(play_turns._cache.cache_path)  # type: ignore[attr-defined]
        folders = {
            "ROLLWISE_CACHE": str(tmp_path / "cache"),
            "NUMBA_CACHE_DIR": str(tmp_path / "code"),
        }
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("NUMBA_CACHE_DIR", folders["NUMBA_CACHE_DIR"])
            code_folder = compiled_folder() / shared.name
        if shared.exists():  # so that only these kernels are compiled
            shutil.copytree(shared, code_folder, ignore=shutil.ignore_patterns(*self.KERNELS))
            shutil.copy(shared.parent / "CACHEDIR.TAG", code_folder.parent)
        files = list[Path]()

        def run() -> tuple[int, str, set[Path]]:
            """Run the command; return its exit code, its output, and the files that it names."""
            command = [sys.executable, "-m", "rollwise", *self.COMMAND]
            environment = os.environ | folders
            done = subprocess.run(command, env=environment, capture_output=True, text=True)
            named = {path for path in files if str(path) in done.stderr}
            return done.returncode, done.stdout, named

        output, source = run()[1], random.Random(rounds)
        tables = sorted((tmp_path / "cache").rglob("*.npz"))
        code = [path for kernel in self.KERNELS for path in code_folder.glob(kernel)]
        files += tables + code
        assert (len(tables), len(code)) == (3, 2)
        for _ in range(rounds):
            kernel = source.choice(code)
            damage(kernel, [path for path in code if path != kernel], source)
            for path in tables:
                path.write_bytes(path.read_bytes()[: source.randrange(path.stat().st_size)])
            assert run() == (0, output, {kernel, *tables})
        assert run() == (0, output, set())


def _write_forever(path: Path, byte: int) -> None:
    while True:
        write_atomically(path, bytes([byte]) * 3_000_000)


def _both_were_seen(path: Path, seen: set[int]) -> bool:
    """Read the file, and return whether the content of both writers has been seen."""
    seen.update(path.read_bytes()[:1] if path.exists() else b"")
    return len(seen) == 2


class TestAtomicWrites:
    @pytest.mark.parametrize(("umask", "mode"), [(0o022, 0o644), (0o077, 0o600), (0o002, 0o664)])
    def test_file_mode_follows_the_umask(self, tmp_path: Path, umask: int, mode: int) -> None:
        before = os.umask(umask)
        try:
            write_atomically(tmp_path / "file", b"content")
        finally:
            os.umask(before)
        assert (tmp_path / "file").stat().st_mode & 0o777 == mode

    def test_links_and_devices_are_not_replaced(self, tmp_path: Path) -> None:
        (tmp_path / "link").symlink_to(tmp_path / "file")
        write_atomically(tmp_path / "link", b"content")
        assert (tmp_path / "link").is_symlink()
        assert (tmp_path / "file").read_bytes() == b"content"
        (tmp_path / "null").symlink_to("/dev/null")
        write_atomically(tmp_path / "null", b"content")
        assert not (tmp_path / "null").is_file()

    def test_errors_name_the_file(self, tmp_path: Path) -> None:
        (tmp_path / "file").touch()
        path = tmp_path / "file" / "in" / "a file"
        with pytest.raises(OSError, match="a file") as error:
            write_atomically(path, b"")
        assert error.value.filename == str(path)

    def test_killed_and_concurrent_writers_leave_a_whole_file(self, tmp_path: Path) -> None:
        path = tmp_path / "file"
        spawn = multiprocessing.get_context("spawn")
        writers = [spawn.Process(target=_write_forever, args=(path, byte)) for byte in (1, 2)]
        for writer in writers:
            writer.start()
        wait_until(partial(_both_were_seen, path, set()))
        for writer in writers:
            assert writer.pid is not None
            os.kill(writer.pid, signal.SIGKILL)
            writer.join()
        content = path.read_bytes()
        assert len(content) == 3_000_000
        assert len(set(content)) == 1
