"""A ranking of the sets of dice that can be kept from a roll."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product
from math import prod

from rollwise.decision_analysis.turn import Multisets, Number, Point, Turn
from rollwise.errors import InputError

MAX_KEEPS = 1_024
"""The maximum number of options to list; a roll with more options is rejected."""


@dataclass(frozen=True)
class KeepOption:
    """A set of dice to keep, and its value.

    Attributes
    ----------
    keep
        The dice to keep, sorted.
    value
        The expected payoff if the other dice are rolled and later decisions are optimal.
    best
        Whether no other option in the list has a higher value.
    """

    keep: Point
    value: Number
    best: bool


def keeps_within(dice: Point) -> list[Point]:
    """Return all different sets of dice to keep from a roll, sorted by the number of dice.

    Raises
    ------
    ValueError
        If there are more than `MAX_KEEPS` options.
    """
    counts = sorted(Counter(dice).items())
    total = prod(count + 1 for _, count in counts)
    if total > MAX_KEEPS:
        raise InputError(
            f"the roll has {total:,} different sets of dice to keep; at most {MAX_KEEPS:,} can be "
            "ranked"
        )
    choices = product(*([(face,) * n for n in range(count + 1)] for face, count in counts))
    return sorted((sum(groups, ()) for groups in choices), key=lambda keep: (len(keep), keep))


def check_within(notation: Multisets, keep: Point, dice: Point) -> None:
    """Raise InputError unless the roll ``dice`` contains all dice to keep."""
    if Counter(keep) - Counter(dice):
        raise InputError(
            f"{notation.format(keep)!r} cannot be kept from {notation.format(dice)!r}; "
            "keep only dice of the roll"
        )


def rank(turn: Turn, keeps: Iterable[Point], rolls_left: int) -> list[KeepOption]:
    """Return the options ``keeps`` and their values, best first.

    Options with the same value stay in the given order.

    Raises
    ------
    ValueError
        If an option has too many dice, or the number of rolls left is out of range.
    """
    values = {keep: turn.keep_value(turn.text_of(keep), rolls_left) for keep in keeps}
    ranked = sorted(values.items(), key=lambda item: item[1], reverse=True)
    return [KeepOption(keep, value, value == ranked[0][1]) for keep, value in ranked]
