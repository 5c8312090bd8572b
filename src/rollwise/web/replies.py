"""Advice against opponents whose scorecards are visible, for the web pages and the API."""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

from rollwise.errors import MalformedError
from rollwise.evaluation.forward_by_score import Opponent
from rollwise.game.notation import format_card, format_position, parse_card, parse_position
from rollwise.game.position import Position
from rollwise.game.scorecard import Scorecard
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
from rollwise.two_player.win_probability import SERVER, WinQuestion
from rollwise.web.size_limits import PLAYERS, strategy_named

WAYS = {name: name for name in PLAYERS} | {DUEL: "duel: one who answers"}
"""The strategies of opponents, with labels."""

MOST = 5
"""The largest number of opponents."""

TOLD = ("action", "value", "loss", "best", "expected", "sd")
"""The fields of an option against opponents who maximize their own points."""


@dataclass(frozen=True)
class OpponentAdvice:
    """The options of a roll against opponents.

    Attributes
    ----------
    opponents : list of str
        A description of each.
    table : list of tuples of str
        Headings, then one row per option, the best first.
    told : dict
        The same for JSON.
    known : str
        A description of the error; empty if the values are exact.
    """

    opponents: list[str]
    table: list[tuple[str, ...]]
    told: dict[str, Any]
    known: str = ""


def parse_opponents(rules: Rules, cards: str, plays: str) -> tuple[Scorecard, ...]:
    """Return the scorecards of opponents in a request, with semicolons between them.

    Raises
    ------
    InputError
        If there are none or too many, one is not of the game, or the strategy is unknown.
    """
    if plays not in WAYS:
        raise MalformedError(f"no strategy {plays[:60]!r} here: expected one of {', '.join(WAYS)}")
    opponents = tuple(parse_card(rules, card) for card in cards.split(";") if card.strip())
    most = 1 if plays == DUEL else MOST
    if not 1 <= len(opponents) <= most:
        number = "one card" if most == 1 else f"1 to {most} cards, with ; between them"
        raise MalformedError(
            f"opponents: expected {number}, such as ones=3,full-house=25, or - if it is empty; "
            f"got {len(opponents)}"
        )
    return opponents


def reply(rules: Rules, line: str, cards: str, plays: str, progress: Progress) -> OpponentAdvice:
    """Return the options of a position against opponents with a strategy."""
    position, cards_of = parse_position(rules, line), parse_opponents(rules, cards, plays)
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
    told = {
        "rules": rules.name,
        "objective": BEAT,
        "position": format_position(position),
        "opponents": [opponent.as_dict() for opponent in opponents],
        "options": [option.as_dict(rules, TOLD) for option in options],
    }
    # A phone shows the first three columns: the loss comes before the expected score.
    table = [(*row[:2], row[-1], *row[2:-1]) for row in options.table()]
    return OpponentAdvice([str(opponent) for opponent in opponents], table, told)


_last: dict[Hashable, DuelSolution | NearOptimal | tuple[list[Opponent], Solution]] = {}
"""The last answer: the same scorecards with other dice need no new solution."""


def _against_all(
    position: Position, cards: tuple[Scorecard, ...], plays: str, progress: Progress
) -> tuple[list[Opponent], Solution]:
    """Solve for the highest score against opponents who maximize their own points."""
    rules = position.rules
    strategy = strategy_named(plays, solve(rules) if plays == "optimal" else None)
    opponents = [opponent_at(card, plays, strategy) for card in cards]
    objective = beat_all(opponents)
    return opponents, solve(rules, objective, position=position, moments=True, progress=progress)


def _against_one(
    position: Position, opponent: Scorecard, progress: Progress
) -> DuelSolution | NearOptimal:
    """Return the win probabilities against an opponent who responds."""
    return WinQuestion(DuelSolver(position.rules), position, opponent, SERVER).answer(progress)


def _duel_reply(advice: DuelAdvice) -> OpponentAdvice:
    exact = advice.solution.exact
    table = [
        ("option", "value %", "win %", "tie %", "loss %"),
        *advice.rows(lambda share: f"{100 * share:.{4 if exact else 2}f}"),
    ]
    words = [f"against {format_card(advice.opponent)}, who answers"]
    return OpponentAdvice(words, table, advice.as_dict(), "" if exact else str(advice.solution))
