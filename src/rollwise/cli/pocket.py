"""``rollwise pocket``: a solved game as one HTML file that works offline."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

import rollwise
from rollwise.cli import flags
from rollwise.cli.common import check_folder, objective_of, print_written
from rollwise.cli.lazy_imports import lazy_imports
from rollwise.cli.progress import progress
from rollwise.errors import MalformedError, TooLargeError
from rollwise.files import write_atomically
from rollwise.rules import Rules, load_rules, preset_names

with lazy_imports():
    from rollwise.offline_page import page
    from rollwise.solving import card_solution


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
    if everything is not None:
        if output is not None:
            raise MalformedError("--output: expected it without --all, which names its files")
        _write_all(everything, objective, quiet)
        return
    game = load_rules(rules)
    path = output or Path(f"{game.name}.html")
    check_folder(path)
    write_atomically(path, page.offline_html(_solved(game, objective, quiet)).encode())
    print_written([path], quiet)


def _write_all(folder: Path, objective: str, quiet: bool) -> None:
    """Write an index and an offline page for every preset that fits; report the other presets."""
    if folder.exists() and not folder.is_dir():
        raise MalformedError(f"{folder}: expected a folder, got a file")
    folder.mkdir(parents=True, exist_ok=True)
    entries = []
    for solution in _all_that_fit(objective, quiet):
        path = folder / f"{solution.rules.name}.html"
        write_atomically(path, page.offline_html(solution).encode())
        print_written([path], quiet)
        entries.append(page.entry_of(solution, path.name))
    path = folder / "index.html"
    write_atomically(path, page.index_html(entries).encode())
    print_written([path], quiet)


def _all_that_fit(objective: str, quiet: bool) -> Iterator[card_solution.CardSolution]:
    for name in preset_names():
        try:
            yield _solved(load_rules(name), objective, quiet)
        except (TooLargeError, page.UnsupportedGameError) as error:
            if not quiet:
                typer.echo(f"left out {error}", err=True)


def _solved(game: Rules, objective: str, quiet: bool) -> card_solution.CardSolution:
    """Solve a game, unless its solution is too large for an offline page."""
    wanted = page.fitting(game, objective_of(objective, game, quiet=quiet))
    with progress(f"solving {game.name}", quiet) as advance:
        return rollwise.solve(game, wanted, progress=advance)
