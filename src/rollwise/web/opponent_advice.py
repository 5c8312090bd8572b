"""Options against opponents with known scorecards, for the web pages."""

from collections.abc import Hashable
from typing import TYPE_CHECKING, Any

from rollwise.errors import MalformedError
from rollwise.game.position import Position
from rollwise.game.scorecard import Scorecard
from rollwise.playing.opponents import opponent_labels
from rollwise.questions.advise import advice
from rollwise.questions.network import Forwarded
from rollwise.questions.opponents import DUEL, Opponent, against
from rollwise.questions.progress import reporting
from rollwise.questions.size_limits import PLAYERS, check_known
from rollwise.solving.progress import Progress
from rollwise.web.game_state import option_data
from rollwise.web.rendering import sentence

if TYPE_CHECKING:
    from rollwise.questions.opponents import AnySolution

WAYS = opponent_labels([*PLAYERS, DUEL])
"""The labels of the opponents' strategies, by name."""


def check_strategy(plays: str, number: int) -> None:
    """Raise MalformedError if a number of opponents cannot have the strategy ``plays``."""
    check_known(plays, "strategy", WAYS)
    if plays == DUEL and number != 1:
        raise MalformedError(f"the strategy {DUEL} responds to one opponent, not to {number}")


_last: dict[Hashable, tuple[list[Opponent], "AnySolution"]] = {}
"""The last solution, which is valid for the same scorecards with any dice."""


def reply(
    position: Position, cards: tuple[Scorecard, ...], plays: str, progress: Progress
) -> dict[str, Any]:
    """Return the options at a position against opponents, with values in percent.

    The opponents have the scorecards ``cards`` and the strategy ``plays``.
    """
    rules = position.rules
    key = rules, position.state, position.points, cards, plays
    if key not in _last:
        _last.clear()
        with reporting(Forwarded(progress)):
            opponents, solution, _ = against(position, cards, plays)
        _last[key] = opponents, solution
    opponents, solution = _last[key]
    answer = advice(solution, position, opponents)
    columns, *rows = [row[1:] for row in answer.table(2)]
    if answer.exact is None:  # the loss comes before the expected score, as for other objectives
        columns, *rows = [(*row[:1], *row[:0:-1]) for row in (columns, *rows)]
    chance, digits = 100 * answer.ranked[0].value, 2 if answer.exact is False else 4
    return {
        "options": [
            option_data(rules, option, 100) | {"cells": [cell.rstrip("%") for cell in row]}
            for option, row in zip(answer.ranked, rows, strict=True)
        ],
        "columns": [name if name == "EV" else f"{sentence(name)[:-1]} %" for name in columns],
        "notes": [
            f"Probability of the highest score, with ties split equally: {chance:.{digits}f}%.",
            *(f"{opponent}." for opponent in opponents),
            *([str(solution)] if answer.exact is False else []),
        ],
    }
