"""What each command writes with ``--json``: one type for each command.

Most types are those of answers, and the others are here. No key is ever there that is not named,
and each is unless it has a default. The tests hold what commands write to these schemas.
"""

from functools import reduce
from operator import or_
from typing import Any

from rollwise.cli.cache import contents
from rollwise.cli.history import check, list_games
from rollwise.cli.practice import practice
from rollwise.game.records.as_json import GameData
from rollwise.history.rating import Rating
from rollwise.questions import QUESTIONS, Question, answers, question
from rollwise.questions.answer import Data
from rollwise.questions.solve import solve


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
    "cache": _answer(contents),
    "history check": _answer(check),
    "history list": _answer(list_games),
    "history rating": Rating | None,
    "history show": GameData,
    "practice": _answer(practice),
    "rules use": DefaultGame,
    "solve": _answer(solve),
}
"""The type of what each command writes. Of advise for a file there is one document a line."""
