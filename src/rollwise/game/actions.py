"""What a player does with a roll: keep some dice, announce a box, or score."""

from dataclasses import dataclass
from typing import ClassVar, Literal


@dataclass(frozen=True)
class Keep:
    """The action of keeping some dice and rolling the others.

    Attributes
    ----------
    dice : tuple of int
        Faces kept, sorted; those of other kinds of dice follow those of the usual ones.

    Examples
    --------
    >>> parse_action("yahtzee", "keep 66") == Keep((6, 6))
    True
    """

    dice: tuple[int, ...]
    kind: ClassVar[Literal["keep"]] = "keep"

    def __repr__(self) -> str:
        return f"Keep({self.dice})"


@dataclass(frozen=True)
class Score:
    """The action of ending the turn in a category.

    Attributes
    ----------
    category : int
        Its place in card order, from 0.

    Examples
    --------
    >>> parse_action("yahtzee", "score sixes") == Score(5)
    True
    """

    category: int
    kind: ClassVar[Literal["score"]] = "score"

    def __repr__(self) -> str:
        return f"Score({self.category})"


@dataclass(frozen=True)
class Announce:
    """The action of announcing the category in which the turn is going to end.

    Attributes
    ----------
    category : int
        Its place in card order, from 0.

    Examples
    --------
    >>> format_action("yahtzee", Announce(5))
    'announce sixes'
    """

    category: int
    kind: ClassVar[Literal["announce"]] = "announce"

    def __repr__(self) -> str:
        return f"Announce({self.category})"


Action = Keep | Score | Announce
Kind = Literal["announce", "keep", "score"]
