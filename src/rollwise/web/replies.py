"""Advice against opponents whose cards one sees: what a process computes, and a page is told."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from rollwise.errors import MalformedError, TooLargeError
from rollwise.evaluation.forward_by_score import Opponent, final_distribution
from rollwise.game.notation import (
    format_action,
    format_card,
    format_position,
    parse_card,
    parse_position,
)
from rollwise.game.position import Position
from rollwise.game.scorecard import Scorecard
from rollwise.rules import Rules
from rollwise.solving.objectives import beating
from rollwise.solving.progress import Progress
from rollwise.solving.solution import Solution
from rollwise.solving.solver import solve
from rollwise.two_player.near_optimal import NearOptimal, can_be_told, near_optimal
from rollwise.two_player.solution import DuelOption, DuelSolution
from rollwise.two_player.solver import DuelSolver
from rollwise.web.limits import PLAYERS, strategy_named

BEAT = "beat"
"""The objective of having the highest score at the table, equal ones shared."""

DUEL = "duel"
"""The strategy that answers the only other player."""

WAYS = {name: name for name in PLAYERS} | {DUEL: "duel: one who answers"}
"""How opponents play on, in words."""

MOST, LEADS = 5, 500_000_000
"""Opponents, and leads of a game for two that is solved on request, in some minutes: of others the
answer is near-optimal."""

TOLD = ("action", "value", "loss", "best", "expected", "sd")
"""What is told of an option against those who play on each for himself."""


@dataclass(frozen=True)
class Reply:
    """What to do with a roll against opponents.

    Attributes
    ----------
    opponents : list of str
        What is to be said of each.
    table : list of tuples of str
        Headings, then a line an option, the best first.
    told : dict
        The same as JSON can hold it.
    known : str
        What is known of the error; empty where there is none.
    """

    opponents: list[str]
    table: list[tuple[str, ...]]
    told: dict[str, Any]
    known: str = ""


def opponents_named(rules: Rules, cards: str, plays: str) -> tuple[Scorecard, ...]:
    """Return the cards of opponents that a request tells, with semicolons between them.

    Raises
    ------
    InputError
        When there are none or too many, one is none of the game, or nobody plays so.
    """
    if plays not in WAYS:
        raise MalformedError(f"no strategy {plays[:60]!r} here: expected one of {', '.join(WAYS)}")
    found = tuple(parse_card(rules, card) for card in cards.split(";") if card.strip())
    most = 1 if plays == DUEL else MOST
    if not 1 <= len(found) <= most:
        number = "one card" if most == 1 else f"1 to {most} cards, with ; between them"
        raise MalformedError(
            f"opponents: expected {number}, such as ones=3,full-house=25, or - if it is empty; "
            f"got {len(found)}"
        )
    return found


def reply(rules: Rules, line: str, cards: str, plays: str, progress: Progress) -> Reply:
    """Return what to do at a position against opponents who play on so."""
    position, others = parse_position(rules, line), opponents_named(rules, cards, plays)
    here = rules, position.state, position.points, others, plays
    if here not in _last:
        _last.clear()
        _last[here] = (
            _against_one(position, others[0], progress)
            if plays == DUEL
            else _against_all(position, others, plays, progress)
        )
    words, opponents, solution = _last[here]
    told: dict[str, Any] = {
        "rules": rules.name,
        "objective": BEAT,
        "position": format_position(position),
        "opponents": opponents,
    }
    if isinstance(solution, DuelSolution | NearOptimal):
        answers, known, share = solution.options(position), "", _share
        told["options"] = [_duel_option(rules, option) for option in answers]
        if not solution.exact:
            told |= {"exact": False, "error": asdict(solution.error)}
            known, share = str(solution), _about
        return Reply(words, _duel_table(rules, answers, share), told, known)
    options = solution.options(position)
    told["options"] = [option.as_dict(rules, TOLD) for option in options]
    # On a phone the first three columns are seen: the loss goes before the expected score.
    return Reply(words, [(*row[:2], row[-1], *row[2:-1]) for row in options.table()], told)


_last: dict[
    Hashable, tuple[list[str], list[dict[str, Any]], Solution | DuelSolution | NearOptimal]
] = {}
"""What was asked for last: of the same cards other dice are answered at once."""


def _against_all(
    position: Position, others: tuple[Scorecard, ...], plays: str, progress: Progress
) -> tuple[list[str], list[dict[str, Any]], Solution]:
    """Solve for the highest score against those who play on each for himself."""
    rules = position.rules
    strategy = strategy_named(plays, solve(rules) if plays == "optimal" else None)
    seen = [Opponent(card, plays, final_distribution(strategy, card)) for card in others]
    objective = beating([(one.distribution, 1) for one in seen])
    solution = solve(rules, objective, position=position, moments=True, progress=progress)
    return [str(one) for one in seen], [one.as_dict() for one in seen], solution


def _against_one(
    position: Position, other: Scorecard, progress: Progress
) -> tuple[list[str], list[dict[str, Any]], DuelSolution | NearOptimal]:
    """Solve the game of two from these cards; near-optimally where that takes too long."""
    rules, solver, card = position.rules, DuelSolver(position.rules), format_card(other)
    words = [f"against {card}, who answers"], [{"card": card, "plays": DUEL}]
    if (kept := solver.kept(position, other)) is not None:
        return *words, kept
    needs = solver.size(position, other)
    if can_be_told(rules) and not (needs.fits and needs.lanes <= LEADS):
        return *words, near_optimal(position, other)
    needs.check(rules.name)
    if needs.lanes > LEADS:
        raise TooLargeError(
            f"{rules.name} for two from these cards takes {needs}: expected at most "
            f"{LEADS:.3g} leads, as with fewer open categories"
        )
    return *words, solver.solve(position, other, progress=progress)


def _duel_table(
    rules: Rules, options: Sequence[DuelOption], share: Callable[[float], str]
) -> list[tuple[str, ...]]:
    """Return the options against one who answers, as people read them."""
    rows = [
        (format_action(rules, option.action), *map(share, [option.value, *(option.chances or ())]))
        for option in options
    ]
    return [("option", "value %", "win %", "tie %", "loss %"), *rows]


def _duel_option(rules: Rules, option: DuelOption) -> dict[str, Any]:
    """Return an option against one who answers as JSON can hold it."""
    win, tie, loss = option.chances or (None, None, None)
    told = {"action": format_action(rules, option.action), "value": option.value}
    return told | {"win": win, "tie": tie, "loss": loss, "best": option.best}


def _share(share: float) -> str:
    return f"{100 * share:.4f}"


def _about(share: float) -> str:
    return f"{100 * share:.2f}"
