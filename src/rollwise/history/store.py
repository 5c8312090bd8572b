"""Saving and finding games: in SQLite in the user's data folder, or in PostgreSQL for a club."""

import copy
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Self

from sqlalchemy import ColumnElement, and_, delete, func, select, true
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session

from rollwise.errors import quoted
from rollwise.files import new_draft
from rollwise.game.records.record import Record
from rollwise.history.database import Database, HistoryError, NoSuchGameError, NotOwnerError
from rollwise.history.games import SavedGame, UnreadableGame, game_of, played_of, row_of
from rollwise.history.schema import DecisionRow, GameRow, PlayedRow
from rollwise.history.transfer import exported, games_in, take_in
from rollwise.reviews.review import Review

BATCH = 100
"""Games that are read at a time."""


class History:
    """Games in a database.

    Every method opens and closes its own transaction; what it did is on disk when it returns. Any
    number of threads and processes may use one database.

    Parameters
    ----------
    url : str, optional
        Of the database, as SQLAlchemy writes it; ``$ROLLWISE_DATABASE``, or the file in the user's
        data folder, unless told. One of an older version is migrated, after a copy of its file was
        made beside it.
    create : bool
        Whether it is made if there is none. Whoever only reads makes nothing: where one's own is
        missing no game was kept yet.

    Attributes
    ----------
    database : Database
    owner : str or None
        Whose games these are; everybody's if None.

    Raises
    ------
    HistoryError
        When the database cannot be opened.
    """

    def __init__(self, url: str | None = None, *, create: bool = True) -> None:
        self.database = Database(url, create=create)
        self.owner: str | None = None

    def of(self, owner: str | None) -> Self:
        """Return the history as one of those who share it has it.

        Games that are saved in it first are the owner's. It counts, lists, exports and deletes the
        owner's games alone; any game is loaded, saved again and reviewed by its address.

        Parameters
        ----------
        owner : str or None
            At most 40 characters; None for the games of everybody.
        """
        shared = copy.copy(self)
        shared.owner = owner
        return shared

    @property
    def listed(self) -> ColumnElement[bool]:
        """The condition under which a game is one of these."""
        return true() if self.owner is None else GameRow.owner == self.owner

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Give up all connections."""
        self.database.close()

    @property
    def place(self) -> str:
        """The address of the database, without a password."""
        return self.database.place

    def save(self, id: str, record: Record, robots: Mapping[int, str] | None = None) -> None:
        """Save a game, in place of what was saved under its address; it stays whose it was."""
        row = row_of(id, record, robots or {})
        with self.database.writing() as session:
            is_sqlite = self.database.engine.dialect.name == "sqlite"
            insert: sqlite.Insert | postgresql.Insert = (
                sqlite.insert(GameRow) if is_sqlite else postgresql.insert(GameRow)
            )
            session.execute(
                insert.values({**row, "owner": self.owner}).on_conflict_do_update(
                    index_elements=["id"], set_=row
                )
            )

    def load(self, id: str) -> SavedGame:
        """Return a game.

        Raises
        ------
        NoSuchGameError
            When there is none with this address.
        HistoryError
            When it cannot be read.
        """
        with self.database.reading() as session:
            game = game_of(_row(session, id))
        if isinstance(game, UnreadableGame):
            raise HistoryError(f"the game {id} cannot be read: {game.reason}")
        return game

    def count(self) -> int:
        """Return how many games there are."""
        with self.database.reading() as session:
            return session.scalar(select(func.count(GameRow.id)).where(self.listed)) or 0

    def games(self, most: int | None = None, skip: int = 0) -> list[SavedGame | UnreadableGame]:
        """Return games, the latest first.

        Parameters
        ----------
        most : int, optional
            All of them unless told.
        skip : int
            So many of the latest are left out.
        """
        latest = select(GameRow).where(self.listed)
        latest = latest.order_by(GameRow.saved_at.desc(), GameRow.id.desc())
        with self.database.reading() as session:
            return [game_of(row) for row in session.scalars(latest.offset(skip).limit(most))]

    def each(self) -> Iterator[SavedGame | UnreadableGame]:
        """Yield every game, some at a time, in the order of their addresses."""
        last = ""
        while True:
            some = select(GameRow).where(self.listed, GameRow.id > last)
            with self.database.reading() as session:
                rows = list(session.scalars(some.order_by(GameRow.id).limit(BATCH)))
            if not rows:
                return
            yield from map(game_of, rows)
            last = rows[-1].id

    def keep_reviews(self, id: str, reviews: Iterable[Review]) -> None:
        """Keep how people played a game, in place of what was kept of it for this objective.

        What was asked again meanwhile stays remembered.

        Raises
        ------
        NoSuchGameError
            When there is no game with this address.
        MalformedError
            When the game is not finished.
        """
        rows = [played_of(review) for review in reviews]
        with self.database.writing() as session:
            _row(session, id, to_change=True)
            for row in rows:
                row.game_id = id
                earlier = and_(
                    PlayedRow.game_id == id,
                    PlayedRow.name == row.name,
                    PlayedRow.objective == row.objective,
                )
                _carry_memories(session, earlier, row)
                session.execute(delete(PlayedRow).where(earlier))
            session.add_all(rows)

    def delete(self, id: str) -> None:
        """Delete a game and all that was kept of it.

        Raises
        ------
        NoSuchGameError
            When there is none with this address.
        NotOwnerError
            When it is another's.
        """
        _check_address(id)
        this = GameRow.id == id
        with self.database.writing() as session:
            found = session.execute(select(GameRow.owner).where(this).with_for_update()).first()
            if found is None:
                raise _no_such_game(id)
            if self.owner not in (None, found.owner):
                raise NotOwnerError(f"the game {quoted(id)} is another's: expected one of your own")
            session.execute(delete(GameRow).where(this))

    def delete_all(self) -> int:
        """Delete everything; return how many games there were."""
        with self.database.writing() as session:
            gone = delete(GameRow).where(self.listed).returning(GameRow.id)
            return len(session.execute(gone).all())

    def export(self) -> dict[str, Any]:
        """Return everything that is kept, as JSON can hold it; :meth:`restore` takes it back."""
        with self.database.reading() as session:
            return exported(session, self.listed)

    def restore(self, data: Any) -> int:
        """Take in what :meth:`export` returned, and keep the later one where a game is there.

        Returns
        -------
        int
            How many games were taken in.

        Raises
        ------
        MalformedError
            When it is no export; nothing is changed then.
        """
        games = games_in(data)
        with self.database.writing() as session:
            return take_in(session, games)

    def backup(self, path: Path) -> None:
        """Write everything to a file of SQLite, which is a history itself, whole or not at all.

        Raises
        ------
        OSError
            When it cannot be written.
        """
        if self.database.engine.dialect.name == "sqlite":
            self.database.copy_to(path)
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        draft = new_draft(path)
        try:
            with History(f"sqlite:///{draft}") as copy:
                copy.restore(self.export())
                copy.database.copy_to(path)  # without the files that SQLite puts beside an open one
        finally:
            for leftover in path.parent.glob(f"{draft.name}*"):
                leftover.unlink()


def _row(session: Session, id: str, *, to_change: bool = False) -> GameRow:
    _check_address(id)
    row = session.get(GameRow, id, with_for_update=to_change)
    if row is None:
        raise _no_such_game(id)
    return row


def _carry_memories(session: Session, earlier: ColumnElement[bool], row: PlayedRow) -> None:
    """Give the decisions of a row the memories that those kept before have."""
    kept = select(DecisionRow.position, DecisionRow.memory).join(DecisionRow.played)
    asked = session.execute(kept.where(earlier, DecisionRow.memory.is_not(None)))
    memories = {row.position: row.memory for row in asked}
    for decision in row.decisions:
        decision.memory = memories.get(decision.position)


def _check_address(id: str) -> None:
    """Refuse what no database can hold: NUL, and half a character."""
    if not id.isprintable():
        raise _no_such_game(id)


def _no_such_game(id: str) -> NoSuchGameError:
    return NoSuchGameError(f"no game {quoted(id[:40])}: expected one that is kept")
