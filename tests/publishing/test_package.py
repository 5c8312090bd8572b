"""Check a wheel: its files, and that it can be imported; and the scripts that build it."""

import subprocess
import sys
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


def test_the_wheel_contains_the_package_and_nothing_else(wheel: Path, tmp_path: Path) -> None:
    assert differences(wheel) == []
    copy = tmp_path / wheel.name
    with zipfile.ZipFile(wheel) as old, zipfile.ZipFile(copy, "w") as new:
        for name in old.namelist():
            if name != "rollwise/py.typed":
                new.writestr(name, old.read(name))
        new.writestr("rollwise/tables/yahtzee-0123.npz", b"")
        new.writestr("rollwise/tables/notes.txt", b"")
    assert differences(copy) == [
        "missing: rollwise/py.typed",
        "unexpected: rollwise/tables/notes.txt",
    ]


def test_the_wheel_can_be_imported(wheel: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path)
    code = f"""import sys; sys.path.insert(0, {str(tmp_path)!r}); import rollwise
print(rollwise.__file__, rollwise.load_rules("crag").title)"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == [str(tmp_path / "rollwise" / "__init__.py"), "Crag"]


def test_the_scripts_are_valid_bash() -> None:
    for script in (*(ROOT / ".ci").iterdir(), ROOT / "deploy" / "install"):
        checked = subprocess.run(["bash", "-n", script], capture_output=True, text=True)
        assert (checked.returncode, checked.stderr) == (0, ""), script
