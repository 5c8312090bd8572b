"""Measure the delay of clicks in a game while 200 clients attack the server.

``python benchmarks/web.py --attack [SECONDS]`` starts a local server. The clients have different
addresses, as a proxy would send them. Some clients play games through the socket of a page, as a
browser does. The others request advice, large custom games and solved games. They send bodies byte
by byte, NaN, very long patterns and many requests, and disconnect before the response.
"""

import asyncio
import json
import random
import re
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import urlencode, urlsplit

import httpx
import socketio

from rollwise import load_rules

PLAYERS = 10


def attack(address: str, positions: list[str], seconds: float) -> dict[str, Counter[str]]:
    """Attack a server from another process; return the statuses of the responses."""
    fight = Attack(address, positions, seconds)
    asyncio.run(fight.attack())
    return fight.statuses


class Window:
    """A page of a game with the data that a client needs to click its buttons."""

    def __init__(self, page: str) -> None:
        self.page = page
        match = re.search(r"'client_id': '([^']+)'", page)
        assert match is not None
        self.client_id = match[1]

    @property
    def query(self) -> dict[str, str]:
        """The query parameters that open the socket."""
        ids = {"client_id": self.client_id, "document_id": "document", "tab_id": "tab"}
        return {**ids, "next_message_id": "0", "implicit_handshake": "true"}

    def buttons(self, pattern: str) -> list[dict[str, Any]]:
        """Return the click event of every button whose description matches a pattern."""
        button = (
            rf'"(\d+)":{{"tag":"button","text":{pattern}.*?"listener_id":"([^"]+)","type":"click"'
        )
        return [
            {"id": int(id), "listener_id": listener, "client_id": self.client_id, "args": []}
            for id, listener in re.findall(button, self.page)
        ]


class Attack:
    """All clients, the statuses of their responses, and the delays of clicks in seconds."""

    def __init__(self, address: str, positions: list[str], seconds: float) -> None:
        self.address, self.positions = address, positions
        self.end = time.monotonic() + seconds
        self.statuses: dict[str, Counter[str]] = {}
        self.clicks: dict[str, list[float]] = {"shown": [], "saved and shown": []}
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
                page = await client.get(f"/play/{saved.json()['id']}")
                await self.click(page.text, headers)

    async def click(self, page: str, headers: dict[str, str]) -> None:
        """Click once per second in a page."""
        window = Window(page)
        socket = socketio.AsyncClient(reconnection=False)
        changed = asyncio.Event()
        socket.on("update", lambda _: changed.set())
        try:
            await socket.connect(
                f"{self.address}?{urlencode(window.query)}",
                socketio_path="/_nicegui_ws/socket.io",
                transports=["websocket"],
                headers=headers,
                wait_timeout=120,
            )
            (hint,) = window.buttons('"Hint"')
            (roll,) = window.buttons(r'"","class":\["primary","roll"\]')
            categories = window.buttons(r'"","class":\["row","box"\]')
            for turn, category in enumerate(categories):
                # The argument is the number of events in the game that the page shows.
                roll["args"], category["args"] = (
                    [json.dumps(str(2 * turn))],
                    [json.dumps(str(2 * turn + 1))],
                )
                for event in (roll, hint, category):
                    kind = "shown" if event is hint else "saved and shown"
                    if not self.goes_on:
                        return
                    changed.clear()
                    start = time.perf_counter()
                    await socket.emit("event", event)
                    async with asyncio.timeout(120):
                        await changed.wait()
                    self.clicks[kind].append(time.perf_counter() - start)
                    self.note("player", "click")
                    await asyncio.sleep(1)
        except (TimeoutError, socketio.exceptions.SocketIOError) as error:
            self.note("player", type(error).__name__)
        finally:
            await socket.disconnect()
