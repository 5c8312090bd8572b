"""Fixtures of all web tests: a server, a phone, and a table with either place of its game."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from browser_pages import open_offline, open_on_server, watched
from rollwise import Game, load_rules
from servers import Server, serving

OpenTable = Callable[..., Page]
"""A function that opens the table of a game; see ``open_table``."""

NUMBERS = count(1)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Yield a server without games."""
    folder = tmp_path_factory.mktemp("server")
    with serving(f"sqlite:///{folder}/games.sqlite", folder) as running:
        yield running


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """Return the library that runs asynchronous tests."""
    return "asyncio"


@pytest.fixture
def context(browser: Browser, server: Server) -> Iterator[BrowserContext]:
    """Yield a browser context of a phone, for pages of the server."""
    with watched(browser, server.address, has_touch=True) as context:
        yield context


@pytest.fixture
def page(context: BrowserContext) -> Page:
    """Return a page of the phone."""
    return context.new_page()


@pytest.fixture(scope="session")
def offline_files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder for offline pages, which ``open_offline`` writes once per game."""
    return tmp_path_factory.mktemp("offline")


@pytest.fixture(params=["offline", "web"])
def open_table(
    request: pytest.FixtureRequest, browser: Browser, server: Server, offline_files: Path
) -> Iterator[OpenTable]:
    """Yield a function that opens the table of a game, on a server and in an offline page."""
    with ExitStack() as contexts:

        def opened(
            rules: str = "yahtzee",
            players: Sequence[str] = ("Ada",),
            events: str | Sequence[str] = (),
            *,
            seed: int | None = 5,
            bots: Mapping[str, str] | None = None,
            **more: Any,
        ) -> Page:
            game = Game(load_rules(rules), players, events, seed=seed, bots=bots)
            address = server.address if request.param == "web" else None
            page = contexts.enter_context(
                watched(browser, address, has_touch=True, **more)
            ).new_page()
            if request.param == "web":
                open_on_server(page, server.save(f"table-{next(NUMBERS)}", game))
            else:
                open_offline(page, game, offline_files)
            return page

        yield opened
