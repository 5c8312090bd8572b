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
    rules: flags.Rules,
    objective: flags.Objective = "expected",
    output: Annotated[Path | None, flags.writes("the page, by default NAME.html,")] = None,
    everything: Annotated[
        Path | None,
        typer.Option(
            "--all", metavar="DIR", help="Write pages for all presets that fit, and an index."
        ),
    ] = None,
    quiet: flags.Quiet = False,
) -> None:
    """Write a game as one HTML page for offline play.

    [bold]Examples[/bold]

      rollwise pocket

      rollwise pocket --rules yatzy -o yatzy.html

      rollwise pocket --all site

    The page has a scorecard, dice, advice, and a tutor. Open it on a phone, send it to a friend, or
    put it on any web server. It needs no network. Values are rounded to 1/256 of a point.
    """
    if everything is not None:
        if output is not None:
            raise MalformedError("--all names its files itself. Leave out --output.")
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
        raise MalformedError(f"{folder} is a file. Give --all the name of a folder.")
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
                typer.echo(f"skipped: {error}", err=True)


def _solved(game: Rules, objective: str, quiet: bool) -> card_solution.CardSolution:
    """Solve a game, unless its solution is too large for an offline page."""
    wanted = page.fitting(game, objective_of(objective, game, quiet=quiet))
    with progress(f"solving {game.name}", quiet) as advance:
        return rollwise.solve(game, wanted, progress=advance)
