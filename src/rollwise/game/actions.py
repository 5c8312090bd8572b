"""The events of a game: rolls, and the actions of players (keep dice, or score a category)."""

from collections.abc import Iterable
from dataclasses import dataclass
from operator import index
from typing import ClassVar, Literal

from rollwise.errors import InputError, check_type, quoted


def as_dice(dice: Iterable[int]) -> tuple[int, ...]:
    """Return dice as a sorted tuple; raise InputError if they are not whole numbers."""
    try:
        return tuple(sorted(map(index, dice)))
    except TypeError:
        raise InputError(
            f"dice must be a sequence of whole numbers, such as (1, 6, 6), not {quoted(dice)}"
        ) from None


@dataclass(frozen=True)
class _Dice:
    dice: tuple[int, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "dice", as_dice(self.dice))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.dice})"


@dataclass(frozen=True, repr=False)
class Roll(_Dice):
    """All dice after a roll, including the dice that were kept.

    Attributes
    ----------
    dice : tuple of int
        The symbols of the dice, sorted. Ordinary dice come before dice of other kinds.

    Raises
    ------
    InputError
        If ``dice`` is not a sequence of whole numbers.

    Examples
    --------
    >>> Game("yahtzee", events="roll 11366").events
    (Roll((1, 1, 3, 6, 6)),)
    """

    kind: ClassVar[Literal["roll"]] = "roll"


@dataclass(frozen=True, repr=False)
class Keep(_Dice):
    """The action of keeping some dice and rolling the others.

    Attributes
    ----------
    dice : tuple of int
        The symbols of the kept dice, sorted. Ordinary dice come before dice of other kinds.

    Raises
    ------
    InputError
        If ``dice`` is not a sequence of whole numbers.

    Examples
    --------
    >>> parse_action("yahtzee", "keep 66") == Keep((6, 6))
    True
    """

    kind: ClassVar[Literal["keep"]] = "keep"


@dataclass(frozen=True)
class Score:
    """The action of scoring the roll in a category, which ends the turn.

    Attributes
    ----------
    category : str
        The key of the category, such as ``"sixes"``.

    Raises
    ------
    InputError
        If ``category`` is not a string.

    Examples
    --------
    >>> parse_action("yahtzee", "score sixes") == Score("sixes")
    True
    """

    category: str
    kind: ClassVar[Literal["score"]] = "score"

    def __post_init__(self) -> None:
        check_type(self.category, str, "the key of a category, such as Score('sixes')")

    def __repr__(self) -> str:
        return f"Score({self.category!r})"


Action = Keep | Score
Kind = Literal["keep", "score"]
Event = Roll | Action
