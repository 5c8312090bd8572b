"""Scorecards, states, legal moves, and the text notation of scorecards."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations

from rollwise.errors import (
    InconsistentError,
    InputError,
    MalformedError,
    check_count,
    check_type,
    quoted,
)
from rollwise.game.consistency import (
    check_extra_bonus,
    check_filled,
    check_points,
    check_saved,
    legal_categories,
)
from rollwise.game.dice_notation import (
    NONE,
    check_length,
    parse_category,
    plain_name,
    read_number,
)
from rollwise.game.scoring import has_jokers, joker_points, lower_only, natural_points
from rollwise.notebook import html_table, text_table
from rollwise.rules import Rules, RulesLike, as_rules

Dice = tuple[int, ...]

UPPER_BONUS, EXTRA_BONUS = "upper-bonus", "extra-bonus"
"""The names of the bonuses where categories have their keys."""


@dataclass(frozen=True)
class State:
    """The part of a scorecard that affects the rest of the game.

    ``filled`` is the bit mask of the filled categories, in scorecard order. ``upper`` is the
    upper-section total, capped where the bonus stops growing, or 0 if there is no upper bonus; with
    several columns, it encodes the totals of all columns (see :mod:`rollwise.rules.columns`).
    ``eligible`` is about the five-of-a-kind bonus. ``saved`` is the number of saved rolls or of
    extra rolls left, or 0 if the rules have neither.
    """

    filled: int = 0
    upper: int = 0
    eligible: bool = False
    saved: int = 0

    @classmethod
    def start(cls, rules: Rules) -> "State":
        """Return the state at the start of a game."""
        return cls(saved=rules.extra_rolls)

    def in_turn(self, rules: Rules) -> "State":
        """Return the state within a turn, where saved rolls count as rolls of that turn.

        Extra rolls stay in the state, because a turn uses at most one of them.
        """
        return replace(self, saved=0) if rules.saves_rolls else self


@dataclass(frozen=True)
class Move:
    """The scoring of a roll in a category: its points and five-of-a-kind bonus (``extra``)."""

    category: int
    points: int
    extra: int = 0


def scored(
    rules: Rules, state: State, dice: Sequence[int], category: int, rolls_left: int = 0
) -> Move:
    """Return the move that scores a roll in a legal category and leaves some rolls unused."""
    # If the roll number affects the points, all turns have the same number of rolls.
    roll = rules.rolls - rolls_left if rules.counts_rolls else rules.rolls
    shown = rules.shown(dice)
    if len(set(shown)) > 1:
        return Move(category, natural_points(rules, category, dice, roll))
    own_categories = rules.upper_categories(shown[0])
    own_open = any(not state.filled >> k & 1 for k in own_categories)
    is_joker = has_jokers(rules, state.filled) and (lower_only(rules) or not own_open)
    points = (joker_points if is_joker else natural_points)(rules, category, dice, roll)
    bonus = rules.extra_bonus
    earns = bonus and state.eligible and (bonus.where == "anywhere" or category in own_categories)
    return Move(category, points, bonus.points if bonus and earns else 0)


def legal_moves(
    rules: Rules, state: State, dice: Sequence[int], rolls_left: int = 0
) -> tuple[Move, ...]:
    """Return all legal moves for a roll, in scorecard order."""
    categories = legal_categories(rules, state.filled, dice)
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
    """Return all sets of dice to keep except the whole roll: largest first, then by face."""
    keeps = {keep for size in range(len(dice)) for keep in combinations(sorted(dice), size)}
    return sorted(keeps, key=lambda keep: (-len(keep), keep))


@dataclass(frozen=True)
class Scorecard:
    """A scorecard with the points of each category.

    Parameters
    ----------
    rules : Rules, str, or Path
        The rules of the game, or the name of a preset.
    boxes : str, mapping of str to int, or sequence of (int or None)
        The scorecard in text notation, such as ``ones=3,full-house=25,extra-bonus=100,saved=2``,
        or ``-`` if it is empty; the same as a mapping, such as ``{"ones": 3}``; or the points of
        each category in scorecard order.
    extra_bonus, saved : int
        See the attributes. In a string or a mapping, they are keys of ``boxes``.

    Attributes
    ----------
    rules : Rules
    boxes : tuple of int or None
        The points of each category in scorecard order; None for an open category.
    extra_bonus : int
        The five-of-a-kind bonus earned so far, in points.
    saved : int
        The number of saved rolls, or of extra rolls left; 0 if the rules have neither.

    Raises
    ------
    MalformedError
        If the string is not a scorecard.
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
        boxes: str | Mapping[str, int] | Sequence[int | None],
        extra_bonus: int = 0,
        saved: int = 0,
    ) -> None:
        rules = as_rules(rules)
        check_type(
            boxes,
            (str, Mapping, Sequence),
            "a scorecard as text such as 'ones=3', as a mapping such as {'ones': 3}, or as the "
            "points of each category",
        )
        if isinstance(boxes, Mapping):
            boxes = ",".join(f"{key}={points}" for key, points in boxes.items())
        if isinstance(boxes, str):
            if extra_bonus or saved:
                raise InputError(
                    "write the bonus and the saved rolls into the scorecard, such as "
                    "'ones=3,extra-bonus=100,saved=2'"
                )
            each, extra_bonus, saved = read_card(rules, boxes)
        else:
            check_count(extra_bonus, "extra_bonus", least=0)
            check_count(saved, "saved", least=0)
            each = tuple(boxes)
        vars(self).update(rules=rules, boxes=each, extra_bonus=extra_bonus, saved=saved)
        if len(each) != len(rules.categories):
            raise InconsistentError(
                f"a scorecard of {rules.name} has {len(rules.categories)} categories, not "
                f"{len(each)}"
            )
        for k, points in enumerate(each):
            if points is not None:
                check_points(rules, k, points)
        check_filled(rules, self.filled)
        check_saved(rules, self.filled, saved)
        check_extra_bonus(rules, self.boxes, extra_bonus)

    def __repr__(self) -> str:
        return f"Scorecard({self.rules.named!r}, {format_card(self)!r})"

    def __str__(self) -> str:
        return f"{self.rules.title}\n{text_table(card_rows([self]))}"

    def _repr_html_(self) -> str:
        return html_table(self.rules.title, card_rows([self]))

    @classmethod
    def empty(cls, rules: Rules) -> "Scorecard":
        """Return the scorecard at the start of a game."""
        return cls(rules, (None,) * len(rules.categories), saved=rules.extra_rolls)

    @cached_property
    def filled(self) -> int:
        """The bit mask of the filled categories."""
        return sum(1 << k for k, points in enumerate(self.boxes) if points is not None)

    @property
    def is_full(self) -> bool:
        """Whether all categories are filled."""
        return None not in self.boxes

    @cached_property
    def upper_totals(self) -> tuple[int, ...]:
        """The upper-section total of each column, without its bonus."""
        points, categories = self.boxes, self.rules.categories
        upper = [(n or 0) * (c.section == "upper") for n, c in zip(points, categories, strict=True)]
        return tuple(sum(upper[k] for k in column) for column in self.rules.column_categories)

    @property
    def upper(self) -> int:
        """The sum of the upper-section totals of all columns, without bonuses."""
        return sum(self.upper_totals)

    @property
    def upper_bonus(self) -> int:
        """The sum of the upper bonuses that all columns have earned."""
        return self.rules.bonus_at(self.state.upper)

    @property
    def eligible(self) -> bool:
        """Whether the category of the five-of-a-kind bonus is filled with more than 0 points."""
        bonus = self.rules.extra_bonus
        return bool(bonus and self.boxes[self.rules.category_index(bonus.box)])

    @cached_property
    def points(self) -> int:
        """The score so far, including bonuses. On a full scorecard, it is the final score."""
        return sum(p for p in self.boxes if p is not None) + self.upper_bonus + self.extra_bonus

    @cached_property
    def state(self) -> State:
        """The part of the scorecard that affects the rest of the game."""
        upper = self.rules.upper_number(self.upper_totals)
        return State(self.filled, upper, self.eligible, self.saved)

    def after(self, move: Move, rolls_left: int = 0) -> "Scorecard":
        """Return the scorecard after a legal move that leaves ``rolls_left`` rolls unused.

        It checks nothing. A check of the points would score every possible roll in the category,
        which takes minutes for a long record with complicated rules.
        """
        points = list(self.boxes)
        points[move.category] = move.points
        card = object.__new__(Scorecard)
        vars(card).update(
            rules=self.rules,
            boxes=tuple(points),
            extra_bonus=self.extra_bonus + move.extra,
            saved=self.rules.saved_then(self.saved, rolls_left),
        )
        return card


def read_card(rules: Rules, text: str) -> tuple[tuple[int | None, ...], int, int]:
    """Parse a scorecard; return the points of each category, the extra bonus, and the saved rolls.

    An unknown category raises an error that suggests other entries too, if the rules have them.
    """
    check_length(text)
    points_of, other_points = dict[str, int](), dict[str, int]()
    others = {"extra-bonus": rules.extra_bonus, "saved": rules.carries_rolls}
    suggested = [word for word, is_used in others.items() if is_used]
    # A blank after the points also separates entries.
    separated = re.sub(r"(=\s*[^\s,;]+)\s+(?=[^\s,;])", r"\1,", text.strip())
    entries = [] if separated in (NONE, "") else re.split(r"\s*[,;]\s*", separated)
    for entry in entries:
        match = re.fullmatch(r"(.+?)(?:=(.*)|\s([0-9]+))", entry)
        if match is None:
            raise MalformedError(
                f"expected a scorecard as 'category=points,…', or {NONE} if it is empty, got "
                f"{quoted(entry)}"
            )
        name, points = match[1].strip(), (match[2] or match[3] or "").strip()
        key = plain_name(name)
        if key in (UPPER_BONUS, "bonus") and key not in rules.keys:
            raise MalformedError(
                f"leave out {name}: the points of the upper section determine the upper bonus"
            )
        numbers, what = other_points, key
        if key not in others:
            key = rules.keys[parse_category(rules, name, suggested)]
            numbers, what = points_of, f"the points of {key}"
        if key in numbers:
            raise MalformedError(f"{key} appears twice; write it once")
        numbers[key] = read_number(points, what)
    boxes = tuple(map(points_of.get, rules.keys))
    return boxes, other_points.get("extra-bonus", 0), other_points.get("saved", rules.extra_rolls)


def describe_card(card: Scorecard) -> str:
    """Return a scorecard in words: ``empty scorecard``, or ``scorecard`` with its categories."""
    return f"scorecard {format_card(card)}" if card.filled else "empty scorecard"


def format_card(card: Scorecard) -> str:
    """Return a scorecard as one line of text, or ``-`` if it is empty.

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


def extra_bonus_title(rules: Rules) -> str:
    """Return the title of the five-of-a-kind bonus, such as ``Kniffel bonus``.

    If the rules do not have this bonus, return an empty string.
    """
    if rules.extra_bonus is None:
        return ""
    return f"{rules.categories[rules.category_index(rules.extra_bonus.box)].title} bonus"


def card_rows(cards: Sequence[Scorecard]) -> list[tuple[str, ...]]:
    """Return the rows of a table, each with a title and one cell for each scorecard."""
    rules = cards[0].rules
    lines: list[tuple[str, list[int | None]]] = [
        (category.title, [card.boxes[k] for card in cards])
        for k, category in enumerate(rules.categories)
    ]
    if rules.upper_bonus:
        for n, words in enumerate([f" ({column.title})" for column in rules.columns] or [""]):
            lines.append((f"Upper-section total{words}", [card.upper_totals[n] for card in cards]))
        lines.append(("Upper bonus", [card.upper_bonus for card in cards]))
    if rules.extra_bonus:
        lines.append((extra_bonus_title(rules), [card.extra_bonus for card in cards]))
    if rules.carries_rolls:
        lines.append((rules.saved_name.capitalize(), [card.saved for card in cards]))
    lines.append(("Total", [card.points for card in cards]))
    return [(title, *("·" if n is None else str(n) for n in numbers)) for title, numbers in lines]
