"""The database schema of the history: games, reviews of players, and decisions.

A change of the schema needs a migration in ``migrations/versions`` and a higher :data:`VERSION`. A
test compares the schema with the migrations.
"""

import datetime
from collections.abc import Callable
from typing import Any, ClassVar

from sqlalchemy import DateTime, Float, ForeignKey, Index, String, Text
from sqlalchemy.dialects import sqlite
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, relationship

VERSION = "4"
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


class Base(DeclarativeBase):
    """The base class of all tables."""

    type_annotation_map: ClassVar[dict[type, Any]] = {
        float: Float
    }  # SQLAlchemy's default depends on its version


class GameRow(Base):
    """A game: its record and its computer opponents as JSON, and its owner or None."""

    __tablename__ = "games"

    id: Mapped[str] = mapped_column(String(40), primary_key=True)
    rules: Mapped[str] = mapped_column(String(40))
    record: Mapped[str] = mapped_column(Text)
    robots: Mapped[str] = mapped_column(Text)
    is_over: Mapped[bool]
    saved_at: Mapped[datetime.datetime] = mapped_column(
        DateTime().with_variant(_Moment(), "sqlite")  # type: ignore[no-untyped-call]
    )
    owner: Mapped[str | None] = mapped_column(String(40))
    played: Mapped[list["PlayedRow"]] = relationship(
        back_populates="game", cascade="all, delete-orphan", passive_deletes=True
    )


class PlayedRow(Base):
    """The review of one player in one game, for one objective."""

    __tablename__ = "played"

    id: Mapped[int] = mapped_column(primary_key=True)
    game_id: Mapped[str] = mapped_column(ForeignKey("games.id", ondelete="CASCADE"))
    name: Mapped[str] = mapped_column(String(40))
    objective: Mapped[str] = mapped_column(String(80))
    score: Mapped[int]
    start: Mapped[float]
    luck: Mapped[float]
    loss: Mapped[float]
    game: Mapped[GameRow] = relationship(back_populates="played")
    decisions: Mapped[list["DecisionRow"]] = relationship(
        back_populates="played",
        cascade="all, delete-orphan",
        passive_deletes=True,
        order_by="DecisionRow.id",
    )


class DecisionRow(Base):
    """One decision of a player.

    ``category`` is the category in which the turn was scored. ``memory`` is the FSRS card of a
    decision that was practiced (see :mod:`rollwise.history.mistakes`).
    """

    __tablename__ = "decisions"

    id: Mapped[int] = mapped_column(primary_key=True)
    played_id: Mapped[int] = mapped_column(ForeignKey("played.id", ondelete="CASCADE"))
    turn: Mapped[int]
    category: Mapped[str] = mapped_column(String(40))
    position: Mapped[str] = mapped_column(Text)
    chosen: Mapped[str] = mapped_column(String(80))
    best: Mapped[str] = mapped_column(String(80))
    loss: Mapped[float]
    verdict: Mapped[str] = mapped_column(String(20))
    counted: Mapped[bool]
    memory: Mapped[str | None] = mapped_column(Text)
    played: Mapped[PlayedRow] = relationship(back_populates="decisions")


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
