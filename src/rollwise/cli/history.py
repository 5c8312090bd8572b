"""``rollwise history``: list, show, export, import, back up, check, and delete saved games.

Its command ``rating`` rates a player over all saved games.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

from annotated_types import Ge
from cyclopts import Parameter

from rollwise.cli import flags
from rollwise.cli.commands import group
from rollwise.cli.show import console, write_json
from rollwise.errors import InputError, MalformedError, counted, quoted
from rollwise.files import check_folder, read_file, write_atomically
from rollwise.history import (
    DecisionGroup,
    History,
    HistoryError,
    Rating,
    SavedGame,
    check_name,
    missing_reviews,
    rate_player,
    transfer,
)
from rollwise.questions import completion
from rollwise.questions.answer import table
from rollwise.questions.parameters import Game
from rollwise.questions.progress import note, working
from rollwise.rules import Rules, as_rules
from rollwise.settings import default_rules

Id = Annotated[str, Parameter(completer=completion.saved_games)]

PAGE = 50
"""The number of games on a page of the list."""


def list_games(
    *,
    page: Annotated[int | None, Ge(1), Parameter(metavar="N", show_default="all games")] = None,
    database: flags.Database = None,
    as_json: flags.Json = False,
) -> None:
    """List the saved games, latest first.

    Parameters
    ----------
    page
        Show this page of 50 games.

    Examples
    --------
    rollwise history list
    rollwise history list --page 2
    rollwise history list --database club.sqlite
    """
    with History(database, create=False) as history:
        games = history.games() if page is None else history.games(PAGE, PAGE * (page - 1))
    if as_json:
        write_json([_as_dict(game) for game in games])
        return
    rows, out = table("game", "saved", "rules", "players", ""), console()
    for saved in games:
        if not saved.reason:
            scores = ", ".join(f"{name} {points}" for name, points in _scores(saved).items())
            state = "" if saved.game.is_over else "unfinished"
            when, rules = f"{saved.saved_at:%Y-%m-%d %H:%M}", saved.game.rules.name
            rows.add_row(saved.id, when, rules, scores, state)
    out.print(rows)
    for saved in games:
        if saved.reason:
            out.print(f"{saved.id} cannot be read: {saved.reason}")


def _as_dict(saved: SavedGame) -> dict[str, object]:
    data = {"id": saved.id, "saved_at": saved.saved_at.isoformat() if saved.saved_at else None}
    if saved.reason:
        return {**data, "unreadable": saved.reason}
    game = saved.game
    return {**data, "rules": game.rules.name, "is_over": game.is_over, "scores": _scores(saved)}


def _scores(saved: SavedGame) -> dict[str, int]:
    cards = zip(saved.game.players, saved.game.cards, strict=True)
    return {name: card.points for name, card in cards}


def show(id: Id, *, database: flags.Database = None, as_json: flags.Json = False) -> None:
    """Print the record of a saved game.

    Parameters
    ----------
    id
        The id of the game; see rollwise history list.

    Examples
    --------
    rollwise history show u2Kq8fJxPz0a | rollwise review -
    """
    with History(database, create=False) as history:
        loaded = history.load(id).game
    print(loaded.as_json() if as_json else str(loaded), end="")


def rating(
    *,
    name: flags.Name = None,
    rules: Game = None,
    database: flags.Database = None,
    as_json: flags.Json = False,
) -> None:
    """Rate how well you play over your saved games.

    The luck-adjusted score is your expected score with average luck. A few games are enough to
    estimate it; ± is its SE.

    Examples
    --------
    rollwise history rating
    rollwise history rating --name Ada --rules yatzy --json
    """
    game = as_rules(default_rules().source if rules is None else rules)
    with History(database, create=False) as history:
        check_name(history, game.name, name)
        result = rate_player(history, game.name, name)
        missing = missing_reviews(history, game.name)
    if missing:
        note(missing)
    if as_json:
        write_json(result.as_dict() if result else None)
    elif result is None and not missing:
        console().print(
            "There is no finished game with these rules. To play one, run: rollwise play"
        )
    elif result is not None:
        _print_rating(result)


def _print_rating(result: Rating) -> None:
    out = console()
    counts = (counted(result.games, "game"), counted(result.decisions, "decision"))
    out.print(", ".join(counts), style="bold")
    out.print(f"luck-adjusted score  {result.luck_adjusted}")
    out.print(f"score                {result.score}")
    out.print(f"optimal play         {result.best_play:.2f}")
    out.print(f"EV loss per decision {result.mean_loss:.3f}")
    out.print(", ".join(f"{word} {number}" for word, number in result.tally.items()))
    for title, groups in (("turn", result.by_turn), ("category", result.by_category)):
        out.print()
        _print_groups(title, groups)


def _print_groups(title: str, groups: list[DecisionGroup]) -> None:
    rows = table(title, ">decisions", ">mean EV loss", ">% of all")
    for of_group in groups:
        rows.add_row(*of_group.words())
    console().print(rows)


def export(file: Path, *, database: flags.Database = None) -> None:
    """Export all saved games as lines of JSON.

    Parameters
    ----------
    file
        The file to write.

    Examples
    --------
    rollwise history export mine.jsonl
    """
    check_folder(file)
    with History(database, create=False) as history:
        lines = list(transfer.export(history))
    write_atomically(file, "".join(f"{line}\n" for line in lines).encode())
    games = sum('"game"' in line for line in lines)
    note(f"wrote {counted(games, 'game')} to {file}")


def import_games(file: Path, *, database: flags.Database = None) -> None:
    """Import games from an exported file.

    If a game is already saved here, the later version stays. To review the imported games, run
    rollwise history check.

    Parameters
    ----------
    file
        A file that rollwise history export wrote.

    Examples
    --------
    rollwise history import mine.jsonl
    """
    try:
        text = read_file(file, transfer.MAX_BYTES).decode("utf-8-sig")
        rows = transfer.parse_export(text)  # an invalid export creates no history
    except UnicodeDecodeError:
        raise MalformedError(f"{file} is not UTF-8 text.") from None
    except InputError as error:
        raise MalformedError(f"{file}, {error}") from None
    with History(database) as history:
        number = transfer.restore(history, rows)
    more = sum("game" in row for row in rows) - number
    here = f"; already saved: {counted(more, 'game')}" if more else ""
    note(f"imported {counted(number, 'game')}{here}")
    if number:
        note("To review them for your rating, run: rollwise history check")


def backup(file: Path, *, database: flags.Database = None, force: bool = False) -> None:
    """Back up all saved games to a file.

    The file is a complete history: any command can use it with --database.

    Parameters
    ----------
    file
        The file to write.
    force
        Replace an existing file.

    Examples
    --------
    rollwise history backup monday.sqlite --force
    rollwise history list --database monday.sqlite
    """
    check_folder(file)
    if file.exists() and not force:
        raise InputError(f"{file} already exists. Choose another name, or add --force.")
    with History(database, create=False) as history:
        history.backup(file)
        number = history.count()
    note(f"copied {counted(number, 'game')} to {file}")


def check(*, database: flags.Database = None, as_json: flags.Json = False) -> None:
    """Check all saved games, and compute missing reviews.

    A damaged review is deleted and computed again. The exit code is 1 if anything is damaged.

    Examples
    --------
    rollwise history check
    """
    games, problems, damaged = 0, list[str](), list[str]()
    unreadable, missing = (
        list[SavedGame](),
        defaultdict[tuple[Rules, str], list[str]](list),
    )
    with History(database, create=False) as history:
        try:
            problems += history.database.problems()
            damaged += history.delete_damaged_reviews()
            number, reviewed = history.count(), history.reviewed()
            with working("reading all games") as advance:
                for games, saved in enumerate(history.each(), start=1):
                    if saved.reason:
                        unreadable.append(saved)
                    elif _is_reviewable(saved) and not reviewed.issuperset(_people(saved)):
                        missing[saved.game.rules, saved.game.headers.objective].append(saved.id)
                    advance(games / max(number, games))
        except HistoryError as error:
            problems.append(str(error))
        refusals = _review(history, missing)
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
        raise SystemExit(1)


def _is_reviewable(saved: SavedGame) -> bool:
    """Return whether a game is over and has all its turns."""
    return saved.game.is_over and saved.game.start is None


def _people(saved: SavedGame) -> set[tuple[str, str]]:
    """Return the id of a game with the name of each player who is not a computer opponent."""
    headers = saved.game.headers
    return {(saved.id, name) for name in headers.players if name not in headers.bots}


def _review(history: History, missing: Mapping[tuple[Rules, str], list[str]]) -> dict[str, str]:
    """Save the reviews of games, which are grouped by rules and objective.

    Return the reason for each game that cannot be reviewed, by its id.
    """
    # Only this command needs the compiler.
    from rollwise.questions.solving import objective_of, solved
    from rollwise.reviews.review import review
    from rollwise.strategies import is_built_in

    refusals = dict[str, str]()
    for (rules, objective), ids in missing.items():
        try:
            if not is_built_in(objective):
                raise InputError(f"the objective {quoted(objective)} is not built in")
            solution = solved(rules, objective_of(objective, rules))
            with working(f"reviewing games of {rules.name}") as advance:
                for number, id in enumerate(ids, start=1):
                    saved = history.load(id)
                    game, bots = saved.game, saved.game.headers.bots
                    reviews = review(game, solution)
                    people = [one for one in reviews if one.player not in bots]
                    history.keep_reviews(id, people, saved.saved_at)
                    advance(number / len(ids))
        except InputError as error:
            refusals |= dict.fromkeys(ids, str(error))
    return refusals


def delete(
    id: Annotated[str | None, Parameter(completer=completion.saved_games)] = None,
    *,
    everything: Annotated[bool, Parameter(name="--all")] = False,
    database: flags.Database = None,
) -> None:
    """Delete a saved game, or all games.

    Parameters
    ----------
    id
        The id of the game; see rollwise history list.
    everything
        Delete all games.

    Examples
    --------
    rollwise history delete u2Kq8fJxPz0a
    rollwise history delete --all
    """
    if everything == (id is not None):
        raise InputError(
            "Choose one game or all games: add an ID from `rollwise history list`, or --all."
        )
    with History(database, create=False) as history:
        if id is not None:
            history.delete(id)
        number = history.delete_all() if everything else 1
    note(f"deleted {counted(number, 'game')}")


app = group(
    "history",
    "List, export, and back up saved games; rate your play.",
    {
        "list": list_games,
        "show": show,
        "rating": rating,
        "export": export,
        "import": import_games,
        "backup": backup,
        "check": check,
        "delete": delete,
    },
)
