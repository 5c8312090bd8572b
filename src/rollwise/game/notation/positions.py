"""Text forms of cards and positions."""

import re

from rollwise.errors import MalformedError, quoted
from rollwise.game.consistency import check_upper_total
from rollwise.game.notation.dice import (
    NONE,
    check_length,
    format_dice,
    parse_category,
    parse_dice,
    read_number,
    spaced_dice,
)
from rollwise.game.position import Position
from rollwise.game.scorecard import Scorecard, State
from rollwise.rules import Groups, Rules

BESIDE_BOXES = {"extra-bonus": "the extra bonus", "saved": "the saved rolls"}
"""What a card says beside its boxes, and what the number is."""


def parse_card(rules: Rules, text: str) -> Scorecard:
    """Return the card that a text shows: ``ones=3,full-house=25,extra-bonus=100``, ``-`` if empty.

    ``saved=3`` says that three rolls are saved.

    Raises
    ------
    MalformedError
        When it is no card.
    InconsistentError
        When no game can lead to it.
    """
    check_length(text)
    boxes: list[int | None] = [None] * len(rules.categories)
    others: dict[str, int] = {}
    entries = [] if text.strip() in (NONE, "") else re.split(r"\s*[,;]\s*|\s+", text.strip())
    for entry in entries:
        key, equals, points = entry.partition("=")
        if not equals:
            raise MalformedError(
                f"expected a card as 'category=points,…' or -, got {quoted(entry)}"
            )
        if key in BESIDE_BOXES:
            if key in others:
                raise MalformedError(f"expected {key} once, got it twice")
            others[key] = read_number(points, BESIDE_BOXES[key])
            continue
        k = parse_category(rules, key)
        if boxes[k] is not None:
            raise MalformedError(f"expected {rules.categories[k].key} once, got it twice")
        boxes[k] = read_number(points, f"the points of {rules.categories[k].key}")
    saved = others.get("saved", rules.extra_rolls)
    return Scorecard(rules, tuple(boxes), others.get("extra-bonus", 0), saved)


def format_card(card: Scorecard) -> str:
    """Return a card as text, in card order."""
    entries = [
        f"{category.key}={points}"
        for category, points in zip(card.rules.categories, card.boxes, strict=True)
        if points is not None
    ]
    if card.extra_bonus:
        entries.append(f"extra-bonus={card.extra_bonus}")
    if card.saved != card.rules.extra_rolls:
        entries.append(f"saved={card.saved}")
    return ",".join(entries) or NONE


def parse_position(rules: Rules, text: str) -> Position:
    """Return the position that a line shows.

    ``dice 11366 | rolls-left 2 | card ones=3``, or, where boxes are not known one by one,
    ``dice 1 1 3 6 6 | rolls 2 | upper 3 | filled ones`` with ``| five_of_a_kind 50`` once that box
    is filled (yatzy-solver's notation): then only the upper section counts in the score so far.
    ``| saved 3`` says that the turn began with three saved rolls.

    Raises
    ------
    MalformedError, InconsistentError
        When it is no position, or one that no game reaches.
    """
    check_length(text)
    fields: dict[str, str] = {}
    for part in text.split("|"):
        word, _, rest = part.strip().partition(" ")
        if word in fields:
            raise MalformedError(f"expected the field {word!r} once, got it twice")
        fields[word] = rest.strip()
    if set(fields) == {"dice", "rolls-left", "card"}:
        rolls_left = read_number(fields["rolls-left"], "the rolls left")
        card = parse_card(rules, fields["card"])
        return Position.of(card, parse_dice(rules, fields["dice"]), rolls_left)
    if set(fields) - {"five_of_a_kind", "saved"} == {"dice", "rolls", "upper", "filled"}:
        state, points = _parse_summary(rules, fields)
        rolls_left = read_number(fields["rolls"], "the rolls left")
        return Position(rules, state, points, parse_dice(rules, fields["dice"]), rolls_left)
    raise MalformedError(
        "expected a position as 'dice 11366 | rolls-left 2 | card -' or "
        f"'dice 11366 | rolls 2 | upper 0 | filled -', got {quoted(text)}"
    )


def format_position(position: Position) -> str:
    """Return a position as one line."""
    rules, state = position.rules, position.state
    if position.card is not None:
        dice, card = format_dice(rules, position.dice), format_card(position.card)
        return f"dice {dice} | rolls-left {position.rolls_left} | card {card}"
    bonus = rules.upper_bonus
    earned = bonus.at(state.upper) if bonus else 0
    filled = [_summary_key(rules, k) for k in range(len(rules.categories)) if state.filled >> k & 1]
    line = (
        f"dice {spaced_dice(rules, position.dice)} | rolls {position.rolls_left} | "
        f"upper {position.points - earned} | filled {','.join(filled) or NONE}"
    )
    box = _alike_box(rules)
    if rules.extra_bonus and box is not None and state.filled >> box & 1:
        line += f" | five_of_a_kind {_box_points(rules, box) if state.armed else 0}"
    if state.saved != position.rules.extra_rolls:
        line += f" | saved {state.saved}"
    return line


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
    total = read_number(fields["upper"], "the upper total")
    check_upper_total(rules, filled, total)
    saved = rules.extra_rolls
    if "saved" in fields:
        saved = read_number(fields["saved"], "the saved rolls")
    bonus = rules.upper_bonus
    upper, earned = (min(total, bonus.cap), bonus.at(total)) if bonus else (0, 0)
    return State(filled, upper, armed, saved), total + earned
