"""Test the cache on disk: its list of entries, its size limit, eviction, and files of others."""

import json
import os
import time
from pathlib import Path

import numpy as np
import pytest

from commands import run
from games_with_layers import small_maxi
from rollwise import cache_folder
from rollwise.cache_folder import (
    OUTDATED,
    TAG,
    CacheEntry,
    code_hash,
    current_folder,
    entries,
    evict,
    limit,
    make_own,
)
from rollwise.errors import MalformedError
from rollwise.files import ABANDONED, delete_drafts, new_draft
from rollwise.rules import load_rules
from rollwise.solving import values
from rollwise.solving.cache import LAYERS, entry_path
from rollwise.solving.objectives import BEST_CASE, EXPECTED, WORST_CASE
from rollwise.solving.solver import solve
from rollwise.solving.storage.tables import write_table

RULES = load_rules("micro-yahtzee")
MAXI = small_maxi(3)
TABLE = entry_path(RULES, EXPECTED.name).name


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ROLLWISE_CACHE", str(tmp_path))
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    monkeypatch.delenv("ROLLWISE_CACHE_LIMIT", raising=False)
    return tmp_path / "rollwise"


def table_path(objective: str = EXPECTED.name) -> Path:
    return entry_path(RULES, objective)


def used(path: Path, ago: float) -> None:
    """Set the time of the last use of a table to ``ago`` seconds before now."""
    for file in path.iterdir() if path.is_dir() else [path]:
        os.utime(file, (time.time() - ago, file.stat().st_mtime))


def names() -> list[tuple[str, str]]:
    return [(entry.game, entry.objective) for entry in entries()]


def old_version(folder: Path, ago: float) -> Path:
    path = folder / "0.0.1-0123456789abcdef" / "yahtzee.expected.0123456789abcdef.npz"
    make_own(path.parent)
    write_table(path, {}, {"remaining_C_L": np.zeros(600)})
    used(path, ago)
    return path


def test_the_list_shows_games_sizes_and_last_use(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    solve(RULES)
    used(table_path(), 1000)
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
    assert sizes[TABLE] == table_path().stat().st_size
    assert sizes[entry_path(MAXI, EXPECTED.name, LAYERS).name] > 8 * 100


def test_games_of_one_name_are_told_apart(folder: Path) -> None:
    other = RULES.model_copy(update={"rolls": 2})
    solve(RULES)
    solve(RULES, WORST_CASE)
    solve(other)
    lines = run("cache")[1].splitlines()[1:4]
    names = [line.split()[0] for line in lines]
    assert [name.partition("@")[0] for name in names] == ["micro-yahtzee"] * 3
    assert len(set(names)) == 2
    data = json.loads(run("cache", "--json")[1])
    assert [game["version"] for game in data["games"]] == names
    assert run("cache", "clear", names[0])[0] == 0
    assert {entry.version for entry in entries()} == {*names} - {names[0]}
    assert "@" not in run("cache")[1]


def test_clear_deletes_the_tables_of_one_game(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    solve(RULES)
    solve(RULES, WORST_CASE)
    old_version(folder, 10)
    size = sum(entry.size for entry in entries() if entry.game == RULES.name)
    monkeypatch.setattr(values, "SMALL", 0)

    def stop(done: float) -> None:
        if done > 0.5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        solve(MAXI, progress=stop)
    assert {entry.game for entry in entries()} == {"micro-yahtzee", "maxi-yatzy", "yahtzee"}
    code, out, _ = run("cache", "clear", "micro-yahtzee")
    assert code == 0
    assert out == f"deleted 2 tables of micro-yahtzee ({size / 1e6:.1f} MB) in {folder}\n"
    assert {entry.game for entry in entries()} == {"maxi-yatzy", "yahtzee"}
    assert run("cache", "clear", "maxi-yatzy")[0] == 0, "the layers of a stopped run"
    assert [entry.game for entry in entries()] == ["yahtzee"]
    assert run("cache", "clear", "yahtzee")[0] == 0, "tables of other versions"
    assert entries() == []


def test_clear_suggests_a_game_with_saved_tables(folder: Path) -> None:
    solve(RULES)
    code, out, err = run("cache", "clear", "micro-yatzee")
    assert (code, out) == (2, "")
    assert err == (
        "error: There are no saved value tables of 'micro-yatzee'. Did you mean 'micro-yahtzee'?\n"
    )
    code, _, err = run("cache", "clear", "kniffel")
    assert code == 2
    assert err.endswith("of 'kniffel'. Run 'rollwise cache' for a list.\n")
    assert len(entries()) == 1


def test_the_least_recently_used_entry_is_evicted_first(folder: Path) -> None:
    for age, objective in enumerate((EXPECTED, WORST_CASE, BEST_CASE)):
        solve(RULES, objective)
        used(table_path(objective.name), 1000 * (age + 1))
    solve(RULES, BEST_CASE)  # reading the table counts as a use
    assert [objective for _, objective in names()] == ["best-case", "expected", "worst-case"]
    size = table_path().stat().st_size
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
    used(table_path(), 1000)
    path = old_version(folder, 10)
    assert [entry.path for entry in evict(table_path().stat().st_size / 1e9)] == [path]
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
    assert run("cache", "clear")[0] == 0
    assert entries() == []


def test_drafts_of_killed_solvers_are_deleted(folder: Path) -> None:
    solve(RULES, BEST_CASE)
    draft = new_draft(table_path())
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

    def refuse(path: Path, **_: bool) -> None:
        raise OSError(1, "not permitted", str(path))

    with monkeypatch.context() as patch:
        patch.setattr(Path, "unlink", refuse)
        assert evict(0.0) == []
        code, out, error = run("cache", "clear")
        assert (code, out) == (2, f"deleted 0 tables in {folder}\n")
        assert f"error: cannot delete {table_path()}: not permitted" in error
    assert names() == [("micro-yahtzee", "expected")]
    assert run("cache", "clear")[:2] == (0, f"deleted 1 table in {folder}\n")
    assert list(folder.iterdir()) == []


def test_changed_code_makes_another_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def folder_with(part: str, code: str) -> Path:
        (tmp_path / part / "module.py").write_text(code)
        code_hash.cache_clear()
        return current_folder()

    for part in (*cache_folder.NUMERIC, "web"):
        (tmp_path / part).mkdir()
    monkeypatch.setattr(cache_folder, "PACKAGE", tmp_path)
    try:
        assert folder_with("solving", "a") == folder_with("solving", "a")
        for part in cache_folder.NUMERIC:
            assert folder_with(part, "a") != folder_with(part, "b")
        assert folder_with("web", "a") == folder_with("web", "b")
    finally:
        code_hash.cache_clear()


OTHERS = (
    "setup.py",
    "solver/layer-00.npy",
    ".pytest_cache/CACHEDIR.TAG",
    ".notes.draft",
    "0.1.0/yahtzee.expected.0123456789abcdef.npz",
)


def test_files_of_other_programs_stay(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Check a cache inside of a folder with other files, and links to other folders."""
    tag = b"Signature: 8a477f597d28d172789f06886806bc55\n# another program\n"
    for name in OTHERS:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(tag if path.name == TAG else b"not of rollwise")
        os.utime(path, (0.0, time.time() - 2 * ABANDONED))
    solve(RULES)
    outside = folder.parent / "thesis"
    outside.mkdir()
    (outside / "thesis.npz").write_bytes(b"not of rollwise")
    (outside / TAG).write_bytes((current_folder() / TAG).read_bytes())
    (folder / "linked").symlink_to(outside)
    (current_folder() / "linked").symlink_to(outside)
    before = {path: path.stat() for path in (*folder.rglob("*"), *outside.iterdir())}
    kept = {path: before[path] for path in before if current_folder() not in path.parents}
    del kept[current_folder()]
    monkeypatch.setenv("ROLLWISE_CACHE_LIMIT", "0")
    solve(RULES, WORST_CASE)
    assert names() == [("micro-yahtzee", "worst-case")]
    assert run("cache", "clear")[:2] == (0, f"deleted 1 table in {folder}\n")
    after = {path: path.stat() for path in (*folder.rglob("*"), *outside.iterdir())}
    assert after.keys() == kept.keys()
    for path, stat in after.items():
        if not path.is_dir():
            assert stat.st_mtime_ns == kept[path].st_mtime_ns
            assert path.read_bytes() in (b"not of rollwise", tag, (outside / TAG).read_bytes())


def test_a_folder_of_others_is_not_used(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    other = current_folder() / "file"
    other.parent.mkdir(parents=True)
    other.touch()
    assert solve(RULES).value() == solve(RULES).value()
    assert "the folder contains files of others" in caplog.text
    assert run("cache", "clear")[0] == 0
    assert list(current_folder().iterdir()) == [other]


@pytest.mark.parametrize("dangling", [False, True])
def test_a_link_is_replaced_and_not_followed(folder: Path, dangling: bool) -> None:
    solve(RULES, BEST_CASE)
    path, outside = table_path(), folder.parent / "thesis.txt"
    if not dangling:
        outside.write_text("not of rollwise")
    path.symlink_to(outside)
    value = solve(RULES).value()
    assert not path.is_symlink()
    assert outside.exists() != dangling
    assert dangling or outside.read_text() == "not of rollwise"
    assert solve(RULES).value() == value


def test_only_drafts_of_rollwise_are_deleted(folder: Path) -> None:
    make_own(current_folder())
    draft = new_draft(table_path())
    other = current_folder() / ".chapter.draft"
    for path in (draft, other):
        path.write_bytes(b"half")
        os.utime(path, (0.0, time.time() - 2 * ABANDONED))
    delete_drafts(current_folder())
    assert not draft.exists()
    assert other.exists()


def test_an_entry_that_disappears_is_not_listed(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(path: Path) -> CacheEntry:
        raise FileNotFoundError

    solve(RULES)
    monkeypatch.setattr(CacheEntry, "of", gone)
    assert entries() == []
