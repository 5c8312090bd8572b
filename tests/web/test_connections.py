"""Test limits on the number of connections, and on the time for a request head."""

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
OK, LATE, BUSY = (f"HTTP/1.1 {status} ".encode() for status in (200, 408, 503))

Dial = Callable[[], Awaitable[tuple[asyncio.StreamReader, asyncio.StreamWriter]]]


async def application(_: Scope, __: Receive, send: Send) -> None:
    await send(
        {"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"0")]}
    )
    await send({"type": "http.response.body"})


@asynccontextmanager
async def listening(
    app: Any = application, protocol: type[LimitedProtocol] = LimitedProtocol
) -> AsyncIterator[Dial]:
    """Serve an application in this process; yield a function that connects to it."""
    config, state = Config(app, lifespan="off", ws="none"), ServerState()
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
    """Run a test in a new event loop."""
    asyncio.run(asyncio.wait_for(test, PATIENCE))


async def head(reader: asyncio.StreamReader) -> bytes:
    """Read the head of a response that has no body, and return it."""
    return await reader.readuntil(b"\r\n\r\n")


def test_a_missing_head(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(access_control, "HEAD_SECONDS", 0.0)

    async def test() -> None:
        async with listening() as dial:
            reader, _ = await dial()
            assert (await reader.read()).startswith(LATE)  # the server closes the connection

    run(test())


def test_a_slow_head() -> None:
    """Check that further bytes do not extend the time limit, and the next head has a new limit."""

    async def test() -> None:
        protocol, transport = protocols(1)[0], Transport("192.0.2.7")
        protocol.connection_made(transport)
        transport.set_protocol(protocol)
        timer = timer_of(protocol)
        assert timer is not None
        for byte in REQUEST[:-1]:
            protocol.data_received(bytes([byte]))
            assert timer_of(protocol) is timer
        protocol.data_received(REQUEST[-1:])
        assert timer_of(protocol) is None
        assert timer.cancelled()
        while not transport.sent.endswith(b"\r\n\r\n"):
            await asyncio.sleep(0)
        assert transport.sent.startswith(OK)
        protocol.data_received(REQUEST[:1])
        assert timer_of(protocol) not in (None, timer)
        protocol.connection_lost(None)
        assert timer_of(protocol) is None

    run(test())


def test_the_head_of_a_second_request(monkeypatch: pytest.MonkeyPatch) -> None:
    async def test() -> None:
        async with listening() as dial:
            reader, writer = await dial()
            for _ in range(2):
                writer.write(REQUEST)
                assert (await head(reader)).startswith(OK)
            monkeypatch.setattr(access_control, "HEAD_SECONDS", 0.0)
            writer.write(REQUEST[:20])
            assert (await reader.read()).startswith(LATE)

    run(test())


def test_a_slow_response_is_allowed() -> None:
    async def test() -> None:
        created: list[LimitedProtocol] = []
        started, may_end = asyncio.Event(), asyncio.Event()

        class Recorded(LimitedProtocol):
            def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
                super().connection_made(transport)
                created.append(self)

        async def slow(scope: Scope, receive: Receive, send: Send) -> None:
            started.set()
            await may_end.wait()
            await application(scope, receive, send)

        async with listening(slow, Recorded) as dial:
            reader, writer = await dial()
            writer.write(REQUEST[:20])
            writer.write(REQUEST[20:])
            await started.wait()
            (protocol,) = created
            assert timer_of(protocol) is None
            may_end.set()
            assert (await head(reader)).startswith(OK)

    run(test())


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


def timer_of(protocol: LimitedProtocol) -> asyncio.TimerHandle | None:
    """Return the timer that closes a connection without a request head."""
    return protocol._timeout


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
        """Record data."""
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
