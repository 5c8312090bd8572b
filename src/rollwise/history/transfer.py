"""Export and import of saved games as JSON.

An export contains all games, including games that cannot be read. An import restores all of them.
"""

import datetime
import json
from collections.abc import Iterable
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, ValidationError
from sqlalchemy import ColumnElement, delete, insert, select
from sqlalchemy.orm import Session, selectinload

from rollwise.errors import MalformedError
from rollwise.history.games import now
from rollwise.history.schema import DecisionRow, GameRow, PlayedRow

FORMAT = "rollwise history 1"


class DecisionData(BaseModel):
    """A decision in an export."""

    turn: int
    category: Annotated[str, Field(max_length=40)]
    position: str
    chosen: Annotated[str, Field(max_length=80)]
    best: Annotated[str, Field(max_length=80)]
    loss: float
    verdict: Annotated[str, Field(max_length=20)]
    counted: bool
    memory: str | None = None


class PlayedData(BaseModel):
    """The review of a player in an export."""

    name: Annotated[str, Field(max_length=40)]
    objective: Annotated[str, Field(max_length=80)]
    score: int
    start: float
    luck: float
    loss: float
    decisions: list[DecisionData]


class GameData(BaseModel):
    """A game in an export; damaged parts are strings, and a damaged time is null."""

    id: Annotated[str, Field(min_length=1, max_length=40)]
    saved_at: datetime.datetime | None
    robots: dict[str, str] | str
    record: dict[str, Any] | str
    played: list[PlayedData] = []
    rules: Annotated[str, Field(max_length=40)] | None = None
    is_over: bool | None = None
    owner: Annotated[str, Field(max_length=40)] | None = None


class HistoryData(BaseModel):
    """An export of a history."""

    format: Literal["rollwise history 1"]
    games: list[GameData]


def exported(session: Session, listed: ColumnElement[bool]) -> dict[str, Any]:
    """Return the games that satisfy the condition ``listed`` as JSON-serializable data."""
    everything = (
        select(GameRow)
        .where(listed)
        .order_by(GameRow.saved_at, GameRow.id)
        .options(selectinload(GameRow.played).selectinload(PlayedRow.decisions))
    )
    return {"format": FORMAT, "games": [_game_data(row) for row in session.scalars(everything)]}


def _game_data(row: GameRow) -> dict[str, Any]:
    saved_at: datetime.datetime | None = row.saved_at  # None if it is damaged
    return {
        "id": row.id,
        "saved_at": saved_at and saved_at.isoformat(),
        "rules": row.rules,
        "is_over": bool(row.is_over),
        "owner": row.owner,
        "robots": _object_or_text(row.robots),
        "record": _object_or_text(row.record),
        "played": [
            _played_data(played) for played in sorted(row.played, key=lambda played: played.id)
        ],
    }


def _object_or_text(text: Any) -> dict[str, Any] | str:
    try:
        value = json.loads(text)
    except (ValueError, TypeError, RecursionError):
        return str(text)
    return value if isinstance(value, dict) else str(text)


def _text(value: dict[str, Any] | str) -> str:
    if isinstance(value, str):
        return value
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def _played_data(row: PlayedRow) -> dict[str, Any]:
    fields = {key: getattr(row, key) for key in PlayedData.model_fields if key != "decisions"}
    keys = DecisionData.model_fields
    decisions = [{key: getattr(decision, key) for key in keys} for decision in row.decisions]
    return {**fields, "decisions": decisions}


def games_in(data: Any) -> list[GameData]:
    """Return the games in an export.

    Raises
    ------
    MalformedError
        If the data is not an export.
    """
    try:
        return HistoryData.model_validate(data).games
    except ValidationError as error:
        first: Any = error.errors(include_url=False, include_context=False)[0]
        path = ".".join(map(str, first["loc"])) or "history"
        raise MalformedError(
            f"{path}: {first['msg']}: expected what rollwise history export writes"
        ) from None


def take_in(session: Session, games: Iterable[GameData]) -> int:
    """Insert games that the database lacks or has in an earlier version; return their number."""
    times = {row.id: row.saved_at for row in session.execute(_TIMES)}
    new = {game.id: game for game in games if _is_newer(game, times)}
    for game in new.values():
        _insert(session, game)
    return len(new)


_TIMES = select(GameRow.id, GameRow.saved_at)


def _is_newer(game: GameData, times: dict[str, Any]) -> bool:
    if game.id not in times or times[game.id] is None:
        return True
    return game.saved_at is not None and _in_utc(game.saved_at) > times[game.id]


def _in_utc(time: datetime.datetime) -> datetime.datetime:
    return time.astimezone(datetime.UTC).replace(tzinfo=None) if time.tzinfo else time


def _insert(session: Session, game: GameData) -> None:
    record = game.record if isinstance(game.record, dict) else {}
    rules = record.get("rules", "")
    name = rules.get("name", "") if isinstance(rules, dict) else rules
    session.execute(delete(GameRow).where(GameRow.id == game.id))
    session.execute(
        insert(GameRow).values(
            id=game.id,
            rules=str(name)[:40] if game.rules is None else game.rules,
            record=_text(game.record),
            robots=json.dumps(game.robots) if isinstance(game.robots, dict) else game.robots,
            is_over="score" in record if game.is_over is None else game.is_over,
            saved_at=_in_utc(game.saved_at) if game.saved_at else now(),
            owner=game.owner,
        )
    )
    for played in game.played:
        values = played.model_dump(exclude={"decisions"})
        new = insert(PlayedRow).values(game_id=game.id, **values).returning(PlayedRow.id)
        played_id = session.scalar(new)
        rows = [{"played_id": played_id, **decision.model_dump()} for decision in played.decisions]
        if rows:
            session.execute(insert(DecisionRow), rows)
