"""Requests that come whole, soon and in good form, or are refused; who has gone gets no work."""

import asyncio
from collections import deque

from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rollwise.errors import MalformedError
from rollwise.web.strict_json import check_json

MAX_BODY, MAX_BODIES = 1_000_000, 64_000_000
"""Bytes of a body, and of all that are on their way."""

SECONDS = 20.0
"""Within which a body has to be there."""


class WholeRequests:
    """Lets requests through once their body is there.

    One that is too large, late, or no JSON for the API, is answered here. A request to the API
    whose client has gone is given up.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self._bytes = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse a request, or let it pass."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        body, messages = bytearray(), deque[Message]()
        is_api = scope["path"].startswith("/api/")
        try:
            refused = await self._read(scope, receive, body, messages)
            if is_api and body and not refused:
                try:
                    check_json(bytes(body))
                except MalformedError as error:
                    refused = JSONResponse({"detail": str(error)}, 400)
        finally:
            self._bytes -= len(body)
        if refused:
            await refused(scope, receive, send)
        elif is_api:
            await self._until_gone(scope, messages, receive, send)
        else:
            await self.app(scope, _after(messages, receive), send)

    async def _read(
        self, scope: Scope, receive: Receive, body: bytearray, messages: deque[Message]
    ) -> JSONResponse | None:
        """Read a body; return the answer if it is refused."""
        told = dict(scope["headers"]).get(b"content-length", b"0")
        if not told.isdigit() or int(told[:20]) > MAX_BODY:
            return _too_large()
        try:
            async with asyncio.timeout(SECONDS):
                while True:
                    message = await receive()
                    messages.append(message)
                    part = message.get("body", b"")
                    body += part
                    self._bytes += len(part)
                    if len(body) > MAX_BODY:
                        return _too_large()
                    if self._bytes > MAX_BODIES:
                        sentence = "too many bodies are on their way: expected later"
                        return _last({"detail": sentence}, 503, {"Retry-After": "5"})
                    if message["type"] != "http.request" or not message.get("more_body", False):
                        return None
        except TimeoutError:
            return _last({"detail": f"expected the whole body within {SECONDS:g} s"}, 408)

    async def _until_gone(
        self, scope: Scope, messages: deque[Message], receive: Receive, send: Send
    ) -> None:
        """Let a request pass, and give it up when its client has gone."""
        gone = asyncio.ensure_future(receive())  # after the body nothing else can come

        async def wait() -> Message:
            return await asyncio.shield(gone)

        answer = asyncio.ensure_future(self._answer(scope, _after(messages, wait), send))
        try:
            await asyncio.wait((answer, gone), return_when=asyncio.FIRST_COMPLETED)
            if answer.done():
                answer.result()
        finally:
            for task in (answer, gone):
                task.cancel()
            await asyncio.gather(answer, gone, return_exceptions=True)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self.app(scope, receive, send)


def _after(messages: deque[Message], receive: Receive) -> Receive:
    """Return what receives the messages that were read already, then further ones."""

    async def again() -> Message:
        return messages.popleft() if messages else await receive()

    return again


def _too_large() -> JSONResponse:
    return _last({"detail": f"expected a body of at most {MAX_BODY:,} bytes"}, 413)


def _last(content: object, status: int, headers: dict[str, str] | None = None) -> JSONResponse:
    """Return the last answer on a connection: what else comes on it is not read."""
    return JSONResponse(content, status, {"Connection": "close", **(headers or {})})
