"""Games that are being played are kept open within limits, and never taken from who looks on."""

import asyncio
from pathlib import Path

import pytest

from rollwise import Record, load_rules, solve
from rollwise.history import History
from rollwise.rules import Rules
from rollwise.solving.card_solution import CardSolution
from rollwise.web import live
from rollwise.web.live import LiveGames
from rollwise.web.solved import SolvedGames

MICRO = load_rules("micro-yahtzee")


async def solved(rules: Rules) -> CardSolution:
    return solve(rules, moments=True)


@pytest.mark.parametrize("limit", ["KEPT", "STORE"])
def test_only_games_that_nobody_looks_at_make_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str
) -> None:
    monkeypatch.setattr(live, limit, 1)  # game, or byte

    async def test(games: SolvedGames) -> None:
        monkeypatch.setattr(games, "solution", solved)
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
