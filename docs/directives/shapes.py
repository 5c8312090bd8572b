"""What each command writes with ``--json``: one type for each command.

The types of questions are their answers. Those of other commands are here. No key is ever there
that is not named, and each is unless it has a default. The tests hold what commands write to these
schemas.
"""

from functools import reduce
from operator import or_
from typing import Any

from rollwise.game.records.as_json import GameData
from rollwise.history.rating import Rating
from rollwise.questions import QUESTIONS, Question, answers, question
from rollwise.questions.answer import Data
from rollwise.questions.solve import solve


class Told(Data):
    action: str
    value: float
    loss: float


class PracticeQuestion(Data):
    position: str
    then: str | None
    best: str
    value: float
    options: list[Told]


class Practice(Data):
    rules: str
    questions: list[PracticeQuestion]


class Saved(Data):
    id: str
    saved_at: str | None
    rules: str
    is_over: bool
    scores: dict[str, int]


class Unreadable(Data):
    id: str
    saved_at: str | None
    unreadable: str


class Checked(Data):
    games: int
    unreadable: list[Unreadable]
    damaged_reviews: list[str]
    reviewed: list[str]
    not_reviewed: dict[str, str]
    problems: list[str]


class CachedGame(Data):
    path: str
    game: str
    objective: str
    bytes: int
    used_at: str
    current: bool
    wanted: bool


class Cached(Data):
    folder: str
    limit: int
    games: list[CachedGame]


class DefaultGame(Data):
    name: str
    title: str
    rules: str
    """The name of a preset, or the path of a rule file."""
    set_by: str | None
    """The environment variable or the settings file; null for the original default."""


def _answer(function: Question) -> Any:
    """Return the type of the data of an answer."""
    return reduce(or_, [kind.json_type or kind for kind in answers(function)])


DOCUMENTS: dict[str, Any] = {name: _answer(question(name)) for name in QUESTIONS} | {
    "cache": Cached,
    "history check": Checked,
    "history list": list[Saved | Unreadable],
    "history rating": Rating | None,
    "history show": GameData,
    "practice": Practice,
    "rules use": DefaultGame,
    "solve": _answer(solve),
}
"""The type of what each command writes. Of advise for a file there is one document a line."""
