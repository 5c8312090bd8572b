"""Configure all tests: data folders, options, fixtures, and markers.

Tests save games and settings in a folder of this run, never in the user's folders. The run deletes
the folder at its end; if the run is killed, the next run deletes it. All runs share one cache of
solved tables and compiled code, because its keys identify the source code. Tests of the cache use a
folder of their own.
"""

import os
import shutil
import sys
import time
from collections.abc import Iterator
from functools import partial
from importlib.abc import MetaPathFinder
from pathlib import Path
from typing import TYPE_CHECKING

import platformdirs
import pytest
from hypothesis import HealthCheck, settings

from folders import new_folder, remove_leftovers
from programs import PACKAGES, hide_programs
from waiting import PATIENCE

if TYPE_CHECKING:
    from playwright.sync_api import Browser

TESTS = Path(__file__).parent

OUTSIDE = {
    "COLUMNS", "LINES", "FORCE_COLOR", "NO_COLOR", "ROLLWISE_CACHE_LIMIT",
    "ROLLWISE_RULES",
}  # fmt: skip
"""Environment variables of a terminal or a user that would change the output in tests."""

FAST = (
    "counts/test_counts.py", "documentation/test_decision_page.py",
    "decision_analysis/test_decision_problem.py", "decision_analysis/test_picture.py",
    "decision_analysis/test_simulated_turns.py", "decision_analysis/test_targets.py",
    "decision_analysis/test_turn.py",
    "records/test_notation.py", "records/test_record.py", "reference/test_reference.py",
    "rules/test_game.py", "rules/test_inheritance.py", "rules/test_mechanisms.py",
    "rules/test_rule_files.py", "rules/test_rule_sheets.py",
    "test_architecture.py",
)  # fmt: skip
"""The files and folders that ``--fast`` selects. Their tests never import numba, and take seconds.
"""

SLOW_TIMEOUT = 3600
"""The seconds after which a slow test fails; ``timeout`` in pyproject.toml limits the others."""

PROGRAM_OF = {"browser": "chromium"}
"""The programs that each fixture needs, and therefore every test that uses the fixture."""

# Examples have no time limit because the first solve compiles and machines differ in speed. They
# are the same in every run; `--hypothesis-profile random`, as in .ci/nightly, looks for others.
settings.register_profile(
    "rollwise", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("fast", settings.get_profile("rollwise"), max_examples=20)
settings.register_profile(
    "random", settings.get_profile("rollwise"), derandomize=False, print_blob=True
)
settings.load_profile("rollwise")


class NoCompiledCode(MetaPathFinder):
    """An import hook that refuses numba, the compiler of the kernels."""

    def find_spec(self, name: str, *_: object) -> None:
        assert name != "numba", "this test imports numba: remove its file from FAST in conftest.py"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options that select tests by the programs and modules that they need."""
    group = parser.getgroup("rollwise")
    group.addoption(
        "--fast",
        action="store_true",
        help="run only the tests that need no compiled code and no program except Python, with "
        "fewer examples of each property",
    )
    group.addoption(
        "--programs",
        choices=("found", "hidden", "required"),
        default="found",
        help="what to do with Chromium and Node: skip the tests of one that "
        "is not found (default), hide all of them from the tests, or fail if one is missing",
    )
    group.addoption(
        "--site",
        type=Path,
        metavar="FOLDER",
        help="the site that python -m sphinx has built, for the tests that read it",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Clear environment variables, and choose the data folder before a test can solve a game."""
    for name in list(os.environ):
        if name in OUTSIDE or name.lower().endswith("_proxy"):
            del os.environ[name]
    if config.getoption("fast"):
        missing = [name for name in FAST if not (TESTS / name).exists()]
        if missing:
            raise pytest.UsageError(f"FAST in tests/conftest.py: no {', '.join(missing)}")
        sys.meta_path.insert(0, NoCompiledCode())
        settings.load_profile("fast")
    if not hasattr(config, "workerinput"):
        cache = test_cache()
        os.environ["ROLLWISE_CACHE"] = str(cache / "tables")
        os.environ.setdefault("NUMBA_CACHE_DIR", str(cache / "compiled"))  # also for an empty cache
        os.environ.setdefault("NUMBA_NUM_THREADS", "1")  # each process of xdist has one core
        remove_leftovers("tests")
        folder = new_folder("tests")
        config.add_cleanup(partial(shutil.rmtree, folder, ignore_errors=True))
        os.environ["ROLLWISE_DATABASE"] = f"{folder}/history.sqlite"
        os.environ["ROLLWISE_SETTINGS"] = str(folder / "settings.toml")
        if config.getoption("fast") or config.getoption("programs") == "hidden":
            hide_programs(folder)
    if not config.getoption("fast"):
        config.pluginmanager.import_plugin("web_fixtures")  # imports the engine


def test_cache() -> Path:
    """Return the cache of all test runs: ``$ROLLWISE_TEST_CACHE``, or one in the user's caches."""
    chosen = os.environ.get("ROLLWISE_TEST_CACHE")
    return Path(chosen) if chosen else platformdirs.user_cache_path("rollwise-tests")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Ignore slow files if ``--fast`` is given, because pytest imports every collected file."""
    is_test = collection_path.name.startswith("test_") and collection_path.suffix == ".py"
    if config.getoption("fast") and is_test and not is_fast(collection_path):
        return True
    return None


def is_fast(path: Path) -> bool:
    """Return whether a test file is part of the fast selection."""
    return any(path.is_relative_to(TESTS / name) for name in FAST)


@pytest.hookimpl(tryfirst=True)  # before pytest evaluates -m
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark tests with the programs that their fixtures need, their timeouts, and their reruns.

    Only tests in a browser or a pseudo-terminal run again after a failure, once, because they
    depend on other programs. The summary counts reruns; ``-p no:rerunfailures`` prevents them.
    """
    for item in items:
        fixtures = set(getattr(item, "fixturenames", ()))
        for name in PROGRAM_OF.keys() & fixtures:
            item.add_marker(pytest.mark.needs(PROGRAM_OF[name]))
        if item.get_closest_marker("slow"):
            item.add_marker(pytest.mark.timeout(SLOW_TIMEOUT))
        is_outside = "browser" in fixtures or item.get_closest_marker("pty") is not None
        if is_outside and item.config.pluginmanager.hasplugin("rerunfailures"):
            item.add_marker(pytest.mark.flaky(reruns=1))


def programs_of(item: pytest.Item) -> set[str]:
    """Return the programs that a test needs."""
    return {program for marker in item.iter_markers("needs") for program in marker.args}


def pytest_runtest_setup(item: pytest.Item) -> None:
    """If a program that a test needs is missing, skip the test or let it fail."""
    for program in sorted(programs_of(item)):
        if shutil.which(program) is None:
            advice = f"needs {program}: install the package {PACKAGES[program]}"
            if item.config.getoption("programs") == "required":
                pytest.fail(advice, pytrace=False)
            pytest.skip(advice)


@pytest.fixture
def zone(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Set the time zone of this machine for a test."""
    name: str = getattr(request, "param", "Pacific/Kiritimati")
    monkeypatch.setenv("TZ", name)
    time.tzset()
    yield name
    monkeypatch.undo()
    time.tzset()


@pytest.fixture(scope="session")
def site(request: pytest.FixtureRequest) -> Path:
    """Return the folder of the site."""
    folder: Path | None = request.config.getoption("site")
    if folder is None:
        pytest.skip("needs the site: build it, and pass --site=FOLDER")
    return folder.absolute()


@pytest.fixture(scope="module")  # no other event loop can run while a browser runs
def browser() -> "Iterator[Browser]":
    """Yield a browser for the tests of pages in one file."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        running = playwright.chromium.launch(
            executable_path=shutil.which("chromium"),
            args=["--no-sandbox"],
            timeout=1000 * PATIENCE,
        )
        yield running
        running.close()
