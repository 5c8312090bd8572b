"""Owners of games: on a shared server, a session cookie gives each browser its own games."""

import re
from hashlib import blake2b
from typing import Annotated

from fastapi import Depends
from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rollwise.history import SavedGame
from rollwise.web import cookies
from rollwise.web.access_token import may_change, new_token

COOKIE = "rollwise-owner"

_TOKEN = re.compile(r"[\w-]{22}", re.ASCII)


def owner_of(request: HTTPConnection) -> str | None:
    """Return the owner who makes a request; None on a server for this machine only."""
    owner: str | None = request.scope.get("owner")
    return owner


Owner = Annotated[str | None, Depends(owner_of)]


def may_delete(request: HTTPConnection, game: SavedGame) -> bool:
    """Return whether a request may delete a game."""
    return may_change(request) and owner_of(request) in (None, game.owner)


class SessionCookies:
    """ASGI middleware that reads the owner of a request from a session cookie.

    A new browser gets a new cookie.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and renew the cookie unless the request is for part of a page."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        request = HTTPConnection(scope)
        cookie = request.cookies.get(COOKIE, "")
        if not _TOKEN.fullmatch(cookie):
            cookie = new_token()
        # The history stores a digest, so that its readers cannot impersonate an owner.
        scope["owner"] = blake2b(cookie.encode(), digest_size=16).hexdigest()

        async def send_with_cookie(message: Message) -> None:
            if message["type"] == "http.response.start":
                cookies.give(MutableHeaders(scope=message), request, COOKIE, cookie)
            await send(message)

        is_part = scope["path"].startswith("/static/")
        await self.app(scope, receive, send if is_part else send_with_cookie)
