"""Shared by all tests: tables and games are kept in a folder of this run, never in the user's.

The folder goes with the run; of one that was killed, with the next run. Compiled code, which takes
a minute, outlives the run: its key says what it was made from.
"""

import os
import shutil
from collections.abc import Iterator
from functools import partial

import pytest
from hypothesis import HealthCheck, settings
from playwright.sync_api import Browser, sync_playwright

from folders import new_folder, remove_leftovers
from rollwise.files import cache_folder
from waiting import PATIENCE

OUTSIDE = {
    "COLUMNS", "LINES", "FORCE_COLOR", "NO_COLOR", "ROLLWISE_STORE", "ROLLWISE_CACHE_LIMIT",
}  # fmt: skip
"""What may be set for a terminal or for whoever plays, and would change what tests see."""

# Solving compiles once and machines differ in speed: examples are limited by number, not by time.
settings.register_profile(
    "rollwise", deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("rollwise")


def pytest_configure(config: pytest.Config) -> None:
    """Choose the folder before any worker or test can solve a game; forget what is set outside."""
    for name in list(os.environ):
        if name in OUTSIDE or name.lower().endswith("_proxy"):
            del os.environ[name]
    if not hasattr(config, "workerinput"):
        os.environ.setdefault("NUMBA_CACHE_DIR", str(cache_folder()))
        for kind in ("tests", "postgres"):
            remove_leftovers(kind)
        folder = new_folder("tests")
        config.add_cleanup(partial(shutil.rmtree, folder, ignore_errors=True))
        os.environ["ROLLWISE_CACHE"] = str(folder / "cache")
        os.environ["ROLLWISE_DATABASE"] = f"sqlite:///{folder}/history.sqlite"


@pytest.fixture(scope="module")  # while one runs, no other event loop can
def browser() -> Iterator[Browser]:
    """Yield the browser of the tests of pages in one file."""
    chromium = shutil.which("chromium")
    if chromium is None:
        if os.environ.get("CI"):
            pytest.fail("no Chromium: .ci/run should have installed it")
        pytest.skip("no Chromium on this machine: apt-get install chromium")
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(
            executable_path=chromium, args=["--no-sandbox"], timeout=1000 * PATIENCE
        )
        yield running
        running.close()
