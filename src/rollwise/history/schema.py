"""The database schema of the history: games, reviews of players, and decisions.

A change of the schema needs a migration in ``migrations/versions`` and a higher :data:`VERSION`. A
test compares the schema with the migrations.
"""

import datetime
import json
import math
import zlib
from collections.abc import Callable
from typing import Any, ClassVar

from sqlalchemy import (
    BigInteger,
    DateTime,
    Dialect,
    Float,
    ForeignKey,
    Index,
    Integer,
    String,
    Text,
    TypeDecorator,
)
from sqlalchemy.dialects import sqlite
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, relationship

from rollwise.errors import quoted

VERSION = "5"
"""The version of the schema; a database stores its version in ``alembic_version``."""


class _Moment(sqlite.DATETIME):
    """A time in SQLite; a damaged time is read as None, so that other rows can be read."""

    def result_processor(self, dialect: Any, coltype: Any) -> Callable[[Any], Any]:
        read = super().result_processor(dialect, coltype)
        assert read is not None

        def read_if_possible(value: Any) -> Any:
            try:
                return read(value)
            except (TypeError, ValueError):
                return None

        return read_if_possible


class Line(TypeDecorator[str]):
    """A text without control characters; any other value in the database is read as None."""

    impl = String
    cache_ok = True

    def process_result_value(self, value: Any, dialect: Dialect) -> str | None:
        """Return a value from the database, or None if it is damaged."""
        return value if isinstance(value, str) and value.isprintable() else None


class LongLine(Line):
    """A :class:`Line` of any length."""

    impl = Text
    cache_ok = True


class DamagedId(str):
    """The repr of an id that is not text or contains control characters."""


class Id(TypeDecorator[str]):
    """The id of a game; a damaged id is read as a :class:`DamagedId`, which names the game."""

    impl = String
    cache_ok = True

    def process_result_value(self, value: Any, dialect: Dialect) -> str:
        """Return an id from the database, or its repr if it is damaged."""
        if isinstance(value, str) and value.isprintable():
            return value
        return DamagedId(quoted(value))


class Whole(TypeDecorator[int]):
    """An integer; any other value in the database is read as None."""

    impl = Integer
    cache_ok = True

    def process_result_value(self, value: Any, dialect: Dialect) -> int | None:
        """Return a value from the database, or None if it is damaged."""
        return value if isinstance(value, int) else None


class Real(TypeDecorator[float]):
    """A finite number; any other value in the database is read as None."""

    impl = Float
    cache_ok = True

    def process_result_value(self, value: Any, dialect: Dialect) -> float | None:
        """Return a value from the database, or None if it is damaged."""
        return value if isinstance(value, int | float) and math.isfinite(value) else None


def checksum(*values: object) -> int:
    """Return the CRC-32 of texts and numbers; a number has the same checksum as an int or float."""
    same = [float(value) if isinstance(value, int | float) else value for value in values]
    return zlib.crc32(json.dumps(same).encode())


class Base(DeclarativeBase):
    """The base class of all tables."""

    type_annotation_map: ClassVar[dict[type, Any]] = {
        float: Real,
    }  # SQLAlchemy's default depends on its version


class GameRow(Base):
    """A game: its record and its computer opponents as JSON, and its owner or None."""

    __tablename__ = "games"

    id: Mapped[str] = mapped_column(Id(40), primary_key=True)
    rules: Mapped[str] = mapped_column(Line(40))
    record: Mapped[str] = mapped_column(Text)
    robots: Mapped[str] = mapped_column(Text)
    is_over: Mapped[bool]
    saved_at: Mapped[datetime.datetime] = mapped_column(
        DateTime().with_variant(_Moment(), "sqlite")  # type: ignore[no-untyped-call]
    )
    owner: Mapped[str | None] = mapped_column(Line(40))
    played: Mapped[list["PlayedRow"]] = relationship(
        back_populates="game", cascade="all, delete-orphan", passive_deletes=True
    )


class PlayedRow(Base):
    """The review of one player in one game, for one objective.

    ``checksum`` includes what a rating counts of the decisions, and is None in an old row.
    """

    __tablename__ = "played"

    id: Mapped[int] = mapped_column(primary_key=True)
    game_id: Mapped[str] = mapped_column(Id(40), ForeignKey("games.id", ondelete="CASCADE"))
    name: Mapped[str] = mapped_column(Line(40))
    objective: Mapped[str] = mapped_column(Line(80))
    score: Mapped[int] = mapped_column(Whole)
    start: Mapped[float]
    luck: Mapped[float]
    loss: Mapped[float]
    checksum: Mapped[int | None] = mapped_column(BigInteger)
    game: Mapped[GameRow] = relationship(back_populates="played")
    decisions: Mapped[list["DecisionRow"]] = relationship(
        back_populates="played",
        cascade="all, delete-orphan",
        passive_deletes=True,
        order_by="DecisionRow.id",
    )

    def seal(self) -> None:
        """Set the checksums of the review and of its decisions."""
        for decision in self.decisions:
            decision.checksum = decision.expected_checksum()
        self.checksum = self.expected_checksum()

    def expected_checksum(self) -> int:
        """Return the checksum of the other columns and of the decisions."""
        counted = (decision for decision in self.decisions if decision.counted)
        kinds = sorted(f"{row.turn} {row.category} {row.verdict}" for row in counted)
        return checksum(
            self.game_id, self.name, self.objective, self.score, self.start, self.luck, self.loss,
            ",".join(kinds),
        )  # fmt: skip

    @property
    def is_sound(self) -> bool:
        """Whether the review and its decisions match their checksums."""
        if None in self.decisions:  # an index of a damaged database refers to a missing row
            return False
        is_same = self.checksum is None or self.checksum == self.expected_checksum()
        return is_same and all(decision.is_sound for decision in self.decisions)


class DecisionRow(Base):
    """One decision of a player.

    ``category`` is the category in which the turn was scored. ``memory`` is the FSRS card of a
    decision that was practiced (see :mod:`rollwise.history.mistakes`), and not in the checksum.
    """

    __tablename__ = "decisions"

    id: Mapped[int] = mapped_column(primary_key=True)
    played_id: Mapped[int] = mapped_column(ForeignKey("played.id", ondelete="CASCADE"))
    turn: Mapped[int] = mapped_column(Whole)
    category: Mapped[str] = mapped_column(Line(40))
    position: Mapped[str] = mapped_column(LongLine)
    chosen: Mapped[str] = mapped_column(Line(80))
    best: Mapped[str] = mapped_column(Line(80))
    loss: Mapped[float]
    verdict: Mapped[str] = mapped_column(Line(20))
    counted: Mapped[bool]
    memory: Mapped[str | None] = mapped_column(LongLine)
    checksum: Mapped[int | None] = mapped_column(BigInteger)
    played: Mapped[PlayedRow] = relationship(back_populates="decisions")

    def expected_checksum(self) -> int:
        """Return the checksum of the other columns."""
        return checksum(
            self.turn, self.category, self.position, self.chosen, self.best, self.loss,
            self.verdict, self.counted,
        )  # fmt: skip

    @property
    def is_sound(self) -> bool:
        """Whether the decision matches its checksum."""
        return self.checksum is None or self.checksum == self.expected_checksum()


Index("games_by_time", GameRow.saved_at, GameRow.id)
Index("games_by_owner", GameRow.owner, GameRow.saved_at, GameRow.id)
Index("played_once", PlayedRow.game_id, PlayedRow.name, PlayedRow.objective, unique=True)
Index(
    "decisions_of_played",  # a covering index for the rating query
    DecisionRow.played_id,
    DecisionRow.counted,
    DecisionRow.turn,
    DecisionRow.category,
    DecisionRow.verdict,
    DecisionRow.loss,
)
