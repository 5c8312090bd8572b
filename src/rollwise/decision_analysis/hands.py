"""Dice in hand: what each keep is worth, by the dice that a person sees."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product
from math import prod

from rollwise.decision_analysis.arrows import Number
from rollwise.decision_analysis.dice_graph import Point
from rollwise.decision_analysis.induction import TurnAnalysis
from rollwise.decision_analysis.multisets import Multisets
from rollwise.errors import InputError

MAX_KEEPS = 1_024
"""Hands with more different keeps are not listed; name the keeps of interest instead."""


@dataclass(frozen=True)
class KeepValue:
    """One keep among others.

    Attributes
    ----------
    keep
        The dice kept, sorted.
    value
        The expected payoff if the rest is rolled and play is best from then on.
    best
        Whether no other keep of the list is worth more.
    """

    keep: Point
    value: Number
    best: bool


def keeps_within(hand: Point) -> list[Point]:
    """Return all different keeps of a hand, those of fewer dice first.

    Raises
    ------
    ValueError
        When there are more than `MAX_KEEPS`.
    """
    counts = sorted(Counter(hand).items())
    total = prod(count + 1 for _, count in counts)
    if total > MAX_KEEPS:
        raise InputError(f"a hand with {total:,} different keeps; expected at most {MAX_KEEPS:,}")
    kept = product(*([(face,) * n for n in range(count + 1)] for face, count in counts))
    return sorted((sum(groups, ()) for groups in kept), key=lambda keep: (len(keep), keep))


def check_within(notation: Multisets, keep: Point, hand: Point) -> None:
    """Raise ValueError unless a hand has all dice of a keep."""
    if Counter(keep) - Counter(hand):
        raise InputError(
            f"the keep {notation.format(keep)!r} is not in the hand {notation.format(hand)!r}; "
            "expected some of its dice"
        )


def rank(analysis: TurnAnalysis, keeps: Iterable[Point], rolls_left: int) -> list[KeepValue]:
    """Return keeps with their values, the best first; ties in the order given.

    Raises
    ------
    ValueError
        When a keep has too many dice, or the number of rolls left is not 1 to all of them.
    """
    text = analysis.turn.text_of
    values = {keep: analysis.keep_value(text(keep), rolls_left) for keep in keeps}
    ranked = sorted(values.items(), key=lambda item: item[1], reverse=True)
    top = text(ranked[0][0])
    return [
        KeepValue(keep, value, analysis.is_tie(text(keep), top, rolls_left))
        for keep, value in ranked
    ]
