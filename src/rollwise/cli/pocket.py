"""``rollwise pocket``: a solved game as one HTML file that works offline."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from rollwise.errors import MalformedError, TooLargeError
from rollwise.files import check_folder, write_atomically
from rollwise.offline_page import page, site
from rollwise.questions.parameters import Game, Objective, output
from rollwise.questions.progress import note, note_written, working
from rollwise.questions.solving import objective_of, solver_of
from rollwise.rules import Rules, game_of, load_rules, preset_names
from rollwise.rules.families import by_family
from rollwise.settings import default_rules
from rollwise.solving.card_solution import CardSolution


def pocket(
    *,
    rules: Game = None,
    objective: Objective = "expected",
    output: Annotated[Path | None, output("the page, by default NAME.html,")] = None,
    everything: Annotated[Path | None, Parameter(name="--all", metavar="DIR")] = None,
) -> None:
    """Write a game as one HTML page for offline play.

    The page has a scorecard, dice, advice, and a tutor. Open it on a phone, send it to a friend, or
    put it on any web server. It needs no network. Values are rounded to 1/256 of a point. A phone
    can add the front page of a site to its home screen.

    Parameters
    ----------
    everything
        Write a site of all presets that fit.

    Examples
    --------
    rollwise pocket
    rollwise pocket --rules yatzy -o yatzy.html
    rollwise pocket --all site
    """
    if everything is not None:
        if output is not None:
            raise MalformedError("--all names its files itself. Leave out --output.")
        _write_all(everything, objective)
        return
    game = game_of(rules)
    path = output or Path(f"{game.name}.html")
    check_folder(path)
    _write(path, page.offline_html(_solved(game, objective)))


def _write_all(folder: Path, objective: str) -> None:
    """Write the site of all presets that fit; report the other presets."""
    if folder.exists() and not folder.is_dir():
        raise MalformedError(f"{folder} is a file. Give --all the name of a folder.")
    folder.mkdir(parents=True, exist_ok=True)
    games: dict[str, Rules] = {}
    for name in preset_names():
        try:
            solution = _solved(load_rules(name), objective)
        except (TooLargeError, page.UnsupportedGameError) as error:
            note(f"skipped: {error}")
            continue
        games[name] = solution.rules
        _write(folder / site.file_of(name), page.offline_html(solution, site.HOME))
    default = default_rules().source
    first = default if default in games else next(iter(by_family(games).values()))[0]
    has_docs = (folder / "docs" / "index.html").exists()
    files = site.site_files([*games.values()], _solved(games[first], objective), has_docs=has_docs)
    for name, content in files.items():
        _write(folder / name, content)


def _write(path: Path, content: str | bytes) -> None:
    write_atomically(path, content.encode() if isinstance(content, str) else content)
    note_written(path)


def _solved(game: Rules, objective: str) -> CardSolution:
    """Solve a game, unless its solution is too large for an offline page."""
    goal, solver = page.fitting(game, objective_of(objective, game)), solver_of(game)
    with working(f"solving {game.name}") as solver.progress:
        return solver.solve_by_card(goal)
