"""``rollwise history``: list, show, export, import, check, and delete saved games.

Its command ``rating`` rates a player over all saved games.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Set
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any, ClassVar

from annotated_types import Ge
from cyclopts import Parameter

from rollwise.cli import flags
from rollwise.cli.show import show, write_json
from rollwise.errors import InputError, MalformedError, counted, quoted
from rollwise.files import check_output, read_input, write_atomically
from rollwise.game.game import Game as GameRecord
from rollwise.history import (
    History,
    HistoryError,
    Rating,
    SavedGame,
    check_name,
    check_turns,
    missing_reviews,
    rate_player,
    transfer,
)
from rollwise.questions import completion
from rollwise.questions.answer import Answer, Block, Data, table, title
from rollwise.questions.parameters import Game, GameOfRecord
from rollwise.questions.progress import note, working
from rollwise.rules import Rules, as_rules, game_of

Id = Annotated[str, Parameter(completer=completion.saved_games)]

PAGE = 50
"""The number of games on a page of the list."""


class Saved(Data):
    """A saved game."""

    id: str
    saved_at: str
    rules: str
    is_over: bool
    scores: dict[str, int]


class Unreadable(Data):
    """A saved game that cannot be read, and the reason."""

    id: str
    saved_at: str | None
    unreadable: str

    def __str__(self) -> str:
        return f"{self.id} cannot be read: {self.unreadable}"


def _data(saved: SavedGame) -> Saved | Unreadable:
    saved_at = saved.saved_at.isoformat() if saved.saved_at else None
    if saved_at is None or saved.reason:
        return Unreadable(id=saved.id, saved_at=saved_at, unreadable=saved.reason)
    game = saved.game
    points = (card.points for card in game.cards)
    return Saved(
        id=saved.id,
        saved_at=saved_at,
        rules=game.rules.name,
        is_over=game.is_over,
        scores=dict(zip(game.players, points, strict=True)),
    )


class SavedGames(Answer):
    """The saved games, latest first."""

    json_type: ClassVar[Any] = list[Saved | Unreadable]

    games: list[Saved | Unreadable]

    def data(self) -> list[dict[str, Any]]:
        """Return the data of each game."""
        return [game.model_dump(mode="json") for game in self.games]

    def show(self) -> Iterator[Block]:
        """Yield a row for each game, then the games that cannot be read."""
        rows = table("game", "saved", "rules", "players", "")
        for game in self.games:
            if isinstance(game, Saved):
                scores = ", ".join(f"{name} {points}" for name, points in game.scores.items())
                when = f"{datetime.fromisoformat(game.saved_at):%Y-%m-%d %H:%M}"
                rows.add_row(
                    game.id, when, game.rules, scores, "" if game.is_over else "unfinished"
                )
        yield rows
        yield from (str(game) for game in self.games if isinstance(game, Unreadable))


def list_games(
    *,
    page: Annotated[int | None, Ge(1), Parameter(metavar="N", show_default="all games")] = None,
    database: flags.Database = None,
) -> SavedGames:
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
    return SavedGames(games=list(map(_data, games)))


def show_game(id: Id, *, database: flags.Database = None, as_json: flags.Json = False) -> None:
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
    estimate this score; ± is its SE.

    Examples
    --------
    rollwise history rating
    rollwise history rating --name Ada --rules yatzy --json
    """
    game = game_of(rules)
    with History(database, create=False) as history:
        check_name(history, game.name, name)
        result = rate_player(history, game.name, name)
        missing = missing_reviews(history, game.name)
    if missing:
        note(missing)
    if as_json:
        write_json(result.as_dict() if result else None)
    elif result is not None:
        show(_blocks(result))
    elif not missing:
        show(["There is no finished game with these rules. To play one, run: rollwise play"])


def _blocks(result: Rating) -> Iterator[Block]:
    """Yield the means, then the EV losses by turn and by category."""
    yield title(f"{counted(result.games, 'game')}, {counted(result.decisions, 'decision')}")
    yield f"luck-adjusted score  {result.luck_adjusted}"
    yield f"score                {result.score}"
    yield f"optimal play         {result.best_play:.2f}"
    yield f"EV loss per decision {result.mean_loss:.3f}"
    yield ", ".join(f"{word} {number}" for word, number in result.tally.items())
    for heading, groups in (("turn", result.by_turn), ("category", result.by_category)):
        rows = table(heading, ">decisions", ">mean EV loss", ">% of all")
        for decisions in groups:
            rows.add_row(*decisions.words())
        yield from ("", rows)


def export(file: Path, *, database: flags.Database = None, force: bool = False) -> None:
    """Export all saved games as lines of JSON.

    Use the file as a backup, or to move your games to another machine. The file contains no
    reviews: rollwise history check computes them again.

    Parameters
    ----------
    file
        The file to write.
    force
        Replace an existing file.

    Examples
    --------
    rollwise history export monday.jsonl
    """
    check_output(file, force=force)
    with History(database, create=False) as history:
        lines = list(transfer.export(history))
    write_atomically(file, "".join(f"{line}\n" for line in lines).encode())
    games = sum('"game"' in line for line in lines)
    note(f"wrote {counted(games, 'game')} to {file}")


def import_games(
    files: Annotated[list[Path], Parameter(metavar="FILE...", allow_leading_hyphen=True)],
    *,
    rules: GameOfRecord = None,
    database: flags.Database = None,
) -> None:
    """Import game records, or games from an exported file.

    If a game is already saved, rollwise keeps the later version. To review the imported games, run
    rollwise history check.

    Parameters
    ----------
    files
        Game records as text or JSON, or exports; - for standard input.

    Examples
    --------
    rollwise history import game.txt
    rollwise history import mine.jsonl
    """
    own = None if rules is None else as_rules(rules)
    rows, records = list[dict[str, Any]](), list[GameRecord]()
    for file in files:  # a mistake in any of the files creates no history
        try:
            text = read_input(file, transfer.MAX_BYTES).decode("utf-8-sig")
            if transfer.is_export(text):
                rows += transfer.parse_export(text)
            else:
                records.append(GameRecord.parse(text, own))
                check_turns(records[-1])
        except UnicodeDecodeError:
            raise MalformedError(f"{file} is not UTF-8 text.") from None
        except InputError as error:
            raise MalformedError(f"{file}, {error}") from None
    option = flags.repeated(database)
    with History(database) as history:
        number = transfer.restore(history, rows)
        added = [saved.game for saved, is_new in map(history.add, records) if is_new]
    more = sum("game" in row for row in rows) + len(records) - number - len(added)
    here = f"; already saved: {counted(more, 'game')}" if more else ""
    note(f"imported {counted(number + len(added), 'game')}{here}")
    if number or any(game.is_over for game in added):
        note("To review them for your rating, run: rollwise history check" + option)
    if not all(game.is_over for game in added):
        note("To resume the last unfinished game, run: rollwise play --resume" + option)


class Checked(Answer):
    """The problems of a history, and the games that were reviewed."""

    games: int
    unreadable: list[Unreadable]
    damaged_reviews: list[str]
    reviewed: list[str]
    not_reviewed: dict[str, str]
    problems: list[str]

    @property
    def failed(self) -> bool:
        """Whether anything is damaged."""
        return bool(self.problems or self.unreadable or self.damaged_reviews)

    def show(self) -> Iterator[Block]:
        """Yield the problems, and the number of games that can be read."""
        yield from self.problems
        yield from map(str, self.unreadable)
        for id in self.damaged_reviews:
            fixed = "computed again" if id in self.reviewed else "deleted"
            yield f"{id} had a damaged review, which was {fixed}"
        for id, reason in self.not_reviewed.items():
            yield f"{id} cannot be reviewed: {reason}"
        if new := len(set(self.reviewed) - set(self.damaged_reviews)):
            yield f"reviewed {counted(new, 'game')} that had no review"
        yield f"{self.games - len(self.unreadable)} of {counted(self.games, 'game')} can be read"


def check(*, database: flags.Database = None) -> Checked:
    """Check all saved games, and compute missing reviews.

    A damaged review is deleted and computed again. The exit code is 1 if anything is damaged.

    Examples
    --------
    rollwise history check
    """
    games, problems, damaged = 0, list[str](), list[str]()
    unreadable = list[Unreadable]()
    missing = defaultdict[tuple[Rules, str], list[str]](list)
    with History(database, create=False) as history:
        try:
            problems += history.database.problems()
            damaged += history.delete_damaged_reviews()
            number, reviewed = history.count(), history.reviewed()
            with working("reading all games") as advance:
                for games, saved in enumerate(history.each(), start=1):
                    if isinstance(entry := _data(saved), Unreadable):
                        unreadable.append(entry)
                    elif _needs_review(saved, reviewed):
                        missing[saved.game.rules, saved.game.headers.objective].append(saved.id)
                    advance(games / max(number, games))
        except HistoryError as error:
            problems.append(str(error))
        refusals = _review(history, missing)
    return Checked(
        games=games,
        unreadable=unreadable,
        damaged_reviews=damaged,
        reviewed=[id for ids in missing.values() for id in ids if id not in refusals],
        not_reviewed=refusals,
        problems=problems,
    )


def _needs_review(saved: SavedGame, reviewed: Set[tuple[str, str]]) -> bool:
    """Return whether a complete game has a person without a review, by the id and the name."""
    game, headers = saved.game, saved.game.headers
    people = {(saved.id, name) for name in headers.players if name not in headers.bots}
    return game.is_over and game.start is None and not people <= reviewed


def _review(history: History, missing: Mapping[tuple[Rules, str], list[str]]) -> dict[str, str]:
    """Save the reviews of games, which are grouped by rules and objective.

    Return the reason for each game that cannot be reviewed, by its id.
    """
    # Only this command needs these, which are slow to import.
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


COMMANDS = {
    "list": list_games,
    "show": show_game,
    "rating": rating,
    "export": export,
    "import": import_games,
    "check": check,
    "delete": delete,
}
