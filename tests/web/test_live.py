"""Test games in progress: eviction from memory, advice on large games, and a busy server."""

import asyncio
import json
import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Never
from unittest.mock import Mock

import httpx
import pytest

from commands import run
from games import at_random, play
from games_with_layers import small_maxi, small_yamb
from rollwise import Game, Rules, Solver, load_rules, solve
from rollwise.cli.play import game_to_resume
from rollwise.errors import TooLargeError
from rollwise.history import History
from rollwise.history.transfer import export
from rollwise.questions.size_limits import preparing
from rollwise.reviews.hindsight import with_same_dice
from rollwise.reviews.review import review
from rollwise.solving.card_solution import CardSolution
from rollwise.web import computations, live_games
from rollwise.web.access_control import LOCAL
from rollwise.web.computing import BusyError, FailedError, bytes_of
from rollwise.web.game_state import last_event_data, luckiest_roll_data
from rollwise.web.live_games import LiveGames
from rollwise.web.server import make_api, make_app
from rollwise.web.solved_games import SolvedGames

SECRET = "a secret of the server"
MICRO = load_rules("micro-yahtzee")
FINISHED = play(MICRO, ["Ada", "Ben"], 7, at_random(7))


@pytest.mark.parametrize("limit", ["MAX_OPEN", "RESULT_BYTES"])
def test_only_games_without_viewers_are_evicted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str
) -> None:
    monkeypatch.setattr(live_games, limit, 1)  # a game, or a byte

    async def test(games: SolvedGames) -> None:
        await games.solution(MICRO)  # the games have it at once
        for id in "abc":
            games.history.save(id, Game(MICRO))
        live_games = LiveGames(games)
        first = await live_games.enter("a")
        leave = first.add_viewer(lambda: None)
        second = await live_games.enter("b")
        assert await live_games.enter("c") is await live_games.enter("c")
        assert await live_games.enter("a") is first
        assert await live_games.enter("b") is not second
        leave()
        await live_games.enter("c")
        assert await live_games.enter("a") is not first
        games.computing.close()

    with History(f"sqlite:///{tmp_path / 'games.sqlite'}") as history:
        asyncio.run(test(SolvedGames(history)))


def test_all_devices_play_the_same_game_again(own_server: SolvedGames) -> None:
    async def test() -> None:
        over = play(MICRO, ["Ada", "Ben"], 3, at_random(3))
        own_server.history.save("over", over)
        live = await LiveGames(own_server).enter("over")
        again, same = await asyncio.gather(live.play_again(), live.play_again())
        assert again == same
        begun = own_server.history.load(again)
        own_server.history.save(again, over, begun.saved_at)
        assert await live.play_again() != again
        own_server.computing.close()

    asyncio.run(test())


def test_the_last_event_has_its_player_and_points() -> None:
    game, points = Game(MICRO, ("Ada", "Ben")), 0
    assert last_event_data(game) is None
    for line, event in zip(FINISHED.lines, FINISHED.events, strict=True):
        player = game.stage.player
        game.push(event)
        total = sum(card.points for card in game.cards)
        expected = {"event": line, "player": player, "gained": total - points}
        assert last_event_data(game) == expected
        points = total
    assert points > 0


def test_the_luckiest_roll_is_one_of_the_review() -> None:
    for one in review(FINISHED, solve(MICRO)):
        data = luckiest_roll_data(one)
        assert data is not None
        assert data["luck"] == max(roll.luck for roll in one.rolls)
        assert (data["turn"], data["dice"]) in [(roll.turn, roll.dice) for roll in one.rolls]


@pytest.mark.parametrize("rules", [small_maxi(), small_yamb()], ids=["saved rolls", "columns"])
def test_advice_of_a_prepared_large_game(
    rules: Rules, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_: Rules) -> Never:
        raise TooLargeError("too large")

    async def test(games: SolvedGames) -> None:
        games.large[rules.name] = rules
        assert await games.prepared.named(rules.name) is None
        with pytest.raises(TooLargeError):
            await games.solution(rules)
        games.history.save("a", Game(rules, seed=7))
        assert preparing(rules).endswith(" --save")
        Solver(rules).solve(on_disk=True)
        monkeypatch.setattr(computations, "advice_in_game", advice_in_game)
        may_compute.set()
        game, shown = await LiveGames(games).enter("a"), asyncio.Event()
        session = game.session
        game.add_viewer(shown.set)
        while not game.insight.expected_scores([]):
            await shown_again(shown)
        assert isinstance(session.solution, CardSolution)
        assert game.insight.expected_scores([]) == [best.value()]
        may_compute.clear()
        begun.clear()
        session.roll()  # does not wait for a computation
        game.notify()
        while not begun:
            await asyncio.sleep(0)
        assert session.options() == []
        assert game.insight.expected_scores([]) == [best.value()]
        may_compute.set()
        while not session.options():
            await shown_again(shown)
        position = session.position
        assert position is not None
        options, expected = session.options(), best.options(position)
        assert game.insight.expected_scores([]) == [options[0].value]
        assert [(o.action, o.value) for o in options] == [(o.action, o.value) for o in expected]
        assert all(o.sd is None for o in options)
        assert bytes_of(session.solution) == 0
        with pytest.raises(TooLargeError):
            await games.solution(rules, "best-case")
        record = play(rules, ["Ada"], 7, at_random(1))
        (result,) = await game.insight.review(record)
        (reference,) = with_same_dice(review(record, best), record, best)
        assert result.best_with_same_dice == reference.best_with_same_dice
        losses = [decision.loss for decision in result.decisions]
        assert losses == [decision.loss for decision in reference.decisions]
        assert not any(decision.reasons for decision in result.decisions)
        games.computing.close()

    compute, may_compute, begun = computations.advice_in_game, threading.Event(), list[object]()

    def advice_in_game(*args: Any) -> Any:
        """Wait for ``may_compute``, and return the advice."""
        begun.append(args)
        may_compute.wait()
        return compute(*args)

    async def shown_again(shown: asyncio.Event) -> None:
        shown.clear()
        await shown.wait()

    best = solve(rules, cache=False)  # solved as one table
    monkeypatch.setenv("ROLLWISE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr("rollwise.solving.values.SMALL", 0)
    monkeypatch.setattr("rollwise.model.classes.MAX_JOINT", 1000)
    for module in ("web.solved_games", "questions.size_limits"):
        monkeypatch.setattr(f"rollwise.{module}.check_size", refuse)
    with History(f"sqlite:///{tmp_path / 'games.sqlite'}") as history:
        asyncio.run(test(SolvedGames(history)))


def test_rolls_do_not_change_the_mean_of_the_expected_score() -> None:
    def expected(game: Game) -> list[float]:
        options = [] if game.position is None else solution.options(game.position)
        return computations.expected_scores(solution, game.stage, options)

    solution, value = solve(MICRO), solve(MICRO).value()
    rolled = [expected(Game(MICRO, "Ada, Ben", f"roll {die}")) for die in range(1, 7)]
    assert expected(Game(MICRO, "Ada, Ben")) == [value, value]
    assert [sum(values) / 6 for values in zip(*rolled, strict=True)] == pytest.approx([value] * 2)
    over = play(MICRO, ["Ada", "Ben"], 3, at_random(3))
    assert expected(over) == [card.points for card in over.cards]


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[SolvedGames]:
    """Yield the games of a server, including a saved game with custom rules."""
    own = MICRO.model_copy(update={"name": "own", "title": "A game of one's own"})
    with History(f"sqlite:///{tmp_path / 'games.sqlite'}") as history:
        history.save("mine", Game(own))
        yield SolvedGames(history)


def test_a_game_of_the_browser_names_its_computer_opponents(
    own_server: SolvedGames, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async def begin() -> str:
        transport = httpx.ASGITransport(app)
        async with (
            app.router.lifespan_context(app),
            httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client,
        ):
            form = {"rules": "micro-yahtzee", "players": "Ada", "opponent": "greedy"}
            response = await client.post("/", data=form)
            path: str = response.headers["Location"]
            return path.removeprefix("/play/")

    app = make_app(own_server, LOCAL, None)
    id, history, file = asyncio.run(begin()), own_server.history, tmp_path / "game.txt"
    code, record, _ = run("history", "show", id, "--database", str(history.database.file))
    assert (code, "\nbots: Medium: greedy\n" in record) == (0, True)
    file.write_text(record)
    assert '"bots":{"Medium":"greedy"}' in "".join(export(history))
    history.delete(id)
    resumed = game_to_resume(str(file), history, None)
    assert resumed.game.headers.bots == {"Medium": "greedy"}


def test_a_full_disk(own_server: SolvedGames, monkeypatch: pytest.MonkeyPatch) -> None:
    async def ask() -> None:
        transport = httpx.ASGITransport(app, client=("10.0.0.1", 50_000))
        async with (
            app.router.lifespan_context(app),
            httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client,
        ):
            response = await client.post("/api/games", json=json.loads(record.as_json()))
            page = await client.post("/games", data={"record": str(record)})
        assert (response.status_code, page.status_code) == (507, 507)
        for words in (response.json()["detail"], page.text):
            assert "the disk is full; free some disk space, and try again" in words

    def limited(*args: Any, **options: Any) -> sqlite3.Connection:
        connection: sqlite3.Connection = connect(*args, **options)
        connection.execute("PRAGMA max_page_count=1")
        return connection

    record = play(load_rules("yahtzee"), [*"ABCDEFGHIJ"], 7, at_random(1))  # larger than a page
    connect = sqlite3.connect
    monkeypatch.setattr("rollwise.history.database.sqlite3.connect", limited)
    own_server.history.close()  # the next connections have the limit
    app = make_app(own_server, LOCAL, None)
    asyncio.run(ask())


@pytest.mark.parametrize(
    "cause", ["nothing", "a full disk", "a file that cannot be written", "a damaged file"]
)
def test_health(own_server: SolvedGames, monkeypatch: pytest.MonkeyPatch, cause: str) -> None:
    async def ask() -> int:
        transport = httpx.ASGITransport(make_api(own_server))
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
            return (await client.get("/healthz")).status_code

    database = own_server.history.database
    assert database.file is not None
    if cause == "a full disk":
        usage = SimpleNamespace(free=0)
        monkeypatch.setattr("rollwise.history.database.shutil.disk_usage", lambda _: usage)
    elif cause == "a file that cannot be written":
        with database.reading() as connection:
            connection.execute("PRAGMA query_only=1")
    elif cause == "a damaged file":
        database.close()
        database.file.write_bytes(b"damaged")
    assert asyncio.run(ask()) == (200 if cause == "nothing" else 503)


def test_pages_of_a_busy_server_and_of_a_failing_server(
    own_server: SolvedGames, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*_: object) -> Never:
        raise RuntimeError(SECRET)

    async def ask() -> None:
        transport = httpx.ASGITransport(app, raise_app_exceptions=False)
        async with (
            app.router.lifespan_context(app),
            httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as ada,
        ):
            for error, words in (
                (BusyError(), "The server is busy; try again in 5 s."),
                (FailedError("the calculation failed"), "The calculation failed."),
            ):
                monkeypatch.setattr(own_server.computing, "seconds", Mock(side_effect=error))
                puzzle = await ada.get("/puzzle/2026-11-22")
                assert puzzle.status_code == 503
                assert words in puzzle.text
                advice = await ada.get("/advise/options?rules=yahtzee&position=dice+11366")
                assert advice.status_code == 200  # the table shows the position and these words
                assert words in advice.text
            monkeypatch.setattr(own_server.computing, "seconds", Mock(side_effect=BusyError))
            page = await ada.get("/play/mine")  # available even though the server is busy
            assert page.status_code == 200
            assert "A game of one's own" in page.text
            monkeypatch.setattr(own_server, "read", fail)
            failed = await ada.get("/games?rules=crag")
            assert failed.status_code == 500
            assert "This page cannot be shown" in failed.text
            assert "/games?rules=crag" in failed.text
            assert SECRET not in failed.text

    app = make_app(own_server, LOCAL, None)
    asyncio.run(ask())
