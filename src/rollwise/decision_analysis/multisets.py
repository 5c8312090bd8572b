"""Multisets: dice whose faces matter, as for straights, sixes or a sum.

A point is the sorted faces, such as (1, 2, 5, 6, 6), written ``12566``. No dice are ``-``. With
ten faces or more, commas separate the faces: ``3,10,12``. Faces may be in any order, with or
without commas.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from rollwise.decision_analysis.arrows import Number
from rollwise.decision_analysis.dice_graph import MAX_FACES, Point, check_dice, check_whole
from rollwise.decision_analysis.turn_problem import TurnProblem
from rollwise.errors import InputError, quoted

NONE = "-"


@dataclass(frozen=True)
class Multisets:
    """The notation of multisets; the point of some dice is their sorted faces.

    Attributes
    ----------
    faces
        The number of faces of each die, 1 to 1,000.
    """

    faces: int = 6

    def __post_init__(self) -> None:
        check_whole("faces", self.faces, MAX_FACES)

    def empty(self) -> Point:
        """Return the multiset of no dice."""
        return ()

    def roll_one(self, point: Point) -> Iterator[tuple[Point, int]]:
        """Yield the point with each face added; one face leads to each point."""
        for face in range(1, self.faces + 1):
            yield tuple(sorted((*point, face))), 1

    def of_dice(self, dice: Sequence[int]) -> Point:
        """Return dice in order.

        Raises
        ------
        ValueError
            If a face is not from 1 to the number of faces.
        """
        check_dice(dice, self.faces)
        return tuple(sorted(dice))

    def parse(self, text: str) -> Point:
        """Return the dice in a text.

        Raises
        ------
        ValueError
            If the text shows no dice, or a face that they do not have.
        """
        if text == NONE:
            return ()
        tokens = re.findall(r"[0-9]" if self.faces <= 9 else r"[0-9]+", text)
        if not re.fullmatch(r"[0-9, ]{1,500}", text) or not tokens:
            raise InputError(
                f"{quoted(text)} shows no dice; "
                f"expected faces from 1 to {self.faces}, or {NONE} for none"
            )
        return self.of_dice([int(token) for token in tokens])

    def format(self, point: Point) -> str:
        """Return the text of dice."""
        return ("" if self.faces <= 9 else ",").join(map(str, point)) or NONE


def multiset_turn(
    payoff: Callable[[Point], Number], *, faces: int = 6, dice: int = 5, rolls: int = 3
) -> TurnProblem:
    """Return a turn whose payoff depends on the faces of the final roll.

    Parameters
    ----------
    payoff
        The payoff of sorted dice; a condition, True or False, pays 1 or 0.
    faces, dice, rolls
        The sizes of the turn.

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
