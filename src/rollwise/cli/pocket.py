"""``rollwise pocket``: a solved game as one file that needs no network."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rollwise.cli import flags
from rollwise.cli.common import check_folder, objective_of, tell_written
from rollwise.cli.progress import progress

if TYPE_CHECKING:
    from rollwise.rules import Rules
    from rollwise.solving.card_solution import CardSolution


def pocket(
    rules: flags.Rules = "yahtzee",
    objective: flags.Objective = "expected",
    output: Annotated[Path | None, flags.writes("the page, NAME.html unless told,")] = None,
    everything: Annotated[
        Path | None,
        typer.Option("--all", metavar="DIR", help="Write every preset that fits, and an index."),
    ] = None,
    quiet: flags.Quiet = False,
) -> None:
    """Write a solved game as one HTML file, for a phone without a network.

    [bold]Examples[/bold]

      rollwise pocket

      rollwise pocket --rules yatzy -o yatzy.html

      rollwise pocket --all site

    The file holds card, dice, advice and tutor, and the value of every card: open it from a phone's
    files, send it to a friend, or put it on any web server. It fetches nothing and sends nothing.
    Its values are those of advise, rounded to a 256th of a point.
    """
    from rollwise.errors import MalformedError
    from rollwise.files import write_atomically
    from rollwise.offline_page.page import pocket_html
    from rollwise.rules import load_rules

    if everything is not None:
        if output is not None:
            raise MalformedError("--output: expected it without --all, which names its files")
        _write_all(everything, objective, quiet)
        return
    game = load_rules(rules)
    path = output or Path(f"{game.name}.html")
    check_folder(path)
    write_atomically(path, pocket_html(_solved(game, objective, quiet)).encode())
    tell_written([path], quiet)


def _write_all(folder: Path, objective: str, quiet: bool) -> None:
    """Write every preset that fits and an index of them; say of the others why they do not."""
    from rollwise.errors import MalformedError
    from rollwise.files import write_atomically
    from rollwise.offline_page.page import entry_of, index_html, pocket_html

    if folder.exists() and not folder.is_dir():
        raise MalformedError(f"{folder}: expected a folder, got a file")
    folder.mkdir(parents=True, exist_ok=True)
    entries = []
    for solution in _all_that_fit(objective, quiet):
        path = folder / f"{solution.rules.name}.html"
        write_atomically(path, pocket_html(solution).encode())
        tell_written([path], quiet)
        entries.append(entry_of(solution, path.name))
    path = folder / "index.html"
    write_atomically(path, index_html(entries).encode())
    tell_written([path], quiet)


def _all_that_fit(objective: str, quiet: bool) -> "Iterator[CardSolution]":
    from rollwise.errors import TooLargeError
    from rollwise.offline_page.data import UnfitError
    from rollwise.rules import load_rules, preset_names

    for name in preset_names():
        try:
            yield _solved(load_rules(name), objective, quiet)
        except (TooLargeError, UnfitError) as error:
            if not quiet:
                typer.echo(f"left out {error}", err=True)


def _solved(game: "Rules", objective: str, quiet: bool) -> "CardSolution":
    """Return the solution of a game that fits into a file."""
    from rollwise.offline_page.data import fitting
    from rollwise.solving.solver import solve

    wanted = fitting(game, objective_of(objective, game, quiet=quiet))
    with progress(f"solving {game.name}", quiet) as advance:
        return solve(game, wanted, progress=advance)
