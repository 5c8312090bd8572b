"""The programs that some tests need beside Python: where tests find them, and how to hide them."""

import os
from pathlib import Path

PACKAGES = {"chromium": "chromium", "dot": "graphviz", "initdb": "postgresql"}
"""Each program that a test can need, and the Debian package that contains it."""


def add_servers_to_path() -> None:
    """Add the programs of PostgreSQL servers to the ``PATH``: Debian does not, newest first."""
    servers = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    os.environ["PATH"] = os.pathsep.join([os.environ.get("PATH", ""), *map(str, servers)])


def hide_programs(folder: Path) -> None:
    """Remove the programs from the ``PATH``, for tests and for all that they start.

    A folder that contains one of the programs is replaced by a folder inside ``folder`` with links
    to everything else in it.
    """
    places = []
    for number, place in enumerate(map(Path, os.environ["PATH"].split(os.pathsep))):
        if not any((place / program).exists() for program in PACKAGES):
            places.append(place)
            continue
        links = folder / f"path-{number}"
        links.mkdir()
        for file in place.absolute().iterdir():
            if file.name not in PACKAGES:
                (links / file.name).symlink_to(file)
        places.append(links)
    os.environ["PATH"] = os.pathsep.join(map(str, places))
