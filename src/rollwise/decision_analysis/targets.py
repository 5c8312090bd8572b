"""Target patterns of a turn, and their names on the command line.

=================== ====================================================================
``yahtzee``         all dice show the same face
``3-of-a-kind``     at least three equal dice; also named ``three-of-a-kind``, up to ``nine``
``full-house``      at least three dice of one face and two of another
``straight-3``      three consecutive faces
``small-straight``  four consecutive faces; ``large-straight`` is five faces
``4x6``             exactly four sixes; ``4x6+`` at least four
``sum>=25``         a sum of at least 25; also ``sum<=``, ``sum=``
``00001``           a profile: the numbers of singles, pairs, triples, and so on; see `Profiles`
``23456``           a roll: exactly these faces, in any order
=================== ====================================================================

A target of digits is a profile if its numbers count as many dice as the turn has: ``201`` is
2 · 1 + 0 · 2 + 1 · 3 = 5 dice. Otherwise, the digits are the faces of all dice. A roll of two or
more dice is never a profile, because even ``11`` counts three dice. A turn with one die reads ``1``
as a profile; ``1x1`` is an ace.
"""

import operator
import re
from collections import Counter
from collections.abc import Callable

from rollwise.decision_analysis.turn import Multisets, Point, Profiles, Turn
from rollwise.errors import InputError, did_you_mean, quoted

Pattern = Callable[[Point], bool]
"""A function that returns whether sorted dice meet a condition."""


def _of_a_kind(count: int) -> Pattern:
    return lambda dice: max(Counter(dice).values()) >= count


def _straight(length: int) -> Pattern:
    return lambda dice: any(set(range(face, face + length)) <= set(dice) for face in dice)


def _full_house(dice: Point) -> bool:
    most, *others = sorted(Counter(dice).values(), reverse=True)
    return most >= 3 and max(others, default=0) >= 2


_WORDS: dict[str, Pattern] = {
    "yahtzee": lambda dice: len(set(dice)) == 1,
    "full-house": _full_house,
    "small-straight": _straight(4),
    "large-straight": _straight(5),
}

_COMPARISONS: dict[str, Callable[[int, int], bool]] = {
    "<=": operator.le,
    "=": operator.eq,
    ">=": operator.ge,
}


_NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


def _count_of_a_kind(text: str) -> int:
    """Return the number of equal dice in ``3-of-a-kind`` or ``three-of-a-kind``, or 0."""
    number, _, rest = text.partition("-")
    if rest != "of-a-kind":
        return 0
    if number in _NUMBERS:
        return _NUMBERS.index(number) + 1
    return int(number) if re.fullmatch(r"[1-9][0-9]{0,2}", number) else 0


def _parse_pattern(text: str) -> Pattern:
    if text in _WORDS:
        return _WORDS[text]
    if count := _count_of_a_kind(text):
        return _of_a_kind(count)
    if match := re.fullmatch(r"straight-([1-9][0-9]{0,2})", text):
        return _straight(int(match[1]))
    if match := re.fullmatch(r"([0-9]{1,3})x([0-9]{1,4})(\+?)", text):
        count, face = int(match[1]), int(match[2])
        compare = operator.ge if match[3] else operator.eq
        return lambda dice: compare(dice.count(face), count)
    if match := re.fullmatch(r"sum(<=|=|>=)([0-9]{1,6})", text):
        compare_sum, bound = _COMPARISONS[match[1]], int(match[2])
        return lambda dice: compare_sum(sum(dice), bound)
    known = {word: word for word in (*_WORDS, *(f"{number}-of-a-kind" for number in _NUMBERS))}
    fix = did_you_mean(text, known) or (
        f"Use a profile such as 201, a roll such as 23456, {', '.join(_WORDS)}, 5-of-a-kind, "
        "straight-3, 4x6, 4x6+, sum>=25, sum<=7, or sum=18."
    )
    raise InputError(f"unknown target {quoted(text)}. {fix}")


def _of_digits(target: str, faces: int, dice: int) -> tuple[Multisets, Point] | None:
    """Return the profile or the roll of a target of digits, or None for another target."""
    if not re.fullmatch(r"[0-9,]+", target):
        return None
    errors = []
    for notation in (Profiles(faces), Multisets(faces)):
        try:
            return notation, notation.parse_roll(target, dice)
        except InputError as error:
            errors.append(error)
    raise InputError(f"{target!r} is neither a profile ({errors[0]}) nor a roll ({errors[1]})")


def target_pattern(target: str, *, faces: int = 6, dice: int = 5) -> Pattern:
    """Return the pattern of a target that this module lists."""
    digits = _of_digits(target, faces, dice)
    if digits is None:
        return _parse_pattern(target)
    notation, point = digits
    return lambda roll: notation.of_dice(roll) == point


def target_turn(target: str, *, faces: int = 6, dice: int = 5, rolls: int = 3) -> Turn:
    """Return a turn that pays 1 if the final roll meets a target, and 0 otherwise.

    Parameters
    ----------
    target : str
        A target that this module lists.
    faces, dice, rolls : int
        The number of faces of a die, of dice, and of rolls in the turn.

    Raises
    ------
    InputError
        If there is no target with this name, a number is out of range, or no roll meets the target.
    """
    digits = _of_digits(target, faces, dice)
    if digits is not None and isinstance(digits[0], Profiles):
        return Turn(digits[0], lambda point: point == digits[1], dice, rolls)
    pattern = target_pattern(target, faces=faces, dice=dice)
    turn = Turn(Multisets(faces), pattern, dice, rolls)
    if not turn.value:
        count = _count_of_a_kind(target)
        fix = f"use --dice {count} or more" if count else "choose a target that a roll can meet"
        raise InputError(f"{dice} dice with {faces} faces cannot show {target!r}; {fix}")
    return turn
