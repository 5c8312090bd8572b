"""The access token of a shared server, which is read-only for requests that lack the token.

A link contains the token, and a cookie saves it in the browser.
"""

import secrets
from urllib.parse import parse_qsl, urlencode

from starlette.requests import HTTPConnection
from starlette.responses import JSONResponse, RedirectResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from rollwise.web import cookies

COOKIE, QUERY = "rollwise-token", "token"

READ_ONLY = "You can only watch. To play, open the link that contains the token."
"""The response to a change without the token."""


def new_token() -> str:
    """Return a random token."""
    return secrets.token_urlsafe(16)


def may_change(request: HTTPConnection) -> bool:
    """Return whether a request may start, play, or delete games."""
    return bool(request.scope.get("may_change", True))


class TokenRequired:
    """ASGI middleware that refuses requests to change data if they lack the token."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self.app, self.token = app, token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Exchange a token in the URL for a cookie, refuse a change, or pass a request on."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        query = parse_qsl(scope["query_string"].decode(errors="replace"), keep_blank_values=True)
        if scope["type"] == "http" and self._is_token(dict(query).get(QUERY, "")):
            rest = urlencode([(key, value) for key, value in query if key != QUERY])
            path = f"/{scope['path'].lstrip('/')}"  # two slashes would lead to another site
            response = RedirectResponse(f"{path}?{rest}" if rest else path, 303)
            cookies.give(response.headers, HTTPConnection(scope), COOKIE, self.token)
            await response(scope, receive, send)
            return
        scope["may_change"] = self._has_token(HTTPConnection(scope))
        is_read = scope["type"] == "websocket" or scope["method"] in ("GET", "HEAD", "OPTIONS")
        if scope["may_change"] or is_read:
            await self.app(scope, receive, send)
        else:
            await JSONResponse({"detail": READ_ONLY}, 403)(scope, receive, send)

    def _has_token(self, request: HTTPConnection) -> bool:
        header = request.headers.get("authorization", "").removeprefix("Bearer ")
        return self._is_token(header) or self._is_token(request.cookies.get(COOKIE, ""))

    def _is_token(self, text: str) -> bool:
        return secrets.compare_digest(text.encode(), self.token.encode())
