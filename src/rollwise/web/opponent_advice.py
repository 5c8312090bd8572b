"""Options against opponents with known scorecards, for the web pages."""

from collections.abc import Hashable
from dataclasses import dataclass

from rollwise.errors import MalformedError
from rollwise.game.position import Position
from rollwise.game.scorecard import Scorecard, format_card
from rollwise.playing.opponents import opponent_labels
from rollwise.questions.advise import DUEL as DUEL
from rollwise.questions.advise import (
    MOST,
    Opponent,
    advice,
    beat_all,
    duel_advice,
    duel_query,
    opponents_of,
)
from rollwise.questions.network import Forwarded
from rollwise.questions.progress import reporting
from rollwise.questions.size_limits import PLAYERS
from rollwise.questions.solving import solved_with_moments
from rollwise.rules import Rules
from rollwise.solving.progress import Progress
from rollwise.solving.solution import Solution
from rollwise.two_player.near_optimal import NearOptimal
from rollwise.two_player.solution import DuelSolution

WAYS = opponent_labels([*PLAYERS, DUEL])
"""The labels of the opponents' strategies, by name."""


@dataclass(frozen=True)
class OpponentAdvice:
    """The options at a position against opponents.

    Attributes
    ----------
    opponents : list of str
        A description of each opponent.
    table : list of tuple of str
        The column headings, then one row per option, best first.
    value : float
        The win probability of the best option; tied players share the win.
    known : str
        A description of the error of the values; empty if they are exact.
    """

    opponents: list[str]
    table: list[tuple[str, ...]]
    value: float
    known: str = ""


def parse_opponents(rules: Rules, cards: str, plays: str) -> tuple[Scorecard, ...]:
    """Parse the opponents' scorecards, separated by semicolons, and check their strategy ``plays``.

    Raises
    ------
    InputError
        If the strategy is unknown, if a scorecard does not fit the rules, or if there are no or too
        many scorecards.
    """
    if plays not in WAYS:
        raise MalformedError(f"unknown strategy {plays[:60]!r}; use one of {', '.join(WAYS)}")
    opponents = tuple(Scorecard(rules, card) for card in cards.split(";") if card.strip())
    most = 1 if plays == DUEL else MOST
    if not 1 <= len(opponents) <= most:
        number = "one scorecard" if most == 1 else f"1 to {most} scorecards, separated by ;"
        raise MalformedError(
            f"opponents: expected {number}, such as ones=3,full-house=25, or - for an empty "
            f"scorecard, got {len(opponents)}"
        )
    return opponents


def reply(rules: Rules, line: str, cards: str, plays: str, progress: Progress) -> OpponentAdvice:
    """Return the options at the position ``line`` against opponents.

    The opponents have the scorecards ``cards`` and the strategy ``plays``.
    """
    position, cards_of = Position(rules, line), parse_opponents(rules, cards, plays)
    key = rules, position.state, position.points, cards_of, plays
    if key not in _last:
        _last.clear()
        with reporting(Forwarded(progress)):
            _last[key] = _solved(position, cards_of, plays, progress)
    opponents, solution = _last[key]
    if isinstance(solution, DuelSolution | NearOptimal):
        return _duel_reply(solution, position, cards_of[0])
    answer = advice(solution, position, opponents)
    # A phone shows only three columns, so the EV loss comes before the expected score.
    table = [(*row[:2], row[-1], *row[2:-1]) for row in answer.ranked.table()]
    return OpponentAdvice(list(map(str, opponents)), table, answer.options[0].value)


_Solved = tuple[list[Opponent], Solution | DuelSolution | NearOptimal]

_last: dict[Hashable, _Solved] = {}
"""The last solution, which is valid for the same scorecards with any dice."""


def _solved(
    position: Position, cards: tuple[Scorecard, ...], plays: str, progress: Progress
) -> _Solved:
    """Maximize the win probability, and return opponents who do not respond."""
    if plays == DUEL:
        return [], duel_query(position, cards[0]).answer(progress)
    opponents = opponents_of(cards, plays)
    return opponents, solved_with_moments(beat_all(opponents), position)


def _duel_reply(
    solution: DuelSolution | NearOptimal, position: Position, opponent: Scorecard
) -> OpponentAdvice:
    digits = 4 if solution.exact else 2
    table: list[tuple[str, ...]] = [("option", "value %", "win %", "tie %", "lose %")]
    options = duel_advice(solution, position, opponent).options
    for option in options:
        each = (option.value, option.win, option.tie, option.lose)
        table.append((option.action, *(f"{100 * share:.{digits}f}" for share in each)))
    words = [f"against {format_card(opponent)}, an opponent who responds"]
    known = "" if solution.exact else str(solution)
    return OpponentAdvice(words, table, options[0].value, known)
