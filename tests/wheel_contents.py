"""Compare the files in a wheel with the files that it should contain.

    python tests/wheel_contents.py build/dist/*.whl

A wheel contains the package and its metadata, and solved tables if the hook of
``hatch_build.py`` was enabled.
"""

import re
import sys
import zipfile
from pathlib import Path

from repository import ROOT

METADATA = ("METADATA", "RECORD", "WHEEL", "entry_points.txt", "licenses/LICENSE")
"""The files in the folder with the metadata."""

TABLES = "rollwise/tables/"
"""The folder of the solved tables."""

TABLE = r"[^/]+\.npz"
"""The names of solved tables."""


def expected_files() -> set[str]:
    """Return the files of the package."""
    source = ROOT / "src"
    paths = (path for path in (source / "rollwise").rglob("*") if path.is_file())
    return {
        path.relative_to(source).as_posix() for path in paths if path.parent.name != "__pycache__"
    }


def differences(wheel: Path) -> list[str]:
    """Return one line for each missing file and for each file that should not be there."""
    name, version, *_ = wheel.name.split("-")
    folder = f"{name}-{version}.dist-info"
    expected = expected_files() | {f"{folder}/{file}" for file in METADATA}
    with zipfile.ZipFile(wheel) as archive:
        found = set(archive.namelist())
    tables = {file for file in found if file.startswith(TABLES)}
    solved = {file for file in tables if re.fullmatch(TABLE, file.removeprefix(TABLES))}
    unexpected = found - solved - expected
    return [
        *(f"missing: {file}" for file in sorted(expected - found)),
        *(f"unexpected: {file}" for file in sorted(unexpected)),
    ]


if __name__ == "__main__":
    lines = [f"{path}: {line}" for path in sys.argv[1:] for line in differences(Path(path))]
    print("\n".join(lines) or "The wheel contains the files that it should contain.")
    sys.exit(bool(lines))
