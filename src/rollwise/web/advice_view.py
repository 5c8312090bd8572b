"""The options at a position, as the advice page shows them."""

from collections.abc import Sequence

from rollwise.game.notation import format_action, format_card
from rollwise.game.position import Position
from rollwise.game.scorecard import Scorecard
from rollwise.solving.objectives import Objective
from rollwise.solving.option import Option, format_loss
from rollwise.solving.solution import rule_for_ties
from rollwise.web.elements import Tag, table, tell_ties
from rollwise.web.replies import OpponentAdvice

SHOWN = 12
"""Options that are shown at once."""


def show_options(position: Position, options: list[Option], objective: Objective) -> None:
    """Show the options at a position, the best ones first, and the others folded."""
    rules = position.rules
    Tag("h2", f"Best: {format_action(rules, options[0].action)}")
    words = objective.meaning
    Tag("p", f"{words[:1].upper()}{words[1:]} {options[0].value:.2f}", "soft")
    rows = [
        (
            format_action(rules, option.action),
            f"{option.value:.2f}",
            "" if option.sd is None else f"± {option.sd:.0f}",
            format_loss(option),
        )
        for option in options
    ]
    headings = ("option", "value", "sd", "loss")
    _table(headings, rows)
    if options[0].sd is not None and sum(option.best for option in options) > 1:
        tell_ties([rule_for_ties()])
    _show_card(position)


def show_reply(position: Position, reply: OpponentAdvice) -> None:
    """Show the options against opponents with known scorecards."""
    headings, *rows = reply.table
    Tag("h2", f"Best: {rows[0][0]}")
    chance, digits = 100 * reply.told["options"][0]["value"], 2 if reply.known else 4
    Tag("p", f"Chance of the highest score, a tie shared: {chance:.{digits}f} %", "soft")
    for opponent in reply.opponents:
        Tag("p", f"{opponent[:1].upper()}{opponent[1:]}.", "soft line")
    _table(headings, rows)
    if reply.known:
        Tag("p", reply.known, "soft")
    _show_card(position)


def _table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Show the best options, and the others folded."""
    numbers = range(1, len(headings))
    table(headings, rows[:SHOWN], numbers=numbers, label="The best options")
    if rows[SHOWN:]:
        with Tag("details"):
            Tag("summary", f"{len(rows) - SHOWN} more")
            table(headings, rows[SHOWN:], numbers=numbers, label="Other options")


def _show_card(position: Position) -> None:
    if position.card is not None:
        Tag("p", _so_far(position.card), "soft")
        Tag("p", f"Card: {format_card(position.card)}", "soft line")


def _so_far(card: Scorecard) -> str:
    """Return the points of a scorecard, and its progress to the upper bonus."""
    bonus = card.rules.upper_bonus
    totals = " and ".join(map(str, card.upper_totals))
    upper = f"; upper total {totals} of {bonus.threshold}" if bonus else ""
    return f"{card.points} points so far{upper}"
