"""Options against opponents with known scorecards, for the web pages and the API."""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

from rollwise.errors import MalformedError
from rollwise.evaluation.forward_pass_by_score import Opponent
from rollwise.game.position import Position, format_position
from rollwise.game.scorecard import Scorecard, format_card
from rollwise.playing.opponents import opponent_labels
from rollwise.rules import Rules
from rollwise.solving.progress import Progress
from rollwise.solving.solution import Solution
from rollwise.solving.solver import solve
from rollwise.two_player.advice import BEAT as BEAT
from rollwise.two_player.advice import DUEL as DUEL
from rollwise.two_player.advice import DuelAdvice, beat_all, opponent_at
from rollwise.two_player.near_optimal import NearOptimal
from rollwise.two_player.solution import DuelSolution
from rollwise.two_player.solver import DuelSolver
from rollwise.two_player.win_probability import SERVER, WinQuery
from rollwise.web.size_limits import PLAYERS, strategy_named

WAYS = opponent_labels([*PLAYERS, DUEL])
"""The labels of the opponents' strategies, by name."""

MOST = 5
"""The maximum number of opponents."""

OPTION_FIELDS = ("action", "value", "loss", "best", "expected", "sd")
"""The fields of an option against opponents who do not respond."""


@dataclass(frozen=True)
class OpponentAdvice:
    """The options at a position against opponents.

    Attributes
    ----------
    opponents : list of str
        A description of each opponent.
    table : list of tuple of str
        The column headings, then one row per option, best first.
    told : dict
        The options as JSON-serializable data.
    known : str
        A description of the error of the values; empty if they are exact.
    """

    opponents: list[str]
    table: list[tuple[str, ...]]
    told: dict[str, Any]
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
        _last[key] = (
            _against_one(position, cards_of[0], progress)
            if plays == DUEL
            else _against_all(position, cards_of, plays, progress)
        )
    solution = _last[key]
    if isinstance(solution, DuelSolution | NearOptimal):
        return _duel_reply(DuelAdvice(position, cards_of[0], solution))
    opponents, best = solution
    options = best.options(position)
    data = {
        "rules": rules.name,
        "objective": BEAT,
        "position": format_position(position),
        "opponents": [opponent.as_dict() for opponent in opponents],
        "options": [option.as_dict(rules, OPTION_FIELDS) for option in options],
    }
    # A phone shows only three columns, so the EV loss comes before the expected score.
    table = [(*row[:2], row[-1], *row[2:-1]) for row in options.table()]
    return OpponentAdvice([str(opponent) for opponent in opponents], table, data)


_last: dict[Hashable, DuelSolution | NearOptimal | tuple[list[Opponent], Solution]] = {}
"""The last solution, which is valid for the same scorecards with any dice."""


def _against_all(
    position: Position, cards: tuple[Scorecard, ...], plays: str, progress: Progress
) -> tuple[list[Opponent], Solution]:
    """Maximize the probability of the highest score against opponents who do not respond."""
    rules = position.rules
    strategy = strategy_named(plays, solve(rules) if plays == "optimal" else None)
    opponents = [opponent_at(card, plays, strategy) for card in cards]
    objective = beat_all(opponents)
    return opponents, solve(rules, objective, position=position, moments=True, progress=progress)


def _against_one(
    position: Position, opponent: Scorecard, progress: Progress
) -> DuelSolution | NearOptimal:
    """Maximize the win probability against an opponent who responds."""
    return WinQuery(DuelSolver(position.rules), position, opponent, SERVER).answer(progress)


def _duel_reply(advice: DuelAdvice) -> OpponentAdvice:
    exact = advice.solution.exact
    table = [
        ("option", "value %", "win %", "tie %", "lose %"),
        *advice.rows(lambda share: f"{100 * share:.{4 if exact else 2}f}"),
    ]
    words = [f"against {format_card(advice.opponent)}, an opponent who responds"]
    return OpponentAdvice(words, table, advice.as_dict(), "" if exact else str(advice.solution))
