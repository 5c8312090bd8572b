"""Test limits on the number of connections."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any

import pytest
from starlette.types import Receive, Scope, Send
from uvicorn import Config
from uvicorn.server import ServerState

from rollwise.web import access_control
from rollwise.web.access_control import LimitedProtocol
from waiting import PATIENCE

REQUEST = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
OK, BUSY = (f"HTTP/1.1 {status} ".encode() for status in (200, 503))

Dial = Callable[[], Awaitable[tuple[asyncio.StreamReader, asyncio.StreamWriter]]]


async def application(_: Scope, __: Receive, send: Send) -> None:
    await send(
        {"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"0")]}
    )
    await send({"type": "http.response.body"})


@asynccontextmanager
async def listening() -> AsyncIterator[Dial]:
    """Serve the application in this process; yield a function that connects to it."""
    config, state = Config(application, lifespan="off", ws="none"), ServerState()
    config.load()
    loop = asyncio.get_running_loop()
    server = await loop.create_server(
        lambda: LimitedProtocol(config, state, app_state={}), "127.0.0.1", 0
    )
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
    """Run a test in a new event loop."""
    asyncio.run(asyncio.wait_for(test, PATIENCE))


async def head(reader: asyncio.StreamReader) -> bytes:
    """Read the head of a response that has no body, and return it."""
    return await reader.readuntil(b"\r\n\r\n")


def test_too_many_connections(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(access_control, "MAX_CONNECTIONS", 1)

    async def test() -> None:
        async with listening() as dial:
            reader, writer = await dial()
            writer.write(REQUEST)
            assert (await head(reader)).startswith(OK)
            refused, _ = await dial()
            response = await refused.read()
            assert response.startswith(BUSY)
            assert b"Retry-After: 5\r\n" in response
            writer.write(REQUEST)  # the first connection stays open
            assert (await head(reader)).startswith(OK)

    run(test())


@pytest.mark.parametrize(
    ("client", "refused"), [("192.0.2.7", True), ("127.0.0.1", False), ("::1", False)]
)
def test_too_many_connections_of_one_client(
    client: str, refused: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(access_control, "MAX_CLIENT_CONNECTIONS", 2)

    async def test() -> None:
        transports = [
            Transport(client),
            Transport("192.0.2.8"),
            Transport(client),
            Transport(client),
        ]
        *first, last = protocols(5)
        for protocol, transport in zip(first, transports, strict=True):
            protocol.connection_made(transport)
        assert [transport.is_closing() for transport in transports] == [
            False,
            False,
            False,
            refused,
        ]
        assert transports[-1].sent.startswith(BUSY if refused else b"")
        for protocol in first:
            protocol.connection_lost(None)
        last.connection_made(transport := Transport(client))
        assert not transport.is_closing()
        last.connection_lost(None)

    run(test())


def protocols(number: int) -> list[LimitedProtocol]:
    """Return protocols of the same server, which share its list of connections."""
    config, state = Config(application, lifespan="off", ws="none"), ServerState()
    config.load()
    return [LimitedProtocol(config, state, app_state={}) for _ in range(number)]


class Transport(asyncio.Transport):
    """The transport of a connection from an address, which records the sent data."""

    def __init__(self, client: str) -> None:
        super().__init__({"peername": (client, 1), "sockname": ("192.0.2.1", 80)})
        self.sent, self._is_closing = b"", False

    def write(self, data: Any) -> None:
        """Game data."""
        self.sent += data

    def close(self) -> None:
        """Close the connection."""
        self._is_closing = True

    def set_protocol(self, protocol: asyncio.BaseProtocol) -> None:
        """Set the protocol of this transport."""
        self._protocol = protocol

    def get_protocol(self) -> asyncio.BaseProtocol:
        """Return the protocol of this transport."""
        return self._protocol

    def is_closing(self) -> bool:
        """Return whether the connection was closed."""
        return self._is_closing
