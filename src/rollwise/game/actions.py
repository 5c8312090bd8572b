"""The actions of a player: keep some dice, announce a category, or score."""

from dataclasses import dataclass
from typing import ClassVar, Literal


@dataclass(frozen=True)
class Keep:
    """Keep some dice and roll the others.

    Attributes
    ----------
    dice : tuple of int
        The symbols of the dice kept, sorted; ordinary dice come before dice of other kinds.

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
    """End the turn by scoring a category.

    Attributes
    ----------
    category : int
        The index of the category in scorecard order.

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
    """Announce the category that the turn will be scored in.

    Attributes
    ----------
    category : int
        The index of the category in scorecard order.

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
