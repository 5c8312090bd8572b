"""Check what differs on Windows and macOS, as far as Linux can emulate it."""

import ctypes
import errno
import gc
import os
import resource
import sys
from pathlib import Path
from typing import Any

import pytest
import uvicorn

from rollwise import files
from rollwise.cache_folder import CacheEntry
from rollwise.rules import load_rules
from rollwise.solving.cache import entry_path
from rollwise.web import computing, server

RULES = load_rules("micro-yahtzee")


class TestReplacingAFile:
    """Windows refuses to replace a file that another process reads."""

    @pytest.fixture
    def refusals(self, monkeypatch: pytest.MonkeyPatch) -> list[int]:
        """Refuse as many replacements as the list has items."""
        remaining: list[int] = []
        replace = Path.replace

        def refuse(path: Path, target: Path) -> Path:
            if remaining:
                remaining.pop()
                raise PermissionError(errno.EACCES, "Access is denied", str(target))
            return replace(path, target)

        monkeypatch.setattr(Path, "replace", refuse)
        monkeypatch.setattr(files, "PAUSE", 0)
        monkeypatch.setattr(files, "IS_WINDOWS", True)
        return remaining

    def test_it_is_tried_again(self, refusals: list[int], tmp_path: Path) -> None:
        path = tmp_path / "file"
        path.write_bytes(b"old")
        refusals[:] = range(files.TRIES - 1)
        files.write_atomically(path, b"new")
        assert path.read_bytes() == b"new"

    def test_a_file_that_stays_open_is_an_error(self, refusals: list[int], tmp_path: Path) -> None:
        path = tmp_path / "file"
        path.write_bytes(b"old")
        refusals[:] = range(files.TRIES)
        with pytest.raises(PermissionError, match="file"):
            files.write_atomically(path, b"new")
        assert path.read_bytes() == b"old"
        assert [file.name for file in tmp_path.iterdir()] == ["file"]

    def test_other_systems_report_the_first_refusal(
        self, refusals: list[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(files, "IS_WINDOWS", False)
        refusals[:] = [1]
        with pytest.raises(PermissionError):
            files.write_atomically(tmp_path / "file", b"new")


@pytest.mark.parametrize("name", ["expected", "exponential:-0.01", "worst-case"])
def test_names_of_tables_have_no_reserved_characters(name: str) -> None:
    path = entry_path(RULES, name)
    assert not set(path.name) & set('<>:"/\\|?*')
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()
    assert CacheEntry.of(path).objective == name
    path.unlink()


def test_a_refused_memory_limit_leaves_the_other_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    limits: list[int] = []

    def limit(kind: int, _: tuple[int, int]) -> None:
        if kind == resource.RLIMIT_AS:
            raise ValueError("current limit exceeds maximum limit")
        limits.append(kind)

    monkeypatch.setattr(resource, "setrlimit", limit)
    monkeypatch.setattr(os, "setpriority", lambda *_: None)
    computing._set_limits()
    assert limits == [resource.RLIMIT_CPU, resource.RLIMIT_CORE]


def test_the_server_starts_without_a_c_library(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(name: str | None) -> Any:
        raise TypeError("LoadLibrary() argument 1 must be str, not None")

    started: list[str] = []
    monkeypatch.setattr(ctypes, "CDLL", refuse)
    monkeypatch.setattr(uvicorn.Server, "run", lambda *_: started.append("server"))
    monkeypatch.setattr(server, "make_app", lambda *_: None)
    for name in ("freeze", "set_threshold"):
        monkeypatch.setattr(gc, name, lambda *_: None)
    monkeypatch.setattr(sys, "setswitchinterval", lambda _: None)
    server.serve(None, [], ("localhost",))  # type: ignore[arg-type]
    assert started == ["server"]
