"""Cookies, with the same protection for all: no script reads them, and no cache keeps them."""

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import Response

YEAR = 365 * 24 * 3600


def give(
    headers: MutableHeaders, request: HTTPConnection, name: str, value: str, path: str = "/"
) -> None:
    """Add a cookie to the headers of a response; an empty value deletes the cookie.

    A browser returns the cookie only for addresses below ``path``, and over HTTPS only if it got
    the cookie over HTTPS.
    """
    cookie = Response()
    cookie.set_cookie(
        name,
        value,
        max_age=YEAR if value else 0,
        path=path,
        secure=request.url.scheme in ("https", "wss"),
        httponly=True,
        samesite="lax",
    )
    headers.append("Set-Cookie", cookie.headers["Set-Cookie"])
    headers.setdefault("Cache-Control", "no-store")
