"""What a request may not do: be larger than a megabyte, ask for a game that takes long to solve."""

from collections import deque
from collections.abc import Awaitable, Callable, MutableMapping
from math import comb, prod
from typing import Any

from starlette.responses import JSONResponse
from starlette.types import ASGIApp

from rollwise.errors import TooLargeError
from rollwise.rules import Rules

MAX_BODY = 1_000_000

MAX_KEEPS, MAX_STATES = 1_000, 5_000_000
"""Of games that are solved on request: what takes seconds, and tens of megabytes."""

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]


def check_size(rules: Rules) -> None:
    """Check that a game is solved in seconds.

    Raises
    ------
    TooLargeError
        When it is not.
    """
    keeps = prod(comb(dice + faces, dice) for dice, faces in rules.kinds)
    lanes = rules.upper_bonus.cap + 1 if rules.upper_bonus else 1
    savings = rules.saved_after(len(rules.categories)).stop
    states = lanes * savings * prod(len(chain) + 1 for chain in rules.chains)
    if keeps > MAX_KEEPS or states > MAX_STATES:
        raise TooLargeError(
            f"{rules.name} is too large for this server: expected at most {MAX_KEEPS:,} keeps and "
            f"{MAX_STATES:,} states, got {keeps:,} and {states:,}"
        )


class LimitBody:
    """Refuses a body of more than ``MAX_BODY`` bytes, whether its length was told or not."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answer 413, or let the request pass."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        told = dict(scope["headers"]).get(b"content-length", b"0")
        messages = None if not told.isdigit() or int(told) > MAX_BODY else await _body(receive)
        if messages is None:
            sentence = f"expected a body of at most {MAX_BODY:,} bytes"
            await JSONResponse({"detail": sentence}, 413)(scope, receive, send)
            return

        async def again() -> Message:
            return messages.popleft() if messages else await receive()

        await self.app(scope, again, send)


async def _body(receive: Receive) -> deque[Message] | None:
    """Return the messages that make up the body; None if it is too large."""
    messages, size = deque[Message](), 0
    while True:
        message = await receive()
        messages.append(message)
        size += len(message.get("body", b""))
        if size > MAX_BODY:
            return None
        if message["type"] != "http.request" or not message.get("more_body", False):
            return messages
