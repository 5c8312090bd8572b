"""What a request may not do: be larger than a megabyte, or ask in the name of another site."""

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from starlette.responses import JSONResponse
from starlette.types import ASGIApp

MAX_BODY = 1_000_000

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]


class _TooLargeError(Exception):
    pass


class LimitBody:
    """Refuses a body of more than ``MAX_BODY`` bytes, told beforehand or not."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answer 413, or let the request pass."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        told = dict(scope["headers"]).get(b"content-length", b"0")
        seen, answered = 0, False

        async def counted() -> Message:
            nonlocal seen
            message = await receive()
            seen += len(message.get("body", b""))
            if seen > MAX_BODY:
                raise _TooLargeError
            return message

        async def noted(message: Message) -> None:
            nonlocal answered
            answered = True
            await send(message)

        try:
            if told.isdigit() and int(told) > MAX_BODY:
                raise _TooLargeError
            await self.app(scope, counted, noted)
        except _TooLargeError:
            if not answered:
                sentence = f"expected at most {MAX_BODY:,} bytes"
                await JSONResponse({"detail": sentence}, 413)(scope, receive, send)
