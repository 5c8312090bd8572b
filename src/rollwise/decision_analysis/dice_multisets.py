"""Multisets of dice, for payoffs that depend on the faces, such as straights, sixes, or a sum.

A multiset is the tuple of sorted faces, such as (1, 2, 5, 6, 6), and is written ``12566``. The
empty multiset is written ``-``. For dice with ten faces or more, commas separate the faces:
``3,10,12``. The parser accepts faces in any order; for dice with up to nine faces, commas are
optional.
"""

import re
from collections.abc import Callable, Iterator, Sequence

from rollwise.decision_analysis.arrows import Number
from rollwise.decision_analysis.dice_graph import DieFaces, Point, check_dice
from rollwise.decision_analysis.turn_problem import TurnProblem
from rollwise.errors import InputError, quoted

NONE = "-"


class Multisets(DieFaces):
    """The notation of multisets, which represents dice as the tuple of their sorted faces."""

    def roll_one(self, point: Point) -> Iterator[tuple[Point, int]]:
        """Yield each multiset after rolling one more die, and the number of faces that lead to it.

        This number is always 1.
        """
        for face in range(1, self.faces + 1):
            yield tuple(sorted((*point, face))), 1

    def of_dice(self, dice: Sequence[int]) -> Point:
        """Return the faces of the dice, sorted."""
        check_dice(dice, self.faces)
        return tuple(sorted(dice))

    def parse(self, text: str) -> Point:
        """Parse the faces of dice, in any order."""
        if text == NONE:
            return ()
        tokens = re.findall(r"[0-9]" if self.faces <= 9 else r"[0-9]+", text)
        if not re.fullmatch(r"[0-9, ]{1,500}", text) or not tokens:
            raise InputError(
                f"cannot read {quoted(text)} as dice; "
                f"write faces from 1 to {self.faces}, or {NONE} for no dice"
            )
        return self.of_dice([int(token) for token in tokens])

    def format(self, point: Point) -> str:
        """Format dice as a string."""
        return ("" if self.faces <= 9 else ",").join(map(str, point)) or NONE


def multiset_turn(
    payoff: Callable[[Point], Number], *, faces: int = 6, dice: int = 5, rolls: int = 3
) -> TurnProblem:
    """Return a turn whose payoff depends on the faces of the final roll.

    Parameters
    ----------
    payoff
        A function from the sorted faces to the payoff. True counts as 1, and False as 0.
    faces, dice, rolls
        The number of faces of a die, of dice, and of rolls in the turn.

    Raises
    ------
    ValueError
        If a number is out of range.

    Examples
    --------
    >>> from rollwise.decision_analysis import analyze_turn
    >>> analyze_turn(multiset_turn(sum, dice=1, rolls=2)).value
    Fraction(17, 4)
    """
    return TurnProblem(Multisets(faces), payoff, dice, rolls)
