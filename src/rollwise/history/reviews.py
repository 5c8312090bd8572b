"""Saved reviews: what ratings and practice need of the review of one player in a finished game.

They can be computed again. A saved review is JSON with a CRC-32, so that a damaged one is not used.
"""

from __future__ import annotations

import json
import sqlite3
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Self

from rollwise.errors import MalformedError
from rollwise.game.notation import format_action
from rollwise.game.position import format_position

if TYPE_CHECKING:
    from rollwise.reviews.review import Review  # imports NumPy


class Decision(NamedTuple):
    """A decision whose options differ in value.

    The category is the one in which the turn was scored. The loss is in points, or in the unit of
    another objective.
    """

    turn: int
    category: str
    verdict: str
    loss: float
    position: str
    chosen: str


@dataclass(frozen=True)
class SavedReview:
    """A review that was read from the history; ``game`` is the id of the game.

    ``start`` is the value of the game before the first roll, and ``loss`` is the total EV loss.
    """

    id: int
    game: str
    owner: str
    saved_at: str
    player: str
    objective: str
    score: int
    start: float
    loss: float
    decisions: list[Decision]

    @classmethod
    def of(cls, row: sqlite3.Row) -> Self | None:
        """Return the review in a row with the owner and time of the game; None if it is damaged."""
        if not is_sound(row):
            return None
        data = json.loads(row["review"])
        decisions = [Decision(*values) for values in data.pop("decisions")]
        keys = "id", "game", "owner", "saved_at", "player", "objective"
        return cls(**{key: row[key] for key in keys}, **data, decisions=decisions)


def is_sound(row: sqlite3.Row) -> bool:
    """Return whether a row of the table of reviews matches its checksum."""
    sum_of_row = checksum(row["game"], row["player"], row["objective"], row["review"])
    return bool(row["checksum"] == sum_of_row)


def checksum(*columns: object) -> int:
    """Return the CRC-32 of the columns of a review."""
    return zlib.crc32("\n".join(map(str, columns)).encode())


def compact(review: Review) -> str:
    """Return the JSON of a review; raise MalformedError if the game is not finished."""
    if not review.is_over:
        raise MalformedError(
            "only the review of a finished game can be saved; finish the game first"
        )
    categories = {
        decision.turn: decision.chosen.action.category
        for decision in review.decisions
        if decision.chosen.action.kind == "score"
    }
    decisions = [
        Decision(
            decision.turn,
            categories[decision.turn],
            decision.verdict,
            float(f"{decision.loss:.15g}"),  # more digits than the accuracy of a value
            format_position(decision.position),
            format_action(review.rules, decision.chosen.action),
        )
        for decision in review.counted
    ]
    data = {"score": review.score, "start": review.start, "loss": review.loss}
    return json.dumps({**data, "decisions": decisions}, separators=(",", ":"))
