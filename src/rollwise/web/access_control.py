"""Access control: the requests that a server passes on, and the security headers of responses."""

import asyncio
import socket
from collections.abc import Iterable
from contextlib import suppress
from urllib.parse import urlsplit

from pydantic_core import from_json
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOCAL = ("127.0.0.1", "localhost", "::1")

EVERYWHERE = ("0.0.0.0", "::")
"""Hosts for which a server listens on all addresses of this machine."""

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
"""The content security policy: no inline code, no inline style, and no evaluation."""

SECURITY_HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Frame-Options": "DENY",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
"""The headers of every response."""

MAX_BODY = 1_000_000
"""The maximum size of the body of a request, and of a message, in bytes."""

MAX_PARTS = 20_000
"""The maximum number of commas, colons, and opening brackets in JSON. A long game has 2,000."""

FAILED = JSONResponse({"detail": "something went wrong; try again"}, 500)
STOPPED = JSONResponse({"detail": "the server was stopped; start it again"}, 503)


class AccessControl:
    """ASGI middleware that passes on only requests of this site with a body of limited size.

    The body of an API request must be JSON. To prevent DNS rebinding, requests to other names than
    ``hosts`` are refused.
    """

    def __init__(self, app: ASGIApp, hosts: Iterable[str]) -> None:
        self.app = app
        self.hosts = {host.lower() for host in hosts}

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

        refusal = self._refuse(scope)
        if scope["type"] == "websocket":
            if refusal:
                await send({"type": "websocket.close", "code": 1008})
            else:
                await self.app(scope, receive, send)
            return
        try:
            body = b"" if refusal else await _body(scope, receive)
            if body is None:
                detail = f"the body is too large; the limit is {MAX_BODY:,} bytes"
                refusal = JSONResponse({"detail": detail}, 413, {"Connection": "close"})
            elif body and scope["path"].startswith("/api/"):
                refusal = _not_json(body)
            await (refusal or self.app)(scope, _replayed(body, receive), send_with_headers)
        except ClientDisconnect:  # before the whole body has arrived
            return
        except asyncio.CancelledError:  # the server ends
            if not is_answered:
                await STOPPED(scope, receive, send_with_headers)
        except Exception:
            if not is_answered:
                await FAILED(scope, receive, send_with_headers)
            raise

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


async def _body(scope: Scope, receive: Receive) -> bytes | None:
    """Return the body of a request; None if it is too large."""
    length = dict(scope["headers"]).get(b"content-length", b"0")
    if not length.isdigit() or int(length[:20]) > MAX_BODY:
        return None
    body = bytearray()
    more = True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ClientDisconnect
        body += message.get("body", b"")
        more = message.get("more_body", False)
        if len(body) > MAX_BODY:
            return None
    return bytes(body)


def _not_json(body: bytes) -> JSONResponse | None:
    """Return the response to a body that is not JSON, or has too many parts; None if it is."""
    if sum(map(body.count, (b",", b":", b"[", b"{"))) > MAX_PARTS:
        return JSONResponse({"detail": f"the JSON has more than {MAX_PARTS:,} parts"}, 400)
    try:
        from_json(body, allow_inf_nan=False)
    except ValueError as error:
        return JSONResponse({"detail": f"the body is not valid JSON: {error}"}, 400)
    return None


def _replayed(body: bytes | None, receive: Receive) -> Receive:
    """Return a function that receives a body that was read, and then further messages."""
    is_read = False

    async def receive_again() -> Message:
        nonlocal is_read
        if is_read:
            return await receive()
        is_read = True
        return {"type": "http.request", "body": body or b"", "more_body": False}

    return receive_again


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
