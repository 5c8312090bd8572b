"""``rollwise web``: a local web server with pages and a JSON API."""

from __future__ import annotations

import os
import sys
from typing import Annotated

from annotated_types import Ge, Le
from cyclopts import Parameter

from rollwise.cli import flags
from rollwise.errors import check_extra
from rollwise.rules import load_rules

SHARED = (
    "Anyone who can reach these addresses can play here. Each browser sees its own games, and any "
    "game whose link it has. Use --token to admit only people with the printed link."
)
"""The warning that other machines can connect."""


def web(
    *,
    host: str = "127.0.0.1",
    port: Annotated[int, Ge(0), Le(65535)] = 8642,
    allow_host: Annotated[list[str] | None, Parameter(metavar="NAME")] = None,
    token: bool = False,
    browse: Annotated[bool, Parameter(name="--browser", negative="--no-browser")] = True,
    rules: Annotated[list[str] | None, Parameter(metavar="NAME|FILE.toml")] = None,
    database: flags.Database = None,
    quiet: flags.Quiet = False,
) -> None:
    """Play, get advice, and review games in the browser.

    The server runs on this machine and sends nothing elsewhere. Its JSON API is under /api, and
    /api/openapi.json describes it.

    Parameters
    ----------
    host
        The address to listen on.
    port
        The port to listen on; 0 for a free port.
    allow_host
        Also answer requests for this host name; repeatable.
    token
        Require a token, and print a link that contains it.
    browse
        Open the page in a browser.
    rules
        A game from rollwise rules list, or a rule file; repeatable.

    Examples
    --------
    rollwise web
    rollwise web --port 9000 --no-browser
    rollwise web --host 0.0.0.0 --database club.sqlite
    """
    check_extra("web", "rollwise web", "fastapi", "fsrs", "segno", "uvicorn", "websockets")
    # These modules need FastAPI.
    from rollwise.history import History
    from rollwise.questions.solving import solved
    from rollwise.web import access_control, server
    from rollwise.web.access_token import new_token
    from rollwise.web.solved_games import SolvedGames

    custom = [load_rules(path) for path in rules or []]
    try:
        with (
            server.listening(host, port) as sockets,  # a wrong address creates no history
            History(database) as history,
        ):
            port = sockets[0].getsockname()[1]
            games = SolvedGames(history, custom)
            if games.default in games.rules:  # large games are solved in advance
                default = games.rules[games.default]
                solved(default, moments=True)
            secret = new_token() if token else None
            names = access_control.names_of(host, allow_host or [])
            if not quiet or token:
                addresses = [name for name in names if name not in access_control.LOCAL]
                links = ", ".join(
                    access_control.address(name, port, secret) for name in addresses or [host]
                )
                print(f"rollwise is running at {links} (press Ctrl+C to stop)", file=sys.stderr)
            if access_control.is_shared(names) and not token:
                print(SHARED, file=sys.stderr)
            local = access_control.LOCAL[0] if host in access_control.EVERYWHERE else host
            page = access_control.address(local, port, secret) if browse else None
            server.serve(games, sockets, names, token=secret, page=page)
    except KeyboardInterrupt:
        os._exit(130)  # Python would wait for threads that compute, and they cannot be interrupted
