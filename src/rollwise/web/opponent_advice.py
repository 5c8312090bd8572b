"""Options against opponents with known scorecards, for the web pages."""

from collections.abc import Hashable
from typing import TYPE_CHECKING, Any

from rollwise.errors import MalformedError
from rollwise.game.position import Position
from rollwise.game.scorecard import Scorecard
from rollwise.playing.opponents import opponent_labels
from rollwise.questions.advise import advice
from rollwise.questions.network import Forwarded
from rollwise.questions.opponents import DUEL, MOST, Opponent, against
from rollwise.questions.progress import reporting
from rollwise.questions.size_limits import PLAYERS, check_known
from rollwise.rules import Rules
from rollwise.solving.progress import Progress
from rollwise.web.game_state import option_data
from rollwise.web.rendering import sentence

if TYPE_CHECKING:
    from rollwise.questions.opponents import AnySolution

WAYS = opponent_labels([*PLAYERS, DUEL])
"""The labels of the opponents' strategies, by name."""


def parse_opponents(rules: Rules, cards: str, plays: str) -> tuple[Scorecard, ...]:
    """Parse the opponents' scorecards, separated by semicolons, and check their strategy ``plays``.

    Raises
    ------
    InputError
        If the strategy is unknown, if a scorecard does not fit the rules, or if there are no or too
        many scorecards.
    """
    check_known(plays, "strategy", WAYS)
    opponents = tuple(Scorecard(rules, card) for card in cards.split(";") if card.strip())
    most = 1 if plays == DUEL else MOST
    if not 1 <= len(opponents) <= most:
        number = "one scorecard" if most == 1 else f"1 to {most} scorecards, separated by ;"
        raise MalformedError(
            f"opponents: expected {number}, such as ones=3,full-house=25, or - for an empty "
            f"scorecard, got {len(opponents)}"
        )
    return opponents


_last: dict[Hashable, tuple[list[Opponent], "AnySolution"]] = {}
"""The last solution, which is valid for the same scorecards with any dice."""


def reply(rules: Rules, line: str, cards: str, plays: str, progress: Progress) -> dict[str, Any]:
    """Return the options at the position ``line`` against opponents, with values in percent.

    The opponents have the scorecards ``cards`` and the strategy ``plays``.
    """
    position, cards_of = Position(rules, line), parse_opponents(rules, cards, plays)
    key = rules, position.state, position.points, cards_of, plays
    if key not in _last:
        _last.clear()
        with reporting(Forwarded(progress)):
            opponents, solution, _ = against(position, cards_of, plays)
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
        "values": [chance],
        "notes": [
            f"Probability of the highest score, with ties split equally: {chance:.{digits}f}%.",
            *(f"{opponent}." for opponent in opponents),
            *([str(solution)] if answer.exact is False else []),
        ],
    }
