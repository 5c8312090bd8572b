"""Test the cache on disk: its list of entries, its size limit, and eviction by last use."""

import json
import os
import time
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save_file

from commands import run
from games_with_layers import small_maxi
from rollwise.errors import MalformedError
from rollwise.files import ABANDONED, cache_folder, delete_drafts, new_draft
from rollwise.rules import load_rules
from rollwise.solving import values
from rollwise.solving.cache_entries import (
    OUTDATED,
    CacheEntry,
    entries,
    evict,
    layers_folder,
    limit,
    table_path,
)
from rollwise.solving.objectives import BEST_CASE, EXPECTED, WORST_CASE
from rollwise.solving.solver import solve
from rollwise.solving.storage.table_file import write_table

RULES = load_rules("micro-yahtzee")
MAXI = small_maxi(3)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ROLLWISE_CACHE", str(tmp_path))
    monkeypatch.delenv("ROLLWISE_CACHE_LIMIT", raising=False)
    return tmp_path


def used(path: Path, ago: float) -> None:
    """Set the time of the last use of a table to ``ago`` seconds before now."""
    for file in path.iterdir() if path.is_dir() else [path]:
        os.utime(file, (time.time() - ago, file.stat().st_mtime))


def names() -> list[tuple[str, str]]:
    return [(entry.game, entry.objective) for entry in entries()]


def old_version(folder: Path, ago: float) -> Path:
    path = folder / "yahtzee.expected.0123456789abcdef.0123456789abcdef.safetensors"
    write_table(path, {}, {"remaining_C_L": np.zeros(600)})
    used(path, ago)
    return path


def test_the_list_shows_games_sizes_and_last_use(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    solve(RULES)
    used(table_path(RULES, EXPECTED), 1000)
    monkeypatch.setattr(values, "SMALL", 0)
    solve(MAXI, on_disk=True)
    old_version(folder, 2000)
    code, out, _ = run("cache")
    assert code == 0
    assert [line.split()[:2] for line in out.splitlines()[1:4]] == [
        ["maxi-yatzy", "expected"],
        ["micro-yahtzee", "expected"],
        ["yahtzee", "expected"],
    ]
    assert "saved on request" in out
    assert out.count("from another version") == 1
    assert out.splitlines()[-1].endswith(f"in {folder} (limit: 5 GB)")
    data = json.loads(run("cache", "--json")[1])
    assert data["limit"] == 5_000_000_000
    sizes = {Path(game["path"]).name: game["bytes"] for game in data["games"]}
    assert sizes[table_path(RULES, EXPECTED).name] == table_path(RULES, EXPECTED).stat().st_size
    assert sizes[layers_folder(MAXI, EXPECTED).name] > 8 * 100


def test_the_least_recently_used_entry_is_evicted_first(folder: Path) -> None:
    for age, objective in enumerate((EXPECTED, WORST_CASE, BEST_CASE)):
        solve(RULES, objective)
        used(table_path(RULES, objective), 1000 * (age + 1))
    solve(RULES, BEST_CASE)  # reading the table counts as a use
    assert [objective for _, objective in names()] == ["best-case", "expected", "worst-case"]
    size = table_path(RULES, EXPECTED).stat().st_size
    deleted = evict(2.5 * size / 1e9)
    assert [entry.objective for entry in deleted] == ["worst-case"]
    assert run("cache", "--limit", "0")[0] == 0
    assert entries() == []


def test_a_new_table_evicts_others_and_stays(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    solve(RULES)
    monkeypatch.setenv("ROLLWISE_CACHE_LIMIT", "0")
    solve(RULES, WORST_CASE)
    assert names() == [("micro-yahtzee", "worst-case")]


def test_other_versions_are_evicted_first(folder: Path) -> None:
    solve(RULES)
    used(table_path(RULES, EXPECTED), 1000)
    path = old_version(folder, 10)
    assert [entry.path for entry in evict(4000 / 1e9)] == [path]
    old_version(folder, OUTDATED - 1000)
    assert evict() == []
    used(path, OUTDATED + 1000)
    assert [entry.path for entry in evict()] == [path]


def test_wanted_layers_stay(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(values, "SMALL", 0)
    solve(MAXI, on_disk=True)
    solve(MAXI, WORST_CASE)
    assert {entry.objective: entry.wanted for entry in entries()} == {
        "expected": True,
        "worst-case": False,
    }
    evict(0.0)
    assert [entry.objective for entry in entries()] == ["expected"]
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(folder))  # not the cache of all tests
    assert run("cache", "clear")[0] == 0
    assert entries() == []


def test_drafts_of_killed_solvers_are_deleted(folder: Path) -> None:
    draft = new_draft(table_path(RULES, EXPECTED))
    draft.write_bytes(b"half")
    os.utime(draft, (0.0, time.time() - 2 * ABANDONED))
    solve(RULES)
    assert not draft.exists()


def test_an_invalid_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    assert limit() == 5.0
    for text in ("much", "-1", "nan"):
        monkeypatch.setenv("ROLLWISE_CACHE_LIMIT", text)
        with pytest.raises(MalformedError, match="set it to a number of gigabytes"):
            limit()


def test_undeletable_entries_stay(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    solve(RULES)

    def refuse(entry: CacheEntry) -> None:
        raise OSError(1, "not permitted", str(entry.path))

    monkeypatch.setattr(CacheEntry, "delete", refuse)
    assert evict(0.0) == []


CODE_AND_RULES = "0123456789abcdef.0123456789abcdef"


OTHERS = (
    "my-llm.safetensors",
    "thesis.jobs",
    "photo.layers/holiday.jpg",
    "compiled/main.o",
    ".notes.draft",
)
ALIKE = (
    f"llm.expected.{CODE_AND_RULES}.safetensors",
    f"mixed.expected.{CODE_AND_RULES}.layers/holiday.jpg",
    f"unfinished.thesis.{CODE_AND_RULES}.jobs/chapter-1.tex",
)


def files_of_others(folder: Path, names: Iterable[str]) -> dict[Path, bytes]:
    """Create files of other programs in a folder."""
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if name.endswith(".safetensors"):
            save_file({"weight": np.ones(1_000)}, path, {"format": "pt"})
        else:
            path.write_bytes(b"not of rollwise")
        os.utime(path, (0.0, time.time() - 2 * ABANDONED))
    return {folder / name: (folder / name).read_bytes() for name in names}


@pytest.mark.parametrize("others", [OTHERS, OTHERS + ALIKE], ids=["others", "named alike"])
@pytest.mark.parametrize("already_used", [False, True])
def test_files_of_other_programs_stay(
    folder: Path, already_used: bool, others: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ROLLWISE_CACHE_LIMIT", "0")
    if already_used:
        solve(RULES)
    before = files_of_others(folder, others)
    solve(RULES, WORST_CASE)
    evict(0.0)
    assert len(names()) == 0
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)  # so that clear reads folder/compiled
    solve(RULES, WORST_CASE)
    assert names() == [("micro-yahtzee", "worst-case")]
    assert run("cache", "clear")[0] == 0
    assert names() == []
    assert {path: path.read_bytes() for path in before} == before


def test_a_folder_of_another_program_is_used_through_a_subfolder(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    models = folder / "models"
    before = files_of_others(models, OTHERS)
    monkeypatch.setenv("ROLLWISE_CACHE", str(models))
    solve(RULES)
    assert cache_folder() == models / "rollwise"
    assert {*models.rglob("*.safetensors")} == {
        *(path for path in before if path.suffix == ".safetensors"),
        models / "rollwise" / table_path(RULES, EXPECTED).name,
    }


def test_a_folder_of_rollwise_stays_its_folder(folder: Path) -> None:
    solve(RULES)
    files_of_others(folder, OTHERS)
    assert cache_folder() == folder
    assert names() == [("micro-yahtzee", "expected")]


@pytest.mark.parametrize("dangling", [False, True])
def test_a_link_is_not_followed_for_writing(
    folder: Path, dangling: bool, caplog: pytest.LogCaptureFixture
) -> None:
    path, outside = table_path(RULES, EXPECTED), folder / "outside" / "thesis.txt"
    outside.parent.mkdir()
    if not dangling:
        outside.write_text("not of rollwise")
    path.symlink_to(outside)
    value = solve(RULES).value()
    assert "is a symbolic link; delete the link" in caplog.text
    assert path.is_symlink()
    assert outside.exists() != dangling
    assert dangling or outside.read_text() == "not of rollwise"
    evict(0.0)
    assert path.is_symlink()
    assert solve(RULES).value() == value


def test_the_lock_of_layers_truncates_no_other_file(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(values, "SMALL", 0)
    layers = layers_folder(MAXI, EXPECTED)
    layers.mkdir()
    outside = folder / "thesis.txt"
    outside.write_text("not of rollwise")
    (layers / "lock").symlink_to(outside)
    solve(MAXI)
    assert outside.read_text() == "not of rollwise"


def test_only_drafts_of_rollwise_are_deleted(folder: Path) -> None:
    draft = new_draft(table_path(RULES, EXPECTED))
    other = folder / ".chapter.draft"
    for path in (draft, other):
        path.write_bytes(b"half")
        os.utime(path, (0.0, time.time() - 2 * ABANDONED))
    delete_drafts(folder)
    assert not draft.exists()
    assert other.exists()
