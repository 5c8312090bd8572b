"""Check that paths that are not regular files, or never end, give one error immediately."""

import os
from pathlib import Path

import pytest

from commands import run
from rollwise.errors import InputError
from rollwise.files import read_file, write_atomically
from rollwise.rules import load_rules
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.objective_parser import parse_objective


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
        CardSolution.load(tmp_path / "a")


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
