"""``rollwise history``: list, show, export, import, back up, check, and delete saved games."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
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
from rollwise.errors import InputError, MalformedError, counted, quoted
from rollwise.files import read_file, write_atomically
from rollwise.rules import Rules

with lazy_imports():
    from rollwise import history as saved_games
    from rollwise import strategies
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

      rollwise history list --database club.sqlite
    """
    with saved_games.History(database, create=False) as history:
        games = history.games() if page is None else history.games(PAGE, PAGE * (page - 1))
    if as_json:
        write_json([_as_dict(game) for game in games])
        return
    table, out = empty_table("game", "saved", "rules", "players", ""), console()
    for saved in games:
        if not saved.reason:
            scores = ", ".join(f"{name} {points}" for name, points in _scores(saved).items())
            note = "" if saved.game.is_over else "unfinished"
            when, rules = f"{saved.saved_at:%Y-%m-%d %H:%M}", saved.game.rules.name
            table.add_row(saved.id, when, rules, scores, note)
    out.print(table)
    for saved in games:
        if saved.reason:
            out.print(f"{saved.id} cannot be read: {saved.reason}")


def _as_dict(saved: saved_games.SavedGame) -> dict[str, object]:
    data = {"id": saved.id, "saved_at": saved.saved_at.isoformat() if saved.saved_at else None}
    if saved.reason:
        return {**data, "unreadable": saved.reason}
    game = saved.game
    return {**data, "rules": game.rules.name, "is_over": game.is_over, "scores": _scores(saved)}


def _scores(saved: saved_games.SavedGame) -> dict[str, int]:
    cards = zip(saved.game.players, saved.game.cards, strict=True)
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
        loaded = history.load(game).game
    typer.echo(loaded.as_json() if as_json else str(loaded), nl=False)


@app.command()
def export(
    output: Annotated[Path, typer.Argument(metavar="FILE.jsonl", help="The file to write.")],
    database: flags.Database = None,
    quiet: flags.Quiet = False,
) -> None:
    """Export all saved games as lines of JSON.

    [bold]Examples[/bold]

      rollwise history export mine.jsonl
    """
    check_folder(output)
    with saved_games.History(database, create=False) as history:
        lines = list(transfer.export(history))
    write_atomically(output, "".join(f"{line}\n" for line in lines).encode())
    if not quiet:
        games = sum('"game"' in line for line in lines)
        typer.echo(f"wrote {counted(games, 'game')} to {output}", err=True)


@app.command("import")
def import_games(
    file: Annotated[
        Path,
        typer.Argument(metavar="FILE.jsonl", help="A file that rollwise history export wrote."),
    ],
    database: flags.Database = None,
    quiet: flags.Quiet = False,
) -> None:
    """Import games from an exported file.

    [bold]Examples[/bold]

      rollwise history import mine.jsonl

    If a game is already saved here, the later version stays. To review the imported games, run
    rollwise history check.
    """
    try:
        text = read_file(file, transfer.MAX_BYTES).decode("utf-8-sig")
        rows = transfer.parse_export(text)  # an invalid export creates no history
    except UnicodeDecodeError:
        raise MalformedError(f"{file} is not UTF-8 text.") from None
    except InputError as error:
        raise MalformedError(f"{file}, {error}") from None
    with saved_games.History(database) as history:
        number = transfer.restore(history, rows)
    if not quiet:
        more = sum("game" in row for row in rows) - number
        here = f"; already saved: {counted(more, 'game')}" if more else ""
        typer.echo(f"imported {counted(number, 'game')}{here}", err=True)
        if number:
            typer.echo("To review them for your rating, run: rollwise history check", err=True)


@app.command()
def backup(
    output: Annotated[Path, typer.Argument(metavar="FILE.sqlite", help="The file to write.")],
    database: flags.Database = None,
    force: Annotated[bool, typer.Option("--force", help="Replace an existing file.")] = False,
    quiet: flags.Quiet = False,
) -> None:
    """Back up all saved games to a file.

    [bold]Examples[/bold]

      rollwise history backup monday.sqlite --force

      rollwise history list --database monday.sqlite

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
    """Check all saved games, and compute missing reviews.

    [bold]Examples[/bold]

      rollwise history check

    A damaged review is deleted and computed again. The exit code is 1 if anything is damaged.
    """
    games, problems, damaged = 0, list[str](), list[str]()
    unreadable, missing = (
        list[saved_games.SavedGame](),
        defaultdict[tuple[Rules, str], list[str]](list),
    )
    with saved_games.History(database, create=False) as history:
        try:
            problems += history.database.problems()
            damaged += history.delete_damaged_reviews()
            number, reviewed = history.count(), history.reviewed()
            with progress("reading all games", quiet) as advance:
                for games, saved in enumerate(history.each(), start=1):
                    if saved.reason:
                        unreadable.append(saved)
                    elif _is_reviewable(saved) and not reviewed.issuperset(_people(saved)):
                        missing[saved.game.rules, saved.game.headers.objective].append(saved.id)
                    advance(games / max(number, games))
        except saved_games.HistoryError as error:
            problems.append(str(error))
        refusals = _review(history, missing, quiet=quiet)
    newly_reviewed = [id for ids in missing.values() for id in ids if id not in refusals]
    if as_json:
        write_json(
            {
                "games": games,
                "unreadable": [_as_dict(saved) for saved in unreadable],
                "damaged_reviews": damaged,
                "reviewed": newly_reviewed,
                "not_reviewed": refusals,
                "problems": problems,
            }
        )
    else:
        out = console()
        for problem in problems:
            out.print(problem)
        for saved in unreadable:
            out.print(f"{saved.id} cannot be read: {saved.reason}")
        for id in damaged:
            fixed = "computed again" if id in newly_reviewed else "deleted"
            out.print(f"{id} had a damaged review, which was {fixed}")
        for id, reason in refusals.items():
            out.print(f"{id} cannot be reviewed: {reason}")
        if new := len(set(newly_reviewed) - set(damaged)):
            out.print(f"reviewed {counted(new, 'game')} that had no review")
        out.print(f"{games - len(unreadable)} of {counted(games, 'game')} can be read")
    if problems or unreadable or damaged:
        raise typer.Exit(1)


def _is_reviewable(saved: saved_games.SavedGame) -> bool:
    """Return whether a game is over and has all its turns."""
    return saved.game.is_over and saved.game.start is None


def _people(saved: saved_games.SavedGame) -> set[tuple[str, str]]:
    """Return the id of a game with the name of each player who is not a computer opponent."""
    headers = saved.game.headers
    return {(saved.id, name) for name in headers.players if name not in headers.bots}


def _review(
    history: saved_games.History, missing: Mapping[tuple[Rules, str], list[str]], *, quiet: bool
) -> dict[str, str]:
    """Save the reviews of games, which are grouped by rules and objective.

    Return the reason for each game that cannot be reviewed, by its id.
    """
    refusals = dict[str, str]()
    for (rules, objective), ids in missing.items():
        try:
            if not strategies.is_built_in(objective):
                raise InputError(f"the objective {quoted(objective)} is not built in")
            solution = solved(rules, objective_of(objective, rules, quiet=quiet), quiet=quiet)
            with progress(f"reviewing games of {rules.name}", quiet) as advance:
                for number, id in enumerate(ids, start=1):
                    saved = history.load(id)
                    game, bots = saved.game, saved.game.headers.bots
                    reviews = rollwise.review(game, solution)
                    people = [review for review in reviews if review.player not in bots]
                    history.keep_reviews(id, people, saved.saved_at)
                    advance(number / len(ids))
        except InputError as error:
            refusals |= dict.fromkeys(ids, str(error))
    return refusals


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
