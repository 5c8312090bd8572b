"""Player actions: keep dice and reroll, announce a category, or score in a category."""

from dataclasses import dataclass
from typing import ClassVar, Literal


@dataclass(frozen=True)
class Keep:
    """The action of keeping some dice and rolling the others.

    Attributes
    ----------
    dice : tuple of int
        The symbols of the kept dice, sorted. Ordinary dice come before dice of other kinds.

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
    """The action of scoring the roll in a category, which ends the turn.

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
    """The action of announcing the category in which the turn must be scored.

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
