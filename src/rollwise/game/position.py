"""Positions of a game (a scorecard, a roll, and the rerolls left) and their text notation."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import overload

from rollwise.errors import (
    InconsistentError,
    InputError,
    MalformedError,
    check_count,
    check_type,
    quoted,
)
from rollwise.game.actions import Kind, as_dice
from rollwise.game.consistency import (
    check_filled,
    check_saved,
    check_upper_total,
    legal_categories,
    upper_totals,
)
from rollwise.game.dice_notation import (
    NONE,
    check_length,
    format_dice,
    parse_category,
    parse_dice,
    read_number,
    spaced_dice,
)
from rollwise.game.scorecard import (
    Dice,
    Move,
    Scorecard,
    State,
    format_card,
    legal_moves,
)
from rollwise.notebook import html_table
from rollwise.rules import Groups, Rules, RulesLike, as_rules

DiceLike = str | int | Sequence[int]
"""Dice as text, as the digits of a number, or as a sequence of faces."""

CardLike = Scorecard | str | Mapping[str, int]
"""A scorecard, its text notation, or the points of its filled categories by key."""

CACHED = 1_000
"""The size of each cache of :meth:`Position.each`: one for scorecards, and one for rolls."""

FIELDS = (
    "dice",
    "rolls-left",
    "card",
    "rolls",
    "upper",
    "filled",
    "five_of_a_kind",
    "saved",
)
"""The names of the fields in the text notation. The word ``dice`` at the start is optional."""


@dataclass(frozen=True)
class Position:
    """A decision point in a game: a scorecard, a roll, and the number of rerolls left.

    Parameters
    ----------
    rules : Rules, str, or Path
        The rules of the game, or the name of a preset.
    text : str, optional
        The position in text notation, such as ``dice 11366 | rolls-left 2 | card ones=3``. The
        word ``dice`` is optional. By default, the scorecard is empty and all rerolls are left.

        A shorter form (the notation of yatzy-solver) does not need the points of each category:
        ``dice 1 1 3 6 6 | rolls 2 | upper 3 | filled ones``. Add ``| five_of_a_kind 50`` once that
        category is filled, and ``| saved 3`` if the turn began with three saved rolls. In this
        form, the score so far includes only the upper section and its bonus.
    dice : str, int, or sequence of int
        The roll, in place of ``text``: ``"11366"``, ``11366``, or ``(1, 1, 3, 6, 6)``.
    rolls_left : int
        The number of rerolls left (default: all).
    card : Scorecard, str, or mapping of str to int
        The scorecard, such as ``{"ones": 3}`` (default: the empty scorecard).

    Attributes
    ----------
    rules : Rules
    state : State
        The part of the scorecard that affects the rest of the game.
    points : int
        The score so far, including bonuses.
    dice : tuple of int
        The roll, sorted.
    rolls_left : int
        The number of rerolls left: at most ``rules.rolls - 1``, plus saved or extra rolls.
    card : Scorecard or None
        The scorecard, if the points of each category are known.

    Raises
    ------
    MalformedError
        If the string is not a position.
    InconsistentError
        If no game can reach the position.

    Examples
    --------
    >>> Position("yahtzee", "11366 | rolls-left 1 | card ones=3").points
    3
    """

    rules: Rules
    state: State
    points: int
    dice: Dice
    rolls_left: int
    card: Scorecard | None = None

    @overload
    def __init__(self, rules: RulesLike, text: str) -> None: ...

    @overload
    def __init__(
        self,
        rules: RulesLike,
        *,
        dice: DiceLike,
        rolls_left: int | None = ...,
        card: CardLike = ...,
    ) -> None: ...

    def __init__(
        self,
        rules: RulesLike,
        text: str | None = None,
        *,
        dice: DiceLike | None = None,
        rolls_left: int | None = None,
        card: CardLike = NONE,
    ) -> None:
        rules = as_rules(rules)
        if text is not None:
            if dice is not None or rolls_left is not None or card != NONE:
                raise InputError("give a position either as text or by dice=, not both")
            check_type(text, str, "a position as text, such as '11366 | rolls-left 1'")
            self._set(rules, *read_position(rules, text))
            return
        if dice is None:
            raise InputError("a position needs its dice; add dice=11366")
        scorecard = as_card(rules, card)
        if rolls_left is None:
            rolls_left = rules.rolls_with(scorecard.saved) - 1
        check_count(rolls_left, "rolls_left", least=0)
        roll = as_roll(rules, dice)
        self._set(rules, scorecard.state, scorecard.points, roll, rolls_left, scorecard)

    def _set(
        self,
        rules: Rules,
        state: State,
        points: int,
        dice: Sequence[int],
        rolls_left: int,
        card: Scorecard | None = None,
    ) -> None:
        fields = {"rules": rules, "state": state, "points": points, "dice": tuple(sorted(dice))}
        vars(self).update(fields, rolls_left=rolls_left, card=card)
        if not rules.is_roll(self.dice):
            raise InconsistentError(
                f"expected {rules.dice_in_words}, got {' '.join(map(str, self.dice)) or 'none'}"
            )
        at_most = rules.saved_after(state.filled.bit_count())[-1]
        most = rules.rolls_with(state.saved if rules.extra_rolls else at_most) - 1
        if not 0 <= rolls_left <= most:
            allowed = f"from 0 to {most}" if most else "0"
            raise InconsistentError(f"the number of rolls left must be {allowed}, not {rolls_left}")
        if state.filled == (1 << len(rules.categories)) - 1:
            raise InconsistentError(
                "the game is over, because the scorecard is full; leave at least one category open"
            )
        if card is not None:
            return  # Scorecard has checked it
        check_filled(rules, state.filled)
        check_saved(rules, state.filled, state.saved)
        bonus, extra = rules.upper_bonus, rules.extra_bonus
        for column, total in enumerate(rules.upper_totals(state.upper)):
            totals = upper_totals(rules, state.filled, column) if bonus else frozenset[int]()
            capped = total == rules.upper_cap and (not bonus or max(totals) >= total)
            if not capped and (total > rules.upper_cap or total not in totals):
                check_upper_total(rules, state.filled, total, column)
        if state.eligible and not (extra and state.filled >> rules.category_index(extra.box) & 1):
            raise InconsistentError(
                "only a scorecard with points in the category of the five-of-a-kind bonus can be "
                "eligible for this bonus; fill that category first"
            )

    def __repr__(self) -> str:
        return f"Position({self.rules.named!r}, {format_position(self)!r})"

    def _repr_html_(self) -> str:
        rows: list[tuple[str, object]] = [
            ("dice", spaced_dice(self.rules, self.dice)),
            ("rolls left", self.rolls_left),
        ]
        if self.card is not None:
            filled = zip(self.rules.categories, self.card.boxes, strict=True)
            rows += [(c.title, points) for c, points in filled if points is not None]
        return html_table(self.rules.title, [*rows, ("points so far", self.points)])

    def __str__(self) -> str:
        return format_position(self)

    @property
    def legal_kinds(self) -> tuple[Kind, ...]:
        """The kinds of actions that are legal in this position."""
        return ("keep", "score") if self.rolls_left else ("score",)

    @property
    def legal_categories(self) -> list[int]:
        """The indexes of the categories that can be scored, in scorecard order."""
        return legal_categories(self.rules, self.state.filled, self.dice)

    @property
    def saved(self) -> int:
        """The number of saved rolls, including saved rolls that are part of ``rolls_left``."""
        return max(self.state.saved, self.rolls_left - (self.rules.rolls - 1))

    def possible(self) -> dict[int, Move]:
        """Return the legal moves that score the roll, keyed by the index of the category."""
        moves = legal_moves(self.rules, self.state, self.dice, self.rolls_left)
        return {move.category: move for move in moves}

    @classmethod
    def each(cls, rules: Rules, lines: Iterable[str]) -> "Iterator[Position]":
        """Yield the position that each line describes; parsed scorecards and rolls are cached."""
        read_card, read_dice = lru_cache(CACHED)(Scorecard), lru_cache(CACHED)(parse_dice)
        for line in lines:
            position = cls.__new__(cls)
            position._set(rules, *read_position(rules, line, read_card, read_dice))
            yield position

    @classmethod
    def of(cls, card: Scorecard, dice: Sequence[int] | str, rolls_left: int) -> "Position":
        """Return the position that a scorecard, a roll, and the number of rerolls left define."""
        if isinstance(dice, str):
            dice = parse_dice(card.rules, dice)
        position = cls.__new__(cls)
        position._set(card.rules, card.state, card.points, dice, rolls_left, card)
        return position

    @classmethod
    def of_state(
        cls, rules: Rules, state: State, points: int, dice: Sequence[int], rolls_left: int
    ) -> "Position":
        """Return a position without a scorecard, from a state, the points so far, and a roll."""
        position = cls.__new__(cls)
        position._set(rules, state, points, dice, rolls_left)
        return position


PositionLike = Position | DiceLike
"""A position; a string in text notation; or the dice of a first roll on the empty scorecard."""


POSITION = (
    "a Position, text such as '11366 | rolls-left 1', or dice such as 11366 or (1, 1, 3, 6, 6)"
)


def as_roll(rules: Rules, dice: DiceLike) -> Dice:
    """Return the dice of a roll, sorted.

    Raises
    ------
    InputError
        If ``dice`` is neither text, nor a whole number, nor a sequence of whole numbers.
    """
    if isinstance(dice, str):
        return parse_dice(rules, dice)
    if isinstance(dice, int):
        return parse_dice(rules, str(dice))
    return as_dice(dice, "(1, 1, 3, 6, 6)")


def as_card(rules: Rules, card: CardLike) -> Scorecard:
    """Return a scorecard unchanged, or make it from text or from a mapping.

    Raises
    ------
    InputError
        If ``card`` is not a scorecard of the game.
    """
    if not isinstance(card, Scorecard):
        return Scorecard(rules, card)
    if card.rules != rules:
        raise InputError(f"the scorecard is of {card.rules.name}; use a scorecard of {rules.name}")
    return card


def as_position(rules: Rules, position: PositionLike) -> Position:
    """Return a position unchanged, or make it from text or from dice.

    Raises
    ------
    InputError
        If ``position`` is not a position of the game.
    """
    if isinstance(position, Position):
        return position
    if isinstance(position, str):
        return Position(rules, position)
    check_type(position, (int, Sequence), POSITION)
    return Position(rules, dice=position)


def read_position(
    rules: Rules,
    text: str,
    read_card: Callable[[Rules, str], Scorecard] = Scorecard,
    read_dice: Callable[[Rules, str], Dice] = parse_dice,
) -> tuple[State, int, Dice, int, Scorecard | None]:
    """Parse a position, and return its state, points, dice, rolls left, and scorecard (or None).

    ``read_card`` and ``read_dice`` parse the scorecard and the dice, and can cache results.
    """
    check_length(text)
    fields: dict[str, str] = {}
    for part in text.split("|"):
        word, _, rest = part.strip().partition(" ")
        if not fields and word not in FIELDS:
            word, rest = "dice", part
        if word in fields:
            raise MalformedError(f"the field {word!r} appears twice; write it once")
        fields[word] = rest.strip()
    if {"dice"} <= set(fields) <= {"dice", "rolls-left", "card"}:
        card = read_card(rules, fields.get("card", NONE))
        rolls_left = rules.rolls_with(card.saved) - 1
        if "rolls-left" in fields:
            rolls_left = read_number(fields["rolls-left"], "the number of rolls left")
        return card.state, card.points, read_dice(rules, fields["dice"]), rolls_left, card
    if set(fields) - {"five_of_a_kind", "saved"} == {"dice", "rolls", "upper", "filled"}:
        state, points = _parse_summary(rules, fields)
        rolls_left = read_number(fields["rolls"], "the number of rolls left")
        return state, points, read_dice(rules, fields["dice"]), rolls_left, None
    raise MalformedError(
        "expected a position such as 'dice 11366 | rolls-left 2 | card -' or "
        f"'dice 11366 | rolls 2 | upper 0 | filled -', got {quoted(text)}"
    )


def format_position(position: Position) -> str:
    """Return a position as one line of text.

    Parameters
    ----------
    position : Position

    Examples
    --------
    >>> format_position(Position("yahtzee", "11366 | rolls-left 1"))
    'dice 11366 | rolls-left 1 | card -'
    """
    rules, state = position.rules, position.state
    if position.card is not None:
        dice, card = format_dice(rules, position.dice), format_card(position.card)
        return f"dice {dice} | rolls-left {position.rolls_left} | card {card}"
    total = ",".join(map(str, _upper_totals(rules, state, position.points)))
    filled = [_summary_key(rules, k) for k in range(len(rules.categories)) if state.filled >> k & 1]
    line = (
        f"dice {spaced_dice(rules, position.dice)} | rolls {position.rolls_left} | "
        f"upper {total} | filled {','.join(filled) or NONE}"
    )
    alike = _alike_category(rules)
    if rules.extra_bonus and alike is not None and state.filled >> alike & 1:
        line += f" | five_of_a_kind {_category_points(rules, alike) if state.eligible else 0}"
    if state.saved != position.rules.extra_rolls:
        line += f" | saved {state.saved}"
    return line


def _upper_totals(rules: Rules, state: State, points: int) -> Sequence[int]:
    """Return an upper-section total for each column that agrees with the points and the state.

    The state caps each total where the bonus stops growing, so the actual total can be higher.
    """
    total, capped = points - rules.bonus_at(state.upper), rules.upper_totals(state.upper)
    if not rules.columns:
        return (total,)
    possible = [
        [
            n
            for n in sorted(upper_totals(rules, state.filled, column))
            if min(n, rules.upper_cap) == lower
        ]
        for column, lower in enumerate(capped)
    ]
    return next((totals for totals in product(*possible) if sum(totals) == total), capped)


def _alike_category(rules: Rules) -> int | None:
    """Return the category that the short form of a position calls ``five_of_a_kind``.

    If the rules have a five-of-a-kind bonus, it is the category of this bonus. Otherwise it is the
    category that requires all dice to show the same number.
    """
    if rules.extra_bonus:
        return rules.category_index(rules.extra_bonus.box)
    for k, category in enumerate(rules.categories):
        if isinstance(category.pattern, Groups) and category.pattern.sizes == (rules.dice,):
            return k
    return None


def _category_points(rules: Rules, category: int) -> int:
    """Return the highest fixed points of a category, or 1 if it has no fixed points."""
    fixed = (rules.categories[category].fixed_points(roll) for roll in range(1, rules.rolls + 1))
    return max((points for points in fixed if points is not None), default=1)


def _summary_key(rules: Rules, k: int) -> str:
    key = rules.keys[k]
    is_alike = k == _alike_category(rules) and (rules.extra_bonus or key == "yahtzee")
    return "five_of_a_kind" if is_alike else key.replace("-", "_")


def _parse_summary(rules: Rules, fields: dict[str, str]) -> tuple[State, int]:
    alike = _alike_category(rules)
    filled = 0
    words = [] if fields["filled"] == NONE else re.split(r"[,\s]+", fields["filled"])
    for word in words:
        is_alike = word == "five_of_a_kind" and alike is not None
        k = (
            alike
            if is_alike and alike is not None
            else parse_category(rules, word.replace("_", "-"))
        )
        if filled >> k & 1:
            raise MalformedError(f"the category {word} appears twice; write it once")
        filled |= 1 << k
    eligible = False
    if rules.extra_bonus and alike is not None and filled >> alike & 1:
        if "five_of_a_kind" not in fields:
            raise MalformedError(
                "the points of the filled category five_of_a_kind are missing; add "
                "'| five_of_a_kind POINTS'"
            )
        eligible = read_number(fields["five_of_a_kind"], "the points of five_of_a_kind") > 0
    elif "five_of_a_kind" in fields:
        raise MalformedError(
            "five_of_a_kind has points but is not filled; add it to 'filled', or remove its points"
        )
    totals = [read_number(total, "the upper-section total") for total in fields["upper"].split(",")]
    if len(totals) != len(rules.upper_steps):
        raise MalformedError(
            f"expected one upper-section total for each of {len(rules.upper_steps)} columns, with "
            f"commas between them, got {quoted(fields['upper'])}"
        )
    for column, total in enumerate(totals):
        check_upper_total(rules, filled, total, column)
    saved = rules.extra_rolls
    if "saved" in fields:
        saved = read_number(fields["saved"], "the number of saved rolls")
    upper = rules.upper_number(totals)
    return State(filled, upper, eligible, saved), sum(totals) + rules.bonus_at(upper)
