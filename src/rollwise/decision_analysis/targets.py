"""Target patterns of a turn, and their names on the command line.

=================== ====================================================================
``00001``           a profile; see `rollwise.decision_analysis.turn.Profiles`
``yahtzee``         all dice show the same face
``3-of-a-kind``     at least three equal dice; also named ``three-of-a-kind``
``full-house``      at least three dice of one face and two of another
``straight-3``      three consecutive faces
``small-straight``  four consecutive faces; ``large-straight`` is five faces
``4x6``             exactly four sixes; ``4x6+`` at least four
``sum>=25``         a sum of at least 25; also ``sum<=``, ``sum=``
=================== ====================================================================
"""

import operator
import re
from collections import Counter
from collections.abc import Callable

from rollwise.decision_analysis.turn import Multisets, Point, Profiles, Turn
from rollwise.errors import InputError, quoted

Pattern = Callable[[Point], bool]
"""A function that returns whether sorted dice meet a condition."""


def of_a_kind(count: int) -> Pattern:
    """Return the pattern of at least ``count`` equal dice."""
    return lambda dice: max(Counter(dice).values()) >= count


def straight(length: int) -> Pattern:
    """Return the pattern of at least ``length`` consecutive faces."""
    return lambda dice: any(set(range(face, face + length)) <= set(dice) for face in dice)


def full_house(dice: Point) -> bool:
    """Return whether at least three dice show one face and at least two show another."""
    most, *others = sorted(Counter(dice).values(), reverse=True)
    return most >= 3 and max(others, default=0) >= 2


def yahtzee(dice: Point) -> bool:
    """Return whether all dice show the same face."""
    return len(set(dice)) == 1


_WORDS: dict[str, Pattern] = {
    "yahtzee": yahtzee,
    "three-of-a-kind": of_a_kind(3),
    "four-of-a-kind": of_a_kind(4),
    "full-house": full_house,
    "small-straight": straight(4),
    "large-straight": straight(5),
}

_COMPARISONS: dict[str, Callable[[int, int], bool]] = {
    "<=": operator.le,
    "=": operator.eq,
    ">=": operator.ge,
}


def parse_pattern(text: str) -> Pattern:
    """Return the pattern with the given name.

    Raises
    ------
    ValueError
        If there is no pattern with this name.
    """
    if text in _WORDS:
        return _WORDS[text]
    if match := re.fullmatch(r"([1-9][0-9]{0,2})-of-a-kind", text):
        return of_a_kind(int(match[1]))
    if match := re.fullmatch(r"straight-([1-9][0-9]{0,2})", text):
        return straight(int(match[1]))
    if match := re.fullmatch(r"([0-9]{1,3})x([0-9]{1,4})(\+?)", text):
        count, face, compare = (
            int(match[1]),
            int(match[2]),
            operator.ge if match[3] else operator.eq,
        )
        return lambda dice: compare(dice.count(face), count)
    if match := re.fullmatch(r"sum(<=|=|>=)([0-9]{1,6})", text):
        compare_sum, bound = _COMPARISONS[match[1]], int(match[2])
        return lambda dice: compare_sum(sum(dice), bound)
    raise InputError(
        f"unknown target {quoted(text)}; use a profile such as 201, {', '.join(_WORDS)}, "
        "5-of-a-kind, straight-3, 4x6, 4x6+, sum>=25, sum<=7, or sum=18"
    )


def target_pattern(target: str, *, faces: int = 6, dice: int = 5) -> Pattern:
    """Return the pattern for a target, which is a profile or the name of a pattern.

    Raises
    ------
    ValueError
        If there is no target with this name, or a profile does not fit the dice and faces.
    """
    if not _is_profile(target):
        return parse_pattern(target)
    notation = Profiles(faces)
    turn = Turn(notation, {target: 1}, dice)
    return lambda roll: bool(turn.pays(notation.of_dice(roll)))


def target_turn(target: str, *, faces: int = 6, dice: int = 5, rolls: int = 3) -> Turn:
    """Return a turn that pays 1 if the final roll meets a target, and 0 otherwise.

    Parameters
    ----------
    target
        A profile, or a name that this module lists.
    faces, dice, rolls
        The number of faces of a die, of dice, and of rolls in the turn.

    Raises
    ------
    ValueError
        If there is no target with this name, a number is out of range, or no roll meets the target.
    """
    if _is_profile(target):
        return Turn(Profiles(faces), {target: 1}, dice, rolls)
    turn = Turn(Multisets(faces), parse_pattern(target), dice, rolls)
    if not any(turn.payoffs(0).values()):
        raise InputError(
            f"{dice} dice with {faces} faces cannot show {target!r}; "
            "choose a target that a roll can meet"
        )
    return turn


def _is_profile(text: str) -> bool:
    return re.fullmatch(r"[0-9,]+", text) is not None
