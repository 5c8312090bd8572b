"""Requests that come whole, soon and in good form, or are refused; who has gone gets no work.

JSON as its standard has it, and small: measured before anything is made of it.
"""

import asyncio
import json
import math
import re
from collections import deque
from typing import Any, NoReturn

from nicegui import Client as Page
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rollwise.errors import MalformedError

MAX_BODY, MAX_BODIES = 1_000_000, 64_000_000
"""Bytes of a body, and of all that are on their way."""

SECONDS = 20.0
"""Within which a body has to be there."""

TURNS, TURN = 1, 0.05
"""So many requests are begun at a time, each for so many seconds, and then goes on beside them.

A click in a game, which comes by a socket, waits for these at most. Where no window is open nobody
clicks, and all begin at once.
"""

BEAT, PATIENCE = 0.005, 0.1
"""Where several wait, a turn begins once the loop is less than a beat late, or after patience."""

PLACES = 300
"""So many requests may wait for their turn."""


class WholeRequests:
    """Lets requests through once their body is there, some at a time.

    One that is too large, late, or no JSON for the API, is answered here. A request to the API
    whose client has gone is given up.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self._bytes = self._waiting = 0
        self._turns = asyncio.Semaphore(TURNS)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse a request, or let it pass."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        messages = deque[Message]()
        refused = await self._read(scope, receive, messages)
        if refused is None and self._waiting >= PLACES:
            refused = _busy("too many requests are in line: expected later", 1)
        if refused:
            await refused(scope, receive, send)
        elif scope["path"].startswith("/_nicegui"):
            await self.app(scope, _after(messages, receive), send)
        elif scope["path"].startswith("/api/"):
            await self._until_gone(scope, messages, receive, send)
        else:
            await self._in_turn(scope, messages, receive, send)

    async def _read(
        self, scope: Scope, receive: Receive, messages: deque[Message]
    ) -> JSONResponse | None:
        """Read a body; return the answer if it is refused."""
        told = dict(scope["headers"]).get(b"content-length", b"0")
        if not told.isdigit() or int(told[:20]) > MAX_BODY:
            return _too_large()
        size = 0
        try:
            async with asyncio.timeout(SECONDS):
                while True:
                    message = await receive()
                    messages.append(message)
                    part = len(message.get("body", b""))
                    size += part
                    self._bytes += part
                    if size > MAX_BODY:
                        return _too_large()
                    if self._bytes > MAX_BODIES:
                        return _busy("too many bodies are on their way: expected later", 5)
                    if message["type"] != "http.request" or not message.get("more_body", False):
                        return None
        except TimeoutError:
            return _last({"detail": f"expected the whole body within {SECONDS:g} s"}, 408)
        finally:
            self._bytes -= size

    async def _until_gone(
        self, scope: Scope, messages: deque[Message], receive: Receive, send: Send
    ) -> None:
        """Let a request to the API pass in its turn; give it up when its client has gone."""
        gone = asyncio.ensure_future(receive())  # after the body nothing else can come

        async def after() -> Message:
            return await asyncio.shield(gone)

        answer = asyncio.ensure_future(self._in_turn(scope, messages, after, send))
        try:
            await asyncio.wait((answer, gone), return_when=asyncio.FIRST_COMPLETED)
            if answer.done():
                answer.result()
        finally:
            for task in (answer, gone):
                task.cancel()
            await asyncio.gather(answer, gone, return_exceptions=True)

    async def _in_turn(
        self, scope: Scope, messages: deque[Message], after: Receive, send: Send
    ) -> None:
        """Let a request pass when it is its turn."""
        turn = await self._turn()
        try:
            refused = _no_json(scope, messages)
            await (refused or self.app)(scope, _after(messages, after), send)
        finally:
            if turn is not None and turn.when() > asyncio.get_running_loop().time():
                turn.cancel()
                self._turns.release()

    async def _turn(self) -> asyncio.TimerHandle | None:
        """Wait for a turn; return what ends it after its time. None where all begin at once."""
        if not is_window_open():
            return None
        loop = asyncio.get_running_loop()
        self._waiting += 1
        try:
            await self._turns.acquire()
        finally:
            self._waiting -= 1
        try:
            if self._waiting:
                await _keeps_time(loop)
        except asyncio.CancelledError:
            self._turns.release()
            raise
        return loop.call_later(TURN, self._turns.release)


def is_window_open() -> bool:
    """Return whether any page is open in a browser."""
    return any(page.has_socket_connection for page in Page.instances.values())


async def _keeps_time(loop: asyncio.AbstractEventLoop) -> None:
    """Wait until the loop comes to a thing when it is due: clicks in games go first."""
    end = loop.time() + PATIENCE
    late = BEAT
    while late >= BEAT and loop.time() < end:
        due = loop.time() + BEAT
        await asyncio.sleep(BEAT)
        late = loop.time() - due


def _no_json(scope: Scope, messages: deque[Message]) -> JSONResponse | None:
    """Return the answer to a body that the API cannot read."""
    body = b"".join(message.get("body", b"") for message in messages)
    if body and scope["path"].startswith("/api/"):
        try:
            check_json(body)
        except MalformedError as error:
            return JSONResponse({"detail": str(error)}, 400)
    return None


def _after(messages: deque[Message], receive: Receive) -> Receive:
    """Return what receives the messages that were read already, then further ones."""

    async def again() -> Message:
        return messages.popleft() if messages else await receive()

    return again


def _too_large() -> JSONResponse:
    return _last({"detail": f"expected a body of at most {MAX_BODY:,} bytes"}, 413)


def _busy(sentence: str, seconds: int) -> JSONResponse:
    return _last({"detail": sentence}, 503, {"Retry-After": str(seconds)})


def _last(content: object, status: int, headers: dict[str, str] | None = None) -> JSONResponse:
    """Return the last answer on a connection: what else comes on it is not read."""
    return JSONResponse(content, status, {"Connection": "close", **(headers or {})})


MAX_SIGNS = 20_000
"""Commas, colons and brackets, those in texts among them: a text of a game has some thousands."""

MAX_KEYS = 64
"""Of one object."""

HALF_CHARACTER = re.compile(rb"\\u[dD][89a-fA-F]")


def check_json(body: bytes) -> None:
    """Check that a body is JSON that can be read at once.

    Raises
    ------
    MalformedError
        When it is no JSON, of which NaN, Infinity, numbers that no float holds, halves of
        characters and keys that are there twice are no part; or when it holds too much.
    """
    if sum(map(body.count, (b",", b":", b"[", b"{"))) > MAX_SIGNS:
        raise MalformedError(f"expected JSON of at most {MAX_SIGNS:,} parts")
    try:
        text = body.decode()
        data = json.loads(
            text, object_pairs_hook=_object, parse_constant=_no_number, parse_float=_float
        )
        if HALF_CHARACTER.search(body):
            json.dumps(data, ensure_ascii=False).encode()
    except MalformedError:
        raise
    except UnicodeError:
        raise MalformedError("expected text of whole characters, in UTF-8") from None
    except RecursionError:
        raise MalformedError("expected JSON of fewer levels") from None
    except ValueError as error:
        reason = error.msg if isinstance(error, json.JSONDecodeError) else "a number too long"
        raise MalformedError(f"expected JSON: {reason}") from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(pairs) > MAX_KEYS:
        raise MalformedError(f"expected objects of at most {MAX_KEYS} keys, got {len(pairs):,}")
    found = dict(pairs)
    if len(found) < len(pairs):
        raise MalformedError("expected every key of an object once")
    return found


def _no_number(word: str) -> NoReturn:
    raise MalformedError(f"expected numbers, got {word}")


def _float(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise MalformedError(f"expected numbers that a float holds, got {digits:.20}")
    return number
