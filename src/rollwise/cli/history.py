"""``rollwise history`` and ``proficiency``: the games that were played here."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rollwise.cli import flags
from rollwise.cli.common import check_folder, console, counted, empty_table, write_json

if TYPE_CHECKING:
    from rollwise.history import Group, History, Proficiency
    from rollwise.history.schema import PlayedRow
    from rollwise.rules import Rules

app = typer.Typer(help="Games that were played: list, show, export, delete.", no_args_is_help=True)


@app.command("list")
def list_games(
    database: flags.Database = None,
    as_json: flags.Json = False,
) -> None:
    """List the games that are kept, the latest first.

    [bold]Examples[/bold]

      rollwise history list

      rollwise history list --database postgresql://club@localhost/games
    """
    from rollwise.history import History

    with History(database, create=False) as history:
        games = history.games()
    if as_json:
        write_json(
            [
                {
                    "id": game.id,
                    "saved_at": game.saved_at.isoformat(),
                    "rules": game.record.rules.name,
                    "is_over": game.record.is_over,
                    "scores": {
                        name: card.points
                        for name, card in zip(game.record.players, game.record.cards, strict=True)
                    },
                }
                for game in games
            ]
        )
        return
    table = empty_table("game", "saved", "rules", "players", "", wrap=False)
    for game in games:
        scores = ", ".join(
            f"{name} {card.points}"
            for name, card in zip(game.record.players, game.record.cards, strict=True)
        )
        table.add_row(
            game.id,
            f"{game.saved_at:%Y-%m-%d %H:%M}",
            game.record.rules.name,
            scores,
            "" if game.record.is_over else "unfinished",
        )
    console().print(table)


@app.command()
def show(
    game: Annotated[str, typer.Argument(metavar="ID", help="The game, as in the list.")],
    database: flags.Database = None,
    as_json: flags.Json = False,
) -> None:
    """Print the record of a game, which rollwise review reads.

    [bold]Examples[/bold]

      rollwise history show u2Kq8fJxPz0a | rollwise review -
    """
    from rollwise.game.records.as_json import format_record_json
    from rollwise.game.records.record import format_record
    from rollwise.history import History

    with History(database, create=False) as history:
        record = history.load(game).record
    typer.echo((format_record_json if as_json else format_record)(record), nl=False)


@app.command()
def export(
    output: Annotated[Path, typer.Argument(metavar="FILE.json", help="Where to write.")],
    database: flags.Database = None,
    quiet: flags.Quiet = False,
) -> None:
    """Write everything that is kept to a JSON file.

    [bold]Examples[/bold]

      rollwise history export mine.json
    """
    import json

    from rollwise.files import write_atomically
    from rollwise.history import History

    check_folder(output)
    with History(database, create=False) as history:
        data = history.export()
    write_atomically(output, json.dumps(data, indent=2, ensure_ascii=False).encode())
    if not quiet:
        typer.echo(f"wrote {counted(len(data['games']), 'game')} to {output}", err=True)


@app.command()
def delete(
    game: Annotated[
        str | None, typer.Argument(metavar="ID", help="The game, as in the list.")
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="Delete all games.")] = False,
    database: flags.Database = None,
    quiet: flags.Quiet = False,
) -> None:
    """Delete a game with all that was kept of it, or all games.

    [bold]Examples[/bold]

      rollwise history delete u2Kq8fJxPz0a

      rollwise history delete --all
    """
    from rollwise.errors import InputError
    from rollwise.history import History

    if everything == (game is not None):
        raise InputError("expected the id of a game, or --all")
    with History(database, create=False) as history:
        if game is not None:
            history.delete(game)
        number = history.delete_all() if everything else 1
    if not quiet:
        typer.echo(f"deleted {counted(number, 'game')}", err=True)


def played_by(history: "History", rules: "Rules", name: str | None) -> "list[PlayedRow]":
    """Return how a person, or everybody, played the finished games of these rules.

    Raises
    ------
    InputError
        When nobody of that name has played one: a misspelt name is no perfect player.
    """
    from rollwise.errors import InputError, one_of, quoted

    played = history.played(rules.name, name)
    if name is not None and not played:
        known = sorted({row.name for row in history.played(rules.name)})
        expected = one_of(known, name, "a name") if known else "one by rollwise play"
        raise InputError(f"no game of {quoted(name)} in {rules.name}: expected {expected}")
    return played


def proficiency(
    name: flags.Name = None,
    rules: flags.Rules = "yahtzee",
    database: flags.Database = None,
    as_json: flags.Json = False,
) -> None:
    """Say how well you play, over all games that were played here.

    [bold]Examples[/bold]

      rollwise proficiency

      rollwise proficiency --name Ada --rules yatzy --json

    The luck-adjusted score is what you would score with ordinary luck: value at the start less
    loss. A few games tell it well; ± is its standard error.
    """
    from rollwise.history import History
    from rollwise.history import proficiency as of
    from rollwise.rules import load_rules

    game = load_rules(rules)
    with History(database, create=False) as history:
        found = of(played_by(history, game, name))
    if as_json:
        write_json(found.as_dict() if found else None)
    elif found is None:
        console().print("No finished game of these rules yet: rollwise play")
    else:
        _print_proficiency(found)


def _print_proficiency(found: "Proficiency") -> None:
    out = console()
    counts = (counted(found.games, "game"), counted(found.decisions, "decision"))
    out.print(", ".join(counts), style="bold")
    out.print(f"luck-adjusted score  {found.luck_adjusted}")
    out.print(f"score                {found.score}")
    out.print(f"best play            {found.best_play:.2f}")
    out.print(f"mean loss a decision {found.mean_loss:.3f}")
    out.print(", ".join(f"{word} {number}" for word, number in found.tally.items()))
    for title, groups in (("turn", found.by_turn), ("box scored", found.by_category)):
        out.print()
        _print_groups(title, groups)


def _print_groups(title: str, groups: "list[Group]") -> None:
    table = empty_table(title, ">decisions", ">mean loss", ">% of all loss")
    for group in groups:
        table.add_row(*group.words())
    console().print(table)
