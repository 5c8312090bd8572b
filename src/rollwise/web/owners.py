"""Whose games they are: on a shared server each browser has a cookie, and games of its own."""

import re
from hashlib import blake2b
from typing import Annotated

from fastapi import Depends
from nicegui import ui
from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rollwise.history import SavedGame
from rollwise.web.token import YEAR, may_change, new_token

COOKIE = "rollwise-owner"

_OURS = re.compile(r"[\w-]{22}", re.ASCII)


def owner_of(request: HTTPConnection) -> str | None:
    """Return who asks; None where all who can ask sit at this machine."""
    owner: str | None = request.scope.get("owner")
    return owner


def owner_of_page() -> str | None:
    """Return who asks on the page at hand: whose cookie its socket has, once it is connected.

    Of two first pages at once each comes with a cookie, and a browser keeps but one of them.
    """
    client = ui.context.client
    scope = (client.environ or {}).get("asgi.scope")
    return owner_of(HTTPConnection(scope) if scope else client.request)


Owner = Annotated[str | None, Depends(owner_of)]


def may_delete(request: HTTPConnection, game: SavedGame) -> bool:
    """Return whether who asks may delete a game."""
    return may_change(request) and owner_of(request) in (None, game.owner)


class OwnersTold:
    """Tells whose request one is; a browser that comes first gets a cookie, known to it alone."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request pass, and renew the cookie with what is not a part of a page."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        cookie = HTTPConnection(scope).cookies.get(COOKIE, "")
        if not _OURS.fullmatch(cookie):
            cookie = new_token()
        # A digest is kept: who reads the history, or an export, can pass for nobody.
        scope["owner"] = blake2b(cookie.encode(), digest_size=16).hexdigest()

        async def told(message: Message) -> None:
            if message["type"] == "http.response.start":
                told = f"{COOKIE}={cookie}; HttpOnly; Max-Age={YEAR}; Path=/; SameSite=lax"
                MutableHeaders(scope=message).append("Set-Cookie", told)
            await send(message)

        is_part = scope["path"].startswith("/_nicegui")
        await self.app(scope, receive, send if is_part else told)
