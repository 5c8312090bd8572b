"""``rollwise web``: a local web server with pages and a JSON API."""

from __future__ import annotations

import importlib.util
from typing import Annotated

import typer

from rollwise.cli import flags
from rollwise.cli.common import solved
from rollwise.cli.lazy_imports import lazy_imports
from rollwise.errors import missing_extra
from rollwise.rules import load_rules

with lazy_imports():
    from rollwise import history as saved_games
    from rollwise.solving import objectives
    from rollwise.web import access_control, server
    from rollwise.web import access_token as tokens
    from rollwise.web import solved_games as solved_games


SHARED = (
    "Anyone who can reach these addresses can play here. Each browser sees its own games, and any "
    "game whose link it has. Use --token to admit only people with the printed link."
)
"""The warning that other machines can connect."""


def web(
    host: Annotated[str, typer.Option("--host", help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[
        int,
        typer.Option("--port", min=0, max=65535, help="The port to listen on; 0 for a free port."),
    ] = 8642,
    allow_host: Annotated[
        list[str] | None,
        typer.Option(
            "--allow-host",
            metavar="NAME",
            help="Also answer requests for this host name; repeatable.",
        ),
    ] = None,
    token: Annotated[
        bool,
        typer.Option("--token", help="Require a token, and print a link that contains it."),
    ] = False,
    browse: Annotated[
        bool, typer.Option("--browser/--no-browser", help="Open the page in a browser.")
    ] = True,
    rules: Annotated[
        list[str] | None,
        typer.Option(
            "--rules",
            metavar="NAME|FILE.toml",
            help="A game from rollwise rules list, or a rule file; repeatable.",
        ),
    ] = None,
    database: flags.Database = None,
    quiet: flags.Quiet = False,
) -> None:
    """Play, get advice, and review games in the browser.

    [bold]Examples[/bold]

      rollwise web

      rollwise web --port 9000 --no-browser

      rollwise web --host 0.0.0.0 --database club.sqlite

    The server runs on this machine and sends nothing elsewhere. Its JSON API is under /api, and
    /api/openapi.json describes it.
    """
    if importlib.util.find_spec("fastapi") is None:
        raise missing_extra("rollwise web", "fastapi", "web")
    custom = [load_rules(path) for path in rules or []]
    with (
        saved_games.History(database) as history,
        server.listening(host, port) as sockets,
    ):
        port = sockets[0].getsockname()[1]
        games = solved_games.SolvedGames(history, custom)
        if games.default in games.rules:  # large games are solved in advance
            default = games.rules[games.default]
            solved(default, objectives.EXPECTED, moments=True, quiet=quiet)
        secret = tokens.new_token() if token else None
        names = access_control.names_of(host, allow_host or [])
        if not quiet or token:
            addresses = [name for name in names if name not in access_control.LOCAL]
            links = ", ".join(
                access_control.address(name, port, secret) for name in addresses or [host]
            )
            typer.echo(f"rollwise is running at {links} (press Ctrl+C to stop)", err=True)
        if access_control.is_shared(names) and not token:
            typer.echo(SHARED, err=True)
        local = access_control.LOCAL[0] if host in access_control.EVERYWHERE else host
        page = access_control.address(local, port, secret) if browse else None
        server.serve(games, sockets, names, token=secret, page=page)
