"""A token without which a shared server is read only: a link brings it, a cookie keeps it."""

import secrets
from urllib.parse import parse_qsl, urlencode

from starlette.requests import HTTPConnection
from starlette.responses import JSONResponse, RedirectResponse
from starlette.types import ASGIApp, Receive, Scope, Send

COOKIE, QUERY = "rollwise-token", "token"
YEAR = 365 * 24 * 3600

READ_ONLY = "Here one can only look on: expected the link with the token to change anything."
"""What is said to whoever comes without it."""


def new_token() -> str:
    """Return a token that nobody can guess."""
    return secrets.token_urlsafe(16)


def may_change(request: HTTPConnection) -> bool:
    """Return whether who asks may start, play and delete games."""
    return bool(request.scope.get("may_change", True))


class TokenAsked:
    """Lets requests that change anything through with the token alone.

    Parameters
    ----------
    token : str
    """

    def __init__(self, app: ASGIApp, token: str) -> None:
        self.app, self.token = app, token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Take a token for a cookie, refuse a change, or let a request pass."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        query = parse_qsl(scope["query_string"].decode(errors="replace"), keep_blank_values=True)
        if scope["type"] == "http" and self._is_token(dict(query).get(QUERY, "")):
            rest = urlencode([(key, value) for key, value in query if key != QUERY])
            answer = RedirectResponse(f"{scope['path']}?{rest}" if rest else scope["path"], 303)
            answer.set_cookie(COOKIE, self.token, YEAR, httponly=True, samesite="lax")
            await answer(scope, receive, send)
            return
        scope["may_change"] = self._brings_token(HTTPConnection(scope))
        reads = scope["type"] == "websocket" or scope["method"] in ("GET", "HEAD", "OPTIONS")
        if scope["may_change"] or reads or scope["path"].startswith("/_nicegui"):
            await self.app(scope, receive, send)
        else:
            await JSONResponse({"detail": READ_ONLY}, 403)(scope, receive, send)

    def _brings_token(self, request: HTTPConnection) -> bool:
        header = request.headers.get("authorization", "").removeprefix("Bearer ")
        return self._is_token(header) or self._is_token(request.cookies.get(COOKIE, ""))

    def _is_token(self, given: str) -> bool:
        return secrets.compare_digest(given.encode(), self.token.encode())
