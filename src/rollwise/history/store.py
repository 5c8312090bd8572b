"""Saved games: save, load, list, and delete them, and save their reviews."""

from __future__ import annotations

import copy
import logging
import secrets
import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from rollwise.errors import InputError, MalformedError, quoted, visible
from rollwise.game.actions import Score
from rollwise.game.game import Game
from rollwise.game.records.as_json import parse_data
from rollwise.history.database import (
    Database,
    GoneOnError,
    HistoryError,
    NoSuchGameError,
    NotOwnerError,
)
from rollwise.history.reviews import SavedReview, checksum, compact, is_sound

if TYPE_CHECKING:
    from rollwise.reviews.review import Review  # imports NumPy

log = logging.getLogger("rollwise")

YEARS = range(1970, 9999)
"""The years in which a game can be saved; conversions between time zones need a margin."""


@dataclass(frozen=True)
class SavedGame:
    """A game that was read from the history, or the reason why it cannot be read.

    The ``id`` is random, because everyone who knows it can open the game. ``saved_at`` is the time
    of the last save in the time zone of this machine, or None if it is damaged. Without an owner,
    the game belongs to the person who uses this machine.
    """

    id: str
    _game: Game | None
    saved_at: datetime | None
    owner: str | None = None
    reason: str = ""

    @property
    def game(self) -> Game:
        """The game; a HistoryError if it cannot be read, for example because it is damaged."""
        if self._game is None:
            raise HistoryError(f"cannot read the saved game {self.id}: {self.reason}")
        return self._game


class History:
    """The saved games in a file.

    Every method is a transaction of its own, and its changes are on disk when it returns. All
    methods raise a HistoryError if the file cannot be used, for example because the disk is full.
    Without a ``path``, the file is ``$ROLLWISE_DATABASE`` or the default file. If ``create`` is
    False, nothing is created, and an empty history replaces a missing default file.
    """

    def __init__(self, path: str | Path | None = None, *, create: bool = True) -> None:
        self.database = Database(path, create=create)
        self.owner: str | None = None

    def of(self, owner: str | None) -> Self:
        """Return a view of the history for one owner; None for the games of all owners.

        It lists, rates, exports, and deletes only games of the owner, but loads, saves, and reviews
        any game by its id.
        """
        owned = copy.copy(self)
        owned.owner = owner
        return owned

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self.database.close()

    def select(self, database: sqlite3.Connection, query: str, **values: object) -> sqlite3.Cursor:
        """Execute a query in which ``{owned}`` is the condition for the rows of the owner."""
        owned = "TRUE" if self.owner is None else "owner = :owner"
        return database.execute(query.format(owned=owned), {"owner": self.owner, **values})

    def save(self, id: str, game: Game, last: datetime | None = None) -> datetime:
        """Save a new game, or the version after ``last`` of a game, and return its time.

        The owner of a saved game does not change. If the game changes, its reviews are deleted.
        Raise GoneOnError if the history contains another version than ``last``, and NoSuchGameError
        if the game was deleted.
        """
        saved_at = now() if last is None else max(now(), last + timedelta.resolution)
        row = game_row(id, game, saved_at, self.owner or "")
        with self.database.writing() as database:
            if last is None:
                try:
                    database.execute(INSERT, row)
                except sqlite3.IntegrityError:  # another game has this id
                    raise GoneOnError from None
            else:
                before = _row(database, id)
                _check_version(before, last)
                if before["game"] != row["game"]:
                    database.execute("DELETE FROM reviews WHERE game = :id", row)
                database.execute(UPDATE, row)
        return saved_at.astimezone()

    def find(self, game: Game) -> SavedGame:
        """Return the saved version of a game, or the game with a new id and no time.

        A saved version is the same game if one of the two begins with the other. The result then
        has the longer one.
        """
        query = (
            "SELECT * FROM games WHERE {owned} AND rules = :rules"
            " AND (instr(game, :events) OR NOT is_over)"
            " ORDER BY game = :game DESC, saved_at DESC"
        )
        text = game.as_json()
        # Without the end of the list, a longer game contains the same events.
        events = text[text.index('"events"') :].rpartition("\n  ]")[0] or text
        values = {"rules": game.rules.name, "game": text, "events": events}
        with self.database.reading() as database:
            for saved in map(_saved_game, self.select(database, query, **values)):
                if not saved.reason and _is_same(saved.game, game):
                    is_longer = len(game.events) > len(saved.game.events)
                    return replace(saved, _game=game) if is_longer else saved
        return SavedGame(new_id(), game, None)

    def add(self, game: Game) -> tuple[SavedGame, bool]:
        """Save a game unless it is saved already; return it, and whether it was saved now.

        A game without turns is not saved.
        """
        found = self.find(game)
        if found.game is not game or not game.events:
            return found, False
        return replace(found, saved_at=self.save(found.id, game, found.saved_at)), True

    def load(self, id: str) -> SavedGame:
        """Return a saved game; raise NoSuchGameError if no game has this id."""
        with self.database.reading() as database:
            return _saved_game(_row(database, id))

    def count(self) -> int:
        """Return the number of games."""
        with self.database.reading() as database:
            query = "SELECT count(*) FROM games WHERE {owned}"
            return int(self.select(database, query).fetchone()[0])

    def games(self, most: int | None = None, skip: int = 0) -> list[SavedGame]:
        """Return at most ``most`` saved games, latest first, after skipping ``skip`` games."""
        query = (
            "SELECT * FROM games WHERE {owned} ORDER BY saved_at DESC, id DESC "
            "LIMIT :most OFFSET :skip"
        )
        most = -1 if most is None else most
        with self.database.reading() as database:
            rows = self.select(database, query, most=most, skip=skip).fetchall()
        return list(map(_saved_game, rows))

    def each(self) -> Iterator[SavedGame]:
        """Yield all games, earliest first, without reading all of them into memory."""
        query = "SELECT * FROM games WHERE {owned} ORDER BY saved_at, id"
        with self.database.reading() as database:
            yield from map(_saved_game, self.select(database, query))

    def delete(self, id: str, last: datetime | None = None) -> None:
        """Delete a game and its reviews; with ``last``, only the version with this time.

        Raise GoneOnError, NoSuchGameError, or NotOwnerError if this is not possible.
        """
        with self.database.writing() as database:
            row = _row(database, id)
            if self.owner not in (None, row["owner"]):
                raise NotOwnerError(
                    f"the game {quoted(id)} belongs to another player; you can delete only your own"
                )
            if last is not None:
                _check_version(row, last)
            database.execute("DELETE FROM games WHERE id = ?", [id])

    def delete_all(self) -> int:
        """Delete all games and cards of the owner, and return the number of games."""
        with self.database.writing() as database:
            self.select(database, "DELETE FROM cards WHERE {owned}")
            return self.select(database, "DELETE FROM games WHERE {owned}").rowcount

    def keep_reviews(self, id: str, reviews: Iterable[Review], saved_at: datetime | None) -> None:
        """Save the reviews of a finished game, or replace earlier ones for the same objective.

        ``saved_at`` is the time of the version that was reviewed. If the game has changed since,
        its reviews are not saved. Raise NoSuchGameError if the game was deleted.
        """
        rows = [(id, review.player, review.objective, compact(review)) for review in reviews]
        with self.database.writing() as database:
            if saved_at is not None and _row(database, id)["saved_at"] == time_text(saved_at):
                insert = "INSERT OR REPLACE INTO reviews VALUES (NULL, ?, ?, ?, ?, ?)"
                database.executemany(insert, [(*row, checksum(*row)) for row in rows])

    def reviews(self, rules: str, player: str | None = None) -> Iterator[SavedReview]:
        """Yield the reviews of one player or of all players, earliest game first.

        Reviews that are damaged are left out with a warning.
        """
        query = (
            "SELECT reviews.*, owner, saved_at FROM games JOIN reviews ON reviews.game = games.id "
            "WHERE {owned} AND is_over AND rules = :rules AND player = ifnull(:player, player) "
            "ORDER BY saved_at, reviews.id"
        )
        damaged = set()
        with self.database.reading() as database:
            for row in self.select(database, query, rules=rules, player=player):
                review = SavedReview.of(row)
                if review is not None:
                    yield review
                elif row["game"] not in damaged:
                    damaged.add(row["game"])
                    log.warning(
                        "a review of the game %s is left out, because it is damaged; to review the "
                        "game again, run: rollwise history check",
                        row["game"],
                    )

    def unreviewed(self, rules: str) -> int:
        """Return the number of finished games with the given rules that have no review."""
        query = (
            "SELECT count(*) FROM games WHERE {owned} AND is_over AND rules = :rules "
            "AND NOT EXISTS (SELECT 1 FROM reviews WHERE reviews.game = games.id)"
        )
        with self.database.reading() as database:
            return int(self.select(database, query, rules=rules).fetchone()[0])

    def reviewed(self) -> set[tuple[str, str]]:
        """Return the game and the player of each review, of all owners."""
        with self.database.reading() as database:
            return set(map(tuple, database.execute("SELECT game, player FROM reviews")))

    def delete_damaged_reviews(self) -> list[str]:
        """Delete the reviews that do not match their checksums; return the ids of their games."""
        with self.database.writing() as database:
            rows = database.execute("SELECT * FROM reviews")
            damaged = [(row["id"], row["game"]) for row in rows if not is_sound(row)]
            database.executemany("DELETE FROM reviews WHERE id = ?", [(id,) for id, _ in damaged])
        return list(dict.fromkeys(_printable(game) for _, game in damaged))


INSERT = "INSERT INTO games VALUES (:id, :owner, :rules, :is_over, :saved_at, :game)"

UPDATE = (
    "UPDATE games SET rules = :rules, is_over = :is_over, saved_at = :saved_at, game = :game "
    "WHERE id = :id"
)


def game_row(id: str, game: Game, saved_at: datetime, owner: str) -> dict[str, Any]:
    """Return the row of a game."""
    return {
        "id": id,
        "owner": owner,
        "rules": game.rules.name,
        "is_over": game.is_over,
        "saved_at": time_text(saved_at),
        "game": game.as_json(),
    }


def new_id() -> str:
    """Return a random id without ``-``, because a command reads a leading ``-`` as an option."""
    return secrets.token_urlsafe(9).replace("-", "_")


def check_turns(game: Game) -> None:
    """Raise InputError if a record has no turns, so that it is not worth saving."""
    if not game.events:
        raise InputError("the record has no turns; enter at least one")


def _is_same(game: Game, other: Game) -> bool:
    """Return whether two games are equal as far as both go, which must be one turn or more."""
    number = min(len(game.events), len(other.events))
    if not any(isinstance(event, Score) for event in game.events[:number]):
        return game == other
    first, second = ((g.rules, g.headers, g.start, g.events[:number]) for g in (game, other))
    return first == second


def now() -> datetime:
    """Return the current time in UTC."""
    return datetime.now(UTC)


def time_text(time: datetime) -> str:
    """Return a time as the history saves it: in UTC, so that later times are greater texts."""
    return time.astimezone(UTC).replace(tzinfo=None).isoformat(" ", "microseconds")


def parse_time(text: Any) -> datetime | None:
    """Return a saved time in UTC; None if it is damaged."""
    try:
        time = datetime.fromisoformat(text).replace(tzinfo=UTC)
    except (TypeError, ValueError):
        return None
    return time if time.year in YEARS else None


def _saved_game(row: sqlite3.Row) -> SavedGame:
    """Return the game in a row; in a damaged row, a column can have a value of any type."""
    id, owner, saved_at = row["id"], row["owner"], parse_time(row["saved_at"])
    local_time = saved_at and saved_at.astimezone()
    owner = _printable(owner) if owner else None
    try:
        if not isinstance(id, str) or not id or not id.isprintable():
            raise MalformedError("its id is not text that can be printed")
        if local_time is None:
            raise MalformedError("the time when it was saved is missing or damaged")
        if not isinstance(row["game"], str):
            raise MalformedError(f"it is not text: {quoted(row['game'])}")
        return SavedGame(id, Game.of_data(parse_data(row["game"])), local_time, owner)
    except InputError as error:
        return SavedGame(_printable(id), None, local_time, owner, visible(str(error)))


def _printable(value: Any) -> str:
    """Return a text from the history, or the repr of a value that is damaged."""
    return value if isinstance(value, str) and value.isprintable() else quoted(value)


def _row(database: sqlite3.Connection, id: str) -> sqlite3.Row:
    query = "SELECT * FROM games WHERE id = ?"
    # SQLite does not accept every text that cannot be printed.
    row: sqlite3.Row | None = database.execute(query, [id if id.isprintable() else ""]).fetchone()
    if row is None:
        raise NoSuchGameError(
            f"there is no saved game {quoted(id[:40])}; to see all games, run: rollwise history "
            "list"
        )
    return row


def _check_version(row: sqlite3.Row, last: datetime) -> None:
    """Raise GoneOnError if a row contains another version of the game than ``last``."""
    if row["saved_at"] != time_text(last):
        raise GoneOnError
