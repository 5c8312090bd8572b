"""Positions of a game (a scorecard, a roll, and the rerolls left) and their text notation."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from numbers import Integral
from typing import Any

from rollwise.errors import (
    InconsistentError,
    InputError,
    MalformedError,
    check_type,
    quoted,
)
from rollwise.game.actions import Kind, as_dice
from rollwise.game.consistency import legal_categories
from rollwise.game.dice_notation import (
    NONE,
    check_length,
    format_dice,
    parse_dice,
    read_number,
    spaced_dice,
)
from rollwise.game.scorecard import Dice, Move, Scorecard, State, format_card, legal_moves
from rollwise.notebook import html_table
from rollwise.rules import Rules, RulesLike, as_rules

DiceLike = str | int | Sequence[int]
"""Dice as text, as the digits of a number, or as a sequence of faces."""

CardLike = Scorecard | str | Mapping[str, int]
"""A scorecard, its text notation, or the points of its filled categories by key."""

CACHED = 1_000
"""The size of each cache of :meth:`Position.each`: one for scorecards, and one for rolls."""

FIELDS = ("dice", "rolls-left", "card")
"""The names of the fields in the text notation. The word ``dice`` at the start is optional."""


@dataclass(frozen=True)
class Position:
    """A decision point in a game: a scorecard, a roll, and the number of rerolls left.

    Parameters
    ----------
    rules : Rules, str, or Path
        The rules of the game, or the name of a preset.
    dice : str, int, or sequence of int
        The roll: ``"11366"``, ``11366``, or ``(1, 1, 3, 6, 6)``; or the position in text notation,
        such as ``dice 11366 | rolls-left 2 | card ones=3``. The word ``dice`` is optional.
    rolls_left : int, optional
        The number of rerolls left (default: all).
    card : Scorecard, str, or mapping of str to int, optional
        The scorecard, such as ``{"ones": 3}`` (default: the empty scorecard).

    Attributes
    ----------
    rules : Rules
    card : Scorecard
    dice : tuple of int
        The roll, sorted.
    rolls_left : int
        The number of rerolls left: at most ``rules.rolls - 1``, plus saved or extra rolls.

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
    >>> Position("yahtzee", 11366, rolls_left=1, card={"ones": 3})
    Position('yahtzee', 'dice 11366 | rolls-left 1 | card ones=3')
    """

    card: Scorecard
    dice: Dice
    rolls_left: int

    def __init__(
        self,
        rules: RulesLike,
        dice: DiceLike,
        *,
        rolls_left: int | None = None,
        card: CardLike | None = None,
    ) -> None:
        rules = as_rules(rules)
        if isinstance(dice, str | int):
            text, *fields = split_position(str(dice))
            dice = parse_dice(rules, text)
            rolls_left, card = map(_only_one, FIELDS[1:], fields, (rolls_left, card))
        if rolls_left is not None:
            check_type(rolls_left, Integral, "a whole number of rolls left, such as 2")
        self._set(as_card(rules, NONE if card is None else card), as_dice(dice), rolls_left)

    def _set(self, card: Scorecard, dice: Sequence[int], rolls_left: int | None) -> None:
        if rolls_left is None:
            rolls_left = card.rules.rolls_with(card.saved) - 1
        vars(self).update(card=card, dice=tuple(sorted(dice)), rolls_left=rolls_left)
        rules = self.rules
        if not rules.is_roll(self.dice):
            raise InconsistentError(
                f"expected {rules.dice_in_words}, got {' '.join(map(str, self.dice)) or 'none'}"
            )
        most = most_rolls(card) - 1
        if not 0 <= rolls_left <= most:
            allowed = f"from 0 to {most}" if most else "0"
            raise InconsistentError(f"the number of rolls left must be {allowed}, not {rolls_left}")
        if card.is_full:
            raise InconsistentError(
                "the game is over, because the scorecard is full; leave at least one category open"
            )

    def __repr__(self) -> str:
        return f"Position({self.rules.named!r}, {format_position(self)!r})"

    def _repr_html_(self) -> str:
        boxes = zip(self.rules.categories, self.card.boxes, strict=True)
        rows: list[tuple[str, object]] = [
            ("dice", spaced_dice(self.rules, self.dice)),
            ("rolls left", self.rolls_left),
            *((c.title, points) for c, points in boxes if points is not None),
            ("points so far", self.points),
        ]
        return html_table(self.rules.title, rows)

    def __str__(self) -> str:
        return format_position(self)

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return self.card.rules

    @property
    def state(self) -> State:
        """The part of the scorecard that affects the rest of the game."""
        return self.card.state

    @property
    def points(self) -> int:
        """The score so far, including bonuses."""
        return self.card.points

    @property
    def legal_kinds(self) -> tuple[Kind, ...]:
        """The kinds of actions that are legal in this position."""
        return ("keep", "score") if self.rolls_left else ("score",)

    @property
    def legal_categories(self) -> list[int]:
        """The indexes of the categories that can be scored, in scorecard order."""
        return legal_categories(self.rules, self.card.filled, self.dice)

    @property
    def saved(self) -> int:
        """The number of saved rolls, including saved rolls that are part of ``rolls_left``."""
        return max(self.card.saved, self.rolls_left - (self.rules.rolls - 1))

    def possible(self) -> dict[int, Move]:
        """Return the legal moves that score the roll, keyed by the index of the category."""
        moves = legal_moves(self.rules, self.state, self.dice, self.rolls_left)
        return {move.category: move for move in moves}

    @classmethod
    def each(cls, rules: Rules, lines: Iterable[str]) -> "Iterator[Position]":
        """Yield the position that each line describes; parsed scorecards and rolls are cached."""
        read_card, read_dice = lru_cache(CACHED)(Scorecard), lru_cache(CACHED)(parse_dice)
        for line in lines:
            dice, rolls_left, card = split_position(line)
            scorecard = read_card(rules, NONE if card is None else card)
            yield cls.of(scorecard, read_dice(rules, dice), rolls_left)

    @classmethod
    def of(cls, card: Scorecard, dice: Sequence[int], rolls_left: int | None) -> "Position":
        """Return the position that a scorecard, a roll, and the number of rerolls left define.

        By default, all rerolls are left.
        """
        position = cls.__new__(cls)
        position._set(card, dice, rolls_left)
        return position


def most_rolls(card: Scorecard) -> int:
    """Return the maximum number of rolls in the next turn of a game with this scorecard.

    Saved rolls count as many as earlier turns can have saved, because they are part of the rolls
    left within a turn.
    """
    rules = card.rules
    return (
        rules.rolls_with(card.saved)
        if rules.extra_rolls
        else rules.most_rolls(card.filled.bit_count())
    )


PositionLike = Position | DiceLike
"""A position; a string in text notation; or the dice of a first roll on the empty scorecard."""


def as_card(rules: Rules, card: CardLike) -> Scorecard:
    """Return a scorecard unchanged, or make it from text or from a mapping."""
    if not isinstance(card, Scorecard):
        return Scorecard(rules, card)
    if card.rules != rules:
        raise InputError(f"the scorecard is of {card.rules.name}; use a scorecard of {rules.name}")
    return card


def as_position(
    rules: Rules,
    position: PositionLike,
    rolls_left: int | None = None,
    card: CardLike | None = None,
) -> Position:
    """Return a position unchanged, or make it from text or from dice, as :class:`Position` does."""
    if not isinstance(position, Position):
        return Position(rules, position, rolls_left=rolls_left, card=card)
    if rolls_left is not None or card is not None:
        raise InputError(
            "a Position has its rolls left and its scorecard; leave out rolls_left and card, or "
            "give the dice alone"
        )
    as_card(rules, position.card)  # refuses other rules
    return position


def split_position(text: str) -> tuple[str, int | None, str | None]:
    """Return the dice, the number of rolls left, and the scorecard in the text of a position."""
    check_length(text)
    fields: dict[str, str] = {}
    for part in text.split("|"):
        word, _, rest = part.strip().partition(" ")
        if not fields and word not in FIELDS:
            word, rest = "dice", part
        _only_one(word, fields.get(word), rest)
        fields[word] = rest.strip()
    if not {"dice"} <= set(fields) <= set(FIELDS):
        raise MalformedError(
            f"expected a position such as 'dice 11366 | rolls-left 2 | card -', got {quoted(text)}"
        )
    rolls_left = None
    if "rolls-left" in fields:
        number = fields["rolls-left"]
        sign = -1 if number.startswith("-") else 1  # the position refuses it, and names the range
        rolls_left = sign * read_number(number.removeprefix("-"), "the number of rolls left")
    return fields["dice"], rolls_left, fields.get("card")


def _only_one(field: str, first: Any, second: Any) -> Any:
    """Return the value of a field that is given at most once, or None."""
    if first is not None and second is not None:
        raise MalformedError(f"the field {field!r} appears twice; write it once")
    return second if first is None else first


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
    dice, card = format_dice(position.rules, position.dice), format_card(position.card)
    return f"dice {dice} | rolls-left {position.rolls_left} | card {card}"
