"""Game records as JSON, which can include custom rules (unlike the text form).

Events are written as strings that :meth:`Game.push` accepts, one string for each event.
"""

import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from rollwise.errors import MalformedError
from rollwise.game.dice_notation import check_length
from rollwise.game.headers import MAX_LENGTH
from rollwise.rules import Rules
from rollwise.toml_errors import in_words

Word = Annotated[str, Field(max_length=80)]
LongText = Annotated[str, Field(max_length=2000)]


class GameData(BaseModel):
    """The JSON data of a game record; headers with their default value are left out."""

    model_config = ConfigDict(extra="forbid")

    format: Literal["rollwise game 1"] = "rollwise game 1"
    rules: Word | Rules = "yahtzee"
    players: list[Word] = ["Player"]
    position: LongText | None = None
    date: datetime.date | None = None
    seed: int | None = None
    bots: dict[Word, LongText] | None = None
    tutor: bool | None = None
    objective: LongText | None = None
    score: list[int] | None = None
    events: list[Word] = []


def format_data(data: GameData) -> str:
    """Return data as a JSON string, with one event per line unless that would be too long."""
    text = data.model_dump_json(indent=2, exclude_none=True) + "\n"
    if len(text) > MAX_LENGTH:
        text = data.model_dump_json(exclude_none=True) + "\n"
    check_length(text, MAX_LENGTH, "record")
    return text


def parse_data(text: str) -> GameData:
    """Parse the data of a game record in JSON form, without replaying the game."""
    check_length(text, MAX_LENGTH, "record")
    try:
        data = GameData.model_validate_json(text)
    except ValidationError as error:
        raise MalformedError(_first_mistake(error)) from None
    if not data.model_fields_set:
        raise MalformedError("the record is empty; add at least the events of a game")
    return data


def _first_mistake(error: ValidationError) -> str:
    errors: list[Any] = error.errors(include_url=False)
    first, place = errors[0], errors[0]["loc"]
    if place[:1] == ("rules",):  # a name or rules; pydantic reports the mistakes of both forms
        custom = [error for error in errors if error["loc"][2:]]
        if not custom:
            return f"rules: expected the name of a game or its rules, got {first['input']!r:.60}"
        first, place = custom[0], ("rules", *custom[0]["loc"][2:])
    place = ".".join(map(str, place))
    return f"{place or 'record'}: {in_words(first)}"
