"""Profiles of dice: the numbers of singles, pairs, triples, and so on.

The profile ``201`` is two singles, no pair, and one triple. The profile of no dice is ``0``. The
profiles of five dice are ``5``, ``31``, ``12``, ``201``, ``011``, ``1001``, and ``00001``.

Numbers below ten are written without separators. If any number is ten or more, commas separate
the numbers, and a single number ends with a comma. ``10,0,1`` is ten singles and a triple,
``12,`` is twelve singles, and ``12`` is a single and two pairs. Commas are always allowed.

Source of the notation: W. Huber's answer on stats.stackexchange.com (2015).
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

from rollwise.decision_analysis.arrows import Number
from rollwise.decision_analysis.dice_graph import DieFaces, Point, check_dice
from rollwise.decision_analysis.turn_problem import TurnProblem
from rollwise.errors import InputError, quoted


class Profiles(DieFaces):
    """The notation of profiles: tuples (d₁, d₂, …) in which d_i faces show on exactly i dice."""

    def roll_one(self, point: Point) -> Iterator[tuple[Point, int]]:
        """Yield each profile after rolling one more die, and the number of faces that lead to it.

        If the new die shows the same face as i other dice, this face shows on i + 1 dice.
        """
        # The first entry is d₀, the number of faces that do not show yet.
        augmented = (self.faces - sum(point), *point, 0)
        for i, ways in enumerate(augmented):
            if ways:
                rolled = list(augmented)
                rolled[i] -= 1
                rolled[i + 1] += 1
                yield _trimmed(rolled[1:]), ways

    def of_dice(self, dice: Sequence[int]) -> Point:
        """Return the profile of dice with these faces."""
        check_dice(dice, self.faces)
        multiplicities = Counter(Counter(dice).values())
        return tuple(multiplicities[i] for i in range(1, max(multiplicities, default=0) + 1))

    def parse(self, text: str) -> Point:
        """Parse a profile, which cannot show more different faces than a die has."""
        if not re.fullmatch(r"[0-9]{1,100}|[0-9]{1,3}(,[0-9]{1,3}){0,99},?", text):
            raise InputError(
                f"cannot read {quoted(text)} as a profile; write the number of singles, pairs, "
                "triples, and so on, such as 201 or 10,0,1"
            )
        point = _trimmed([int(n) for n in (text.rstrip(",").split(",") if "," in text else text)])
        if sum(point) > self.faces:
            raise InputError(
                f"the profile {text!r} has {sum(point)} different faces; "
                f"a die has only {self.faces}. A profile counts singles, pairs, "
                "triples, and so on; a pattern such as 5x6 means five sixes"
            )
        return point

    def parse_roll(self, text: str, dice: int) -> Point:
        """Parse the profile of a roll, which must have exactly ``dice`` dice."""
        point = self.parse(text)
        shown = sum(i * d for i, d in enumerate(point, start=1))
        if shown != dice:
            raise InputError(f"the profile {text!r} has {shown} dice; it must have {dice}")
        return point

    def format(self, point: Point) -> str:
        """Format a profile as a string."""
        if all(n <= 9 for n in point):
            return "".join(map(str, point)) or "0"
        return ",".join(map(str, point)) + ("," if len(point) == 1 else "")


def is_profile(text: str) -> bool:
    """Return whether a string has the form of a profile."""
    return re.fullmatch(r"[0-9,]+", text) is not None


def profile_turn(
    target: str | Mapping[str, Number] | Callable[[Point], Number],
    *,
    otherwise: Number = 0,
    faces: int = 6,
    dice: int = 5,
    rolls: int = 3,
) -> TurnProblem:
    """Return a turn whose payoff depends on the profile of the final roll.

    Parameters
    ----------
    target
        A profile that pays 1, a mapping from profiles to payoffs, or a function from a profile to
        its payoff. The function receives the profile as a tuple (d₁, d₂, …).
    otherwise
        The payoff of all other profiles.
    faces, dice, rolls
        The number of faces of a die, of dice, and of rolls in the turn.

    Raises
    ------
    ValueError
        If a number is out of range, or a profile does not fit the dice and faces.

    Examples
    --------
    >>> from rollwise.decision_analysis import analyze_turn
    >>> analyze_turn(profile_turn("00001")).value
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
