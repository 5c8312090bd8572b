"""Profiles: dice of which only matters how many faces show once, twice, three times and so on.

The profile ``201`` says that two faces show on one die each, none on two dice, and one on three:
two singles and a triple. ``0`` is no dice at all. Profiles of five dice: ``5``, ``31``, ``12``,
``201``, ``011``, ``1001`` and ``00001``.

The digits run into each other as long as all of them are below ten. Where one is not, commas stand
between them, and after a number that is alone: ``10,0,1`` is ten singles and a triple, ``12,`` is
twelve singles, while ``12`` is a single and two pairs. Commas are read in small profiles, too.

Source of the notation: W. Huber's answer on stats.stackexchange.com (2015).
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from rollwise.decision_analysis.arrows import Number
from rollwise.decision_analysis.dice_graph import MAX_FACES, Point, check_dice, check_whole
from rollwise.decision_analysis.turn_problem import TurnProblem
from rollwise.errors import InputError, quoted


@dataclass(frozen=True)
class Profiles:
    """The notation of profiles; the point (d₁, d₂, …) has d_i faces that show on i dice each.

    Attributes
    ----------
    faces
        The number of faces of each die, 1 to 1,000.
    """

    faces: int = 6

    def __post_init__(self) -> None:
        check_whole("faces", self.faces, MAX_FACES)

    def empty(self) -> Point:
        """Return the profile of no dice."""
        return ()

    def roll_one(self, point: Point) -> Iterator[tuple[Point, int]]:
        """Yield each profile that one more die leads to, with the number of faces that do.

        A face that shows on i dice then shows on i + 1; d₀ = faces − Σ d_i do not show yet.
        """
        augmented = (self.faces - sum(point), *point, 0)
        for i, ways in enumerate(augmented):
            if ways:
                rolled = list(augmented)
                rolled[i] -= 1
                rolled[i + 1] += 1
                yield _trimmed(rolled[1:]), ways

    def of_dice(self, dice: Sequence[int]) -> Point:
        """Return the profile of dice that show these faces.

        Raises
        ------
        ValueError
            When a die shows no face from 1 to the number of faces.
        """
        check_dice(dice, self.faces)
        multiplicities = Counter(Counter(dice).values())
        return tuple(multiplicities[i] for i in range(1, max(multiplicities, default=0) + 1))

    def parse(self, text: str) -> Point:
        """Return the profile that a text shows.

        Raises
        ------
        ValueError
            When it is no profile, or one with more different faces than a die has.
        """
        if not re.fullmatch(r"[0-9]{1,100}|[0-9]{1,3}(,[0-9]{1,3}){0,99},?", text):
            raise InputError(
                f"{quoted(text)} is no profile; expected the numbers of singles, pairs, triples, …,"
                " such as 201 or 10,0,1"
            )
        point = _trimmed([int(n) for n in (text.rstrip(",").split(",") if "," in text else text)])
        if sum(point) > self.faces:
            raise InputError(
                f"the profile {text!r} shows {sum(point)} different faces; "
                f"expected at most {self.faces}"
            )
        return point

    def parse_roll(self, text: str, dice: int) -> Point:
        """Return the profile of a full roll.

        Raises
        ------
        ValueError
            As `parse` does, and when it shows another number of dice.
        """
        point = self.parse(text)
        shown = sum(i * d for i, d in enumerate(point, start=1))
        if shown != dice:
            raise InputError(f"the profile {text!r} shows {shown} dice; expected {dice}")
        return point

    def format(self, point: Point) -> str:
        """Return the text of a profile."""
        if all(n <= 9 for n in point):
            return "".join(map(str, point)) or "0"
        return ",".join(map(str, point)) + ("," if len(point) == 1 else "")


def is_profile(text: str) -> bool:
    """Tell whether a text can only be meant for a profile."""
    return re.fullmatch(r"[0-9,]+", text) is not None


def profile_turn(
    target: str | Mapping[str, Number] | Callable[[Point], Number],
    *,
    otherwise: Number = 0,
    faces: int = 6,
    dice: int = 5,
    rolls: int = 3,
) -> TurnProblem:
    """Describe a turn whose payoff depends on the profile of the final roll.

    Parameters
    ----------
    target
        A profile, which pays 1; or what each of some profiles pays; or a function of the point
        (d₁, d₂, …).
    otherwise
        What a profile pays that is not named.
    faces, dice, rolls
        The sizes of the turn.

    Raises
    ------
    ValueError
        When a number is out of range, or a profile does not fit the dice and faces.

    Examples
    --------
    >>> from rollwise.decision_analysis import analyse_turn
    >>> analyse_turn(profile_turn("00001")).value
    Fraction(347897, 7558272)
    """
    notation = Profiles(faces)
    if callable(target):
        return TurnProblem(notation, target, dice, rolls)
    named = {target: 1} if isinstance(target, str) else target
    payoff: dict[Point, Number] = {}
    for text, x in named.items():
        payoff[notation.parse_roll(text, dice)] = x
    return TurnProblem(notation, lambda point: payoff.get(point, otherwise), dice, rolls)


def _trimmed(counts: list[int]) -> Point:
    while counts and counts[-1] == 0:
        counts.pop()
    return tuple(counts)
