"""``rollwise web``: a local web server with pages and a JSON API."""

from __future__ import annotations

import importlib.util
from typing import Annotated

import typer

from rollwise.cli import flags
from rollwise.cli.common import solved
from rollwise.cli.lazy_imports import lazy_imports
from rollwise.errors import MissingExtraError
from rollwise.rules import load_rules

with lazy_imports():
    from rollwise import history as saved_games
    from rollwise.solving import objectives
    from rollwise.web import access_control, server
    from rollwise.web import access_token as tokens
    from rollwise.web import solved_games as solved_games


SHARED = (
    "Whoever reaches one of these addresses can play here: each browser lists and deletes its own "
    "games, and goes on with any whose link it has; with --token only those who have its link."
)
"""Warning that other machines can connect."""


def web(
    host: Annotated[
        str, typer.Option("--host", help="Where to listen: this machine alone unless told.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", min=1, max=65535, help="Port.")] = 8642,
    allow_host: Annotated[
        list[str] | None,
        typer.Option("--allow-host", metavar="NAME", help="Answer under this name; repeatable."),
    ] = None,
    token: Annotated[
        bool,
        typer.Option("--token", help="Print a link without whose token one can only look on."),
    ] = False,
    browse: Annotated[
        bool, typer.Option("--browser/--no-browser", help="Open the browser.")
    ] = True,
    rules: Annotated[
        list[str] | None,
        typer.Option(
            "--rules",
            metavar="NAME|FILE.toml",
            help="A name out of rollwise rules list, or a file: offered too; repeatable.",
        ),
    ] = None,
    database: flags.Database = None,
    quiet: flags.Quiet = False,
) -> None:
    """Play, ask for advice and review games in the browser; nothing leaves this machine.

    [bold]Examples[/bold]

      rollwise web

      rollwise web --port 9000 --no-browser

      rollwise web --host 0.0.0.0 --database postgresql://club@localhost/games

    The JSON API stands under /api; /api/openapi.json describes it.
    """
    if importlib.util.find_spec("nicegui") is None:
        raise MissingExtraError(
            'the browser needs nicegui: expected pip install "rollwise[web]" before'
        )
    custom = [load_rules(path) for path in rules or []]
    with saved_games.History(database) as history:
        solved(load_rules("yahtzee"), objectives.EXPECTED, moments=True, quiet=quiet)
        secret = tokens.new_token() if token else None
        names = access_control.names_of(host, allow_host or [])
        if not quiet or token:
            addresses = [name for name in names if name not in access_control.LOCAL]
            links = ", ".join(
                access_control.address(name, port, secret) for name in addresses or [host]
            )
            typer.echo(f"rollwise at {links} – stop with Ctrl+C", err=True)
        if access_control.is_shared(names) and not token:
            typer.echo(SHARED, err=True)
        server.serve(
            solved_games.SolvedGames(history, custom),
            host,
            port,
            names,
            token=secret,
            browse=browse,
        )
