"""The game history, which saves, lists, exports, and deletes games in SQLite or PostgreSQL."""

import copy
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Self

from sqlalchemy import (
    ColumnElement,
    Row,
    Select,
    and_,
    delete,
    func,
    insert,
    select,
    true,
    type_coerce,
    update,
)
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session, selectinload
from sqlalchemy.types import NullType

from rollwise.errors import quoted
from rollwise.files import new_draft
from rollwise.game.game import Game
from rollwise.history.database import (
    Database,
    GoneOnError,
    HistoryError,
    NoSuchGameError,
    NotOwnerError,
)
from rollwise.history.games import (
    SavedGame,
    UnreadableGame,
    game_of,
    in_utc,
    played_of,
    row_of,
    time_after,
)
from rollwise.history.schema import DecisionRow, GameRow, PlayedRow
from rollwise.history.transfer import exported, games_in, take_in
from rollwise.reviews.review import Review

BATCH = 100
"""The number of games that are read at a time."""


class History:
    """Saved games in a database.

    Every method opens and closes its own transaction. Its changes are on disk when it returns. Any
    number of threads and processes may use one database.

    Parameters
    ----------
    url : str, optional
        A SQLAlchemy URL; default: ``$ROLLWISE_DATABASE``, or the file in the user's data folder. A
        database with an older version is migrated; rollwise first copies its file.
    create : bool
        Whether to create a missing database. If False, an empty database in memory replaces a
        missing default database.

    Attributes
    ----------
    database : Database
    owner : str or None
        The owner of the games; None for the games of all owners.

    Raises
    ------
    HistoryError
        If the database cannot be opened.
    """

    def __init__(self, url: str | None = None, *, create: bool = True) -> None:
        self.database = Database(url, create=create)
        self.owner: str | None = None

    def of(self, owner: str | None) -> Self:
        """Return a view of the history for one owner.

        New games belong to the owner. The returned history counts, lists, exports, and deletes only
        the games of the owner. It can load, save, and review any game by its id.

        Parameters
        ----------
        owner : str or None
            At most 40 characters; None for the games of all owners.
        """
        owned = copy.copy(self)
        owned.owner = owner
        return owned

    @property
    def listed(self) -> ColumnElement[bool]:
        """The condition that selects the games of the owner."""
        return true() if self.owner is None else GameRow.owner == self.owner

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close all connections."""
        self.database.close()

    @property
    def place(self) -> str:
        """The URL of the database, without its password."""
        return self.database.place

    def save(
        self,
        id: str,
        game: Game,
        last: datetime | None = None,
    ) -> datetime:
        """Save a new game, or the next version of a saved game; the owner does not change.

        Parameters
        ----------
        last : datetime, optional
            The time of the version that was loaded or saved before; default: the game is new.

        Returns
        -------
        datetime
            The time of this version, in the time zone of this machine. It is after ``last``.

        Raises
        ------
        GoneOnError
            If the history contains another version than ``last``.
        NoSuchGameError
            If the game was deleted since ``last``.
        """
        saved_at = time_after(last)
        row = row_of(id, game, saved_at)
        with self.database.writing() as session:
            if last is None:
                _insert(session, {**row, "owner": self.owner})
            else:
                change = update(GameRow).where(GameRow.id == id, GameRow.saved_at == in_utc(last))
                if session.scalar(change.values(row).returning(GameRow.id)) is None:
                    _row(session, id)
                    raise GoneOnError
        return saved_at.replace(tzinfo=UTC).astimezone()

    def load(self, id: str) -> SavedGame:
        """Return a saved game.

        Raises
        ------
        NoSuchGameError
            If no game has this id.
        HistoryError
            If the game cannot be read.
        """
        with self.database.reading() as session:
            saved = game_of(_row(session, id))
        if isinstance(saved, UnreadableGame):
            raise HistoryError(f"cannot read the saved game {id}: {saved.reason}")
        return saved

    def count(self) -> int:
        """Return the number of games."""
        with self.database.reading() as session:
            return session.scalar(select(func.count(GameRow.id)).where(self.listed)) or 0

    def games(self, most: int | None = None, skip: int = 0) -> list[SavedGame | UnreadableGame]:
        """Return saved games, latest first.

        Parameters
        ----------
        most : int, optional
            The maximum number of games; default: all games.
        skip : int
            The number of games to skip, counted from the latest.
        """
        latest = select(GameRow).where(self.listed)
        latest = latest.order_by(GameRow.saved_at.desc(), GameRow.id.desc())
        with self.database.reading() as session:
            return [game_of(row) for row in session.scalars(latest.offset(skip).limit(most))]

    def each(self) -> Iterator[SavedGame | UnreadableGame]:
        """Yield all games in the order of their ids; the database is read in batches."""
        id: ColumnElement[Any] = type_coerce(GameRow.id, NullType())  # even if it is damaged
        following: Select[Any] = select(GameRow, id.label("raw_id")).where(self.listed)
        following = following.order_by(id).limit(BATCH)
        rows, ends = self._read(following), set[Any]()
        while rows:
            yield from (game_of(row.GameRow) for row in rows)
            end = rows[-1].raw_id
            if end in ends:  # the index and the table have different ids
                raise HistoryError(
                    "an index of the history is damaged; to repair it, run: rollwise history check"
                )
            ends.add(end)
            rows = self._read(following.where(id > end))

    def _read(self, query: Select[Any]) -> list[Row[Any]]:
        with self.database.reading() as session:
            return list(session.execute(query))

    def keep_reviews(self, id: str, reviews: Iterable[Review]) -> None:
        """Save the reviews of a game, or replace earlier reviews for the same objective.

        Damaged reviews of the game are deleted. The FSRS cards of practiced decisions stay.

        Raises
        ------
        NoSuchGameError
            If no game has this id.
        MalformedError
            If the game is not finished.
        """
        rows = [played_of(id, review) for review in reviews]
        with self.database.writing() as session:
            game = _row(session, id, to_change=True)
            damaged = [row.id for row in filter(None, game.played) if not row.is_sound]
            session.expunge_all()  # SQLite gives the new rows the ids of deleted rows
            for row in rows:
                earlier = and_(
                    PlayedRow.game_id == id,
                    PlayedRow.name == row.name,
                    PlayedRow.objective == row.objective,
                )
                _carry_memories(session, earlier, row)
                session.execute(delete(PlayedRow).where(earlier))
            session.execute(delete(PlayedRow).where(PlayedRow.id.in_(damaged)))
            session.add_all(rows)

    def damaged_reviews(self) -> list[str]:
        """Return the ids of the games with reviews that do not match their checksums."""
        reviews = select(PlayedRow).options(selectinload(PlayedRow.decisions))
        with self.database.reading() as session:
            rows = session.scalars(reviews.execution_options(yield_per=BATCH))
            return list(dict.fromkeys(row.game_id for row in rows if not row.is_sound))

    def delete(self, id: str, last: datetime | None = None) -> None:
        """Delete a game and its reviews.

        Parameters
        ----------
        last : datetime, optional
            The time of the version to delete; default: any version.

        Raises
        ------
        GoneOnError
            If the history contains another version than ``last``.
        NoSuchGameError
            If no game has this id.
        NotOwnerError
            If the game belongs to someone else.
        """
        _check_id(id)
        is_this = GameRow.id == id
        with self.database.writing() as session:
            columns = select(GameRow.owner, GameRow.saved_at)
            row = session.execute(columns.where(is_this).with_for_update()).first()
            if row is None:
                raise _no_such_game(id)
            if self.owner not in (None, row.owner):
                raise NotOwnerError(
                    f"the game {quoted(id)} belongs to another player; you can delete only your own"
                )
            if last is not None and row.saved_at != in_utc(last):
                raise GoneOnError
            session.execute(delete(GameRow).where(is_this))

    def delete_all(self) -> int:
        """Delete all games of the owner, and return their number."""
        with self.database.writing() as session:
            deletion = delete(GameRow).where(self.listed).returning(GameRow.id)
            return len(session.execute(deletion).all())

    def export(self) -> dict[str, Any]:
        """Return all games as JSON-serializable data; :meth:`restore` imports them."""
        with self.database.reading() as session:
            return exported(session, self.listed)

    def restore(self, data: Any) -> int:
        """Import the games of an export, except games with a later version in this history.

        Returns
        -------
        int
            The number of imported games.

        Raises
        ------
        MalformedError
            If the data is not an export. The history does not change.
        """
        games = games_in(data)
        with self.database.writing() as session:
            return take_in(session, games)

    def backup(self, path: Path) -> None:
        """Write all games to a new SQLite history; the file appears only when it is complete.

        Raises
        ------
        OSError
            If the file cannot be written.
        """
        if self.database.engine.dialect.name == "sqlite":
            self.database.copy_to(path)
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        draft = new_draft(path)
        try:
            with History(f"sqlite:///{draft}") as copy:
                copy.restore(self.export())
                copy.database.copy_to(path)  # without the side files of an open database
        finally:
            for leftover in path.parent.glob(f"{draft.name}*"):
                leftover.unlink()


def _insert(session: Session, row: Mapping[str, Any]) -> None:
    try:
        session.execute(insert(GameRow).values(row))
    except IntegrityError:  # another game has this id
        raise GoneOnError from None


def _row(session: Session, id: str, *, to_change: bool = False) -> GameRow:
    _check_id(id)
    row = session.get(GameRow, id, with_for_update=to_change)
    if row is None:
        raise _no_such_game(id)
    return row


def _carry_memories(session: Session, earlier: ColumnElement[bool], row: PlayedRow) -> None:
    """Copy the FSRS cards of the ``earlier`` decisions to the decisions of the new ``row``."""
    decisions = select(DecisionRow.position, DecisionRow.memory).join(DecisionRow.played)
    practiced = session.execute(decisions.where(earlier, DecisionRow.memory.is_not(None)))
    memories = {row.position: row.memory for row in practiced}
    for decision in row.decisions:
        decision.memory = memories.get(decision.position)


def _check_id(id: str) -> None:
    """Refuse characters that databases cannot store: NUL and unpaired surrogates."""
    if not id.isprintable():
        raise _no_such_game(id)


def _no_such_game(id: str) -> NoSuchGameError:
    return NoSuchGameError(
        f"there is no saved game {quoted(id[:40])}; to see all games, run: rollwise history list"
    )
