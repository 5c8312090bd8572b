"""How dice look on a page: pips, numbers, and the colors of faces."""

from dataclasses import dataclass

from rollwise.client.rules_data import face_colors
from rollwise.rules import Rules

PIPS = {
    1: ["22"],
    2: ["11", "33"],
    3: ["11", "22", "33"],
    4: ["11", "13", "31", "33"],
    5: ["11", "13", "22", "31", "33"],
    6: ["11", "13", "21", "23", "31", "33"],
}
"""The row and the column of each pip of a face, in a 3 by 3 grid."""


@dataclass(frozen=True)
class Look:
    """The look of a die.

    Attributes
    ----------
    words : str
        What a screen reader says.
    pips : list of str
        The CSS classes of each pip; empty for a die with a number.
    number : str
        The number of a die without pips; otherwise empty.
    is_other : bool
        Whether the die is of the second kind, which has a diamond around its number.
    """

    words: str
    pips: list[str]
    number: str = ""
    is_other: bool = False


def look_of(die: int, rules: Rules) -> Look:
    """Return the look of a die: pips up to six, otherwise a number."""
    numbers = next(rules.shown(symbols) for symbols in rules.symbols if die in symbols)
    number = str(*rules.shown((die,)))
    words = number if die <= rules.faces else f"{number} of {numbers[0]} to {numbers[-1]}"
    if die not in PIPS or die > rules.faces or rules.faces > 6:
        return Look(words, [], number, die > rules.faces)
    colors = face_colors(rules)
    color = f" color-{colors[die - 1]}" if colors else ""
    return Look(words, [f"pip r{place[0]} c{place[1]}{color}" for place in PIPS[die]])
