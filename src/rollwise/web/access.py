"""Who may ask: under which names, from which pages, and how often; and what browsers are told.

Connections: no more than can be held, and none that says nothing.
"""

import asyncio
import socket
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

from nicegui import Client as Page
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

LOCAL = ("127.0.0.1", "localhost", "::1")

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; "
        "style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; "
        "object-src 'none'; base-uri 'self'; form-action 'self'; frame-ancestors 'none'"
    ),
    "X-Frame-Options": "DENY",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
"""Of every answer. NiceGUI writes its scripts into the page, and makes functions of text."""

EVERYWHERE = ("0.0.0.0", "::")
"""Where a server listens on all addresses of this machine."""

RATE, BURST = 100.0, 1_000.0
"""What a client may ask for in a second, and at once after a pause; a page counts as ten."""

PAGE = 10.0

UNSEEN = 30
"""Pages of a client that no window has opened yet, or has left; each is kept for a minute at most.

Those of this machine, where a proxy may stand, are not counted.
"""

CLIENTS = 10_000
"""Of whom it is remembered how much they asked for."""


class RateLimiter:
    """How much each client may still ask for: full at first, and filled again with time."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._left = OrderedDict[str, tuple[float, float]]()

    def take(self, client: str, cost: float) -> float:
        """Take something, and return 0; if there is not enough, the seconds until there is."""
        now = self._clock()
        left, since = self._left.pop(client, (BURST, now))
        left = min(left + RATE * (now - since), BURST)
        if left >= cost:
            left -= cost
            wait = 0.0
        else:
            wait = (cost - left) / RATE
        self._left[client] = left, now
        if len(self._left) > CLIENTS:
            self._left.popitem(last=False)
        return wait


class AccessControl:
    """Lets requests and sockets through that come from our own pages, or from no page, in measure.

    Parameters
    ----------
    hosts : iterable of str
        Names under which it answers: a page of another site that lets its name point here gets
        nothing.
    """

    def __init__(self, app: ASGIApp, hosts: Iterable[str]) -> None:
        self.app = app
        self.hosts = {host.lower() for host in hosts}
        self._buckets = RateLimiter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse a request, or let it pass."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return

        async def told(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        client = _client(scope)
        refused = self._refuse(scope) or self._limit(scope, client)
        if refused and scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
        elif refused:
            await refused(scope, receive, told)
        elif scope["type"] == "websocket":
            await self.app(scope, self._slowed(client, receive), send)
        else:
            await self.app(scope, receive, told)

    def _refuse(self, scope: Scope) -> JSONResponse | None:
        headers = Headers(scope=scope)
        named = headers.getlist("host")
        if len(named) != 1 or _name(named[0]) not in self.hosts:
            return JSONResponse({"detail": "expected a name of this server as Host"}, 400)
        origin = headers.get("origin")
        foreign = origin is not None and urlsplit(origin).netloc.lower() != named[0].lower()
        site, mode = headers.get("sec-fetch-site", "none"), headers.get("sec-fetch-mode")
        followed = mode == "navigate" and scope.get("method") == "GET"
        if foreign or (site not in ("none", "same-origin") and not followed):
            return JSONResponse({"detail": "expected a request of a page of this server"}, 403)
        return None

    def _limit(self, scope: Scope, client: str) -> JSONResponse | None:
        is_page = not scope["path"].startswith(("/api/", "/_nicegui"))
        wait = self._buckets.take(client, PAGE if is_page else 1.0)
        if wait:
            return _too_often(f"{RATE:g} requests a second", int(wait) + 1)
        if is_page and not _is_here(client) and _unseen(client) >= UNSEEN:
            return _too_often(f"{UNSEEN} pages that no window has opened", 10)
        return None

    def _slowed(self, client: str, receive: Receive) -> Receive:
        """Return what receives messages of a socket, no more of them than a client may send."""

        async def slowly() -> Message:
            message = await receive()
            while wait := self._buckets.take(client, 1.0):
                await asyncio.sleep(wait)
            return message

        return slowly


def _too_often(most: str, seconds: int) -> JSONResponse:
    return JSONResponse({"detail": f"expected at most {most}"}, 429, {"Retry-After": str(seconds)})


def _is_here(client: str) -> bool:
    return client.startswith("127.") or client == "::1"


def _unseen(client: str) -> int:
    pages = [page for page in Page.instances.values() if not page.has_socket_connection]
    return sum(_client(page.request.scope) == client for page in pages)


def _client(scope: Scope) -> str:
    """Return who asks: an address, of the newer kind the part that one household has."""
    address: str = (scope.get("client") or ("",))[0]
    return ":".join(address.split(":")[:4]) if ":" in address else address


def _name(host: str) -> str:
    """Return the name of a host that may have a port."""
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


def names_of(host: str, allowed: Iterable[str] = ()) -> tuple[str, ...]:
    """Return the names under which a server answers.

    Parameters
    ----------
    host : str
        Where it listens.
    allowed : iterable of str
        Further names.
    """
    own = _addresses() if host in EVERYWHERE else (host,)
    return tuple(dict.fromkeys((*LOCAL, *own, *allowed)))


def is_shared(hosts: Iterable[str]) -> bool:
    """Return whether a server of these names answers others than those at this machine."""
    return any(host not in LOCAL for host in hosts)


def _addresses() -> tuple[str, ...]:
    """Return the name of this machine and those of its addresses that it knows itself."""
    name = socket.gethostname()
    try:
        known = socket.getaddrinfo(name, None)
    except OSError:
        known = []
    addresses = {str(address[0]) for *_, address in known}
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, suppress(OSError):
        probe.connect(("192.0.2.1", 9))  # nothing is sent: it says which address would be ours
        addresses.add(probe.getsockname()[0])
    return (name, *sorted(address for address in addresses if "%" not in address))


def address(name: str, port: int, token: str | None = None) -> str:
    """Return the address of the first page under a name, with the token if there is one."""
    query = f"?token={token}" if token else ""
    return f"http://{f'[{name}]' if ':' in name else name}:{port}/{query}"


IN_ALL, A_CLIENT = 600, 100
"""Connections at a time; those of this machine, where a proxy may stand, count in all alone."""

SECONDS = 10.0
"""Within which the head of a request has to be there."""

BUSY = (
    b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 5\r\nContent-Length: 0\r\n"
    b"Connection: close\r\n\r\n"
)
LATE = b"HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"


class LimitedProtocol(H11Protocol):
    """HTTP/1.1 for as many as there is room for; in Python, with a limit on the size of heads."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._late: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take a connection, or refuse it."""
        super().connection_made(transport)
        if self._too_many():
            self._refuse(BUSY)
        else:
            self._late = self.loop.call_later(SECONDS, self._refuse, LATE)

    def data_received(self, data: bytes) -> None:
        """Read what comes; time runs from the first byte of a request to the end of its head."""
        super().data_received(data)
        answering = self.cycle is not None and not self.cycle.response_complete
        if answering or self.transport.get_protocol() is not self:  # that of a socket
            self._in_time()
        elif self._late is None:
            self._late = self.loop.call_later(SECONDS, self._refuse, LATE)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget a connection."""
        self._in_time()
        super().connection_lost(exc)

    def _too_many(self) -> bool:
        if len(self.connections) > IN_ALL:
            return True
        if self.client is None or self.client[0].startswith("127.") or self.client[0] == "::1":
            return False
        known = (getattr(other, "client", None) for other in self.connections)
        mine = [one for one in known if one is not None and one[0] == self.client[0]]
        return len(mine) > A_CLIENT

    def _refuse(self, answer: bytes) -> None:
        self._late = None
        if not self.transport.is_closing():
            self.transport.write(answer)
            self.transport.close()

    def _in_time(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None
