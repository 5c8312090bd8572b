"""Test that every state of the table and every page fits on all screens and is accessible."""

from itertools import product
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from rollwise.client.languages import LANGUAGES
from servers import Server
from table_pictures import STATES, faults_of, opened, save_games

PARTS = (
    "offline menu", "offline rules", "offline new game", "offline real dice",
    "web hint on a keep", "web tutor's warning", "web ending 2", "web review", "web advice",
    "web advice refused",
)  # fmt: skip
"""A state with each part of the table; ``TEXTS`` has more."""

SCORECARDS = (
    "offline all scorecards", "offline crag 4", "offline yamb-up 4", "web yamb-down-up 4",
    "web yamb-down-up-free 1", "web yamb-down-up-free 4", "web balut 4", "web kismet-alike 4",
    "web kniffel-extreme 4", "web maxi-yatzy 4", "web real dice of two kinds",
)  # fmt: skip
"""Scorecards with long titles, few or many columns, and dice with ten faces."""

TEXTS = ("offline all options", "offline keys", "offline ending 2")
"""States with many texts, to check in all languages."""

DOCUMENTS = [name for name in STATES if name.startswith(("page", "quiz"))]

QUICK = [*product((*PARTS, *SCORECARDS, *DOCUMENTS), ["en"]), *product(TEXTS, LANGUAGES)]
SLOW = [(name, "en") for name in STATES if (name, "en") not in QUICK]


@pytest.fixture(scope="module")
def games(server: Server) -> None:
    save_games(server)


@pytest.mark.usefixtures("games")
@pytest.mark.parametrize(
    ("name", "language"),
    [*QUICK, *(pytest.param(*state, marks=pytest.mark.slow) for state in SLOW)],
)
def test_a_state_fits_on_all_screens_and_is_accessible(
    browser: Browser, server: Server, offline_files: Path, name: str, language: str
) -> None:
    with opened(browser, server, offline_files, name, language) as page:
        assert faults_of(page, name) == {}
