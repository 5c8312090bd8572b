"""Check that bad requests get small responses with a reason, and access needs permission."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from starlette.requests import Request
from starlette.types import Message, Receive

from games import at_random, play
from rollwise import Game, load_rules
from rollwise.errors import MalformedError
from rollwise.history import History
from rollwise.history.transfer import export
from rollwise.web import access_control
from rollwise.web.rendering import form_of
from rollwise.web.seats import seat_key
from rollwise.web.server import make_api, make_app
from rollwise.web.solved_games import SolvedGames

JSON = {"Content-Type": "application/json"}
POSTS = ("/api/games", "/api/review", "/api/advise")
SMALL = 1_000
"""The maximum size of a response in bytes, which rules out an echo of long input."""


@pytest.fixture(scope="module")
def api(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FastAPI]:
    with History(f"sqlite:///{tmp_path_factory.mktemp('api')}/games.sqlite") as history:
        yield make_api(SolvedGames(history))


def send(api: FastAPI, method: str, path: str, **options: Any) -> httpx.Response:
    """Return the response to a request, without a network."""

    async def ask() -> httpx.Response:
        transport = httpx.ASGITransport(api)  # raises the exceptions of the application
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
            return await client.request(method, path, **options)

    return asyncio.run(ask())


def receiver(body: bytes, *, is_cut_off: bool = False) -> Receive:
    """Return a function that receives a body, whose client might leave before its end."""
    part = {"type": "http.request", "body": body, "more_body": is_cut_off}
    messages = iter([part, dict[str, Any](type="http.disconnect")])

    async def receive() -> Message:
        return next(messages)

    return receive


async def never(*_: Any) -> Any:
    """Fail, as an application or a receiver that must not be called."""
    raise AssertionError("passed on")


def rules(**changes: Any) -> dict[str, Any]:
    return load_rules("micro-yahtzee").model_dump(mode="json") | changes


def boxes(**changes: Any) -> list[dict[str, Any]]:
    return [box | changes for box in rules()["categories"]]


@pytest.mark.parametrize("path", POSTS)
@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"NaN", "not valid JSON: expected value at line 1 column 1"),
        (b'{"record": -Infinity}', "not valid JSON: invalid number at line 1 column 13"),
        (b'{"record": "\\ud800"}', "not valid JSON: unexpected end of hex escape"),
        (b'{"\\udfff": 0}', "not valid JSON: lone leading surrogate"),
        (b'{"record": "\xff"}', "not valid JSON: invalid unicode code point"),
        (b'{"seed": ' + b"9" * 5_000 + b"}", "not valid JSON: number out of range"),
        (b"[" * 400_000, "the JSON has more than 20,000 parts"),
        (b'{"a":' * 9_000, "not valid JSON: recursion limit exceeded"),
        (b"{", "not valid JSON: EOF while parsing an object"),
        (
            json.dumps({f"k{number}": 1 for number in range(70_000)}).encode(),
            "the JSON has more than 20,000 parts",
        ),
    ],
    ids=range(10),
)
def test_malformed_or_excessive_json(api: FastAPI, path: str, body: bytes, reason: str) -> None:
    response = send(api, "POST", path, content=body, headers=JSON)
    assert response.status_code == 400
    assert reason in response.json()["detail"]
    assert len(response.content) < SMALL


GROUPS = {"kind": "groups", "sizes": [1, 1, 1, 1], "distinct": False}


@pytest.mark.parametrize(
    "game",
    [
        rules(categories=boxes(pattern={"kind": "either", "of": [GROUPS] * 300})),
        rules(categories=boxes(pattern={"kind": "faces", "faces": [1] * 5_000})),
        rules(categories=boxes(pattern={"kind": "among", "faces": [1] * 5_000})),
        rules(categories=boxes(worth=[1] * 5_000)),
        rules(categories=boxes(points=[1] * 5_000)),
        rules(categories=boxes() * 500),
        rules(about="x" * 900_000),
        rules(sources=["x"] * 5_000),
        rules(sources=["x" * 900_000]),
        rules(disputed=[{"says": "x" * 900_000}]),
        rules(disputed=[{"says": "so", "categories": boxes() * 100}]),
        rules(name="x" * 900_000),
        rules(**{"x" * 900_000: 1}),
    ],
    ids=range(13),
)
def test_excessive_rules(api: FastAPI, game: dict[str, Any]) -> None:
    position = "dice 1 | rolls-left 0 | card -"
    for path, body in (
        ("/api/advise", {"rules": game, "dice": position}),
        ("/api/games", {"rules": game}),
    ):
        response = send(api, "POST", path, json=body)
        assert response.status_code in (400, 422)
        assert len(response.content) < SMALL


def test_a_game_that_takes_too_long(api: FastAPI) -> None:
    """Check that a game is refused if its sizes are within the limits, but their product is not."""
    categories = [box | {"key": f"k{n}", "code": f"k{n}"} for n, box in enumerate(boxes() * 10)]
    game = rules(categories=categories, dice=6, faces=6, rolls=20)
    for box in game["categories"]:
        box["worth"] = None
    response = send(
        api,
        "POST",
        "/api/advise",
        json={"rules": game, "dice": "dice 111111 | rolls-left 0 | card -"},
    )
    assert response.status_code == 400
    detail = response.json()["detail"]
    assert "19,377,684,480 rolls × sets × states; the limits are 1,000, 5,000,000, and" in detail
    assert detail.endswith("choose a smaller game, or run rollwise on your own computer")


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FastAPI]:
    with History(f"sqlite:///{tmp_path_factory.mktemp('guarded')}/games.sqlite") as history:
        yield make_api(SolvedGames(history), token="secret")


class TestToken:
    """Check that a client can change games with the token, and only read without the token."""

    @pytest.mark.parametrize(
        ("headers", "status"),
        [
            ({}, 403),
            ({"Cookie": "rollwise-token=other"}, 403),
            ({"Cookie": ";;=\x01;"}, 403),
            ({"Authorization": "Bearer other"}, 403),
            ({"Authorization": "Bearer secret"}, 201),
            ({"Cookie": "rollwise-token=secret"}, 201),
        ],
    )
    def test_changes_need_the_token(
        self, guarded: FastAPI, headers: dict[str, str], status: int
    ) -> None:
        response = send(guarded, "POST", "/api/games", json={"events": []}, headers=headers)
        assert response.status_code == status
        assert send(guarded, "GET", "/api/rules", headers=headers).status_code == 200

    def test_a_link_becomes_a_cookie(self, guarded: FastAPI) -> None:
        response = send(guarded, "GET", "/api/advise?rules=crag&token=secret")
        assert response.status_code == 303
        assert response.headers["Location"] == "/api/advise?rules=crag"
        assert "rollwise-token=secret; HttpOnly" in response.headers["Set-Cookie"]
        assert response.headers["Cache-Control"] == "no-store"
        assert "Set-Cookie" not in send(guarded, "GET", "/api/rules?token=other").headers

    def test_a_link_leads_to_no_other_site(self, guarded: FastAPI) -> None:
        response = send(guarded, "GET", "http://127.0.0.1//evil.example/x?token=secret")
        assert response.headers["Location"] == "/evil.example/x"

    @pytest.mark.parametrize("scheme", ["http", "https"])
    def test_a_cookie_of_https_stays_there(self, guarded: FastAPI, scheme: str) -> None:
        response = send(guarded, "GET", f"{scheme}://127.0.0.1/api/rules?token=secret")
        is_secure = response.headers["Set-Cookie"].endswith("; Secure")
        assert is_secure == (scheme == "https")


class TestSeats:
    """Check that only the server gives seats, and only to people with the token."""

    GAME = "/play/seats"

    @pytest.fixture
    def app(self, tmp_path: Path) -> Iterator[FastAPI]:
        with History(f"sqlite:///{tmp_path}/games.sqlite") as history:
            history.save("seats", Game(load_rules("crag"), ("Ada", "Ben"), seed=5))
            yield make_app(SolvedGames(history), access_control.LOCAL, "secret")

    def ask(self, app: FastAPI, seat: str = "", token: str = "secret", **more: Any) -> Any:
        headers = {"Cookie": f"rollwise-seat={seat}; rollwise-token={token}".encode("latin-1")}
        method, path = ("POST", f"{self.GAME}/seat") if more else ("GET", self.GAME)
        return send(app, method, path, headers=headers, **more)

    def test_a_cookie_makes_no_seat(self, app: FastAPI) -> None:
        secret = "A" * 22
        for seat in (f"0.{secret}", f"0.{secret}.{'0' * 64}", f"{'9' * 5000}.{secret}", "\xe9."):
            for token in ("secret", "other"):
                page = self.ask(app, seat, token).text
                assert "on another device" not in page
                assert ('value="" aria-pressed="true"' in page) == (token == "secret")

    def test_a_seat_needs_the_token(self, app: FastAPI) -> None:
        assert self.ask(app, token="other", data={"player": "0"}).status_code == 403
        response = self.ask(app, data={"player": "0"})
        assert response.headers["Set-Cookie"].endswith(f"; Path={self.GAME}; SameSite=lax")
        seat = response.cookies["rollwise-seat"]
        assert 'value="0" aria-pressed="true"' in self.ask(app, seat).text
        assert 'name="player"' not in self.ask(app, seat, "other").text
        assert 'value="1" aria-pressed="true"' not in self.ask(app, f"1{seat[1:]}").text
        left = self.ask(app, seat, data={"player": ""})
        assert left.cookies["rollwise-seat"] == "everyone"
        assert 'value="0" aria-pressed="false"' in self.ask(app, seat).text


def test_the_key_of_seats_is_private_and_stays(tmp_path: Path) -> None:
    file = tmp_path / "games.sqlite"
    key = seat_key(file)
    assert seat_key(file) == key
    assert [path.stat().st_mode & 0o777 for path in tmp_path.iterdir()] == [0o600]
    assert seat_key(None) != seat_key(None)
    assert seat_key(tmp_path / "missing" / "games.sqlite") != key


def test_an_unfinished_game_keeps_its_seed(tmp_path: Path) -> None:
    rules = load_rules("micro-yahtzee")
    with History(f"sqlite:///{tmp_path}/games.sqlite") as history:
        app = make_api(SolvedGames(history))
        for events in (3, 10**6):
            game = Game(rules, "Ada", play(rules, ["Ada"], 5, at_random(1), events).events, seed=5)
            history.save(f"after {events}", game)
            response = send(app, "GET", f"/api/games/after {events}")
            assert response.json().get("seed") == (5 if game.is_over else None)


class TestOwners:
    """Tests of the owners of games on a shared server, which has its own host name."""

    @pytest.fixture
    def history(self, tmp_path: Path) -> Iterator[History]:
        with History(f"sqlite:///{tmp_path}/games.sqlite") as history:
            yield history

    def ask(self, history: History, hosts: tuple[str, ...], work: Any) -> None:
        """Let two clients with separate cookies send the requests of ``work``."""

        async def run() -> None:
            games = SolvedGames(history)
            transport = httpx.ASGITransport(make_api(games, hosts))
            url = f"http://{hosts[-1]}"
            async with (
                httpx.AsyncClient(transport=transport, base_url=url) as ada,
                httpx.AsyncClient(transport=transport, base_url=url) as ben,
            ):
                await work(ada, ben)

        asyncio.run(run())

    def test_each_deletes_its_own_games(self, history: History) -> None:
        async def work(ada: httpx.AsyncClient, ben: httpx.AsyncClient) -> None:
            ids = [
                (await client.post("/api/games", json={"events": []})).json()["id"]
                for client in (ada, ben, ada)
            ]
            first, second, third = (f"/api/games/{id}" for id in ids)
            refused = await ben.delete(first)
            assert refused.status_code == 403
            assert refused.json()["detail"].endswith(
                "belongs to another player; you can delete only your own"
            )
            assert (await ben.get(first)).status_code == 200
            assert (await ada.delete(third)).status_code == 204
            assert (await ben.delete(third)).status_code == 404
            assert (await ben.delete(second)).status_code == 204
            assert [saved.id for saved in history.games()] == ids[:1]
            cookie = ada.cookies["rollwise-owner"]
            assert cookie not in "".join(export(history))  # a reader cannot impersonate Ada
            assert (await ada.get(first, headers={"Cookie": ""})).cookies[
                "rollwise-owner"
            ] != cookie

        self.ask(history, (*access_control.LOCAL, "club.example"), work)

    @pytest.mark.parametrize("cookie", ["", "x", "x" * 23, '"' + "\\015\\012" * 11 + '"'])
    def test_an_invalid_cookie_is_replaced(self, history: History, cookie: str) -> None:
        async def work(ada: httpx.AsyncClient, _: httpx.AsyncClient) -> None:
            response = await ada.get("/api/rules", headers={"Cookie": f"rollwise-owner={cookie}"})
            header = response.headers["Set-Cookie"]
            assert header.endswith("; HttpOnly; Max-Age=31536000; Path=/; SameSite=lax")
            assert len(response.cookies["rollwise-owner"]) == 22
            again = await ada.get("/api/rules")
            assert again.headers["Set-Cookie"] == header  # renewed

        self.ask(history, (*access_control.LOCAL, "club.example"), work)

    def test_a_local_server_sets_no_cookie(self, history: History) -> None:
        async def work(ada: httpx.AsyncClient, ben: httpx.AsyncClient) -> None:
            saved = await ada.post("/api/games", json={"events": []})
            assert "Set-Cookie" not in saved.headers
            assert (await ben.delete(f"/api/games/{saved.json()['id']}")).status_code == 204

        self.ask(history, access_control.LOCAL[:2], work)


def test_health(api: FastAPI) -> None:
    assert send(api, "GET", "/healthz").json() == {"status": "ok"}


class TestAccessControl:
    @pytest.mark.parametrize(
        ("headers", "status"),
        [
            ({}, 200),
            ({"Host": "localhost:8642"}, 200),
            ({"Host": "[::1]:8642"}, 200),
            ({"Host": "evil.example"}, 400),
            ({"Host": "localhost.evil.example"}, 400),
            ({"Host": ""}, 400),
            ({"Host": "[::1"}, 400),
            ({"Origin": "http://127.0.0.1"}, 200),
            ({"Origin": "https://evil.example"}, 403),
            ({"Origin": "http://127.0.0.1:3000"}, 403),
            ({"Origin": "null"}, 403),
            ({"Origin": "http://["}, 403),
            ({"Sec-Fetch-Site": "same-origin"}, 200),
            ({"Sec-Fetch-Site": "cross-site"}, 403),
            ({"Sec-Fetch-Site": "same-site"}, 403),
            ({"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}, 200),
        ],
    )
    def test_names_and_origins(self, api: FastAPI, headers: dict[str, str], status: int) -> None:
        response = send(api, "GET", "/api/rules", headers=headers)
        assert response.status_code == status
        assert "access-control-allow-origin" not in response.headers

    def test_two_host_headers_are_refused(self, api: FastAPI) -> None:
        twice = [("Host", "127.0.0.1"), ("Host", "evil.example")]
        assert send(api, "GET", "/api/rules", headers=twice).status_code == 400

    @pytest.mark.parametrize("path", ["/api/rules", "/api/games/none", "/nowhere"])
    def test_security_headers(self, api: FastAPI, path: str) -> None:
        headers = send(api, "GET", path).headers
        assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Referrer-Policy"] == "same-origin"

    def test_a_socket_of_another_site_is_closed(self) -> None:
        sent: list[Message] = []

        async def send(message: Message) -> None:
            sent.append(message)

        headers = [(b"host", b"localhost"), (b"origin", b"https://evil.example")]
        scope = {"type": "websocket", "path": "/play/mine/socket", "headers": headers}
        asyncio.run(access_control.AccessControl(never, ["localhost"])(scope, never, send))
        assert [message["type"] for message in sent] == ["websocket.close"]

    def test_a_large_body_is_refused_before_it_has_arrived(self, api: FastAPI) -> None:
        async def parts() -> AsyncIterator[bytes]:
            for _ in range(10_000):
                yield b" " * 10_000
                sent.append(10_000)

        sent: list[int] = []
        response = send(api, "POST", "/api/games", content=parts())
        assert response.status_code == 413
        assert response.json()["detail"] == "the body is too large; the limit is 1,000,000 bytes"
        assert sum(sent) <= 1_010_000

    def test_a_failure_has_security_headers_and_is_raised(self) -> None:
        async def application(*_: Any) -> None:
            raise ZeroDivisionError

        async def send(message: Message) -> None:
            sent.append(message)

        sent: list[Message] = []
        scope = {"type": "http", "path": "/", "headers": [(b"host", b"localhost")]}
        app = access_control.AccessControl(application, ["localhost"])
        with pytest.raises(ZeroDivisionError):
            asyncio.run(app(scope, receiver(b""), send))
        assert sent[0]["status"] == 500
        assert b"content-security-policy" in dict(sent[0]["headers"])

    def test_a_body_that_was_cut_off_is_not_passed_on(self) -> None:
        scope = {"type": "http", "path": "/", "headers": [(b"host", b"localhost")]}
        app = access_control.AccessControl(never, ["localhost"])
        asyncio.run(app(scope, receiver(b"half", is_cut_off=True), never))


class TestForms:
    def form(self, body: bytes, long: str = "") -> dict[str, str]:
        async def receive() -> Message:
            return {"type": "http.request", "body": body, "more_body": False}

        return asyncio.run(form_of(Request({"type": "http", "headers": []}, receive), long))

    def test_fields(self) -> None:
        assert self.form(b"rules=yatzy&players=Ada&players=Ben") == {
            "rules": "yatzy",
            "players": "Ada,Ben",
        }

    @pytest.mark.parametrize("body", [b"players=" + b"A%2C" * 64_000, b"x=1&" * 65 + b"x=2"])
    def test_excessive_forms(self, body: bytes) -> None:
        # Names of 64,000 players would keep the event loop busy for minutes.
        with pytest.raises(MalformedError, match=r"use at most 2,000|at most 64 fields"):
            self.form(body)

    def test_one_field_can_be_long(self) -> None:
        assert len(self.form(b"record=" + b"1" * 100_000, "record")["record"]) == 100_000


def test_custom_rules_are_not_kept_in_memory() -> None:
    """Check that derived values are freed with their rules, and unknown names are not cached."""
    import gc
    import weakref

    from rollwise.game.consistency import possible_scores
    from rollwise.rules.schema import preset, preset_file

    custom = load_rules("micro-yahtzee").model_copy(update={"name": "mine"})
    assert possible_scores(custom, 0)
    assert custom.named is custom
    reference = weakref.ref(custom)
    del custom
    gc.collect()
    assert reference() is None
    before = preset_file.cache_info().currsize
    for number in range(100):
        assert preset(f"none-{number}") is None
    assert preset_file.cache_info().currsize == before
