"""Measure the delay of clicks in a game while 200 clients attack the server.

``python benchmarks/web.py --attack [SECONDS]`` starts a local server. The clients have different
addresses, as a proxy would send them. Some clients play games through the socket of a page, as a
browser does. The others request advice, large custom games, and solved games. They also send bodies
byte by byte, NaN, very long patterns, and many requests, and disconnect before the response
arrives.
"""

import asyncio
import json
import random
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import urlencode, urlsplit

import httpx
from wsproto import ConnectionType, WSConnection
from wsproto.events import (
    CloseConnection,
    Event,
    Message,
    Ping,
    RejectConnection,
    Request,
    TextMessage,
)

from rollwise import load_rules

PLAYERS = 10
YAHTZEE = load_rules("yahtzee")


def attack(address: str, positions: list[str], seconds: float) -> dict[str, Counter[str]]:
    """Attack a server from another process; return the statuses of the responses."""
    fight = Attack(address, positions, seconds)
    asyncio.run(fight.attack())
    return fight.statuses


COSTLY = {
    "name": "costly",
    "title": "Costly",
    "dice": 6,
    "faces": 6,
    "rolls": 2,
    "order": "card",
    "categories": [
        {
            "key": f"c{k}",
            "title": f"C{k}",
            "pattern": {
                "kind": "either",
                "of": [{"kind": "groups", "sizes": [1, 1, 1, 1], "distinct": False}] * 16,
            },
            "points": "matched",
        }
        for k in range(32)
    ],
}
"""Legal rules that are costly to solve, for records and requests of greedy clients."""

GREEDY, AT_ONCE = 10, 4
"""The number of greedy clients, and of requests that each sends at once."""


def greedy_mix(address: str, seconds: float) -> tuple[list[float], dict[str, Counter[str]]]:
    """Let ten clients send heavy requests, and an eleventh light requests.

    Returns
    -------
    delays : list of float
        The seconds of each light request, sorted.
    statuses : dict of str to Counter
        The statuses of the responses, by kind of request.
    """
    statuses: dict[str, Counter[str]] = {}
    source, end = random.Random(1), time.monotonic() + seconds

    def heavy() -> tuple[str, str, dict[str, Any]]:
        number = source.getrandbits(40)
        rules = COSTLY | {"name": f"own-{number}"}
        names = ["Ada", "Ben", "Cy", "Di"]
        turns = [
            {"player": name, "rolls": ["112345"], "category": f"c{k}"}
            for k in range(32)
            for name in names
        ]
        opponent = [("opponent", "-")] * source.randint(1, 5)
        query = [("position", "dice 11366 | rolls-left 2 | card -"), *opponent]
        game = source.choice(("kismet", "balut", "yatzy", "crag", "yacht", "generala"))
        return source.choice(
            (
                ("record", "/api/games", {"rules": rules, "players": names, "turns": turns}),
                ("options", "/api/options", {"rules": rules, "position": "dice 112345 | card -"}),
                ("beat", f"/api/beat?{urlencode(query)}", {}),
                (
                    "puzzle",
                    f"/api/puzzle/2026-{source.randint(1, 12):02}-{source.randint(1, 28):02}",
                    {},
                ),
                ("unsolved", f"/api/value?rules={game}", {}),
            )
        )

    async def ask(client: httpx.AsyncClient, kind: str, path: str, body: dict[str, Any]) -> None:
        try:
            request = client.post(path, json=body) if body else client.get(path)
            status = str((await asyncio.wait_for(request, source.choice((2, 20)))).status_code)
        except (TimeoutError, httpx.HTTPError) as error:
            status = type(error).__name__
        statuses.setdefault(kind, Counter())[status] += 1
        if status in ("429", "503"):
            await asyncio.sleep(1)

    async def greedy(number: int) -> None:
        headers = {"X-Forwarded-For": f"10.9.0.{number}"}
        async with httpx.AsyncClient(base_url=address, headers=headers, timeout=60) as client:
            while time.monotonic() < end:
                await asyncio.gather(*(ask(client, *heavy()) for _ in range(AT_ONCE)))

    async def light() -> list[float]:
        delays = list[float]()
        headers = {"X-Forwarded-For": "10.8.0.1"}
        async with httpx.AsyncClient(base_url=address, headers=headers, timeout=60) as client:
            while time.monotonic() < end:
                start = time.perf_counter()
                response = await client.get("/api/value")
                delays.append(time.perf_counter() - start)
                statuses.setdefault("light", Counter())[str(response.status_code)] += 1
                await asyncio.sleep(0.1)
        return delays

    async def all_clients() -> list[float]:
        delays = asyncio.create_task(light())
        await asyncio.gather(*map(greedy, range(GREEDY)))
        return await delays

    return sorted(asyncio.run(all_clients())), statuses


class Window:
    """The web socket of a window that shows a game."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer
        self.protocol = WSConnection(ConnectionType.CLIENT)
        self.text = ""
        self.state: dict[str, Any] = {}
        self.requests = 0

    @classmethod
    async def open(cls, address: str, id: str, headers: dict[str, str]) -> "Window":
        """Connect to the socket of a game, and wait for the state of the game."""
        host, port = urlsplit(address).hostname, urlsplit(address).port
        window = cls(*await asyncio.open_connection(host, port))
        extra = [(name.encode(), value.encode()) for name, value in headers.items()]
        window.write(Request(f"{host}:{port}", f"/play/{id}/socket", extra_headers=extra))
        while not window.state:
            await window.receive()
        return window

    def write(self, event: Event) -> None:
        """Send a frame or a handshake."""
        self.writer.write(self.protocol.send(event))

    async def receive(self) -> list[dict[str, Any]]:
        """Wait for data, note the state of the game, and return the messages."""
        self.protocol.receive_data(await self.reader.read(1 << 16) or None)
        messages = list[dict[str, Any]]()
        for event in self.protocol.events():
            if isinstance(event, (CloseConnection, RejectConnection)):
                raise ConnectionResetError
            if isinstance(event, Ping):
                self.write(event.response())
            if not isinstance(event, TextMessage):
                continue
            self.text += event.data
            if event.message_finished:
                messages.append(json.loads(self.text))
                self.text = ""
        for message in messages:
            self.state = message.get("state", self.state)
        return messages

    async def ask(self, event: str) -> None:
        """Send an event, and wait for the answer."""
        self.requests += 1
        id, after = self.requests, len(self.state["events"])
        self.write(Message(json.dumps({"id": id, "after": after, "event": event})))
        while all(message.get("id") != id for message in await self.receive()):
            pass

    def score(self) -> str:
        """Return the event that scores in the first open category."""
        category, _ = self.state["possible"][0]
        return f"score {YAHTZEE.categories[category].key}"


class Attack:
    """All clients, the statuses of their responses, and the delays of clicks in seconds."""

    def __init__(self, address: str, positions: list[str], seconds: float) -> None:
        self.address, self.positions = address, positions
        self.end = time.monotonic() + seconds
        self.statuses: dict[str, Counter[str]] = {}
        self.clicks: dict[str, list[float]] = {"explained": [], "saved and shown": []}
        self.random = random.Random(1)
        self.yatzy = load_rules("yatzy").model_dump(mode="json")

    @property
    def goes_on(self) -> bool:
        """Whether the attack continues."""
        return time.monotonic() < self.end

    async def play(self) -> None:
        """Run the players until the end of the attack."""
        await asyncio.gather(*(self.player(number) for number in range(PLAYERS)))

    async def attack(self) -> None:
        """Run all other clients until the end of the attack."""
        kinds: list[tuple[Callable[[httpx.AsyncClient], Awaitable[str]], int]] = [
            (self.advice, 80),
            (self.heavy, 20),
            (self.solved, 10),
            (self.pages, 10),
            (self.malformed, 20),
            (self.disconnecting, 20),
            (self.saving, 10),
        ]
        tasks = [
            asyncio.create_task(self.client(number, kind))
            for kind, count in kinds
            for number in range(count)
        ]
        tasks += [asyncio.create_task(self.slow_body(number)) for number in range(20)]
        await asyncio.gather(*tasks)

    def note(self, kind: str, status: str) -> None:
        """Count a response by its kind and status."""
        self.statuses.setdefault(kind, Counter())[status] += 1

    async def client(self, number: int, ask: Callable[[httpx.AsyncClient], Awaitable[str]]) -> None:
        """Send requests until the end of the attack; wait longer after a refusal."""
        headers = {"X-Forwarded-For": f"10.0.{len(ask.__name__)}.{number}"}
        async with httpx.AsyncClient(base_url=self.address, headers=headers, timeout=120) as client:
            while self.goes_on:
                try:
                    status = await ask(client)
                except httpx.HTTPError as error:
                    status = type(error).__name__
                self.note(ask.__name__, status)
                await asyncio.sleep(1.0 if status in ("429", "503") else 0.05)

    async def advice(self, client: httpx.AsyncClient) -> str:
        """Request the options of a position."""
        position = self.random.choice(self.positions)
        return str((await client.get("/api/options", params={"position": position})).status_code)

    async def heavy(self, client: httpx.AsyncClient) -> str:
        """Request the options of a large custom game, with a different game each time."""
        rules = self.yatzy | {
            "name": f"own-{self.random.getrandbits(40)}",
            "title": "Heavy",
            "disputed": [],
        }
        request = {"rules": rules, "position": "dice 11366 | rolls-left 2 | card -"}
        return str((await client.post("/api/options", json=request)).status_code)

    async def solved(self, client: httpx.AsyncClient) -> str:
        """Request the value of a game for different rules and objectives."""
        rules = self.random.choice(("kismet", "balut", "yatzy", "yatzy-fh5", "yatzy-tp4"))
        objective = self.random.choice(("expected", "worst-case", "best-case"))
        query = urlencode({"rules": rules, "objective": objective})
        return str((await client.get(f"/api/value?{query}")).status_code)

    async def pages(self, client: httpx.AsyncClient) -> str:
        """Load a page without opening its socket."""
        path = self.random.choice(("/", "/advise", "/statistics?strategy=greedy", "/compare"))
        return str((await client.get(path)).status_code)

    async def malformed(self, client: httpx.AsyncClient) -> str:
        """Send a malformed request."""
        either = {"kind": "either", "of": [{"kind": "groups", "sizes": [2, 2]}] * 300}
        rules = load_rules("micro-yahtzee").model_dump(mode="json")
        rules["categories"][0]["pattern"] = either
        bomb = json.dumps({"rules": rules, "position": "-"})
        body = self.random.choice(
            (bomb, '{"record": NaN}', '{"record": "\\ud800"}', "[" * 15_000, '"' + 900_000 * "x")
        )
        headers = {"Content-Type": "application/json"}
        response = await client.post("/api/options", content=body, headers=headers)
        return str(response.status_code)

    async def disconnecting(self, client: httpx.AsyncClient) -> str:
        """Request a large game, and disconnect after at most a second."""
        try:
            async with asyncio.timeout(self.random.random()):
                return await self.heavy(client)
        except TimeoutError:
            return "left"

    async def saving(self, client: httpx.AsyncClient) -> str:
        """Save a game."""
        response = await client.post("/api/games", json={"players": ["Ada"], "turns": []})
        return str(response.status_code)

    async def slow_body(self, _: int) -> None:
        """Send a body byte by byte until the server refuses it."""
        host, port = urlsplit(self.address).hostname, urlsplit(self.address).port
        while self.goes_on:
            reader, writer = await asyncio.open_connection(host, port)
            head = (
                f"POST /api/review HTTP/1.1\r\nHost: {host}:{port}\r\nContent-Length: 1000\r\n\r\n"
            )
            writer.write(head.encode())
            response = asyncio.ensure_future(reader.readline())
            while self.goes_on and not response.done():
                writer.write(b" ")
                await asyncio.sleep(1)
            if response.done():
                self.note("slow_body", response.result().decode().split(" ")[1])
            response.cancel()
            writer.close()

    async def player(self, number: int) -> None:
        """Play games as a page does, and wait for the effect of every click."""
        headers = {"X-Forwarded-For": f"10.1.0.{number}"}
        while self.goes_on:
            async with httpx.AsyncClient(
                base_url=self.address, headers=headers, timeout=120
            ) as client:
                saved = await client.post("/api/games", json={"seed": number, "turns": []})
                if saved.status_code != 201:
                    self.note("player", str(saved.status_code))
                    await asyncio.sleep(1)
                    continue
                id = saved.json()["id"]
                self.note("player", str((await client.get(f"/play/{id}")).status_code))
                await self.click(id, headers)

    async def click(self, id: str, headers: dict[str, str]) -> None:
        """Take an action or ask for an explanation once per second in a game."""
        try:
            async with asyncio.timeout(120):
                window = await Window.open(self.address, id, headers)
        except (TimeoutError, OSError) as error:
            self.note("player", type(error).__name__)
            return
        try:
            for _ in YAHTZEE.categories:
                for kind in ("roll", "explain", "score"):
                    if not self.goes_on:
                        return
                    event = "roll" if kind == "roll" else window.score()
                    start = time.perf_counter()
                    async with asyncio.timeout(120):
                        await window.ask(f"why {event}" if kind == "explain" else event)
                    delays = self.clicks["explained" if kind == "explain" else "saved and shown"]
                    delays.append(time.perf_counter() - start)
                    self.note("player", "click")
                    await asyncio.sleep(1)
        except (TimeoutError, OSError) as error:
            self.note("player", type(error).__name__)
        finally:
            window.writer.close()
