"""The web server: pages and API in one application, by default for this machine only."""

import ctypes
import gc
import socket
import sys
import webbrowser
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import ExitStack, asynccontextmanager, contextmanager, suppress
from threading import Timer
from typing import Any

import uvicorn
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.middleware.gzip import GZipMiddleware

from rollwise import __version__
from rollwise.errors import InputError
from rollwise.history import DiskFullError, HistoryError, NoSuchGameError, NotOwnerError
from rollwise.toml_errors import in_words
from rollwise.web import computations, game_socket
from rollwise.web.access_control import LOCAL, MAX_BODY, AccessControl, is_shared
from rollwise.web.access_token import TokenRequired
from rollwise.web.api import make_router
from rollwise.web.computing import BusyError, FailedError
from rollwise.web.live_games import LiveGames
from rollwise.web.owners import SessionCookies
from rollwise.web.pages import advise, home, missing, play, quiz, review, strategies
from rollwise.web.pages import games as your_games
from rollwise.web.rendering import make_page_router
from rollwise.web.solved_games import SolvedGames

SWITCH = 0.001
"""The seconds after which a computing thread lets other threads run, such as the event loop."""

COLLECTION_THRESHOLDS = 2_000, 10, 20
"""The thresholds of the garbage collector. A full collection takes a tenth of a second and must be
rare."""

MMAP_THRESHOLD, LARGE = -3, 1 << 20
"""A ``mallopt`` option of glibc, and its value in bytes. Larger blocks of memory have their own
mapping and return to the system when they are freed."""

ARENA_MAX, ARENAS = -8, 2
"""A ``mallopt`` option of glibc, and its value: the number of heaps. By default each thread has its
own heap, and memory that one thread has freed is not used by the others."""


MAX_CONNECTIONS = 600
"""The maximum number of open connections; more get the response 503."""

PARTING = 2
"""The seconds that requests have to finish when the server ends."""


def _sentence(error: Mapping[str, Any]) -> str:
    """Return an error in a value of a request; a part of its place is the type of the rules."""
    _, *parts = (str(part)[:40] for part in error["loc"])
    place = ".".join(part for part in parts if "[" not in part) or "the body"
    return f"{place}: {in_words(error):.200}"


def make_api(
    games: SolvedGames,
    hosts: tuple[str, ...] = LOCAL,
    token: str | None = None,
    *,
    warm: bool = False,
) -> FastAPI:
    """Return the application with only the JSON API.

    Parameters
    ----------
    hosts : tuple of str
        The host names of the server. If other machines can use one of them, each browser has its
        own games.
    token : str, optional
        The access token required for every change.
    warm : bool
        Whether to compile the kernels for distributions when the server starts.
    """

    @asynccontextmanager
    async def life(_: FastAPI) -> AsyncIterator[None]:
        if warm:
            games.computing.minutes(computations.compile_kernels)
        yield
        games.computing.close()

    app = FastAPI(
        lifespan=life,
        title="rollwise",
        version=__version__,
        description="Exact advice for Yahtzee and similar dice games.",
        openapi_url="/api/openapi.json",
        docs_url=None,  # the documentation pages would load scripts from another server
        redoc_url=None,
    )
    app.include_router(make_router(games))

    @app.get("/healthz", include_in_schema=False)
    async def health() -> JSONResponse:
        """Report whether the event loop works and the history can be written."""
        try:
            await games.write(games.history.database.check_writable)
        except HistoryError as error:
            return JSONResponse({"detail": str(error)}, 503)
        return JSONResponse({"status": "ok"})

    @app.exception_handler(NoSuchGameError)
    def no_such_game(_: Request, error: NoSuchGameError) -> JSONResponse:
        return JSONResponse({"detail": str(error)}, 404)

    @app.exception_handler(NotOwnerError)
    def not_owner(_: Request, error: NotOwnerError) -> JSONResponse:
        return JSONResponse({"detail": str(error)}, 403)

    @app.exception_handler(DiskFullError)
    def disk_full(_: Request, error: DiskFullError) -> JSONResponse:
        return JSONResponse({"detail": str(error)}, 507)

    @app.exception_handler(InputError)
    def bad_input(_: Request, error: InputError) -> JSONResponse:
        return JSONResponse({"detail": str(error)}, 400)

    @app.exception_handler(BusyError)
    def busy(_: Request, error: BusyError) -> JSONResponse:
        return JSONResponse({"detail": str(error)}, 503, {"Retry-After": str(error.seconds)})

    @app.exception_handler(FailedError)
    def failed(_: Request, error: FailedError) -> JSONResponse:
        return JSONResponse({"detail": str(error)}, 503, {"Retry-After": "60"})

    @app.exception_handler(RequestValidationError)
    def malformed(_: Request, error: RequestValidationError) -> JSONResponse:
        return JSONResponse({"detail": _sentence(error.errors()[0])}, 422)

    app.add_middleware(GZipMiddleware, minimum_size=1000)
    if is_shared(hosts):
        app.add_middleware(SessionCookies)
    if token is not None:
        app.add_middleware(TokenRequired, token=token)
    app.add_middleware(AccessControl, hosts=hosts)
    return app


def make_app(games: SolvedGames, hosts: tuple[str, ...], token: str | None) -> FastAPI:
    """Return the application with the API and the pages; call this once per process."""
    app = make_api(games, hosts, token, warm=True)
    pages = make_page_router()
    for rendered in (home, quiz, advise, your_games, review, strategies):
        rendered.add(pages, games)
    live_games = LiveGames(games)
    play.add(pages, live_games)
    app.include_router(pages)
    app.include_router(game_socket.make_router(live_games))
    missing.add(app)
    return app


@contextmanager
def listening(host: str, port: int) -> Iterator[list[socket.socket]]:
    """Yield sockets that listen on all addresses of a host, with the same port.

    Parameters
    ----------
    port : int
        The port, or 0 for a free port.

    Raise InputError if the host is unknown, or the port is in use.
    """
    with ExitStack() as opened:
        sockets: list[socket.socket] = []
        try:
            found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
            for family, _, _, _, (name, number, *_) in dict.fromkeys(found):
                number = sockets[0].getsockname()[1] if sockets else number
                one = socket.create_server((str(name), int(number)), family=family)
                # Connections inherit this (on Linux and macOS). Without it, the body of an answer
                # waits for up to 40 ms until the client has acknowledged the headers.
                one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                sockets.append(opened.enter_context(one))
        except OSError as error:
            reason = str(error.strerror).partition(" (")[0].lower()  # without the address
            raise InputError(
                f"cannot listen on port {port} of {host}: {reason}. "
                "Choose another port with --port, or another address with --host."
            ) from error
        yield sockets


def serve(
    games: SolvedGames,
    sockets: list[socket.socket],
    hosts: tuple[str, ...],
    *,
    token: str | None = None,
    page: str | None = None,
) -> None:
    """Serve until interrupted.

    Parameters
    ----------
    sockets : list of socket.socket
        The sockets that listen for connections.
    hosts : tuple of str
        The host names of the server.
    token : str, optional
        The access token required for every change.
    page : str, optional
        The URL to open in a browser.
    """
    config = uvicorn.Config(
        make_app(games, hosts, token),
        loop="asyncio",
        http="h11",
        limit_concurrency=MAX_CONNECTIONS,
        ws="websockets-sansio",
        ws_max_size=MAX_BODY,
        ws_per_message_deflate=False,  # a short message could become a large one
        timeout_graceful_shutdown=PARTING,
        log_level="warning",
        server_header=False,
    )
    if page is not None:
        Timer(1.0, webbrowser.open, [page]).start()
    sys.setswitchinterval(SWITCH)
    # Raised if the C library is not glibc; on Windows, CDLL needs a name.
    with suppress(AttributeError, OSError, TypeError):
        # By default glibc raises the threshold, and then keeps the memory of evicted games.
        ctypes.CDLL(None).mallopt(MMAP_THRESHOLD, LARGE)
        ctypes.CDLL(None).mallopt(ARENA_MAX, ARENAS)
    gc.collect()
    gc.freeze()  # later collections skip the objects of libraries, which saves 0.15 s each
    gc.set_threshold(*COLLECTION_THRESHOLDS)
    uvicorn.Server(config).run(sockets)
