"""The tables of the database: games, how each person played them, and every decision."""

import datetime

from sqlalchemy import ForeignKey, Index, String, Text
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, relationship


class Base(DeclarativeBase):
    """All tables."""


class GameRow(Base):
    """A game: its record as JSON, and which players were robots."""

    __tablename__ = "games"

    id: Mapped[str] = mapped_column(String(40), primary_key=True)
    rules: Mapped[str] = mapped_column(String(40))
    record: Mapped[str] = mapped_column(Text)
    robots: Mapped[str] = mapped_column(Text)
    is_over: Mapped[bool]
    saved_at: Mapped[datetime.datetime]
    played: Mapped[list["PlayedRow"]] = relationship(
        back_populates="game", cascade="all, delete-orphan"
    )


class PlayedRow(Base):
    """How one person played one game, for one objective."""

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
        back_populates="played", cascade="all, delete-orphan"
    )


class DecisionRow(Base):
    """One decision of a person: ``category`` is where the turn was scored in the end."""

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
    played: Mapped[PlayedRow] = relationship(back_populates="decisions")


Index("played_of_game", PlayedRow.game_id)
Index("decisions_of_played", DecisionRow.played_id)
