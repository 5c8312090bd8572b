"""Request limits: the size, time, and form of bodies, and the number of simultaneous requests.

The body of an API request must be JSON of limited size. It is checked before pydantic parses it. An
API request is canceled when its client disconnects.
"""

import asyncio
import json
import math
import re
from collections import deque
from typing import Any, NoReturn

from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rollwise.errors import MalformedError

MAX_BODY, MAX_BODIES = 1_000_000, 64_000_000
"""The maximum size in bytes of a body, and of all bodies that are being received."""

BODY_SECONDS = 20.0
"""The time limit for a body."""

TURNS, TURN = 1, 0.05
"""The number of requests that run at the same time while the window of a game is open, and the
seconds after which the next request starts anyway. A click in a game comes through a web socket,
and waits for at most these requests. While no window is open, requests start immediately."""

LATENESS, MAX_DELAY = 0.005, 0.1
"""If several requests wait, a turn starts when the event loop is late by less than ``LATENESS``
seconds, or after ``MAX_DELAY`` seconds."""

MAX_WAITING = 300
"""The maximum number of requests that wait for their turn."""

MAX_PARTS = 20_000
"""The maximum number of commas, colons, and opening brackets in JSON, including those in strings. A
game record has a few thousand."""

MAX_KEYS = 64
"""The maximum number of keys of an object."""

SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")
"""The JSON escape of a surrogate, which is half of a character."""


class RequestLimits:
    """ASGI middleware that passes on requests whose body has arrived, a few at a time.

    It refuses a body that is too large or arrives too late, and an API request with a body that is
    not JSON. It cancels an API request when the client disconnects.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self._bytes = self._waiting = self._windows = 0
        self._turns = asyncio.Semaphore(TURNS)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse a request, or pass it on."""
        if scope["type"] == "websocket":
            await self._in_window(scope, receive, send)
            return
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        messages = deque[Message]()
        refusal = await self._read(scope, receive, messages)
        if refusal is None and self._waiting >= MAX_WAITING:
            refusal = _busy("the server is busy; try again later", 1)
        if refusal:
            await refusal(scope, receive, send)
        elif scope["path"].startswith("/api/"):
            await self._until_disconnected(scope, messages, receive, send)
        else:
            await self._in_turn(scope, messages, receive, send)

    async def _in_window(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the web socket of a game on, and count it while it is open."""
        self._windows += 1
        try:
            await self.app(scope, receive, send)
        finally:
            self._windows -= 1

    async def _read(
        self, scope: Scope, receive: Receive, messages: deque[Message]
    ) -> JSONResponse | None:
        """Read a body into ``messages``; return a response only if the body is refused."""
        length = dict(scope["headers"]).get(b"content-length", b"0")
        if not length.isdigit() or int(length[:20]) > MAX_BODY:
            return _too_large()
        size = 0
        try:
            async with asyncio.timeout(BODY_SECONDS):
                while True:
                    message = await receive()
                    messages.append(message)
                    part = len(message.get("body", b""))
                    size += part
                    self._bytes += part
                    if size > MAX_BODY:
                        return _too_large()
                    if self._bytes > MAX_BODIES:
                        return _busy("the server is receiving too much data; try again later", 5)
                    if message["type"] != "http.request" or not message.get("more_body", False):
                        return None
        except TimeoutError:
            return _last({"detail": f"the body must arrive within {BODY_SECONDS:g} s"}, 408)
        finally:
            self._bytes -= size

    async def _until_disconnected(
        self, scope: Scope, messages: deque[Message], receive: Receive, send: Send
    ) -> None:
        """Pass an API request on when its turn comes; cancel it when its client disconnects."""
        disconnected = asyncio.ensure_future(receive())  # only this can follow the body

        async def receive_disconnect() -> Message:
            return await asyncio.shield(disconnected)

        request = asyncio.ensure_future(self._in_turn(scope, messages, receive_disconnect, send))
        try:
            await asyncio.wait((request, disconnected), return_when=asyncio.FIRST_COMPLETED)
            if request.done():
                request.result()
        finally:
            for task in (request, disconnected):
                task.cancel()
            await asyncio.gather(request, disconnected, return_exceptions=True)

    async def _in_turn(
        self, scope: Scope, messages: deque[Message], receive: Receive, send: Send
    ) -> None:
        """Pass a request on when its turn comes."""
        turn = await self._turn()
        try:
            refusal = _not_json(scope, messages)
            await (refusal or self.app)(scope, _replayed(messages, receive), send)
        finally:
            if turn is not None and turn.when() > asyncio.get_running_loop().time():
                turn.cancel()
                self._turns.release()

    async def _turn(self) -> asyncio.TimerHandle | None:
        """Wait for a turn, and return the timer that ends it; None if no game is open."""
        if not self._windows:
            return None
        loop = asyncio.get_running_loop()
        self._waiting += 1
        try:
            await self._turns.acquire()
        finally:
            self._waiting -= 1
        try:
            if self._waiting:
                await _until_on_time(loop)
        except asyncio.CancelledError:
            self._turns.release()
            raise
        return loop.call_later(TURN, self._turns.release)


async def _until_on_time(loop: asyncio.AbstractEventLoop) -> None:
    """Wait until the loop runs callbacks on time, so that clicks in games come first."""
    end = loop.time() + MAX_DELAY
    late = LATENESS
    while late >= LATENESS and loop.time() < end:
        due = loop.time() + LATENESS
        await asyncio.sleep(LATENESS)
        late = loop.time() - due


def _not_json(scope: Scope, messages: deque[Message]) -> JSONResponse | None:
    """Return the error response to an API request with an invalid body; None if it is valid."""
    body = b"".join(message.get("body", b"") for message in messages)
    if body and scope["path"].startswith("/api/"):
        try:
            check_json(body)
        except MalformedError as error:
            return JSONResponse({"detail": str(error)}, 400)
    return None


def _replayed(messages: deque[Message], receive: Receive) -> Receive:
    """Return a function that receives the messages already read, and then further messages."""

    async def receive_again() -> Message:
        return messages.popleft() if messages else await receive()

    return receive_again


def _too_large() -> JSONResponse:
    return _last({"detail": f"the body is too large; the limit is {MAX_BODY:,} bytes"}, 413)


def _busy(sentence: str, seconds: int) -> JSONResponse:
    return _last({"detail": sentence}, 503, {"Retry-After": str(seconds)})


def _last(content: object, status: int, headers: dict[str, str] | None = None) -> JSONResponse:
    """Return a response that closes its connection, because the server reads no more from it."""
    return JSONResponse(content, status, {"Connection": "close", **(headers or {})})


def check_json(body: bytes) -> None:
    """Check that a body is JSON of limited size.

    Raises
    ------
    MalformedError
        If the body is not JSON, or exceeds a limit. NaN, Infinity, numbers outside the range of a
        float, unpaired surrogates, and duplicate keys are not accepted as JSON.
    """
    if sum(map(body.count, (b",", b":", b"[", b"{"))) > MAX_PARTS:
        raise MalformedError(f"the JSON has too many parts; the limit is {MAX_PARTS:,}")
    try:
        text = body.decode()
        data = json.loads(
            text, object_pairs_hook=_object, parse_constant=_no_number, parse_float=_float
        )
        if SURROGATE.search(body):
            json.dumps(data, ensure_ascii=False).encode()
    except MalformedError:
        raise
    except UnicodeError:
        raise MalformedError("the body is not valid UTF-8 text; encode it as UTF-8") from None
    except RecursionError:
        raise MalformedError("the JSON has too many nested levels; send fewer") from None
    except ValueError as error:
        reason = error.msg if isinstance(error, json.JSONDecodeError) else "a number is too long"
        raise MalformedError(f"the body is not valid JSON: {reason}") from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(pairs) > MAX_KEYS:
        raise MalformedError(f"a JSON object has {len(pairs):,} keys; the limit is {MAX_KEYS}")
    members = dict(pairs)
    if len(members) < len(pairs):
        raise MalformedError("a key occurs twice in a JSON object; send each key once")
    return members


def _no_number(word: str) -> NoReturn:
    raise MalformedError(f"{word} is not allowed in JSON; send numbers")


def _float(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise MalformedError(f"the number {digits:.20} is too large; send a smaller number")
    return number
