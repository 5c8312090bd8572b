"""Check the files in a wheel, and the scripts that build and install it."""

import subprocess
import zipfile
from pathlib import Path

import pytest
from hatchling.builders.wheel import WheelBuilder

from repository import ROOT
from wheel_contents import differences


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    return Path(next(WheelBuilder(str(ROOT)).build(directory=str(folder), versions=["standard"])))


def test_the_wheel_contains_the_package_and_nothing_else(wheel: Path) -> None:
    assert differences(wheel) == []


def test_solved_tables_are_expected_and_other_files_are_reported(
    wheel: Path, tmp_path: Path
) -> None:
    copy = tmp_path / wheel.name
    with zipfile.ZipFile(wheel) as old, zipfile.ZipFile(copy, "w") as new:
        for name in old.namelist():
            if name != "rollwise/py.typed":
                new.writestr(name, old.read(name))
        new.writestr("rollwise/tables/yahtzee-0123.safetensors", b"")
        new.writestr("rollwise/tables/fingerprint.0123456789abcdef", b"")
        new.writestr("rollwise/tables/notes.txt", b"")
        new.writestr("tests/conftest.py", b"")
    assert differences(copy) == [
        "missing: rollwise/py.typed",
        "unexpected: rollwise/tables/notes.txt",
        "unexpected: tests/conftest.py",
    ]


@pytest.mark.parametrize("script", sorted((ROOT / ".ci").iterdir()), ids=lambda path: path.name)
def test_the_scripts_are_valid_bash(script: Path) -> None:
    checked = subprocess.run(["bash", "-n", script], capture_output=True, text=True)
    assert (checked.returncode, checked.stderr) == (0, "")
    assert "set -euo pipefail" in script.read_text("utf-8")
