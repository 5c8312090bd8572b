"""Shared by all tests: tables and games are kept in a folder of this run, never in the user's.

The folder goes with the run; of one that was killed, with the next run. Compiled code, which takes
a minute, outlives the run: its key says what it was made from.
"""

import os
import shutil
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

from folders import new_folder, remove_leftovers
from programs import PACKAGES, add_servers_to_path, hide_programs
from rollwise.files import cache_folder
from waiting import PATIENCE

if TYPE_CHECKING:
    from playwright.sync_api import Browser

OUTSIDE = {
    "COLUMNS", "LINES", "FORCE_COLOR", "NO_COLOR", "ROLLWISE_STORE", "ROLLWISE_CACHE_LIMIT",
}  # fmt: skip
"""What may be set for a terminal or for whoever plays, and would change what tests see."""

PROGRAM_OF = {"browser": "chromium", "club": "initdb"}
"""The program that a fixture needs, and with it every test that uses the fixture."""

# Solving compiles once and machines differ in speed: examples are limited by number, not by time.
settings.register_profile(
    "rollwise", deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("rollwise")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options that choose tests by what they need."""
    group = parser.getgroup("rollwise")
    group.addoption(
        "--programs",
        choices=("found", "hidden", "required"),
        default="found",
        help="what to do with Chromium, Graphviz and PostgreSQL: skip the tests of one that is not "
        "found (default), hide all three from the tests, or fail if one is missing",
    )


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
        add_servers_to_path()
        if config.getoption("programs") == "hidden":
            hide_programs(folder)


@pytest.hookimpl(tryfirst=True)  # before pytest evaluates -m
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that use a fixture that needs a program."""
    for item in items:
        for name in PROGRAM_OF.keys() & set(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.needs(PROGRAM_OF[name]))


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a test that needs a program that is missing, or let it fail."""
    needed = {program for marker in item.iter_markers("needs") for program in marker.args}
    for program in sorted(needed):
        if shutil.which(program) is None:
            advice = f"needs {program}: install the package {PACKAGES[program]}"
            if item.config.getoption("programs") == "required":
                pytest.fail(advice, pytrace=False)
            pytest.skip(advice)


@pytest.fixture(scope="module")  # while one runs, no other event loop can
def browser() -> "Iterator[Browser]":
    """Yield the browser of the tests of pages in one file."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        running = playwright.chromium.launch(
            executable_path=shutil.which("chromium"),
            args=["--no-sandbox"],
            timeout=1000 * PATIENCE,
        )
        yield running
        running.close()
