"""Connections: so many and no more, and none that says nothing."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any

import pytest
from starlette.types import Receive, Scope, Send
from uvicorn import Config
from uvicorn.server import ServerState

from rollwise.web import access
from rollwise.web.access import LimitedProtocol
from waiting import PATIENCE

REQUEST = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
OK, LATE, BUSY = (f"HTTP/1.1 {status} ".encode() for status in (200, 408, 503))

Dial = Callable[[], Awaitable[tuple[asyncio.StreamReader, asyncio.StreamWriter]]]


async def answers(_: Scope, __: Receive, send: Send) -> None:
    await send(
        {"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"0")]}
    )
    await send({"type": "http.response.body"})


@asynccontextmanager
async def listening(
    application: Any = answers, protocol: type[LimitedProtocol] = LimitedProtocol
) -> AsyncIterator[Dial]:
    """Serve an application in this process; yield what connects to it."""
    config, state = Config(application, lifespan="off", ws="none"), ServerState()
    config.load()
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: protocol(config, state, app_state={}), "127.0.0.1", 0)
    port, writers = server.sockets[0].getsockname()[1], []

    async def dial() -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writers.append(writer)
        return reader, writer

    try:
        yield dial
    finally:
        for writer in writers:
            writer.close()
        server.close()


def run(test: Coroutine[Any, Any, None]) -> None:
    """Run a test in a loop of its own."""
    asyncio.run(asyncio.wait_for(test, PATIENCE))


async def head(reader: asyncio.StreamReader) -> bytes:
    """Return the head of an answer without a body."""
    return await reader.readuntil(b"\r\n\r\n")


def test_a_head_that_does_not_come(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(access, "SECONDS", 0.0)

    async def test() -> None:
        async with listening() as dial:
            reader, _ = await dial()
            assert (await reader.read()).startswith(LATE)  # to the end of the connection

    run(test())


def test_a_head_that_comes_slowly() -> None:
    """Further bytes win no time; the whole head ends it, and the next one begins it."""

    async def test() -> None:
        protocol, line = protocols(1)[0], Line("192.0.2.7")
        protocol.connection_made(line)
        line.set_protocol(protocol)
        timer = timer_of(protocol)
        assert timer is not None
        for byte in REQUEST[:-1]:
            protocol.data_received(bytes([byte]))
            assert timer_of(protocol) is timer
        protocol.data_received(REQUEST[-1:])
        assert timer_of(protocol) is None
        assert timer.cancelled()
        while not line.said.endswith(b"\r\n\r\n"):
            await asyncio.sleep(0)
        assert line.said.startswith(OK)
        protocol.data_received(REQUEST[:1])
        assert timer_of(protocol) not in (None, timer)
        protocol.connection_lost(None)
        assert timer_of(protocol) is None

    run(test())


def test_the_head_of_a_later_request(monkeypatch: pytest.MonkeyPatch) -> None:
    async def test() -> None:
        async with listening() as dial:
            reader, writer = await dial()
            for _ in range(2):
                writer.write(REQUEST)
                assert (await head(reader)).startswith(OK)
            monkeypatch.setattr(access, "SECONDS", 0.0)
            writer.write(REQUEST[:20])
            assert (await reader.read()).startswith(LATE)

    run(test())


def test_an_answer_may_take_its_time() -> None:
    async def test() -> None:
        made: list[LimitedProtocol] = []
        begun, may_end = asyncio.Event(), asyncio.Event()

        class Noted(LimitedProtocol):
            def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
                super().connection_made(transport)
                made.append(self)

        async def slow(scope: Scope, receive: Receive, send: Send) -> None:
            begun.set()
            await may_end.wait()
            await answers(scope, receive, send)

        async with listening(slow, Noted) as dial:
            reader, writer = await dial()
            writer.write(REQUEST[:20])
            writer.write(REQUEST[20:])
            await begun.wait()
            (one,) = made
            assert timer_of(one) is None  # no time runs
            may_end.set()
            assert (await head(reader)).startswith(OK)

    run(test())


def test_more_than_there_is_room_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(access, "IN_ALL", 1)

    async def test() -> None:
        async with listening() as dial:
            reader, writer = await dial()
            writer.write(REQUEST)
            assert (await head(reader)).startswith(OK)
            refused, _ = await dial()
            answer = await refused.read()
            assert answer.startswith(BUSY)
            assert b"Retry-After: 5\r\n" in answer
            writer.write(REQUEST)  # who was there first stays
            assert (await head(reader)).startswith(OK)

    run(test())


@pytest.mark.parametrize(
    ("client", "refused"), [("192.0.2.7", True), ("127.0.0.1", False), ("::1", False)]
)
def test_more_than_one_client_may_have(
    client: str, refused: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(access, "A_CLIENT", 2)

    async def test() -> None:
        lines = [Line(client), Line("192.0.2.8"), Line(client), Line(client)]
        *made, again = protocols(5)
        for protocol, line in zip(made, lines, strict=True):
            protocol.connection_made(line)
        assert [line.is_closing() for line in lines] == [False, False, False, refused]
        assert lines[-1].said.startswith(BUSY if refused else b"")
        for protocol in made:
            protocol.connection_lost(None)
        again.connection_made(line := Line(client))
        assert not line.is_closing()
        again.connection_lost(None)

    run(test())


def timer_of(protocol: LimitedProtocol) -> asyncio.TimerHandle | None:
    """Return what will end a connection unless a head comes."""
    return protocol._late


def protocols(number: int) -> list[LimitedProtocol]:
    """Return the server's ends of connections of one server."""
    config, state = Config(answers, lifespan="off", ws="none"), ServerState()
    config.load()
    return [LimitedProtocol(config, state, app_state={}) for _ in range(number)]


class Line(asyncio.Transport):
    """A connection from an address, of which is kept what was said."""

    def __init__(self, client: str) -> None:
        super().__init__({"peername": (client, 1), "sockname": ("192.0.2.1", 80)})
        self.said, self._is_closing = b"", False

    def write(self, data: Any) -> None:
        """Keep what is said."""
        self.said += data

    def close(self) -> None:
        """Close it."""
        self._is_closing = True

    def set_protocol(self, protocol: asyncio.BaseProtocol) -> None:
        """Have a protocol at its end."""
        self._protocol = protocol

    def get_protocol(self) -> asyncio.BaseProtocol:
        """Return the protocol at its end."""
        return self._protocol

    def is_closing(self) -> bool:
        """Return whether it was closed."""
        return self._is_closing
