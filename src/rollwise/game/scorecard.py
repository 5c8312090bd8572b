"""A card that a person can read, and what the rules allow on it; slow and exact.

A card as text: one line that is read back, and the card as people draw it.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING

from rollwise.errors import IllegalError, InconsistentError, MalformedError, one_of, quoted
from rollwise.game.consistency import (
    check_extra_bonus,
    check_filled,
    check_points,
    check_saved,
    legal_categories,
    open_categories,
)
from rollwise.game.dice_notation import NONE, check_length, parse_category, read_number
from rollwise.game.scoring import has_jokers, joker_points, lower_only, natural_points
from rollwise.notebook import html_table, text_table
from rollwise.rules import Rules, RulesLike, as_rules

if TYPE_CHECKING:  # a card reads its own text
    pass


Dice = tuple[int, ...]


@dataclass(frozen=True)
class State:
    """What matters of a card for what is still to come.

    Attributes
    ----------
    filled : int
        Bit mask of the filled categories in card order.
    upper : int
        Upper total, or upper number of several columns, as far as the bonus grows; 0 without one.
    eligible : bool
        Whether the box of the extra bonus holds points.
    saved : int
        Rolls saved for later turns, or extra rolls left; 0 where the rules have neither.
    announced : int or None
        Within a turn, the category that was announced and has to be scored.
    """

    filled: int = 0
    upper: int = 0
    eligible: bool = False
    saved: int = 0
    announced: int | None = None

    @classmethod
    def start(cls, rules: Rules) -> "State":
        """Return the state at the start of a game."""
        return cls(saved=rules.extra_rolls)

    def in_turn(self, rules: Rules) -> "State":
        """Return what matters of the state within a turn: saved rolls are rolls left like others.

        Extra rolls are not: all but one of them stay.
        """
        return replace(self, saved=0) if rules.saves_rolls else self


@dataclass(frozen=True)
class Move:
    """A final roll scored: ``points`` in the box, ``extra`` in the extra bonus."""

    category: int
    points: int
    extra: int = 0


def scored(
    rules: Rules, state: State, dice: Sequence[int], category: int, rolls_left: int = 0
) -> Move:
    """Return what a roll scores in a category that it may go to.

    Parameters
    ----------
    rolls_left : int
        Rolls that the turn leaves unused.
    """
    # Where the number of the roll counts, a turn has the same rolls as every other.
    roll = rules.rolls - rolls_left if rules.counts_rolls else rules.rolls
    shown = rules.shown(dice)
    if len(set(shown)) > 1:
        return Move(category, natural_points(rules, category, dice, roll))
    own_boxes = rules.upper_boxes(shown[0])
    own_open = any(not state.filled >> k & 1 for k in own_boxes)
    is_joker = has_jokers(rules, state.filled) and (lower_only(rules) or not own_open)
    points = (joker_points if is_joker else natural_points)(rules, category, dice, roll)
    bonus = rules.extra_bonus
    earns = bonus and state.eligible and (bonus.where == "anywhere" or category in own_boxes)
    return Move(category, points, bonus.points if bonus and earns else 0)


def boxes_for(rules: Rules, state: State, dice: Sequence[int]) -> list[int]:
    """Return the categories that a roll may go to, in card order: the announced one alone."""
    if state.announced is not None:
        return [state.announced]
    return legal_categories(rules, state.filled, dice)


def legal_moves(
    rules: Rules, state: State, dice: Sequence[int], rolls_left: int = 0
) -> tuple[Move, ...]:
    """Return every way to score a roll, in card order, as :func:`scored` does."""
    boxes = boxes_for(rules, state, dice)
    return tuple(scored(rules, state, dice, k, rolls_left) for k in boxes)


def after(rules: Rules, state: State, move: Move, rolls_left: int = 0) -> State:
    """Return the state after a move that leaves rolls of its turn unused."""
    upper = state.upper
    if rules.upper_bonus and rules.categories[move.category].section == "upper":
        totals = list(rules.upper_totals(upper))
        totals[rules.column_of[move.category]] += move.points
        upper = rules.upper_number(totals)
    arms = rules.extra_bonus and move.category == rules.category_index(rules.extra_bonus.box)
    return State(
        state.filled | 1 << move.category,
        upper,
        state.eligible or bool(arms and move.points > 0),
        rules.saved_then(state.saved, rolls_left),
    )


def legal_keeps(dice: Dice) -> list[Dice]:
    """Return every keep of a roll that leaves dice to roll, most dice first, then by face."""
    keeps = {keep for size in range(len(dice)) for keep in combinations(sorted(dice), size)}
    return sorted(keeps, key=lambda keep: (-len(keep), keep))


@dataclass(frozen=True)
class Scorecard:
    """A card with its points.

    Parameters
    ----------
    rules : Rules, str or Path
        Of the game, or the name of a preset.
    boxes : str or sequence of (int or None)
        The card as text, ``ones=3,full-house=25,extra-bonus=100,saved=2``, ``-`` if empty; or the
        points of each box, beside which the other numbers stand.
    extra_bonus, saved : int
        As below.

    Attributes
    ----------
    rules : Rules
    boxes : tuple of int or None
        Points of each category in card order, None while it is open.
    extra_bonus : int
        Points of the extra bonus so far.
    saved : int
        Rolls saved for later turns, or extra rolls left.

    Raises
    ------
    MalformedError
        When the text is no card.
    InconsistentError
        When no game can lead to the card.

    Examples
    --------
    >>> card = Scorecard("yahtzee", "ones=3,full-house=25")
    >>> card.points, card.upper, card.is_full
    (28, 3, False)
    """

    rules: Rules
    boxes: tuple[int | None, ...]
    extra_bonus: int = 0
    saved: int = 0

    def __init__(
        self,
        rules: RulesLike,
        boxes: str | Sequence[int | None],
        extra_bonus: int = 0,
        saved: int = 0,
    ) -> None:
        rules = as_rules(rules)
        if isinstance(boxes, str):
            boxes, extra_bonus, saved = read_card(rules, boxes)
        vars(self).update(rules=rules, boxes=tuple(boxes), extra_bonus=extra_bonus, saved=saved)
        if len(boxes) != len(rules.categories):
            raise InconsistentError(
                f"expected {len(rules.categories)} boxes for {rules.name}, got {len(boxes)}"
            )
        for k, points in enumerate(boxes):
            if points is not None:
                check_points(rules, k, points)
        check_filled(rules, self.filled)
        check_saved(rules, self.filled, saved)
        check_extra_bonus(rules, self.boxes, extra_bonus)

    def __repr__(self) -> str:
        return f"Scorecard({self.rules.named!r}, {format_card(self)!r})"

    def __str__(self) -> str:
        return draw_cards([self])

    def _repr_html_(self) -> str:
        return html_table(self.rules.title, card_rows([self]))

    @classmethod
    def empty(cls, rules: Rules) -> "Scorecard":
        """Return the card at the start of a game."""
        return cls(rules, (None,) * len(rules.categories), saved=rules.extra_rolls)

    @cached_property
    def filled(self) -> int:
        """Bit mask of the filled categories."""
        return sum(1 << k for k, points in enumerate(self.boxes) if points is not None)

    @property
    def is_full(self) -> bool:
        """Whether the game is over."""
        return None not in self.boxes

    @cached_property
    def upper_totals(self) -> tuple[int, ...]:
        """Total of the upper section of each column, without its bonus."""
        boxes, categories = self.boxes, self.rules.categories
        upper = [(n or 0) * (c.section == "upper") for n, c in zip(boxes, categories, strict=True)]
        return tuple(sum(upper[k] for k in column) for column in self.rules.column_boxes)

    @property
    def upper(self) -> int:
        """Total of the upper section, of all columns together, without its bonus."""
        return sum(self.upper_totals)

    @property
    def upper_bonus(self) -> int:
        """The upper bonus earned so far, of all columns."""
        return self.rules.bonus_at(self.state.upper)

    @property
    def eligible(self) -> bool:
        """Whether the box of the extra bonus holds points."""
        bonus = self.rules.extra_bonus
        return bool(bonus and self.boxes[self.rules.category_index(bonus.box)])

    @cached_property
    def points(self) -> int:
        """The score so far, bonuses included; the final score of a full card."""
        return sum(p for p in self.boxes if p is not None) + self.upper_bonus + self.extra_bonus

    @cached_property
    def state(self) -> State:
        """What matters of the card for what is still to come."""
        upper = self.rules.upper_number(self.upper_totals)
        return State(self.filled, upper, self.eligible, self.saved)

    def fill(self, move: Move, rolls_left: int = 0) -> "Scorecard":
        """Return the card after a move that leaves rolls of its turn unused.

        Raises
        ------
        IllegalError
            When the category may not be filled.
        """
        if move.category not in open_categories(self.rules, self.filled):
            key = self.rules.categories[move.category].key
            raise IllegalError(f"{key} cannot be filled on this card: expected an open category")
        check_points(self.rules, move.category, move.points)
        boxes = list(self.boxes)
        boxes[move.category] = move.points
        card = object.__new__(Scorecard)  # the other boxes were checked when they were filled
        vars(card).update(
            rules=self.rules,
            boxes=tuple(boxes),
            extra_bonus=self.extra_bonus + move.extra,
            saved=self.rules.saved_then(self.saved, rolls_left),
        )
        if move.extra:
            check_extra_bonus(self.rules, card.boxes, card.extra_bonus)
        return card


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
