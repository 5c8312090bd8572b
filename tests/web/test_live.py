"""Games that are being played are kept open within limits, and never taken from who looks on."""

import asyncio
from pathlib import Path
from typing import Never

import httpx
import pytest

from rollwise import Record, load_rules, solve
from rollwise.history import History
from rollwise.solving.card_solution import CardSolution
from rollwise.web import live
from rollwise.web.doors import LOCAL
from rollwise.web.line import BusyError, Notice
from rollwise.web.live import LiveGames
from rollwise.web.made_once import Making
from rollwise.web.server import make_app
from rollwise.web.solved import SolvedGames

MICRO = load_rules("micro-yahtzee")


async def solved(_: Notice) -> CardSolution:
    return solve(MICRO, moments=True)


@pytest.mark.parametrize("limit", ["KEPT", "STORE"])
def test_only_games_that_nobody_looks_at_make_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str
) -> None:
    monkeypatch.setattr(live, limit, 1)  # game, or byte

    async def test(games: SolvedGames) -> None:
        making = Making(solved, lambda: None)
        await making
        monkeypatch.setattr(games, "solution", lambda _: making)
        for id in "abc":
            games.history.save(id, Record(MICRO))
        table = LiveGames(games)
        first = await table.enter("a")
        go = first.look(lambda: None)
        second = await table.enter("b")
        assert await table.enter("c") is await table.enter("c")
        assert await table.enter("a") is first
        assert await table.enter("b") is not second
        go()
        await table.enter("c")
        assert await table.enter("a") is not first
        await games.close()

    with History(f"sqlite:///{tmp_path / 'games.sqlite'}") as history:
        asyncio.run(test(SolvedGames(history)))


def test_a_table_is_there_though_the_line_is_full(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def nothing() -> None:
        pass

    async def refuse(*_: object, **__: object) -> Never:
        raise BusyError(5)

    async def ask(games: SolvedGames) -> httpx.Response:
        monkeypatch.setattr(games, "warm", nothing)
        monkeypatch.setattr(games.strangers, "do", refuse)
        app = make_app(games, LOCAL, None)
        transport = httpx.ASGITransport(app)
        async with (
            app.router.lifespan_context(app),
            httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client,
        ):
            return await client.get("/play/mine")

    own = MICRO.model_copy(update={"name": "own", "title": "A game of one's own"})
    with History(f"sqlite:///{tmp_path / 'games.sqlite'}") as history:
        history.save("mine", Record(own))
        answer = asyncio.run(ask(SolvedGames(history)))
    assert answer.status_code == 200
    assert "A game of one's own" in answer.text
    assert "Turn 1 of " in answer.text
