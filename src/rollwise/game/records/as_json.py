"""Game records as JSON, which can include custom rules (unlike the text form)."""

import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from rollwise.errors import InputError, MalformedError
from rollwise.game.actions import Keep, Score
from rollwise.game.dice_notation import (
    format_dice,
    format_keep,
    parse_category,
    parse_dice,
    parse_keep,
)
from rollwise.game.events import Roll
from rollwise.game.game import MAX_PLAYERS, Game
from rollwise.game.records.record import (
    EXPECTED,
    MAX_LENGTH,
    Record,
    Setting,
    bots_by_player,
    push_score,
    rules_named,
    turns_of,
)
from rollwise.rules import Rules
from rollwise.rules.card import MAX_CATEGORIES
from rollwise.rules.fields import MAX_ROLLS

MAX_TURN = MAX_ROLLS * MAX_CATEGORIES
"""An upper bound on the number of rolls in a turn, including rolls saved in other turns."""

Word = Annotated[str, Field(max_length=80)]
Strategy = Annotated[str, Field(max_length=1000)]


class TurnData(BaseModel):
    """A turn of a game record: its rolls, the dice kept between the rolls, and its category.

    An unfinished turn has no category.
    """

    model_config = ConfigDict(extra="forbid")

    player: Word
    rolls: Annotated[list[Word], Field(min_length=1, max_length=MAX_TURN)]
    keeps: Annotated[list[Word], Field(max_length=MAX_TURN)] = []
    category: Word | None = None
    points: int | None = None
    extra_bonus: int | None = None


class RecordData(BaseModel):
    """The JSON data of a game record."""

    model_config = ConfigDict(extra="forbid")

    format: Literal["rollwise game 1"] = "rollwise game 1"
    rules: Word | Rules = "yahtzee"
    players: Annotated[list[Word], Field(min_length=1, max_length=MAX_PLAYERS)] = ["Player"]
    date: datetime.date | None = None
    seed: Annotated[int, Field(ge=0, lt=2**63)] | None = None
    robots: Annotated[dict[Word, Strategy], Field(max_length=MAX_PLAYERS)] | None = None
    tutor: bool | None = None
    objective: Strategy | None = None
    score: Annotated[list[int], Field(max_length=MAX_PLAYERS)] | None = None
    turns: Annotated[list[TurnData], Field(max_length=MAX_CATEGORIES * MAX_PLAYERS)] = []


def record_data(record: Record) -> RecordData:
    """Return the JSON data of a record."""
    rules, setting = record.rules, record.setting
    return RecordData(
        rules=rules.named,
        players=list(record.players),
        date=record.date,
        seed=record.seed,
        robots={record.players[n]: strategy for n, strategy in setting.robots.items()} or None,
        tutor=setting.tutor or None,
        objective=setting.objective if setting.objective != EXPECTED else None,
        score=[card.points for card in record.cards] if record.is_over else None,
        turns=[
            TurnData(
                player=record.players[turn.player],
                rolls=[format_dice(rules, s.dice) for s in turn.steps if isinstance(s, Roll)],
                keeps=[format_keep(rules, s.dice) for s in turn.steps if isinstance(s, Keep)],
                category=rules.keys[turn.score.category] if turn.score else None,
                points=turn.points if turn.score else None,
                extra_bonus=turn.extra if turn.score else None,
            )
            for turn in turns_of(record)
        ],
    )


def record_of(data: RecordData, rules: Rules | None = None) -> Record:
    """Return the record that the JSON data describes.

    ``rules`` is required if the record names rules that are not a preset.

    Raises
    ------
    InputError
        If the data is not a valid record. The message names the turn and the reason.
    """
    game_rules = data.rules if isinstance(data.rules, Rules) else rules_named(data.rules, rules)
    game = Game(game_rules, data.players)
    for number, turn in enumerate(data.turns, start=1):
        try:
            _push(game, turn)
            if turn.category is None and number < len(data.turns):
                raise MalformedError("only the last turn can be unfinished; add a category")
        except InputError as error:
            raise MalformedError(f"turns.{number - 1}: {error}") from None
    robots = bots_by_player(data.robots or {}, game.players)
    setting = Setting(robots, bool(data.tutor), data.objective or EXPECTED)
    record = Record.of(game, data.seed, data.date, setting)
    if data.score not in (None, [card.points for card in record.cards]):
        raise MalformedError(
            f"score: the turns add up to {[card.points for card in record.cards]}, not "
            f"{data.score}; correct or remove the score"
        )
    return record


def _push(game: Game, turn: TurnData) -> None:
    rules, player = game.rules, game.stage.player
    if turn.player != game.players[player]:
        raise MalformedError(
            f"it is the turn of {game.players[player]}, not of {turn.player!r}; put the turns in "
            "the order of the players"
        )
    keeps = iter(turn.keeps)
    for number, roll in enumerate(turn.rolls):
        if number:
            keep = next(keeps, None)
            if keep is None:
                raise MalformedError("add the dice to keep between every two rolls to 'keeps'")
            game.push(Keep(parse_keep(rules, keep)))
        game.push(Roll(parse_dice(rules, roll)))
    last = next(keeps, None)
    if last is not None and (turn.category is not None or next(keeps, None) is not None):
        raise MalformedError("'keeps' is too long; give one entry between every two rolls")
    if last is not None:
        game.push(Keep(parse_keep(rules, last)))
    if turn.category is None:
        return
    earned = push_score(game, Score(parse_category(rules, turn.category)))
    claims = {"points": turn.points, "extra_bonus": turn.extra_bonus}
    for (key, claim), points in zip(claims.items(), earned, strict=True):
        if claim not in (None, points):
            raise MalformedError(f"the roll scores {points}, not {claim}; correct or remove {key}")


def format_record_json(record: Record) -> str:
    """Return a record as a JSON string that :func:`parse_record_json` can parse.

    Raises
    ------
    MalformedError
        If the string would be too long to be parsed.
    """
    data = record_data(record)
    text = data.model_dump_json(indent=2, exclude_none=True) + "\n"
    if len(text) > MAX_LENGTH:
        text = data.model_dump_json(exclude_none=True) + "\n"
    _check_length(text)
    return text


def parse_record_json(text: str, rules: Rules | None = None) -> Record:
    """Parse a game record in JSON form (see :func:`record_of`)."""
    return record_of(parse_record_data(text), rules)


def parse_record_data(text: str) -> RecordData:
    """Parse the data of a game record in JSON form, without replaying the game.

    Raises
    ------
    MalformedError
        If the string does not have the format of a record. The message names the location.
    """
    _check_length(text)
    try:
        data = RecordData.model_validate_json(text)
    except ValidationError as error:
        raise MalformedError(_first_mistake(error)) from None
    if not data.model_fields_set:
        raise MalformedError("the record is empty; add at least the turns of a game")
    return data


def _check_length(text: str) -> None:
    if len(text) > MAX_LENGTH:
        raise MalformedError(f"the record has {len(text):,} characters; use at most {MAX_LENGTH:,}")


def _first_mistake(error: ValidationError) -> str:
    errors: list[Any] = error.errors(include_url=False, include_context=False)
    first, place = errors[0], errors[0]["loc"]
    if place[:1] == ("rules",):  # a name or rules; pydantic reports the mistakes of both forms
        custom = [error for error in errors if error["loc"][2:]]
        if not custom:
            return f"rules: expected the name of a game or its rules, got {first['input']!r:.60}"
        first, place = custom[0], ("rules", *custom[0]["loc"][2:])
    place = ".".join(map(str, place))
    return f"{place or 'record'}: {first['msg']}, got {str(first['input'])!r:.60}"
