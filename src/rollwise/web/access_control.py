"""Access control: host names, origins, rate limits, connection limits, and security headers."""

import asyncio
import socket
from collections.abc import Iterable
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from rollwise.web.cpu_shares import CLIENT
from rollwise.web.rate_limiter import RATE, RateLimiter

LOCAL = ("127.0.0.1", "localhost", "::1")

EVERYWHERE = ("0.0.0.0", "::")
"""Hosts for which a server listens on all addresses of this machine."""

SECURITY_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
        "connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    "X-Frame-Options": "DENY",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
"""The headers of every response. Pages have no inline code, no inline style, and no evaluation."""

PAGE_COST = 10.0
"""The number of tokens that a page takes from a client's bucket; other requests take one."""

MAX_CONNECTIONS, MAX_CLIENT_CONNECTIONS = 600, 100
"""The maximum number of open connections in total, and per client. The limit per client does not
apply to this machine, where a proxy might run."""

HEAD_SECONDS = 10.0
"""The time limit for the head of a request."""

BUSY = (
    b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 5\r\nContent-Length: 0\r\n"
    b"Connection: close\r\n\r\n"
)
STOPPED = JSONResponse({"detail": "the server was stopped; start it again"}, 503)
LATE = b"HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"


class AccessControl:
    """ASGI middleware that allows only same-origin requests, and limits their rate.

    Parameters
    ----------
    hosts : iterable of str
        The host names of the server. To prevent DNS rebinding, requests to other names are refused.
    """

    def __init__(self, app: ASGIApp, hosts: Iterable[str]) -> None:
        self.app = app
        self.hosts = {host.lower() for host in hosts}
        self._limiter = RateLimiter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse a request, or pass it on."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return

        is_answered = False

        async def send_with_headers(message: Message) -> None:
            nonlocal is_answered
            is_answered = True
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in SECURITY_HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        client = _client(scope)
        CLIENT.set(client)  # for this request and the tasks that it starts
        refusal = self._refuse(scope) or self._limit(scope, client)
        if refusal and scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
        elif refusal:
            await refusal(scope, receive, send_with_headers)
        elif scope["type"] == "websocket":
            await self.app(scope, self._rate_limited(client, receive), send)
        else:
            try:
                await self.app(scope, receive, send_with_headers)
            except asyncio.CancelledError:  # the server ends
                if not is_answered:
                    await STOPPED(scope, receive, send_with_headers)

    def _refuse(self, scope: Scope) -> JSONResponse | None:
        headers = Headers(scope=scope)
        hosts = headers.getlist("host")
        if len(hosts) != 1 or _name(hosts[0]) not in self.hosts:
            return JSONResponse(
                {
                    "detail": "the Host header does not name this server; open the server "
                    "by one of its own addresses"
                },
                400,
            )
        origin = headers.get("origin")
        is_foreign = origin is not None and origin.partition("://")[2].lower() != hosts[0].lower()
        site, mode = headers.get("sec-fetch-site", "none"), headers.get("sec-fetch-mode")
        is_link = mode == "navigate" and scope.get("method") == "GET"
        if is_foreign or (site not in ("none", "same-origin") and not is_link):
            return JSONResponse(
                {"detail": "requests from pages of other sites are not allowed"}, 403
            )
        return None

    def _limit(self, scope: Scope, client: str) -> JSONResponse | None:
        is_page = scope["type"] == "http" and not scope["path"].startswith(("/api/", "/static/"))
        wait = self._limiter.take(client, PAGE_COST if is_page else 1.0)
        if wait:
            return _too_often(int(wait) + 1)
        return None

    def _rate_limited(self, client: str, receive: Receive) -> Receive:
        """Return a function that receives web socket messages within the client's rate limit."""

        async def receive_slowly() -> Message:
            message = await receive()
            while wait := self._limiter.take(client, 1.0):
                await asyncio.sleep(wait)
            return message

        return receive_slowly


def _too_often(seconds: int) -> JSONResponse:
    limit = f"the limit is {RATE:g} requests per second"
    return JSONResponse(
        {"detail": f"too many requests: {limit}; wait a moment and try again"},
        429,
        {"Retry-After": str(seconds)},
    )


def _is_local(client: str) -> bool:
    return client.startswith("127.") or client == "::1"


def _client(scope: Scope) -> str:
    """Return the IPv4 address of a client, or the network half of its IPv6 address."""
    address: str = (scope.get("client") or ("",))[0]
    return ":".join(address.split(":")[:4]) if ":" in address else address


def _name(host: str) -> str:
    """Return the name in a Host header, without the port."""
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


def names_of(host: str, allowed: Iterable[str] = ()) -> tuple[str, ...]:
    """Return the host names of a server.

    Parameters
    ----------
    host : str
        The address on which the server listens.
    allowed : iterable of str
        Additional host names.
    """
    own = _addresses() if host in EVERYWHERE else (host,)
    return tuple(dict.fromkeys((*LOCAL, *own, *allowed)))


def is_shared(hosts: Iterable[str]) -> bool:
    """Return whether clients on other machines can reach a server with these host names."""
    return any(host not in LOCAL for host in hosts)


def _addresses() -> tuple[str, ...]:
    """Return the name of this machine and its known addresses."""
    name = socket.gethostname()
    try:
        infos = socket.getaddrinfo(name, None)
    except OSError:
        infos = []
    addresses = {str(address[0]) for *_, address in infos}
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, suppress(OSError):
        probe.connect(("192.0.2.1", 9))  # sends nothing, but selects the local address to use
        addresses.add(probe.getsockname()[0])
    return (name, *sorted(address for address in addresses if "%" not in address))


def address(name: str, port: int, token: str | None = None) -> str:
    """Return the URL of the home page at a host name, with the token if there is one."""
    query = f"?token={token}" if token else ""
    return f"http://{f'[{name}]' if ':' in name else name}:{port}/{query}"


class LimitedProtocol(H11Protocol):
    """HTTP/1.1 with limits on the number of connections and on the time for a request head.

    The size of the head is limited by h11, the HTTP parser.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._timeout: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Accept a connection, or refuse it if there are too many."""
        super().connection_made(transport)
        if self._too_many():
            self._refuse(BUSY)
        else:
            self._timeout = self.loop.call_later(HEAD_SECONDS, self._refuse, LATE)

    def data_received(self, data: bytes) -> None:
        """Read data, and limit the time between the first and the last byte of a request head."""
        super().data_received(data)
        is_answering = self.cycle is not None and not self.cycle.response_complete
        if is_answering or self.transport.get_protocol() is not self:  # a web socket took over
            self._cancel_timeout()
        elif self._timeout is None:
            self._timeout = self.loop.call_later(HEAD_SECONDS, self._refuse, LATE)

    def connection_lost(self, exc: Exception | None) -> None:
        """Cancel the timeout of the connection."""
        self._cancel_timeout()
        super().connection_lost(exc)

    def _too_many(self) -> bool:
        if len(self.connections) > MAX_CONNECTIONS:
            return True
        if self.client is None or _is_local(self.client[0]):
            return False
        clients = (getattr(connection, "client", None) for connection in self.connections)
        same = [client for client in clients if client is not None and client[0] == self.client[0]]
        return len(same) > MAX_CLIENT_CONNECTIONS

    def _refuse(self, response: bytes) -> None:
        self._timeout = None
        if not self.transport.is_closing():
            self.transport.write(response)
            self.transport.close()

    def _cancel_timeout(self) -> None:
        if self._timeout is not None:
            self._timeout.cancel()
            self._timeout = None
