"""How dice look on a page: pips, numbers, and the colors of faces."""

from dataclasses import dataclass

from rollwise.client.rules_data import face_colors
from rollwise.rules import Rules

MOST_PIPS = 6


@dataclass(frozen=True)
class Look:
    """The look of a die.

    Attributes
    ----------
    number : str
        The number that a face without pips shows.
    pips : int
        The number of pips; 0 for a face with a number.
    color : int
        The number of the color of the pips.
    is_other : bool
        Whether the die is of the second kind, which has a diamond around its number.
    """

    number: str
    pips: int = 0
    color: int = 0
    is_other: bool = False


def look_of(die: int, rules: Rules) -> Look:
    """Return the look of a die: pips up to six, otherwise a number."""
    number = str(*rules.shown((die,)))
    if die > rules.faces:
        return Look(number, is_other=True)
    colors = face_colors(rules)
    color = colors[die - 1] if colors else 0
    return Look(number, die if rules.faces <= MOST_PIPS else 0, color)
