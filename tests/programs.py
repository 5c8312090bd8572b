"""The external programs that some tests need, and functions that find or hide these programs."""

import os
from pathlib import Path

PACKAGES = {"chromium": "chromium", "node": "nodejs"}
"""Each program that a test might need, and the Debian package that contains it."""


def hide_programs(folder: Path) -> None:
    """Hide programs from the tests and their child processes by changing the ``PATH``.

    If a folder in the ``PATH`` contains one of the programs, a new folder inside ``folder``
    replaces it. The new folder contains links to all other files.
    """
    visible = []
    for number, original in enumerate(map(Path, os.environ["PATH"].split(os.pathsep))):
        if not any((original / program).exists() for program in PACKAGES):
            visible.append(original)
            continue
        links = folder / f"path-{number}"
        links.mkdir()
        for file in original.absolute().iterdir():
            if file.name not in PACKAGES:
                (links / file.name).symlink_to(file)
        visible.append(links)
    os.environ["PATH"] = os.pathsep.join(map(str, visible))
