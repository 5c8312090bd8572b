"""Export and import of saved games as JSON.

An export contains all games, including games that cannot be read. An import restores all of them.
Only a damaged id or a damaged review is left out of an export, with a warning.
"""

import datetime
import json
import logging
import math
from collections.abc import Iterable
from typing import Annotated, Any, Literal, NoReturn

from pydantic import AfterValidator, BaseModel, Field, ValidationError, model_validator
from sqlalchemy import ColumnElement, delete, insert, select
from sqlalchemy.orm import Session, selectinload

from rollwise.errors import MalformedError, visible
from rollwise.history.games import YEARS, in_utc, now
from rollwise.history.schema import DamagedId, DecisionRow, GameRow, PlayedRow

log = logging.getLogger("rollwise")

FORMAT = "rollwise history 1"

MAX_BYTES = 1 << 30
"""The largest export that can be imported, in bytes."""

MAX_DEPTH = 20
"""The largest number of nested levels in the data of a game; a record has nine."""


def _printable(text: str) -> str:
    if not text.isprintable():
        raise ValueError("control characters are not allowed")
    return text


def _in_range(time: datetime.datetime) -> datetime.datetime:
    if time.year not in YEARS:
        raise ValueError(f"the year must be from {YEARS.start} to {YEARS.stop - 1}")
    return time


def _not_too_deep(value: Any) -> Any:
    if _is_too_deep(value, MAX_DEPTH):
        raise ValueError(f"there are more than {MAX_DEPTH} nested levels")
    return value


def _is_too_deep(value: Any, most: int) -> bool:
    if not isinstance(value, dict | list):
        return False
    members = value.values() if isinstance(value, dict) else value
    return most == 0 or any(_is_too_deep(member, most - 1) for member in members)


Printable = Annotated[str, AfterValidator(_printable)]
Whole = Annotated[int, Field(ge=-(2**31), lt=2**31)]  # PostgreSQL stores 32 bits
Real = Annotated[float, Field(allow_inf_nan=False)]
Members = Annotated[dict[str, Any], AfterValidator(_not_too_deep)]


class DecisionData(BaseModel):
    """A decision in an export."""

    turn: Whole
    category: Annotated[Printable, Field(max_length=40)]
    position: Printable
    chosen: Annotated[Printable, Field(max_length=80)]
    best: Annotated[Printable, Field(max_length=80)]
    loss: Real
    verdict: Annotated[Printable, Field(max_length=20)]
    counted: bool
    memory: Printable | None = None


class PlayedData(BaseModel):
    """The review of a player in an export."""

    name: Annotated[Printable, Field(max_length=40)]
    objective: Annotated[Printable, Field(max_length=80)]
    score: Whole
    start: Real
    luck: Real
    loss: Real
    decisions: list[DecisionData]


class GameData(BaseModel):
    """A game in an export; damaged parts are strings, and a damaged time is null."""

    id: Annotated[Printable, Field(min_length=1, max_length=40)]
    saved_at: Annotated[datetime.datetime, AfterValidator(_in_range)] | None
    robots: dict[str, str] | str
    record: Members | str
    played: list[PlayedData] = []
    rules: Annotated[Printable, Field(max_length=40)] | None = None
    is_over: bool | None = None
    owner: Annotated[Printable, Field(max_length=40)] | None = None

    @model_validator(mode="after")
    def _one_review_each(self) -> "GameData":
        reviews = [(played.name, played.objective) for played in self.played]
        if len(set(reviews)) < len(reviews):
            raise ValueError("a player has two reviews for the same objective")
        return self


class HistoryData(BaseModel):
    """An export of a history."""

    format: Literal["rollwise history 1"]
    games: list[GameData]

    @model_validator(mode="after")
    def _one_game_each(self) -> "HistoryData":
        if len({game.id for game in self.games}) < len(self.games):
            raise ValueError("two games have the same id")
        return self


def exported(session: Session, listed: ColumnElement[bool]) -> dict[str, Any]:
    """Return the games that satisfy the condition ``listed`` as JSON-serializable data."""
    everything = (
        select(GameRow)
        .where(listed)
        .order_by(GameRow.saved_at, GameRow.id)
        .options(selectinload(GameRow.played).selectinload(PlayedRow.decisions))
    )
    return {
        "format": FORMAT,
        "games": [_game_data(row) for row in session.scalars(everything) if _has_id(row)],
    }


def _has_id(row: GameRow) -> bool:
    """Return whether a game can be imported under its id; log a warning if not."""
    is_sound = not isinstance(row.id, DamagedId) and 1 <= len(row.id) <= 40
    if not is_sound:
        log.warning("the game %s is not exported, because its id is damaged", row.id)
    return is_sound


def _game_data(row: GameRow) -> dict[str, Any]:
    saved_at: datetime.datetime | None = row.saved_at  # None if it is damaged
    return {
        "id": row.id,
        "saved_at": saved_at.isoformat() if saved_at and saved_at.year in YEARS else None,
        "rules": row.rules and row.rules[:40],
        "is_over": bool(row.is_over),
        "owner": row.owner and row.owner[:40],
        "robots": _robots_or_text(row.robots),
        "record": _object_or_text(row.record),
        "played": [
            data
            for played in sorted(row.played, key=lambda played: played.id)
            if (data := _played_data(played)) is not None
        ],
    }


def _object_or_text(text: Any) -> dict[str, Any] | str:
    """Return the object that a text contains; the text itself if JSON cannot restore it."""
    try:
        value = parse_json(text)
    except (ValueError, TypeError, RecursionError):
        return str(text)
    is_object = isinstance(value, dict) and not _is_too_deep(value, MAX_DEPTH)
    return str(text) if not is_object or "\\ud" in text.lower() else value


def _robots_or_text(text: Any) -> dict[str, Any] | str:
    value = _object_or_text(text)
    is_sound = isinstance(value, str) or all(isinstance(name, str) for name in value.values())
    return value if is_sound else str(text)


def parse_json(text: str | bytes) -> Any:
    """Return the value of a JSON document.

    Raises
    ------
    ValueError
        If the text is not JSON. NaN, Infinity, and numbers outside the range of a float are not.
    """
    return json.loads(text, parse_constant=_no_number, parse_float=_finite)


def _no_number(word: str) -> NoReturn:
    raise MalformedError(f"{word} is not a number in JSON")


def _finite(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise MalformedError(f"the number {digits:.20} is too large")
    return number


def _text(value: dict[str, Any] | str) -> str:
    if isinstance(value, str):
        return value
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def _played_data(row: PlayedRow) -> dict[str, Any] | None:
    """Return a review; log a warning and return None if it is damaged."""
    if row.is_sound:
        fields = {key: getattr(row, key) for key in PlayedData.model_fields if key != "decisions"}
        keys = DecisionData.model_fields
        decisions = [{key: getattr(decision, key) for key in keys} for decision in row.decisions]
        data = {**fields, "decisions": decisions}
        if _is_valid(data):
            return data
    log.warning("a review of the game %s is not exported, because it is damaged", row.game_id)
    return None


def _is_valid(played: dict[str, Any]) -> bool:
    try:
        PlayedData.model_validate(played)
    except ValidationError:
        return False
    return True


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
        path = ".".join(str(part)[:40] for part in first["loc"])
        reason = str(first["msg"]).removeprefix("Value error, ")[:200]
        detail = f" ({path}: {reason})" if path else f" ({reason})"
        if first["type"] == "model_type":  # the message of pydantic names the class
            detail = ""
        raise MalformedError(
            f"this is not a history export{visible(detail)}; to create one, run: "
            "rollwise history export FILE.json"
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
    return game.saved_at is not None and in_utc(game.saved_at) > times[game.id]


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
            saved_at=in_utc(game.saved_at) if game.saved_at else now(),
            owner=game.owner,
        )
    )
    for played in game.played:
        values = played.model_dump(exclude={"decisions"})
        decisions = [DecisionRow(**decision.model_dump()) for decision in played.decisions]
        row = PlayedRow(game_id=game.id, **values, decisions=decisions)
        row.seal()
        session.add(row)
