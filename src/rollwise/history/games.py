"""Conversion between saved games and rows of the database.

A game that cannot be read becomes an :class:`UnreadableGame`, so that the other games can be
listed.
"""

import datetime
import secrets
from dataclasses import dataclass
from typing import Any

from rollwise.errors import InputError, MalformedError, quoted, visible
from rollwise.game.game import Game
from rollwise.history.schema import DamagedId, DecisionRow, GameRow, PlayedRow
from rollwise.reviews.review import Review

YEARS = range(1970, 9999)
"""The years in which a game can be saved; conversions between time zones need a margin."""


@dataclass(frozen=True)
class SavedGame:
    """A game that was read from the history.

    Attributes
    ----------
    id : str
        The id of the game. It is random, because everyone who knows the id can open the game.
    saved_at : datetime
        The time of the last save, in the time zone of this machine.
    owner : str or None
        The owner of the game if several people share the history; otherwise None.
    """

    id: str
    game: Game
    saved_at: datetime.datetime
    owner: str | None = None


@dataclass(frozen=True)
class UnreadableGame:
    """A saved game that is damaged, or whose rules were removed or have changed.

    Attributes
    ----------
    reason : str
        The error that occurred when the game was read.
    saved_at : datetime or None
        The time of the last save, in the time zone of this machine; None if the saved time is
        damaged.
    """

    id: str
    reason: str
    saved_at: datetime.datetime | None


def new_id() -> str:
    """Return a random id without ``-``, because a command reads a leading ``-`` as an option."""
    return secrets.token_urlsafe(9).replace("-", "_")


def now() -> datetime.datetime:
    """Return the current time in UTC, without a time zone, as the database saves it."""
    return datetime.datetime.now(datetime.UTC).replace(tzinfo=None)


def in_utc(time: datetime.datetime) -> datetime.datetime:
    """Convert a time to UTC, without a time zone; a time without a time zone is in UTC already."""
    return time.astimezone(datetime.UTC).replace(tzinfo=None) if time.tzinfo else time


def time_after(last: datetime.datetime | None) -> datetime.datetime:
    """Return the current time as :func:`now`, or a later time if the clock is not past ``last``."""
    return now() if last is None else max(now(), in_utc(last) + datetime.timedelta.resolution)


def row_of(id: str, game: Game, saved_at: datetime.datetime) -> dict[str, Any]:
    """Return the values of a game's database row, by column name."""
    return {
        "id": id,
        "rules": game.rules.name,
        "record": game.as_json(),
        "robots": "{}",
        "is_over": game.is_over,
        "saved_at": saved_at,
    }


def game_of(row: GameRow) -> SavedGame | UnreadableGame:
    """Return the game in a database row; an :class:`UnreadableGame` if it cannot be read."""
    # A damaged database might contain values of other types.
    local_time = row.saved_at and _local(row.saved_at)
    try:
        if isinstance(row.id, DamagedId):
            raise MalformedError("its id is not text that can be printed")
        if local_time is None:
            raise MalformedError("the time when it was saved is missing or damaged")
        if not isinstance(row.record, str):
            raise MalformedError(f"its record is not text: {quoted(row.record)}")
        return SavedGame(row.id, Game.parse(row.record), local_time, row.owner)
    except InputError as error:
        return UnreadableGame(row.id, visible(str(error)), local_time)


def _local(time: datetime.datetime) -> datetime.datetime | None:
    """Convert a time to the time zone of this machine; None if it is too early or too late."""
    return time.replace(tzinfo=datetime.UTC).astimezone() if time.year in YEARS else None


def played_of(id: str, review: Review) -> PlayedRow:
    """Convert the review of a player in a game to a row, with a row for each decision.

    Raises
    ------
    MalformedError
        If the game is not finished.
    """
    if not review.is_over:
        raise MalformedError(
            "only the review of a finished game can be saved; finish the game first"
        )
    scored = {
        decision.turn: decision.chosen.action.category
        for decision in review.decisions
        if decision.chosen.action.kind == "score"
    }
    decisions = [decision.as_dict() for decision in review.decisions]
    columns = "position", "chosen", "best", "loss", "verdict", "counted"
    played = PlayedRow(
        game_id=id,
        name=review.player,
        objective=review.objective,
        score=review.score,
        start=review.start,
        luck=review.luck,
        loss=review.loss,
        decisions=[
            DecisionRow(
                turn=decision["turn"],
                category=scored[decision["turn"]],
                **{column: decision[column] for column in columns},
            )
            for decision in decisions
        ],
    )
    played.seal()
    return played
