"""``rollwise history``: list, show, export, import, back up, check, and delete saved games."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

import rollwise
from rollwise.cli import completion, flags
from rollwise.cli.common import (
    check_folder,
    console,
    empty_table,
    objective_of,
    solved,
    write_json,
)
from rollwise.cli.lazy_imports import lazy_imports
from rollwise.cli.progress import progress
from rollwise.errors import InputError, MalformedError, counted
from rollwise.files import read_file, write_atomically

with lazy_imports():
    from rollwise import history as saved_games
    from rollwise.history import check as history_check
    from rollwise.history import transfer


app = typer.Typer(
    help="List, show, export, back up, and delete saved games.",
    no_args_is_help=True,
)

PAGE = 50
"""The number of games on a page of the list."""


@app.command("list")
def list_games(
    page: Annotated[
        int | None,
        typer.Option(
            "--page",
            metavar="N",
            min=1,
            help=f"Show this page of {PAGE} games.",
            show_default="all games",
        ),
    ] = None,
    database: flags.Database = None,
    as_json: flags.Json = False,
    quiet: flags.Quiet = False,
) -> None:
    """List the saved games, latest first.

    [bold]Examples[/bold]

      rollwise history list

      rollwise history list --page 2

      rollwise history list --database postgresql://club@localhost/games
    """
    with saved_games.History(database, create=False) as history:
        games = history.games() if page is None else history.games(PAGE, PAGE * (page - 1))
    if as_json:
        write_json([_as_dict(game) for game in games])
        return
    table, out = empty_table("game", "saved", "rules", "players", ""), console()
    for game in games:
        if isinstance(game, saved_games.SavedGame):
            scores = ", ".join(f"{name} {points}" for name, points in _scores(game).items())
            note = "" if game.game.is_over else "unfinished"
            when, rules = f"{game.saved_at:%Y-%m-%d %H:%M}", game.game.rules.name
            table.add_row(game.id, when, rules, scores, note)
    out.print(table)
    for game in games:
        if not isinstance(game, saved_games.SavedGame):
            out.print(f"{game.id} cannot be read: {game.reason}")


def _as_dict(game: saved_games.SavedGame | saved_games.UnreadableGame) -> dict[str, object]:
    data = {"id": game.id, "saved_at": game.saved_at.isoformat() if game.saved_at else None}
    if isinstance(game, saved_games.UnreadableGame):
        return {**data, "unreadable": game.reason}
    return {
        **data,
        "rules": game.game.rules.name,
        "is_over": game.game.is_over,
        "scores": _scores(game),
    }


def _scores(game: saved_games.SavedGame) -> dict[str, int]:
    cards = zip(game.game.players, game.game.cards, strict=True)
    return {name: card.points for name, card in cards}


@app.command()
def show(
    game: Annotated[
        str,
        typer.Argument(
            metavar="ID",
            help="The id of the game; see rollwise history list.",
            autocompletion=completion.saved_games,
        ),
    ],
    database: flags.Database = None,
    as_json: flags.Json = False,
    quiet: flags.Quiet = False,
) -> None:
    """Print the record of a saved game.

    [bold]Examples[/bold]

      rollwise history show u2Kq8fJxPz0a | rollwise review -
    """
    with saved_games.History(database, create=False) as history:
        saved = history.load(game).game
    typer.echo(saved.as_json() if as_json else str(saved), nl=False)


@app.command()
def export(
    output: Annotated[Path, typer.Argument(metavar="FILE.json", help="The file to write.")],
    database: flags.Database = None,
    quiet: flags.Quiet = False,
) -> None:
    """Export all saved games to a JSON file.

    [bold]Examples[/bold]

      rollwise history export mine.json
    """
    check_folder(output)
    with saved_games.History(database, create=False) as history:
        data = history.export()
    write_atomically(output, json.dumps(data, indent=2, ensure_ascii=False).encode())
    if not quiet:
        typer.echo(f"wrote {counted(len(data['games']), 'game')} to {output}", err=True)


@app.command("import")
def import_games(
    file: Annotated[
        Path, typer.Argument(metavar="FILE.json", help="A file that rollwise history export wrote.")
    ],
    database: flags.Database = None,
    quiet: flags.Quiet = False,
) -> None:
    """Import games from an exported file.

    [bold]Examples[/bold]

      rollwise history import mine.json

    If a game is already saved here, the later version stays.
    """
    try:
        data = transfer.parse_json(read_file(file, transfer.MAX_BYTES))
    except (ValueError, RecursionError) as error:
        detail = f" ({error})" if isinstance(error, MalformedError) else ""
        raise MalformedError(
            f"{file} is not a history export{detail}. To create one, run: "
            "rollwise history export FILE.json"
        ) from None
    transfer.games_in(data)  # an invalid export creates no database
    with saved_games.History(database) as history:
        number = history.restore(data)
    if not quiet:
        more = len(data["games"]) - number
        here = f"; already saved: {counted(more, 'game')}" if more else ""
        typer.echo(f"imported {counted(number, 'game')}{here}", err=True)


@app.command()
def backup(
    output: Annotated[Path, typer.Argument(metavar="FILE.sqlite", help="The file to write.")],
    database: flags.Database = None,
    force: Annotated[bool, typer.Option("--force", help="Replace an existing file.")] = False,
    quiet: flags.Quiet = False,
) -> None:
    """Back up all saved games to an SQLite file.

    [bold]Examples[/bold]

      rollwise history backup monday.sqlite --force

      rollwise history list --database sqlite:///monday.sqlite

    The file is a complete history: any command can use it with --database.
    """
    check_folder(output)
    if output.exists() and not force:
        raise InputError(f"{output} already exists. Choose another name, or add --force.")
    with saved_games.History(database, create=False) as history:
        history.backup(output)
        number = history.count()
    if not quiet:
        typer.echo(f"copied {counted(number, 'game')} to {output}", err=True)


@app.command()
def check(
    database: flags.Database = None,
    as_json: flags.Json = False,
    quiet: flags.Quiet = False,
) -> None:
    """Check all saved games for damage.

    [bold]Examples[/bold]

      rollwise history check

    A game with a damaged review is reviewed again. The exit code is 1 if anything is damaged.
    """
    with saved_games.History(database, create=False) as history:
        with progress("reading all games", quiet) as advance:
            result = history_check.check(history, advance)
        reviewed = list[str]()
        for id in result.damaged_reviews:
            try:
                _review_again(history, id, quiet=quiet)
                reviewed.append(id)
            except InputError as error:
                result.problems.append(f"{id} cannot be reviewed again: {error}")
    if as_json:
        unreadable = [_as_dict(game) for game in result.unreadable]
        write_json(
            {
                "games": result.games,
                "unreadable": unreadable,
                "damaged_reviews": result.damaged_reviews,
                "problems": result.problems,
            }
        )
    else:
        out = console()
        for problem in result.problems:
            out.print(problem)
        for game in result.unreadable:
            out.print(f"{game.id} cannot be read: {game.reason}")
        for id in reviewed:
            out.print(f"{id} had a damaged review, which was computed again")
        sound = result.games - len(result.unreadable)
        out.print(f"{sound} of {counted(result.games, 'game')} can be read")
    if not result.sound:
        raise typer.Exit(1)


def _review_again(history: saved_games.History, id: str, *, quiet: bool) -> None:
    """Replace the reviews of a finished game; delete damaged reviews of an unfinished one."""
    game, people = history.load(id).game, list[rollwise.Review]()
    if game.is_over:
        objective = objective_of(game.headers.objective, game.rules, quiet=quiet)
        reviews = rollwise.review(game, solved(game.rules, objective, quiet=quiet))
        people = [review for review in reviews if review.player not in game.headers.bots]
    history.keep_reviews(id, people)


@app.command()
def delete(
    game: Annotated[
        str | None,
        typer.Argument(
            metavar="ID",
            help="The id of the game; see rollwise history list.",
            autocompletion=completion.saved_games,
        ),
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="Delete all games.")] = False,
    database: flags.Database = None,
    quiet: flags.Quiet = False,
) -> None:
    """Delete a saved game, or all games.

    [bold]Examples[/bold]

      rollwise history delete u2Kq8fJxPz0a

      rollwise history delete --all
    """
    if everything == (game is not None):
        raise InputError(
            "Choose one game or all games: add an ID from `rollwise history list`, or --all."
        )
    with saved_games.History(database, create=False) as history:
        if game is not None:
            history.delete(game)
        number = history.delete_all() if everything else 1
    if not quiet:
        typer.echo(f"deleted {counted(number, 'game')}", err=True)
