"""A card as text: one line that is read back, and the card as people draw it."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from rollwise.errors import MalformedError, one_of, quoted
from rollwise.game.dice_text import NONE, check_length, parse_category, read_number
from rollwise.notebook import text_table
from rollwise.rules import Rules

if TYPE_CHECKING:  # a card reads its own text
    from rollwise.game.scorecard import Scorecard

BESIDE_BOXES = {"extra-bonus": "the extra bonus", "saved": "the saved rolls"}
"""What a card says beside its boxes, and what the number is."""


def read_card(rules: Rules, text: str) -> tuple[tuple[int | None, ...], int, int]:
    """Return what a line shows: the points of each box, the extra bonus, the rolls saved.

    Raises
    ------
    MalformedError
        When it is no card.
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
        k = _box(rules, key)
        if boxes[k] is not None:
            raise MalformedError(f"expected {rules.categories[k].key} once, got it twice")
        boxes[k] = read_number(points, f"the points of {rules.categories[k].key}")
    return tuple(boxes), others.get("extra-bonus", 0), others.get("saved", rules.extra_rolls)


def _box(rules: Rules, key: str) -> int:
    """Return the category that a word on a card names; who names none is told all that may be."""
    try:
        return parse_category(rules, key)
    except MalformedError:
        beside = {"extra-bonus": rules.extra_bonus, "saved": rules.carries_rolls}
        words = (*rules.keys, *(word for word, there in beside.items() if there))
        expected = one_of(words, key, "a category")
        message = f"no category {quoted(key)} in {rules.name}: expected {expected}"
        raise MalformedError(message) from None


def format_card(card: "Scorecard") -> str:
    """Return a card as one line, in card order; ``-`` if it is empty.

    Parameters
    ----------
    card : Scorecard

    Examples
    --------
    >>> format_card(Scorecard("yahtzee", "full-house=25,ones=3"))
    'ones=3,full-house=25'
    """
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


def card_rows(cards: "Sequence[Scorecard]") -> list[tuple[str, ...]]:
    """Return the lines of cards of one game as people draw them: a title, then a cell a card."""
    rules = cards[0].rules
    lines: list[tuple[str, list[int | None]]] = [
        (category.title, [card.boxes[k] for card in cards])
        for k, category in enumerate(rules.categories)
    ]
    if rules.upper_bonus:
        for n, words in enumerate([f" ({column.title})" for column in rules.columns] or [""]):
            lines.append((f"Upper total{words}", [card.upper_totals[n] for card in cards]))
        lines.append(("Upper bonus", [card.upper_bonus for card in cards]))
    if rules.extra_bonus:
        lines.append(("Extra bonus", [card.extra_bonus for card in cards]))
    if rules.carries_rolls:
        lines.append((rules.saved_words.capitalize(), [card.saved for card in cards]))
    lines.append(("Total", [card.points for card in cards]))
    return [(title, *("·" if n is None else str(n) for n in numbers)) for title, numbers in lines]


def draw_cards(cards: "Sequence[Scorecard]", names: Sequence[str] = ()) -> str:
    """Return cards of one game as people draw them: a line a box, a column a card."""
    rows = [*([("", *names)] if names else []), *card_rows(cards)]
    return f"{cards[0].rules.title}\n{text_table(rows)}"
