"""Saving and finding games: SQLite in the user's data folder, or any database of SQLAlchemy."""

import datetime
import json
import os
import re
import secrets
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import platformdirs
from sqlalchemy import create_engine, event, make_url, select
from sqlalchemy.exc import ArgumentError, NoSuchModuleError, SQLAlchemyError
from sqlalchemy.orm import Session, selectinload

from rollwise.errors import InputError, MalformedError, MissingExtraError
from rollwise.game.records.as_json import format_record_json, parse_record_json
from rollwise.game.records.record import Record
from rollwise.history.schema import Base, DecisionRow, GameRow, PlayedRow
from rollwise.reviews.review import Review


class HistoryError(InputError):
    """A database that cannot be used, or a game that is not in it."""


class NoSuchGameError(HistoryError):
    """A game that is not kept, or no longer."""


@dataclass(frozen=True)
class SavedGame:
    """A game as it was saved.

    Attributes
    ----------
    id : str
        Its address: not to be guessed, and no secret of anything else.
    robots : mapping of int to str
        The strategies of those players that are no people.
    saved_at : datetime
        In the time zone of this machine.
    """

    id: str
    record: Record
    robots: Mapping[int, str]
    saved_at: datetime.datetime


def new_id() -> str:
    """Return the address of a new game; a word that begins with - would be an option."""
    return secrets.token_urlsafe(9).replace("-", "_")


def default_url() -> str:
    """Return ``$ROLLWISE_DATABASE``, or the file in the user's data folder."""
    chosen = os.environ.get("ROLLWISE_DATABASE")
    if chosen:
        return chosen
    return f"sqlite:///{platformdirs.user_data_path('rollwise') / 'history.sqlite'}"


class History:
    """Games in a database.

    Every method opens and closes its own transaction; what it returns is on disk.

    Parameters
    ----------
    url : str, optional
        Of the database, as SQLAlchemy writes it; :func:`default_url` unless told.
    create : bool
        Whether it is made if there is none. Whoever only reads makes nothing: where one's own is
        missing no game was kept yet.

    Raises
    ------
    HistoryError
        When the database cannot be opened.
    """

    def __init__(self, url: str | None = None, *, create: bool = True) -> None:
        try:
            address = make_url(url or default_url())
            if address.drivername == "postgresql":
                address = address.set(drivername="postgresql+psycopg")
            if address.drivername == "sqlite" and address.database:
                file = Path(address.database)
                if create and url is None:
                    file.parent.mkdir(parents=True, exist_ok=True)
                elif not create and not file.exists():
                    if url is not None:
                        raise HistoryError(f"no history in {file}: expected one that exists")
                    address = make_url("sqlite://")  # in memory, and empty
            self._engine = create_engine(address)
            if address.drivername == "sqlite":
                event.listen(self._engine, "connect", _careful_sqlite)
            Base.metadata.create_all(self._engine)
        except ModuleNotFoundError as error:
            raise MissingExtraError(
                f"this database needs {error.name}: expected pip install "
                '"rollwise[postgres]", or the driver of another database, before'
            ) from None
        except (ArgumentError, NoSuchModuleError) as error:
            raise HistoryError(
                "expected the address of a database, such as sqlite:///games.sqlite or "
                f"postgresql://user@host/games: {error}"
            ) from None
        except (SQLAlchemyError, OSError) as error:
            raise HistoryError(f"the history cannot be opened: {_reason(error)}") from None
        self.place = address.render_as_string(hide_password=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Give up all connections."""
        self._engine.dispose()

    @contextmanager
    def _transaction(self) -> Iterator[Session]:
        try:
            with Session(self._engine, expire_on_commit=False) as session, session.begin():
                yield session
        except SQLAlchemyError as error:
            raise HistoryError(f"the history cannot be used: {_reason(error)}") from None

    def save(self, id: str, record: Record, robots: Mapping[int, str] | None = None) -> None:
        """Save a game, in place of what was saved under its address."""
        with self._transaction() as session:
            session.merge(
                GameRow(
                    id=id,
                    rules=record.rules.name,
                    record=format_record_json(record),
                    robots=json.dumps({str(k): v for k, v in (robots or {}).items()}),
                    is_over=record.is_over,
                    saved_at=_now(),
                )
            )

    def load(self, id: str) -> SavedGame:
        """Return a game.

        Raises
        ------
        HistoryError
            When there is none with this address.
        """
        with self._transaction() as session:
            return _saved(_row(session, id))

    def games(self, most: int | None = None) -> list[SavedGame]:
        """Return all games, the latest first."""
        with self._transaction() as session:
            rows = session.scalars(select(GameRow).order_by(GameRow.saved_at.desc()).limit(most))
            return [_saved(row) for row in rows]

    def keep_reviews(self, id: str, reviews: Iterable[Review]) -> None:
        """Keep how people played a game, in place of what was kept of it for this objective."""
        with self._transaction() as session:
            game = _row(session, id)
            rows = [_played(review) for review in reviews]
            fresh = {(row.name, row.objective) for row in rows}
            game.played = [
                *(row for row in game.played if (row.name, row.objective) not in fresh),
                *rows,
            ]

    def played(
        self, rules: str | None = None, name: str | None = None, objective: str = "expected"
    ) -> list[PlayedRow]:
        """Return how people played their finished games, with all decisions, the earliest first."""
        query = (
            select(PlayedRow)
            .join(GameRow)
            .where(GameRow.is_over, PlayedRow.objective == objective)
            .options(selectinload(PlayedRow.decisions), selectinload(PlayedRow.game))
            .order_by(GameRow.saved_at, PlayedRow.id)
        )
        if rules is not None:
            query = query.where(GameRow.rules == rules)
        if name is not None:
            query = query.where(PlayedRow.name == name)
        with self._transaction() as session:
            return list(session.scalars(query))

    def delete(self, id: str) -> None:
        """Delete a game and all that was kept of it.

        Raises
        ------
        HistoryError
            When there is none with this address.
        """
        with self._transaction() as session:
            session.delete(_row(session, id))

    def delete_all(self) -> int:
        """Delete everything; return how many games there were."""
        with self._transaction() as session:
            rows = list(session.scalars(select(GameRow)))
            for row in rows:
                session.delete(row)
            return len(rows)

    def export(self) -> dict[str, Any]:
        """Return everything that is kept, as JSON can hold it."""
        with self._transaction() as session:
            rows = session.scalars(select(GameRow).order_by(GameRow.saved_at)).all()
            return {
                "format": "rollwise history 1",
                "games": [
                    {
                        "id": row.id,
                        "saved_at": row.saved_at.isoformat(),
                        "robots": json.loads(row.robots),
                        "record": json.loads(row.record),
                        "played": [_plain(played) for played in row.played],
                    }
                    for row in rows
                ],
            }


def _row(session: Session, id: str) -> GameRow:
    row = session.get(GameRow, id)
    if row is None:
        raise NoSuchGameError(f"no game {id[:40]!r}: expected one that is kept")
    return row


def _careful_sqlite(connection: Any, _: Any) -> None:
    """Make a commit wait until it is on disk, and let readers and a writer work side by side."""
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=10000"):
        connection.execute(f"PRAGMA {pragma}")


def _now() -> datetime.datetime:
    return datetime.datetime.now(datetime.UTC).replace(tzinfo=None)


def _reason(error: Exception) -> str:
    """Return the first line of an error, without a password that stands in an address."""
    lines = str(getattr(error, "orig", None) or error).splitlines()
    return re.sub(r"://[^@\s]*@", "://…@", lines[0] if lines else type(error).__name__)


def _saved(row: GameRow) -> SavedGame:
    robots = {int(k): v for k, v in json.loads(row.robots).items()}
    saved_at = row.saved_at.replace(tzinfo=datetime.UTC).astimezone()
    return SavedGame(row.id, parse_record_json(row.record), robots, saved_at)


def _played(review: Review) -> PlayedRow:
    if not review.is_over:
        raise MalformedError("expected the review of a finished game")
    keys = review.rules.keys
    scored = {
        one.turn: keys[one.chosen.action.category]
        for one in review.decisions
        if one.chosen.action.kind == "score"
    }
    return PlayedRow(
        name=review.player,
        objective=review.objective,
        score=review.score,
        start=review.start,
        luck=review.luck,
        loss=review.loss,
        decisions=[
            DecisionRow(
                turn=one.turn,
                category=scored[one.turn],
                **{
                    key: one.as_dict()[key]
                    for key in ("position", "chosen", "best", "loss", "verdict", "counted")
                },
            )
            for one in review.decisions
        ],
    )


def _plain(row: PlayedRow) -> dict[str, Any]:
    keys = ("name", "objective", "score", "start", "luck", "loss")
    parts = ("turn", "category", "position", "chosen", "best", "loss", "verdict", "counted")
    return {
        **{key: getattr(row, key) for key in keys},
        "decisions": [{part: getattr(one, part) for part in parts} for one in row.decisions],
    }
