"""A game as it is kept, read back; one that cannot be read is told, and hides no other."""

import datetime
import json
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rollwise.errors import InputError, MalformedError, quoted
from rollwise.game.records.as_json import format_record_json, parse_record_json
from rollwise.game.records.record import Record
from rollwise.history.schema import DecisionRow, GameRow, PlayedRow
from rollwise.reviews.review import Review


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
    owner : str or None
        Whose it is, where several people share a history.
    """

    id: str
    record: Record
    robots: Mapping[int, str]
    saved_at: datetime.datetime
    owner: str | None = None


@dataclass(frozen=True)
class UnreadableGame:
    """A game that is kept and cannot be read: damaged, or of rules that are gone or have changed.

    Attributes
    ----------
    reason : str
        Why not.
    saved_at : datetime or None
        In the time zone of this machine; None where that is damaged, too.
    """

    id: str
    reason: str
    saved_at: datetime.datetime | None


def new_id() -> str:
    """Return the address of a new game; a word that begins with - would be an option."""
    return secrets.token_urlsafe(9).replace("-", "_")


def now() -> datetime.datetime:
    """Return the time as the database keeps it: that of Greenwich."""
    return datetime.datetime.now(datetime.UTC).replace(tzinfo=None)


def row_of(id: str, record: Record, robots: Mapping[int, str]) -> dict[str, Any]:
    """Return a game as a row of its table."""
    return {
        "id": id,
        "rules": record.rules.name,
        "record": format_record_json(record),
        "robots": json.dumps({str(number): name for number, name in robots.items()}),
        "is_over": record.is_over,
        "saved_at": now(),
    }


def game_of(row: GameRow) -> SavedGame | UnreadableGame:
    """Return the game of a row."""
    # Whatever else may stand in the database than its types say:
    saved_at: datetime.datetime | None = row.saved_at
    here = saved_at and saved_at.replace(tzinfo=datetime.UTC).astimezone()
    try:
        if here is None:
            raise MalformedError("saved_at: expected a time")
        if not isinstance(row.record, str):
            raise MalformedError(f"record: expected a text, got {quoted(row.record)}")
        record = parse_record_json(row.record)
        return SavedGame(row.id, record, _robots(row.robots), here, row.owner)
    except InputError as error:
        return UnreadableGame(row.id, str(error), here)


def _robots(told: str) -> dict[int, str]:
    try:
        return {int(number): str(name) for number, name in json.loads(told).items()}
    except (ValueError, TypeError, AttributeError, RecursionError):
        raise MalformedError(
            f"robots: expected strategies by the number of their player, got {quoted(told)}"
        ) from None


def played_of(review: Review) -> PlayedRow:
    """Return how somebody played a game as a row, with rows of decisions.

    Raises
    ------
    MalformedError
        When the game is not finished.
    """
    if not review.is_over:
        raise MalformedError("expected the review of a finished game")
    keys = review.rules.keys
    scored = {
        one.turn: keys[one.chosen.action.category]
        for one in review.decisions
        if one.chosen.action.kind == "score"
    }
    told = [one.as_dict() for one in review.decisions]
    keys_told = "position", "chosen", "best", "loss", "verdict", "counted"
    return PlayedRow(
        name=review.player,
        objective=review.objective,
        score=review.score,
        start=review.start,
        luck=review.luck,
        loss=review.loss,
        decisions=[
            DecisionRow(
                turn=one["turn"], category=scored[one["turn"]], **{k: one[k] for k in keys_told}
            )
            for one in told
        ],
    )
