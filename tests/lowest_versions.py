"""Print the lowest versions that pyproject.toml allows, as constraints for pip.

    python tests/lowest_versions.py

``.ci/lowest`` uses these constraints.
"""

import re
import tomllib
from collections.abc import Iterator

from repository import ROOT

NOT_OF_USERS = "all", "docs", "release", "test", "train"
"""The extras for developers, whose lowest versions are not tested, and a list of extras."""


def lowest() -> Iterator[str]:
    """Yield the lowest version of each requirement for users, such as ``numpy==2.0``."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    of_users = [extras[name] for name in sorted(extras) if name not in NOT_OF_USERS]
    for requirement in sum(of_users, project["dependencies"]):
        match = re.match(r"([\w-]+)(?:\[\w+\])?>=([\w.]+)", requirement)
        assert match is not None, f"{requirement}: expected a lower bound"
        yield f"{match[1]}=={match[2]}"


if __name__ == "__main__":
    print("\n".join(lowest()))
