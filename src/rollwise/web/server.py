"""The server: pages and API in one application, on this machine alone unless told otherwise."""

import webbrowser
from threading import Timer

import uvicorn
from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse
from nicegui import ui
from starlette.middleware.trustedhost import TrustedHostMiddleware

from rollwise import __version__
from rollwise.errors import InputError
from rollwise.history import NoSuchGameError
from rollwise.web.api import make_router
from rollwise.web.limits import LimitBody
from rollwise.web.live import LiveGames
from rollwise.web.pages import (
    advise,
    compare,
    home,
    play,
    practice,
    proficiency,
    review,
    statistics,
    targets,
)
from rollwise.web.solved import SolvedGames

LOCAL = ("127.0.0.1", "localhost", "[::1]", "::1")


def make_api(games: SolvedGames, hosts: tuple[str, ...] = LOCAL) -> FastAPI:
    """Return the application with the JSON API alone.

    Parameters
    ----------
    hosts : tuple of str
        Names under which it answers; a page of another site that lets its name point here gets
        nothing.
    """
    app = FastAPI(
        title="rollwise",
        version=__version__,
        description="Roll-and-keep dice games, solved exactly.",
        openapi_url="/api/openapi.json",
        docs_url=None,  # its pages would be fetched from elsewhere
        redoc_url=None,
    )
    app.include_router(make_router(games))

    @app.exception_handler(NoSuchGameError)
    def no_such_game(_: Request, error: NoSuchGameError) -> JSONResponse:
        return JSONResponse({"detail": str(error)}, 404)

    @app.exception_handler(InputError)
    def bad_input(_: Request, error: InputError) -> JSONResponse:
        return JSONResponse({"detail": str(error)}, 400)

    app.add_middleware(LimitBody)
    app.add_middleware(TrustedHostMiddleware, allowed_hosts=list(hosts))
    return app


def make_app(games: SolvedGames, hosts: tuple[str, ...] = LOCAL) -> FastAPI:
    """Return the application with API and pages; once in a process."""
    app = make_api(games, hosts)
    play.add(LiveGames(games))
    for page in (home, advise, review, statistics, compare, targets, proficiency, practice):
        page.add(games)
    ui.run_with(
        app, title="rollwise", favicon="🎲", dark=None, language="en-US", show_welcome_message=False
    )
    return app


def serve(games: SolvedGames, host: str, port: int, *, browse: bool) -> None:
    """Serve until interrupted.

    Parameters
    ----------
    browse : bool
        Whether to open the browser.

    Raises
    ------
    OSError
        When the port is taken.
    """
    everywhere = host in ("0.0.0.0", "::")
    hosts = ("*",) if everywhere else (*LOCAL, host)
    config = uvicorn.Config(
        make_app(games, hosts), host=host, port=port, log_level="warning", ws="wsproto"
    )
    if browse:
        address = f"http://{'127.0.0.1' if everywhere else host}:{port}/"
        Timer(1.0, webbrowser.open, [address]).start()
    uvicorn.Server(config).run()
