"""The scorecard: categories and points, the moves that the rules allow, and its forms as text."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations

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

Dice = tuple[int, ...]

OTHER_ENTRIES = {"extra-bonus": "the extra bonus", "saved": "the saved rolls"}
"""The entries of a scorecard's text that are no categories, and their names in messages."""


@dataclass(frozen=True)
class State:
    """The part of a scorecard that matters for the rest of the game.

    Attributes
    ----------
    filled : int
        Bit mask of the filled categories in scorecard order.
    upper : int
        Upper-section total, or the upper number of several columns, capped where the bonus stops
        growing; 0 without an upper bonus.
    eligible : bool
        Whether the category of the extra bonus holds points.
    saved : int
        Rolls saved for later turns, or extra rolls left; 0 if the rules have neither.
    announced : int or None
        Within a turn, the category that was announced and must be scored.
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
        """Return the state within a turn, in which saved rolls have become rolls of the turn.

        Extra rolls remain, as a turn takes at most one of them.
        """
        return replace(self, saved=0) if rules.saves_rolls else self


@dataclass(frozen=True)
class Move:
    """A roll scored in a category: ``points`` in the category, ``extra`` as extra bonus."""

    category: int
    points: int
    extra: int = 0


def scored(
    rules: Rules, state: State, dice: Sequence[int], category: int, rolls_left: int = 0
) -> Move:
    """Return the move of scoring a roll in a category that is legal for it.

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
    own_boxes = rules.upper_categories(shown[0])
    own_open = any(not state.filled >> k & 1 for k in own_boxes)
    is_joker = has_jokers(rules, state.filled) and (lower_only(rules) or not own_open)
    points = (joker_points if is_joker else natural_points)(rules, category, dice, roll)
    bonus = rules.extra_bonus
    earns = bonus and state.eligible and (bonus.where == "anywhere" or category in own_boxes)
    return Move(category, points, bonus.points if bonus and earns else 0)


def categories_for(rules: Rules, state: State, dice: Sequence[int]) -> list[int]:
    """Return the categories for a roll, in scorecard order; only the announced one, if any."""
    if state.announced is not None:
        return [state.announced]
    return legal_categories(rules, state.filled, dice)


def legal_moves(
    rules: Rules, state: State, dice: Sequence[int], rolls_left: int = 0
) -> tuple[Move, ...]:
    """Return all legal moves for a roll, in scorecard order."""
    categories = categories_for(rules, state, dice)
    return tuple(scored(rules, state, dice, k, rolls_left) for k in categories)


def after(rules: Rules, state: State, move: Move, rolls_left: int = 0) -> State:
    """Return the state after a move that leaves ``rolls_left`` rolls unused."""
    upper = state.upper
    if rules.upper_bonus and rules.categories[move.category].section == "upper":
        totals = list(rules.upper_totals(upper))
        totals[rules.column_of[move.category]] += move.points
        upper = rules.upper_number(totals)
    makes_eligible = rules.extra_bonus and move.category == rules.category_index(
        rules.extra_bonus.box
    )
    return State(
        state.filled | 1 << move.category,
        upper,
        state.eligible or bool(makes_eligible and move.points > 0),
        rules.saved_then(state.saved, rolls_left),
    )


def legal_keeps(dice: Dice) -> list[Dice]:
    """Return all choices of dice to keep, most dice first, then by face."""
    keeps = {keep for size in range(len(dice)) for keep in combinations(sorted(dice), size)}
    return sorted(keeps, key=lambda keep: (-len(keep), keep))


@dataclass(frozen=True)
class Scorecard:
    """A scorecard with its points.

    Parameters
    ----------
    rules : Rules, str or Path
        The rules of the game, or the name of a preset.
    boxes : str or sequence of (int or None)
        The scorecard as text, ``ones=3,full-house=25,extra-bonus=100,saved=2``, ``-`` if it is
        empty; or the points of each category.
    extra_bonus, saved : int
        See the attributes; not used if ``boxes`` is text.

    Attributes
    ----------
    rules : Rules
    boxes : tuple of int or None
        The points of each category in scorecard order, None while it is open.
    extra_bonus : int
        Points of the extra bonus so far.
    saved : int
        Rolls saved for later turns, or extra rolls left.

    Raises
    ------
    MalformedError
        If the text is no scorecard.
    InconsistentError
        If no game can reach the scorecard.

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
        """Return the scorecard at the start of a game."""
        return cls(rules, (None,) * len(rules.categories), saved=rules.extra_rolls)

    @cached_property
    def filled(self) -> int:
        """Bit mask of the filled categories."""
        return sum(1 << k for k, points in enumerate(self.boxes) if points is not None)

    @property
    def is_full(self) -> bool:
        """Whether all categories are filled."""
        return None not in self.boxes

    @cached_property
    def upper_totals(self) -> tuple[int, ...]:
        """The upper-section total of each column, without its bonus."""
        boxes, categories = self.boxes, self.rules.categories
        upper = [(n or 0) * (c.section == "upper") for n, c in zip(boxes, categories, strict=True)]
        return tuple(sum(upper[k] for k in column) for column in self.rules.column_categories)

    @property
    def upper(self) -> int:
        """The upper-section total of all columns together, without bonuses."""
        return sum(self.upper_totals)

    @property
    def upper_bonus(self) -> int:
        """The upper bonuses earned so far, of all columns."""
        return self.rules.bonus_at(self.state.upper)

    @property
    def eligible(self) -> bool:
        """Whether the category of the extra bonus holds points."""
        bonus = self.rules.extra_bonus
        return bool(bonus and self.boxes[self.rules.category_index(bonus.box)])

    @cached_property
    def points(self) -> int:
        """The score so far, including bonuses; the final score of a full scorecard."""
        return sum(p for p in self.boxes if p is not None) + self.upper_bonus + self.extra_bonus

    @cached_property
    def state(self) -> State:
        """The part of the scorecard that matters for the rest of the game."""
        upper = self.rules.upper_number(self.upper_totals)
        return State(self.filled, upper, self.eligible, self.saved)

    def fill(self, move: Move, rolls_left: int = 0) -> "Scorecard":
        """Return the scorecard after a move that leaves ``rolls_left`` rolls unused.

        Raises
        ------
        IllegalError
            If the category cannot be filled next.
        """
        if move.category not in open_categories(self.rules, self.filled):
            key = self.rules.categories[move.category].key
            raise IllegalError(f"{key} cannot be filled on this card: expected an open category")
        check_points(self.rules, move.category, move.points)
        boxes = list(self.boxes)
        boxes[move.category] = move.points
        card = object.__new__(Scorecard)  # skips checks: the other categories were checked before
        vars(card).update(
            rules=self.rules,
            boxes=tuple(boxes),
            extra_bonus=self.extra_bonus + move.extra,
            saved=self.rules.saved_then(self.saved, rolls_left),
        )
        if move.extra:
            check_extra_bonus(self.rules, card.boxes, card.extra_bonus)
        return card


def read_card(rules: Rules, text: str) -> tuple[tuple[int | None, ...], int, int]:
    """Return the points of each category, the extra bonus, and the saved rolls in a line of text.

    Raises
    ------
    MalformedError
        If the text is no scorecard.
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
        if key in OTHER_ENTRIES:
            if key in others:
                raise MalformedError(f"expected {key} once, got it twice")
            others[key] = read_number(points, OTHER_ENTRIES[key])
            continue
        k = _category(rules, key)
        if boxes[k] is not None:
            raise MalformedError(f"expected {rules.categories[k].key} once, got it twice")
        boxes[k] = read_number(points, f"the points of {rules.categories[k].key}")
    return tuple(boxes), others.get("extra-bonus", 0), others.get("saved", rules.extra_rolls)


def _category(rules: Rules, key: str) -> int:
    """Return the category with this key or code; the error message lists all possible keys."""
    try:
        return parse_category(rules, key)
    except MalformedError:
        others = {"extra-bonus": rules.extra_bonus, "saved": rules.carries_rolls}
        words = (*rules.keys, *(word for word, there in others.items() if there))
        expected = one_of(words, key, "a category")
        message = f"no category {quoted(key)} in {rules.name}: expected {expected}"
        raise MalformedError(message) from None


def format_card(card: Scorecard) -> str:
    """Return a scorecard as one line, in scorecard order; ``-`` if it is empty.

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


def card_rows(cards: Sequence[Scorecard]) -> list[tuple[str, ...]]:
    """Return scorecards of one game as rows of a table: a title, then a cell for each scorecard."""
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
        lines.append((rules.saved_name.capitalize(), [card.saved for card in cards]))
    lines.append(("Total", [card.points for card in cards]))
    return [(title, *("·" if n is None else str(n) for n in numbers)) for title, numbers in lines]


def draw_cards(cards: Sequence[Scorecard], names: Sequence[str] = ()) -> str:
    """Return scorecards of one game as a text table with a row for each category."""
    rows = [*([("", *names)] if names else []), *card_rows(cards)]
    return f"{cards[0].rules.title}\n{text_table(rows)}"
