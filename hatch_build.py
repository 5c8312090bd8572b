"""Solve the common games while a wheel is built, and add their value tables to it.

``HATCH_BUILD_HOOKS_ENABLE=1 pip wheel --no-deps .`` does so for a package index: users who install
from it need not wait. Without it, a wheel holds no tables: rollwise solves a game on first use.
A table is found by the hash of its rules, and used only by the code that made it, like one in the
cache.
"""

import os
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

GAMES = ("yahtzee", "kniffel", "yatzy")


class Tables(BuildHookInterface):
    """The build hook."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Solve the games, expected score and spread, in a cache of their own."""
        self._folder = tempfile.TemporaryDirectory()
        os.environ["ROLLWISE_CACHE"] = self._folder.name
        sys.path.insert(0, str(Path(self.root) / "src"))
        from rollwise import solve

        for game in GAMES:
            solve(game, moments=True)
        for path in Path(self._folder.name).rglob("*.npz"):
            build_data["force_include"][str(path)] = f"rollwise/tables/{path.name}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Delete the cache, once the wheel has the tables."""
        self._folder.cleanup()
