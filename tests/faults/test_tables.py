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
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from safetensors import safe_open
from safetensors.numpy import save as write_table
from typer.testing import CliRunner

from rollwise.cli import app
from rollwise.errors import TooLargeError
from rollwise.evaluation.evaluate import evaluate
from rollwise.files import write_atomically
from rollwise.fingerprint import fingerprint
from rollwise.rules import load_rules
from rollwise.solving import cache_entries
from rollwise.solving.cache_entries import clear
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.kernels.simulation import play_turns
from rollwise.solving.objectives import EXPECTED, exponential
from rollwise.solving.solver import solve
from rollwise.solving.storage.table_file import TableError, read_table
from rollwise.solving.values import Moments
from waiting import wait_until

RULES = load_rules("yatzy-forced-order")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ROLLWISE_CACHE", str(tmp_path))
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    return tmp_path


class TestSaveAndLoad:
    def test_round_trip(self, tmp_path: Path) -> None:
        solution = solve(RULES, cache=False)
        path = tmp_path / "table.safetensors"
        solution.save(path)
        again = CardSolution.load(path)
        assert again.rules == RULES
        assert again.objective == EXPECTED
        assert np.array_equal(again.table_C_L, solution.table_C_L, equal_nan=True)
        path = path.rename(tmp_path / "another name.safetensors")
        assert CardSolution.load(path).rules == RULES

    @pytest.mark.parametrize(
        "change",
        [
            {"rules": load_rules("yatzy").model_dump_json()},
            {"rules": RULES.model_copy(update={"title": "Another"}).model_dump_json()},
            {"objective": "worst-case"},
            {"objective": "none"},
        ],
    )
    def test_another_header_is_refused(self, tmp_path: Path, change: dict[str, str]) -> None:
        path = tmp_path / "table.safetensors"
        solve(RULES, cache=False).save(path)
        with safe_open(path, framework="numpy") as table:
            header, arrays = table.metadata(), {"remaining_C_L": table.get_tensor("remaining_C_L")}
        path.write_bytes(write_table(arrays, header))
        assert CardSolution.load(path).rules == RULES
        path.write_bytes(write_table(arrays, header | change))
        with pytest.raises(TableError, match="its checksum does not match"):
            CardSolution.load(path)

    @pytest.mark.parametrize("change", ["float32", "another name", "one more", "half the moments"])
    def test_other_arrays_are_refused(
        self, tmp_path: Path, change: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        path = tmp_path / "table.safetensors"
        solve(RULES, cache=False).save(path)
        with safe_open(path, framework="numpy") as table:
            header, values = table.metadata(), table.get_tensor("remaining_C_L")
        arrays = {
            "float32": {"remaining_C_L": values.astype(np.float32)},
            "another name": {"values": values},
            "one more": {"remaining_C_L": values, "more": values},
            "half the moments": {"remaining_C_L": values, "mean_C_L": values},
        }[change]
        path.write_bytes(write_table(arrays, header))
        with pytest.raises(TableError, match="its checksum does not match"):
            CardSolution.load(path)
        # Even a table with a correct checksum is refused.
        monkeypatch.setattr(
            "rollwise.solving.storage.table_file._checksum", lambda *_: header["sha256"]
        )
        with pytest.raises(TableError, match="does not contain the expected arrays"):
            CardSolution.load(path)

    def test_other_files_are_refused(self, tmp_path: Path) -> None:
        path = tmp_path / "table.safetensors"
        path.write_bytes(b"not a table")
        with pytest.raises(TableError, match="is not a complete value table"):
            CardSolution.load(path)
        with pytest.raises(FileNotFoundError):
            CardSolution.load(tmp_path / "none.safetensors")


class TestCache:
    def test_saved_and_loaded(self, folder: Path) -> None:
        first = solve(RULES)
        path = cache_entries.table_path(RULES, EXPECTED)
        written = path.stat().st_mtime_ns
        assert solve(RULES).value() == first.value()
        assert path.stat().st_mtime_ns == written
        assert clear() == (1, [])
        assert not path.exists()

    def test_advice_from_a_saved_table_loads_no_compiler(self, folder: Path) -> None:
        solve(RULES, moments=True)
        statements = (
            f"rollwise.solve({RULES.name!r}, moments=True).options('11366')",
            f"app(['advise', '11366', '--rules', {RULES.name!r}], standalone_mode=False)",
        )
        for statement in statements:
            program = (
                f"import sys, rollwise\nfrom rollwise.cli import app\n{statement}\n"
                "sys.exit(bool({'numba', 'llvmlite'} & {*sys.modules}))"
            )
            assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0

    def test_without_cache_nothing_is_written(self, folder: Path) -> None:
        solve(RULES, cache=False)
        assert list(folder.iterdir()) == []

    @pytest.mark.parametrize("damage", ["cut", "altered", "emptied", "metadata", "rulez", "array"])
    def test_a_damaged_table_is_reported_and_replaced(
        self, folder: Path, damage: str, caplog: pytest.LogCaptureFixture
    ) -> None:
        value = solve(RULES).value()
        path = cache_entries.table_path(RULES, EXPECTED)
        content = bytearray(path.read_bytes())
        if damage == "cut":
            del content[len(content) // 2 :]
        elif damage == "altered":
            content[-100] ^= 0xFF
        elif damage == "emptied":
            content.clear()
        elif damage == "rulez":
            content = content.replace(b'"rules":', b'"rulez":')
        elif damage == "array":
            content = content.replace(b"remaining_C_L", b"remaining_C_X")
        else:
            content[20] ^= 0xFF
        path.write_bytes(content)
        with caplog.at_level(logging.WARNING, logger="rollwise"):
            assert solve(RULES).value() == value
        assert "solving the game again" in caplog.text
        caplog.clear()
        assert solve(RULES).value() == value
        assert caplog.text == ""

    def test_a_table_under_the_name_of_another_is_computed_again(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
    ) -> None:
        monkeypatch.setenv("ROLLWISE_CACHE", str(tmp_path))
        first, second = (
            evaluate("greedy", rules, cache=True).distribution.mean for rules in (RULES, "crag")
        )
        path, other = sorted(tmp_path.glob("*.distribution-of-greedy.*"), reverse=True)
        shutil.copy(other, path)
        for warning in (f"{path} was written as {other.name})", ""):
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

        written = list[Path]()
        monkeypatch.setattr(CardSolution, "save", lambda _, path: written.append(path))
        monkeypatch.setattr("rollwise.solving.moments.with_moments", without_moments)
        solve(RULES, moments=True)
        monkeypatch.setattr("rollwise.solving.moments.with_moments", none)
        with pytest.raises(TooLargeError):
            solve(RULES, moments=True)
        assert written == [cache_entries.table_path(RULES, EXPECTED)] * 2

    def test_clear_deletes_drafts_and_reports_what_stays(self, folder: Path) -> None:
        solve(RULES)
        undeletable = folder / f"a.expected.{'0' * 16}.{'0' * 16}.layers"
        (undeletable / "layer-00.0000.npy").mkdir(parents=True)
        (folder / ".b.safetensors.0123abcd.draft").touch()
        (folder / "mine.txt").touch()
        code = folder / "rollwise" / "0123456789abcdef" / "kernel.py311.1.nbc"
        code.parent.mkdir(parents=True, exist_ok=True)
        code.touch()
        result = CliRunner().invoke(app, ["cache", "clear"])
        assert result.exit_code == 2
        assert result.stdout == f"deleted 1 table in {folder}\n"
        assert f"error: cannot delete {undeletable / 'layer-00.0000.npy'}: " in result.stderr
        assert sorted(path.name for path in folder.iterdir()) == [undeletable.name, "mine.txt"]

    def test_changed_code_makes_another_table(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        def path_in(code_fingerprint: str, part: str) -> Path:
            (tmp_path / part / "module.py").write_text(code_fingerprint)
            fingerprint.cache_clear()
            return cache_entries.table_path(RULES, EXPECTED)

        for folder in ("rules", "solving", "model", "web"):
            (tmp_path / folder).mkdir()
        monkeypatch.setattr(cache_entries, "PACKAGE", tmp_path)
        try:
            assert path_in("a", "solving") == path_in("a", "solving") != path_in("b", "solving")
            assert path_in("a", "model") != path_in("b", "model")
            assert path_in("a", "web") == path_in("b", "web")
        finally:
            fingerprint.cache_clear()

    def test_solve_prints_the_source_of_the_table(self, folder: Path) -> None:
        command = ["solve", "--rules", RULES.name]
        from_cache = [
            json.loads(CliRunner().invoke(app, [*command, "--json", *more]).stdout)["from_cache"]
            for more in ([], [], ["--no-cache"])
        ]
        assert from_cache == [False, True, False]
        assert "(read from the cache)" in CliRunner().invoke(app, command).stdout

    def test_a_custom_objective_is_not_cached(self, folder: Path) -> None:
        twice = replace(EXPECTED, name="twice", points=lambda points: 2 * points, named=False)
        assert solve(RULES, twice).value() > solve(RULES, replace(twice, points=abs)).value()
        assert list(folder.iterdir()) == []

    def test_every_risk_has_a_table(self, folder: Path) -> None:
        risks = 0.01, 0.01 + 1e-12
        assert solve(RULES, exponential(risks[0])).objective.risk == risks[0]
        assert solve(RULES, exponential(risks[1])).objective.risk == risks[1]

    def test_changed_rules_have_another_table(self, folder: Path) -> None:
        changed = RULES.model_copy(update={"rolls": 2})
        assert solve(RULES).value() > solve(changed).value()
        assert cache_entries.table_path(RULES, EXPECTED) != cache_entries.table_path(
            changed, EXPECTED
        )

    def test_an_unwritable_folder_is_only_a_warning(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
    ) -> None:
        blocked = tmp_path / "file"
        blocked.write_text("in the way")
        monkeypatch.setenv("ROLLWISE_CACHE", str(blocked))
        assert solve(RULES).value() > 0
        assert "cannot save" in caplog.text or "cannot be used" in caplog.text


def damage(path: Path, others: Sequence[Path], source: random.Random) -> None:
    """Flip a bit of a file, cut it, zero a part of it, or replace it by one of the other files."""
    before = path.read_bytes()
    while path.read_bytes() == before:
        content, start = bytearray(before), source.randrange(len(before))
        match source.choice(("bit", "cut", "zeros", "other")):
            case "bit":
                content[start] ^= 1 << source.randrange(8)
            case "cut":
                del content[start:]
            case "zeros":
                content[start : start + 1000] = bytes(len(content[start : start + 1000]))
            case "other":
                content[:] = source.choice(others).read_bytes()
        path.write_bytes(content)


class TestDamage:
    COMMAND = "compare", "optimal", "greedy", "--rules", "micro-yahtzee", "--json"
    KERNELS = "*.play_turns-*", "*.turn_losses-*"
    """The files of two kernels that the command uses, and that compile in less than a second."""

    @pytest.mark.parametrize("rounds", [5, pytest.param(75, marks=pytest.mark.slow)])
    def test_damaged_files_are_named_and_replaced(self, tmp_path: Path, rounds: int) -> None:
        shared = Path(play_turns._cache.cache_path)  # type: ignore[attr-defined]
        code_folder = tmp_path / "code" / "rollwise" / shared.name
        if shared.exists():  # so that only these kernels are compiled
            shutil.copytree(shared, code_folder, ignore=shutil.ignore_patterns(*self.KERNELS))
        folders = {
            "ROLLWISE_CACHE": str(tmp_path / "cache"),
            "NUMBA_CACHE_DIR": str(tmp_path / "code"),
        }
        files = list[Path]()

        def run() -> tuple[int, str, set[Path]]:
            """Run the command; return its exit code, its output, and the files that it names."""
            command = [sys.executable, "-m", "rollwise", *self.COMMAND]
            environment = os.environ | folders
            done = subprocess.run(command, env=environment, capture_output=True, text=True)
            named = {path for path in files if str(path) in done.stderr}
            return done.returncode, done.stdout, named

        output, source = run()[1], random.Random(rounds)
        tables = sorted((tmp_path / "cache").glob("*.safetensors"))
        code = [path for kernel in self.KERNELS for path in code_folder.glob(kernel)]
        files += tables + code
        assert (len(tables), len(code)) == (3, 2)
        for _ in range(rounds):
            kernel = source.choice(code)
            damage(kernel, [path for path in code if path != kernel], source)
            for path in tables:
                damage(path, [other for other in tables if other != path], source)
            assert run() == (0, output, {kernel, *tables})
            for path in tables:
                read_table(path)  # raises an error if the table is still damaged
        assert run() == (0, output, set())


def _write_forever(path: Path, byte: int) -> None:
    while True:
        write_atomically(path, bytes([byte]) * 3_000_000)


def _both_were_seen(path: Path, seen: set[int]) -> bool:
    """Read the file, and return whether the content of both writers has been seen."""
    seen.update(path.read_bytes()[:1] if path.exists() else b"")
    return len(seen) == 2


def _writes_or_has_ended(process: subprocess.Popen[bytes], folder: Path, before: set[Path]) -> bool:
    return set(folder.iterdir()) != before or process.poll() is not None


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

    @pytest.mark.slow
    def test_a_killed_solver_leaves_a_good_table_or_none(self, folder: Path) -> None:
        program = (
            "from rollwise.rules import load_rules; from rollwise.solving.solver import solve\n"
            "solve(load_rules('yatzy'))"
        )
        for _ in range(3):
            before = set(folder.iterdir())
            process = subprocess.Popen([sys.executable, "-c", program])
            wait_until(partial(_writes_or_has_ended, process, folder, before))
            process.kill()
            process.wait()
            for table in folder.glob("*.safetensors"):
                assert CardSolution.load(table).value() == pytest.approx(248.43998937785, abs=1e-9)
