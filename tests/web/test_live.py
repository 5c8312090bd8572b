"""Games in play are kept open within limits, and never taken from who looks on; pages, too."""

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Never

import httpx
import pytest

from games import at_random, play
from games_with_layers import small_maxi, small_yamb
from rollwise import Record, Rules, Solver, load_rules, solve
from rollwise.errors import TooLargeError
from rollwise.game.notation import format_position
from rollwise.history import History
from rollwise.playing.codes import typed_code
from rollwise.playing.controls import TUTOR_TO_COME, Controls
from rollwise.reviews.hindsight import with_same_dice
from rollwise.reviews.review import review
from rollwise.solving.card_solution import CardSolution
from rollwise.web import computing, live
from rollwise.web.access import LOCAL, MAX_UNOPENED
from rollwise.web.computing import OPTION_FIELDS, bytes_of
from rollwise.web.job_queue import BusyError, JobStatus
from rollwise.web.limits import preparing
from rollwise.web.live import LiveGames
from rollwise.web.questions import ADVISING, CUSTOM, SOLVING
from rollwise.web.server import make_app
from rollwise.web.single_flight import InFlight
from rollwise.web.solved import SolvedGames

SECRET = "what nobody is to be told"
MICRO = load_rules("micro-yahtzee")


async def solved(_: JobStatus) -> CardSolution:
    return solve(MICRO, moments=True)


@pytest.mark.parametrize("limit", ["MAX_OPEN", "SOLUTION_BYTES"])
def test_only_games_that_nobody_looks_at_make_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str
) -> None:
    monkeypatch.setattr(live, limit, 1)  # game, or byte

    async def test(games: SolvedGames) -> None:
        making = InFlight(solved)
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


@pytest.mark.parametrize("rules", [small_maxi(), small_yamb()], ids=["saved rolls", "columns"])
def test_a_large_game_that_was_prepared_has_its_advice(
    rules: Rules, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_: Rules) -> Never:
        raise TooLargeError("too large")

    async def test(games: SolvedGames) -> None:
        monkeypatch.setattr("nicegui.core.loop", asyncio.get_running_loop())
        games.large[rules.name] = rules
        assert await games.prepared.named(rules.name) is None
        with pytest.raises(TooLargeError):
            await games.check_reviewable(rules, "expected")
        games.history.save("a", Record(rules, seed=7))
        assert preparing(rules).endswith(" --keep")
        Solver(rules).solve(on_disk=True, moments=spread)
        for name in (SOLVING, ADVISING):
            monkeypatch.setattr(games.queues[name], "run", elsewhere)
        there.set()
        game, shown = await LiveGames(games).enter("a"), asyncio.Event()
        controls = Controls(game.session)
        game.look(shown.set)
        while not any(game.insight.expected_scores()):
            await told(shown)
        assert isinstance(game.session.solution, CardSolution)
        assert game.insight.expected_scores() == [[best.value()]]
        there.clear()
        asked.clear()
        game.session.tutor = True
        last = typed_code(rules, len(rules.categories) - 1)
        for key in ("r", "h", *last):  # roll, hint, a box: none waits for what is computed
            controls.press(key)
            game.tell()
            assert controls.options() == []
        while not asked:
            await asyncio.sleep(0)
        assert controls.options() == []
        assert controls.words() == TUTOR_TO_COME
        assert game.insight.expected_scores() == [[best.value()]]
        there.set()
        while not controls.options():
            await told(shown)
        position = game.session.position
        assert position is not None
        options, known = controls.options(), best.options(position)
        assert game.insight.expected_scores() == [[best.value(), options[0].value]]
        assert await games.ask(computing.advice, (position,)) == [options]
        assert [(one.action, one.value) for one in options] == [(o.action, o.value) for o in known]
        assert [one.sd for one in options] == pytest.approx([one.sd for one in known])
        assert bytes_of(game.session.solution) == 0
        with pytest.raises(TooLargeError):
            await games.check_reviewable(rules, "best-case")
        record = Record(rules, events=play(rules, ["Ada"], 7, at_random(1)).events, seed=7)
        said = await games.options(rules, format_position(position), "expected")
        assert said["options"] == [one.as_dict(rules, OPTION_FIELDS) for one in options]
        (found,) = await game.insight.look_back(record)
        (judged,) = with_same_dice(review(record, best), record, best)
        assert found.best_with_same_dice == judged.best_with_same_dice
        assert [one.loss for one in found.decisions] == [one.loss for one in judged.decisions]
        (worst,) = found.worst(1)
        gained = sum(gain for _, gain in worst.reasons)
        assert gained == (pytest.approx(worst.loss) if spread else 0)
        await games.close()

    there, asked = asyncio.Event(), list[object]()

    async def elsewhere(
        work: Callable[..., Any], *given: Any, status: JobStatus | None = None
    ) -> Any:
        """Compute once that may be; in this process, where such a game is large."""
        asked.append(work)
        await there.wait()
        return work(*given, lambda _: None)

    async def told(shown: asyncio.Event) -> None:
        shown.clear()
        await shown.wait()

    spread = not rules.columns  # which has to list all cards, as reasons have
    best = solve(rules, cache=False, moments=spread)  # as one table
    monkeypatch.setenv("ROLLWISE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr("rollwise.solving.values.SMALL", 0)
    monkeypatch.setattr("rollwise.model.classes.MAX_JOINT", 1000)
    monkeypatch.setattr("rollwise.evaluation.breakdown.MAX_LEFT", 0)
    for place in ("solved", "limits"):
        monkeypatch.setattr(f"rollwise.web.{place}.check_size", refuse)
    with History(f"sqlite:///{tmp_path / 'games.sqlite'}") as history:
        asyncio.run(test(SolvedGames(history)))


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[SolvedGames]:
    """Yield a server's games, one of them begun, of rules that it has to solve."""
    own = MICRO.model_copy(update={"name": "own", "title": "A game of one's own"})
    with History(f"sqlite:///{tmp_path / 'games.sqlite'}") as history:
        history.save("mine", Record(own))
        yield SolvedGames(history)


def test_pages_of_a_busy_server_and_one_that_fails(
    own_server: SolvedGames, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def nothing() -> None:
        pass

    async def fail(*_: object) -> Never:
        raise RuntimeError(SECRET)

    async def refuse(*_: object, **__: object) -> Never:
        raise BusyError(5)

    def client(address: str) -> httpx.AsyncClient:
        transport = httpx.ASGITransport(app, raise_app_exceptions=False, client=(address, 50_000))
        return httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1")

    async def ask() -> None:
        async with app.router.lifespan_context(app), client("10.0.0.1") as ada:
            table = await ada.get("/play/mine")  # there though the line is full
            assert table.status_code == 200
            assert "A game of one's own" in table.text
            assert "Turn 1 of " in table.text
            for _ in range(MAX_UNOPENED - 1):
                assert (await ada.get("/advise")).status_code == 200
            refused = await ada.get("/advise")  # no window has opened the others
            assert refused.status_code == 429
            assert refused.headers["Retry-After"] == "10"
            assert (await ada.get("/api/rules")).status_code == 200
            async with client("10.0.0.2") as ben:
                assert (await ben.get("/advise")).status_code == 200
                monkeypatch.setattr(own_server, "read", fail)
                failed = await ben.get("/proficiency?rules=crag")
                assert failed.status_code == 500
                assert "This page cannot be shown" in failed.text
                assert "/proficiency?rules=crag" in failed.text
                assert SECRET not in failed.text

    monkeypatch.setattr(own_server, "warm", nothing)
    monkeypatch.setattr(own_server.queues[CUSTOM], "run", refuse)
    app = make_app(own_server, LOCAL, None)
    asyncio.run(ask())
