"""A position as one line of text."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING

from rollwise.errors import MalformedError, quoted
from rollwise.game.card_text import format_card
from rollwise.game.consistency import check_upper_total, upper_totals
from rollwise.game.dice_text import (
    NONE,
    check_length,
    format_dice,
    parse_category,
    parse_dice,
    read_number,
    spaced_dice,
)
from rollwise.game.scorecard import Dice, Scorecard, State
from rollwise.rules import Groups, Rules

if TYPE_CHECKING:  # a position reads its own text
    from rollwise.game.position import Position

FIELDS = (
    "dice",
    "rolls-left",
    "announced",
    "card",
    "rolls",
    "upper",
    "filled",
    "five_of_a_kind",
    "saved",
)
"""What a line can tell, by the words before it; the first one may be left out before dice."""


def read_position(
    rules: Rules,
    text: str,
    read_card: Callable[[Rules, str], Scorecard] = Scorecard,
    read_dice: Callable[[Rules, str], Dice] = parse_dice,
) -> tuple[State, int, Dice, int, Scorecard | None]:
    """Return what a line shows: state, points so far, dice, rolls left, and the card if it is told.

    Parameters
    ----------
    read_card, read_dice : callables
        How card and dice are read: they may be known from another line.

    Raises
    ------
    MalformedError, InconsistentError
        When it is no position, or one whose card no game reaches.
    """
    check_length(text)
    fields: dict[str, str] = {}
    for part in text.split("|"):
        word, _, rest = part.strip().partition(" ")
        if not fields and word not in FIELDS:
            word, rest = "dice", part
        if word in fields:
            raise MalformedError(f"expected the field {word!r} once, got it twice")
        fields[word] = rest.strip()
    announced = None
    if rules.announced and "announced" in fields:
        announced = parse_category(rules, fields.pop("announced"))
    if {"dice"} <= set(fields) <= {"dice", "rolls-left", "card"}:
        card = read_card(rules, fields.get("card", NONE))
        rolls_left = rules.rolls_with(card.saved) - 1
        if "rolls-left" in fields:
            rolls_left = read_number(fields["rolls-left"], "the rolls left")
        state = replace(card.state, announced=announced)
        return state, card.points, read_dice(rules, fields["dice"]), rolls_left, card
    if set(fields) - {"five_of_a_kind", "saved"} == {"dice", "rolls", "upper", "filled"}:
        state, points = _parse_summary(rules, fields)
        state = replace(state, announced=announced)
        rolls_left = read_number(fields["rolls"], "the rolls left")
        return state, points, read_dice(rules, fields["dice"]), rolls_left, None
    raise MalformedError(
        "expected a position as 'dice 11366 | rolls-left 2 | card -' or "
        f"'dice 11366 | rolls 2 | upper 0 | filled -', got {quoted(text)}"
    )


def format_position(position: "Position") -> str:
    """Return a position as one line.

    Parameters
    ----------
    position : Position

    Examples
    --------
    >>> format_position(Position("yahtzee", "11366 | rolls-left 1"))
    'dice 11366 | rolls-left 1 | card -'
    """
    rules, state = position.rules, position.state
    told = "" if state.announced is None else f" | announced {rules.keys[state.announced]}"
    if position.card is not None:
        dice, card = format_dice(rules, position.dice), format_card(position.card)
        return f"dice {dice} | rolls-left {position.rolls_left}{told} | card {card}"
    total = ",".join(map(str, _upper_totals(rules, state, position.points)))
    filled = [_summary_key(rules, k) for k in range(len(rules.categories)) if state.filled >> k & 1]
    line = (
        f"dice {spaced_dice(rules, position.dice)} | rolls {position.rolls_left}{told} | "
        f"upper {total} | filled {','.join(filled) or NONE}"
    )
    box = _alike_box(rules)
    if rules.extra_bonus and box is not None and state.filled >> box & 1:
        line += f" | five_of_a_kind {_box_points(rules, box) if state.armed else 0}"
    if state.saved != position.rules.extra_rolls:
        line += f" | saved {state.saved}"
    return line


def _upper_totals(rules: Rules, state: State, points: int) -> Sequence[int]:
    """Return an upper total for each column: they make all points, with the bonuses of a state.

    A state tells them as far as the bonus grows: those of a column beyond that may be any.
    """
    total, told = points - rules.bonus_at(state.upper), rules.upper_totals(state.upper)
    if not rules.columns:
        return (total,)
    possible = [
        [
            n
            for n in sorted(upper_totals(rules, state.filled, column))
            if min(n, rules.upper_cap) == least
        ]
        for column, least in enumerate(told)
    ]
    return next((totals for totals in product(*possible) if sum(totals) == total), told)


def _alike_box(rules: Rules) -> int | None:
    """Return the category ``five_of_a_kind``: that of the extra bonus, or for all dice alike."""
    if rules.extra_bonus:
        return rules.category_index(rules.extra_bonus.box)
    for k, category in enumerate(rules.categories):
        if isinstance(category.pattern, Groups) and category.pattern.sizes == (rules.dice,):
            return k
    return None


def _box_points(rules: Rules, box: int) -> int:
    """Return points that the box may hold: the most, where they are fixed."""
    fixed = (rules.categories[box].fixed_points(roll) for roll in range(1, rules.rolls + 1))
    return max((points for points in fixed if points is not None), default=1)


def _summary_key(rules: Rules, k: int) -> str:
    key = rules.keys[k]
    five = k == _alike_box(rules) and (rules.extra_bonus or key == "yahtzee")
    return "five_of_a_kind" if five else key.replace("-", "_")


def _parse_summary(rules: Rules, fields: dict[str, str]) -> tuple[State, int]:
    box = _alike_box(rules)
    filled = 0
    words = [] if fields["filled"] == NONE else re.split(r"[,\s]+", fields["filled"])
    for word in words:
        five = word == "five_of_a_kind" and box is not None
        k = box if five and box is not None else parse_category(rules, word.replace("_", "-"))
        if filled >> k & 1:
            raise MalformedError(f"expected {word} once, got it twice")
        filled |= 1 << k
    armed = False
    if rules.extra_bonus and box is not None and filled >> box & 1:
        if "five_of_a_kind" not in fields:
            raise MalformedError(
                "expected the field 'five_of_a_kind POINTS', since that category is filled"
            )
        armed = read_number(fields["five_of_a_kind"], "the points of five_of_a_kind") > 0
    elif "five_of_a_kind" in fields:
        raise MalformedError("expected no field 'five_of_a_kind' while that category is open")
    totals = [read_number(total, "the upper total") for total in fields["upper"].split(",")]
    if len(totals) != len(rules.upper_steps):
        raise MalformedError(
            f"expected an upper total for each of {len(rules.upper_steps)} columns, got "
            f"{quoted(fields['upper'])}"
        )
    for column, total in enumerate(totals):
        check_upper_total(rules, filled, total, column)
    saved = rules.extra_rolls
    if "saved" in fields:
        saved = read_number(fields["saved"], "the saved rolls")
    upper = rules.upper_number(totals)
    return State(filled, upper, armed, saved), sum(totals) + rules.bonus_at(upper)
