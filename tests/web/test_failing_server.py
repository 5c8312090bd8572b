"""Test a server that is busy, whose computations fail, or that cannot save, and its health."""

import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import pytest
from fastapi.testclient import TestClient

from games import at_random, play
from rollwise import Game, load_rules
from rollwise.history import History
from rollwise.web.access_control import LOCAL
from rollwise.web.computing import BusyError, FailedError
from rollwise.web.server import make_app
from rollwise.web.solved_games import SolvedGames

SECRET = "a secret of the server"


@pytest.fixture
def games(tmp_path: Path) -> Iterator[SolvedGames]:
    """Yield the games of a server, including a saved game with custom rules."""
    own = load_rules("micro-yahtzee").model_copy(update={"name": "own", "title": "Of one's own"})
    with History(f"sqlite:///{tmp_path}/games.sqlite") as history:
        history.save("mine", Game(own))
        yield SolvedGames(history)


@pytest.fixture
def client(games: SolvedGames) -> Iterator[TestClient]:
    """Yield a client of the server that has these games."""
    app = make_app(games, LOCAL, None)
    with TestClient(app, "http://127.0.0.1", raise_server_exceptions=False) as client:
        yield client


def test_a_full_disk(
    games: SolvedGames, client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def limited(*args: Any, **options: Any) -> sqlite3.Connection:
        connection: sqlite3.Connection = connect(*args, **options)
        connection.execute("PRAGMA max_page_count=1")
        return connection

    record = play(load_rules("yahtzee"), [*"ABCDEFGHIJ"], 7, at_random(1))  # larger than a page
    connect = sqlite3.connect
    monkeypatch.setattr("rollwise.history.database.sqlite3.connect", limited)
    games.history.close()  # the next connections have the limit
    response = client.post("/api/games", json=json.loads(record.as_json()))
    page = client.post("/games", data={"record": str(record)})
    assert (response.status_code, page.status_code) == (507, 507)
    for words in (response.json()["detail"], page.text):
        assert "the disk is full; free some disk space, and try again" in words


def test_health(games: SolvedGames, client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def status() -> int:
        return client.get("/healthz").status_code

    database = games.history.database
    assert database.file is not None
    assert status() == 200
    with monkeypatch.context() as full_disk:
        usage = SimpleNamespace(free=0)
        full_disk.setattr("rollwise.history.database.shutil.disk_usage", lambda _: usage)
        assert status() == 503
    with database.reading() as connection:
        connection.execute("PRAGMA query_only=1")
    assert status() == 503
    assert status() == 200  # through another connection
    database.close()
    database.file.write_bytes(b"damaged")
    assert status() == 503


def test_pages_of_a_busy_server_and_of_a_failing_server(
    games: SolvedGames, client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    for error, words in (
        (FailedError("the calculation failed"), "The calculation failed."),
        (BusyError(), "The server is busy; try again in 5 s."),
    ):
        monkeypatch.setattr(games.computing, "seconds", Mock(side_effect=error))
        puzzle = client.get("/puzzle/2026-11-22")
        assert puzzle.status_code == 503
        assert words in puzzle.text
        advice = client.get("/advise/options?rules=yahtzee&position=dice+11366")
        assert advice.status_code == 200  # the table shows the position and these words
        assert words in advice.text
    page = client.get("/play/mine")  # available even though the server is busy
    assert page.status_code == 200
    assert "Of one's own" in page.text
    monkeypatch.setattr(games, "read", Mock(side_effect=RuntimeError(SECRET)))
    failed = client.get("/games?rules=crag")
    assert failed.status_code == 500
    assert "This page cannot be shown" in failed.text
    assert "/games?rules=crag" in failed.text
    assert SECRET not in failed.text


def test_a_game_of_the_browser_names_its_computer_opponents(
    games: SolvedGames, client: TestClient
) -> None:
    form = {"rules": "micro-yahtzee", "players": "Ada", "opponent": "greedy"}
    begun = client.post("/", data=form, follow_redirects=False)
    id = begun.headers["Location"].removeprefix("/play/")
    assert games.history.load(id).game.headers.bots == {"Medium": "greedy"}
