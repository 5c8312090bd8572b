"""The server: pages and API in one application, on this machine alone unless told otherwise."""

import ctypes
import gc
import logging
import sys
import webbrowser
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from threading import Timer
from typing import Any

import uvicorn
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from nicegui import app as nicegui
from nicegui import background_tasks, ui

from rollwise import __version__
from rollwise.errors import InputError
from rollwise.history import NoSuchGameError, NotOwnerError
from rollwise.web.access import (
    EVERYWHERE,
    LOCAL,
    AccessControl,
    LimitedProtocol,
    address,
    is_shared,
)
from rollwise.web.api import make_router
from rollwise.web.job_queue import BusyError, WorkerError
from rollwise.web.live import LiveGames
from rollwise.web.owners import OwnersTold
from rollwise.web.pages import (
    advise,
    compare,
    home,
    missing,
    play,
    practice,
    proficiency,
    puzzle,
    review,
    statistics,
    targets,
)
from rollwise.web.requests import MAX_BODY, WholeRequests
from rollwise.web.solved import SolvedGames
from rollwise.web.token import TokenAsked

log = logging.getLogger("rollwise")

SWITCH = 0.001
"""Seconds after which a thread that computes lets the others go on, the loop among them."""


AWAY = 10.0
"""Seconds for which a page is kept for a window that has lost its connection: so long it may be
gone, and come back to what was typed and unfolded. Longer, and it is loaded again."""

COLLECTED = 2_000, 10, 20
"""When objects are looked through for those to forget: new ones, and how often older ones.

A page has 2,500 of them, and all that is alive takes a tenth of a second: that comes seldom.
"""

MMAP_THRESHOLD, LARGE = -3, 1 << 20
"""glibc's name for the size from which memory is asked for, and given back, by itself."""


def _told(mistake: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is told of a mistake: not what was given, which may be long."""
    loc = [part[:40] if isinstance(part, str) else part for part in mistake["loc"]]
    return {"loc": loc, "msg": mistake["msg"][:200], "type": mistake["type"]}


def make_api(
    games: SolvedGames, hosts: tuple[str, ...] = LOCAL, token: str | None = None
) -> FastAPI:
    """Return the application with the JSON API alone.

    Parameters
    ----------
    hosts : tuple of str
        Names under which it answers; a page of another site that lets its name point here gets
        nothing. Where others than this machine have a name for it, each browser has its own games.
    token : str, optional
        Without which nothing can be changed.
    """

    @asynccontextmanager
    async def life(_: FastAPI) -> AsyncIterator[None]:
        yield
        await games.close()

    app = FastAPI(
        lifespan=life,
        title="rollwise",
        version=__version__,
        description="Roll-and-keep dice games, solved exactly.",
        openapi_url="/api/openapi.json",
        docs_url=None,  # its pages would be fetched from elsewhere
        redoc_url=None,
    )
    app.include_router(make_router(games))

    @app.get("/healthz", include_in_schema=False)
    async def health() -> JSONResponse:
        """Say that the loop turns and that the history answers."""
        await games.read(games.history.count)
        return JSONResponse({"status": "ok"})

    @app.exception_handler(NoSuchGameError)
    def no_such_game(_: Request, error: NoSuchGameError) -> JSONResponse:
        return JSONResponse({"detail": str(error)}, 404)

    @app.exception_handler(NotOwnerError)
    def not_owner(_: Request, error: NotOwnerError) -> JSONResponse:
        return JSONResponse({"detail": str(error)}, 403)

    @app.exception_handler(InputError)
    def bad_input(_: Request, error: InputError) -> JSONResponse:
        return JSONResponse({"detail": str(error)}, 400)

    @app.exception_handler(BusyError)
    def busy(_: Request, error: BusyError) -> JSONResponse:
        return JSONResponse({"detail": str(error)}, 503, {"Retry-After": str(error.seconds)})

    @app.exception_handler(WorkerError)
    def failed(_: Request, error: WorkerError) -> JSONResponse:
        log.error("%s", error)
        return JSONResponse({"detail": "this cannot be computed now"}, 503, {"Retry-After": "60"})

    @app.exception_handler(RequestValidationError)
    def malformed(_: Request, error: RequestValidationError) -> JSONResponse:
        return JSONResponse({"detail": list(map(_told, error.errors()[:3]))}, 422)

    app.add_middleware(WholeRequests)
    if is_shared(hosts):
        app.add_middleware(OwnersTold)
    if token is not None:
        app.add_middleware(TokenAsked, token=token)
    app.add_middleware(AccessControl, hosts=hosts)
    return app


def make_app(games: SolvedGames, hosts: tuple[str, ...], token: str | None) -> FastAPI:
    """Return the application with API and pages; once in a process."""
    app = make_api(games, hosts, token)
    play.add(LiveGames(games))
    for page in (home, advise, review, statistics, compare, targets, proficiency, practice, puzzle):
        page.add(games)
    missing.add()
    nicegui.on_startup(lambda: background_tasks.create(games.warm()))
    ui.run_with(
        app,
        title="rollwise",
        favicon="🎲",
        dark=None,
        language="en-US",
        reconnect_timeout=AWAY,
        show_welcome_message=False,
    )
    return app


def serve(
    games: SolvedGames,
    host: str,
    port: int,
    hosts: tuple[str, ...],
    *,
    token: str | None = None,
    browse: bool,
) -> None:
    """Serve until interrupted.

    Parameters
    ----------
    hosts : tuple of str
        Names under which it answers.
    token : str, optional
        Without which nothing can be changed.
    browse : bool
        Whether to open the browser.

    Raises
    ------
    OSError
        When the port is taken.
    """
    config = uvicorn.Config(
        make_app(games, hosts, token),
        host=host,
        port=port,
        loop="asyncio",  # it starts processes without a copy of the server's memory
        http=LimitedProtocol,
        ws="wsproto",
        ws_max_size=MAX_BODY,
        log_level="warning",
        server_header=False,
    )
    if browse:
        Timer(
            1.0, webbrowser.open, [address(LOCAL[0] if host in EVERYWHERE else host, port, token)]
        ).start()
    sys.setswitchinterval(SWITCH)
    with suppress(AttributeError, OSError):  # another library of C
        # Solved games come and go: glibc would raise the size by itself, and keep what they had.
        ctypes.CDLL(None).mallopt(MMAP_THRESHOLD, LARGE)
    gc.collect()
    gc.freeze()  # the libraries stay: to look through them took the loop 0.15 s each time
    gc.set_threshold(*COLLECTED)
    uvicorn.Server(config).run()
