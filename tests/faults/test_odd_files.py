"""Check that paths that are not regular files, or never end, give one error immediately."""

import os
import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from commands import run
from rollwise.cache_folder import make_own
from rollwise.errors import InputError
from rollwise.files import read_file, write_atomically
from rollwise.rules import load_rules
from rollwise.solving.cache import entry_path
from rollwise.solving.objective_parser import parse_objective
from rollwise.solving.objectives import EXPECTED
from rollwise.solving.solver import solve
from rollwise.solving.storage.tables import read_table
from waiting import PATIENCE

SENTENCE = "not a regular file; give a file, not a folder, pipe, or device"

COMMANDS = """\
review odd.toml
advise --file odd.toml
decide odd.toml
report --strategy odd.py:Mine
sweep --grid odd.toml
history import odd.toml
"""

RUN = "import sys; from commands import run; [print(run(*line.split())) for line in sys.stdin]"


@pytest.fixture(params=["pipe", "zero", "folder"])
def odd(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    path = tmp_path / "odd.toml"
    if request.param == "pipe":
        os.mkfifo(path)  # a pipe without a writer
    elif request.param == "zero":
        path.symlink_to("/dev/zero")
    else:
        path.mkdir()
    return path


def test_rules_and_utilities_are_files(odd: Path) -> None:
    with pytest.raises(InputError, match="give a file, not a folder, pipe, or device"):
        load_rules(odd)
    code, _, error = run("solve", "--objective", f"utility:{odd}", "--rules", "micro-yahtzee")
    assert code == 2
    assert "give a file, not a folder, pipe, or device" in error


def start(*arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
    """Run Python with limits of time and memory, so that endless reading fails."""
    return subprocess.run(
        [sys.executable, *arguments],
        capture_output=True, text=True, check=False, timeout=PATIENCE,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30)),
        **options,
    )  # fmt: skip


def test_commands_read_only_files(odd: Path) -> None:
    odd.with_suffix(".py").symlink_to(odd)
    done = start("-c", RUN, input=COMMANDS, cwd=odd.parent)
    for command, result in zip(COMMANDS.splitlines(), done.stdout.splitlines(), strict=True):
        assert result.startswith("(2, '', "), command
        assert SENTENCE in result, command
        assert result.count(r"\n") == 1, command


def test_standard_input_without_an_end() -> None:
    for command in (["review", "-"], ["advise", "--file", "-"]):
        with Path("/dev/zero").open("rb") as zeros:
            done = start("-m", "rollwise", *command, stdin=zeros)
        assert done.returncode == 2
        assert "at most" in done.stderr
        assert done.stderr.count("\n") == 1


@pytest.mark.timeout(PATIENCE)
def test_a_pipe_in_place_of_a_table_is_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("ROLLWISE_CACHE", str(tmp_path))
    rules = load_rules("micro-yahtzee")
    path = entry_path(rules, EXPECTED.name)
    make_own(path.parent)
    os.mkfifo(path)
    value = solve(rules).value()
    assert SENTENCE.partition(";")[0] in caplog.text
    assert path.is_file()
    assert solve(rules).value() == value == solve(rules, cache=False).value()


@pytest.mark.parametrize("name", ["a\0.toml", "\ud800.toml"])
def test_a_name_that_no_file_can_have(name: str) -> None:
    for read in (load_rules, lambda name: read_file(Path(name), 1)):
        with pytest.raises((InputError, OSError), match="not the name of a file"):
            read(name)


def test_a_file_that_is_too_large(tmp_path: Path) -> None:
    (tmp_path / "large").write_bytes(bytes(11))
    with pytest.raises(OSError, match="at most 10 bytes"):
        read_file(tmp_path / "large", 10)


def test_a_line_that_is_too_long(tmp_path: Path) -> None:
    path = tmp_path / "utility.csv"
    path.write_text("0," + "1" * 200_000)
    with pytest.raises(InputError, match="is not a CSV file; write a score"):
        parse_objective(f"utility:{path}")


def test_circular_links(tmp_path: Path) -> None:
    for name, other in (("a", "b"), ("b", "a")):
        (tmp_path / name).symlink_to(tmp_path / other)
    with pytest.raises(OSError, match="symbolic links"):
        write_atomically(tmp_path / "a", b"")
    with pytest.raises(OSError, match="symbolic links"):
        read_table(tmp_path / "a")


def test_an_empty_file_is_not_an_empty_history(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    path.touch()  # as after a power failure
    for command in (("list",), ("show", "one"), ("check",)):
        code, out, error = run("history", *command, "--database", f"sqlite:///{path}")
        assert (code, out) == (2, "")
        assert (
            f"{path} is empty, so it is not a history; delete the file, or give another file"
            in error
        )
    assert path.stat().st_size == 0
