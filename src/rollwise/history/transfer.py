"""Export and import of saved games and of the cards of spaced repetition, as lines of JSON.

The first line of an export names the format. Each other line is a game or a card. An export
contains no reviews, because they can be computed again, and no games that cannot be read.
"""

import json
import logging
import re
import sqlite3
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from rollwise.errors import InputError, MalformedError, visible
from rollwise.game.game import Game
from rollwise.game.records.as_json import GameData
from rollwise.history.mistakes import INSERT_CARD, SELECT_CARD, last_review, parse_card
from rollwise.history.store import INSERT, YEARS, History, game_row, parse_time
from rollwise.toml_errors import in_words

log = logging.getLogger("rollwise")

FORMAT = {"format": "rollwise history 1"}

MAX_BYTES = 1 << 30
"""The largest export that can be imported, in bytes."""


def _printable(text: str) -> str:
    if not text.isprintable():
        raise ValueError("control characters are not allowed")
    return text


def _in_range(time: datetime) -> datetime:
    if time.year not in YEARS:
        raise ValueError(f"the year must be from {YEARS.start} to {YEARS.stop - 1}")
    return time if time.tzinfo else time.replace(tzinfo=UTC)


Line = Annotated[str, AfterValidator(_printable)]


class GameLine(BaseModel):
    """A game in an export."""

    model_config = ConfigDict(extra="forbid")

    id: Annotated[Line, Field(min_length=1)]
    owner: Line = ""
    saved_at: Annotated[datetime, AfterValidator(_in_range)]
    game: GameData


class CardLine(BaseModel):
    """The card of a player for a position in an export; see :mod:`rollwise.history.mistakes`."""

    model_config = ConfigDict(extra="forbid")

    owner: Line = ""
    rules: Line
    player: Line
    position: Line
    card: dict[str, Any]


def export(history: History) -> Iterator[str]:
    """Yield the lines of an export, without line breaks; warn about games that cannot be read."""
    yield json.dumps(FORMAT)
    for saved in history.each():
        if saved.saved_at is None or saved.reason:
            log.warning("the game %s is not exported, because it is damaged", saved.id)
            continue
        line = GameLine(
            id=saved.id,
            owner=saved.owner or "",
            saved_at=saved.saved_at.astimezone(UTC),
            game=saved.game.data(),
        )
        yield line.model_dump_json(exclude_none=True)
    with history.database.reading() as database:
        for row in history.select(database, "SELECT * FROM cards WHERE {owned}"):
            try:
                card = CardLine(**{**row, "card": json.loads(row["card"])})
            except (ValueError, TypeError):  # it is damaged, so that the position counts as new
                continue
            yield card.model_dump_json(exclude_none=True)


def is_export(text: str) -> bool:
    """Return whether a file is an export of any version, and not a game record."""
    return re.match(r'\s*\{\s*"format"\s*:\s*"rollwise history', text) is not None


def parse_export(text: str) -> list[dict[str, Any]]:
    """Return the rows of the tables for the games and cards of an export.

    Raise MalformedError, with the number of the line, if a line is not part of an export.
    """
    rows = []
    for number, line in enumerate(text.split("\n"), start=1):
        try:
            if number == 1 and json.loads(line) != FORMAT:
                raise MalformedError(f"expected {json.dumps(FORMAT)}")
            if number > 1 and line.strip():
                rows.append(_row(json.loads(line)))
        except (ValueError, RecursionError) as error:
            raise MalformedError(
                f"line {number} is not part of a history export: {_reason(error)}; to create an "
                "export, run: rollwise history export FILE.jsonl"
            ) from None
    return rows


def _row(data: Any) -> dict[str, Any]:
    if isinstance(data, dict) and "card" in data:
        row = CardLine.model_validate(data).model_dump()
        return {**row, "card": json.dumps(row["card"])}
    line = GameLine.model_validate(data)
    return game_row(line.id, Game.of_data(line.game), line.saved_at, line.owner)


def _reason(error: Exception) -> str:
    if isinstance(error, ValidationError):
        first: Any = error.errors(include_url=False)[0]
        path = ".".join(str(part)[:40] for part in first["loc"])
        return visible(f"{path}: {in_words(first):.200}".removeprefix(": "))
    return visible(str(error)) if isinstance(error, InputError) else "it is not JSON"


def restore(history: History, rows: Iterable[dict[str, Any]]) -> int:
    """Import games and cards of which the history has no later version.

    Return the number of imported games.
    """
    with history.database.writing() as database:
        return sum(_is_imported(database, row) for row in rows)


def _is_imported(database: sqlite3.Connection, row: dict[str, Any]) -> bool:
    """Import a game or a card; return whether a game was imported."""
    if "card" in row:
        (saved,) = database.execute(SELECT_CARD, row).fetchone() or (None,)
        here, there = (last_review(parse_card(card)) for card in (saved, row["card"]))
        if here is None or (there is not None and here < there):
            database.execute(INSERT_CARD, row)
        return False
    select = "SELECT saved_at FROM games WHERE id = :id"
    (saved,) = database.execute(select, row).fetchone() or (None,)
    if parse_time(saved) is not None and saved >= row["saved_at"]:
        return False
    database.execute("DELETE FROM games WHERE id = :id", row)
    database.execute(INSERT, row)
    return True
