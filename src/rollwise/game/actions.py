"""Player actions: keep dice and reroll, or score in a category."""

from collections.abc import Iterable
from dataclasses import dataclass
from operator import index
from typing import ClassVar, Literal

from rollwise.errors import InputError, check_type, quoted


def as_dice(dice: Iterable[int], example: str) -> tuple[int, ...]:
    """Return dice as a sorted tuple.

    Raises
    ------
    InputError
        If ``dice`` is not a sequence of whole numbers; the message contains ``example``.
    """
    try:
        return tuple(sorted(map(index, dice)))
    except TypeError:
        raise InputError(
            f"dice must be a sequence of whole numbers, such as {example}, not {quoted(dice)}"
        ) from None


@dataclass(frozen=True)
class Keep:
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

    dice: tuple[int, ...]
    kind: ClassVar[Literal["keep"]] = "keep"

    def __post_init__(self) -> None:
        object.__setattr__(self, "dice", as_dice(self.dice, "Keep((6, 6))"))

    def __repr__(self) -> str:
        return f"Keep({self.dice})"


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
