"""Dice to keep in one turn, ranked by their value, and the simulated value of large turns."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from itertools import product
from math import comb, prod, sqrt
from operator import eq, ge, le
from random import Random
from statistics import fmean, stdev
from typing import NamedTuple

from rollwise.decision_analysis.turn import Multisets, Point, Turn
from rollwise.errors import InputError

MAX_KEEPS = 1_024
"""The maximum number of sets of dice to rank; a roll with more of them is rejected."""

MAX_SIMULATED = 1_000_000

MAX_SOLVED = 1_000
"""The maximum number of distinct rolls of a turn for which a simulation follows optimal play."""

TRIAL = 500
"""The number of turns after which a simulation of a larger turn selects the best rule."""


class KeepOption(NamedTuple):
    """A set of dice to keep, sorted, with its value, and whether no other has a higher value.

    The value is the expected payoff if the other dice are rolled and later decisions are optimal.
    """

    keep: Point
    value: Fraction
    best: bool


class Estimate(NamedTuple):
    """The mean payoff of simulated turns, and its standard error.

    ``policy`` describes the dice that the simulated player keeps after each roll. The value of
    optimal play is at least the value of this policy.
    """

    mean: float
    standard_error: float
    turns: int
    seed: int
    policy: str


def compared_keeps(
    notation: Multisets, dice: int, hand: str | None, keeps: Iterable[str]
) -> list[Point]:
    """Return the sets of dice to compare: by default all within the current dice, if any."""
    points = [notation.parse(keep.removeprefix("keep ").strip()) for keep in keeps]
    for point in points:
        if (shown := len(point)) > dice:
            keep = notation.format(point)
            raise InputError(f"{keep!r} shows {shown} dice, but a turn has {dice}. Use --dice N.")
    if hand is None:
        return points
    roll = notation.parse(hand)
    if len(roll) != dice:
        raise InputError(
            f"--hand {hand!r} shows {len(roll)} dice, but a turn has {dice}. Use --dice N."
        )
    for point in points:
        if Counter(point) - Counter(roll):
            raise InputError(
                f"{notation.format(point)!r} cannot be kept from {notation.format(roll)!r}; "
                "keep only dice of the roll"
            )
    return points or keeps_within(roll)


def keeps_within(dice: Point) -> list[Point]:
    """Return all different sets of dice to keep from a roll, sorted by the number of dice."""
    counts = sorted(Counter(dice).items())
    total = prod(count + 1 for _, count in counts)
    if total > MAX_KEEPS:
        raise InputError(
            f"the roll has {total:,} different sets of dice to keep; at most {MAX_KEEPS:,} can be "
            "ranked"
        )
    choices = product(*([(face,) * n for n in range(count + 1)] for face, count in counts))
    return sorted((sum(groups, ()) for groups in choices), key=lambda keep: (len(keep), keep))


def rank(turn: Turn, keeps: Iterable[Point], rolls_left: int) -> list[KeepOption]:
    """Return dice to keep and their values, best first; equal values stay in the given order."""
    values = {keep: turn.keep_value(turn.text_of(keep), rolls_left) for keep in keeps}
    top = max(values.values(), default=0)
    ranked = sorted(values.items(), key=lambda item: item[1], reverse=True)
    return [KeepOption(keep, value, value == top) for keep, value in ranked]


Keep = Callable[[Point, int], Point]
"""A function from a roll and the number of rolls left to the dice to keep."""


def simulated_value(turn: Turn, turns: int, seed: int) -> Estimate:
    """Estimate the value of a turn of multisets by Monte Carlo simulation.

    The simulated player follows optimal play. If the turn is large, they follow one rule until the
    target is reached: the best of several rules in a trial with other dice.
    """
    if not 2 <= turns <= MAX_SIMULATED:
        raise InputError(f"simulate from 2 to {MAX_SIMULATED:,} turns, not {turns:,}")
    faces = range(1, turn.notation.faces + 1)

    def payoffs(keep: Keep, turns: int, seed: int) -> Iterator[float]:
        random = Random(seed)
        for _ in range(turns):
            dice: Point = ()
            for left in range(turn.rolls - 1, -1, -1):
                dice = tuple(sorted((*dice, *random.choices(faces, k=turn.dice - len(dice)))))
                if left and turn.pays(dice) is not True:  # only a target pays True
                    dice = keep(dice, left)
            yield float(turn.pays(dice))

    if comb(len(faces) + turn.dice - 1, turn.dice) <= MAX_SOLVED:
        moves = [{}, *map(turn.moves, range(1, turn.rolls))]
        text, parse = turn.notation.format, turn.notation.parse
        rules: dict[str, Keep] = {"the best dice": lambda d, left: parse(moves[left][text(d)][0])}
    else:
        rules = _rules(turn.notation.faces)
    name = max(rules, key=lambda name: sum(payoffs(rules[name], TRIAL, seed + 1)))
    results = list(payoffs(rules[name], turns, seed))
    return Estimate(fmean(results), stdev(results) / sqrt(turns), turns, seed, name)


def _rules(faces: int) -> dict[str, Keep]:
    """Return rules that do not depend on the rolls left, by the dice that they keep."""

    def compared(compare: Callable[[int, int], bool], face: int) -> Keep:
        return lambda dice, _: tuple(die for die in dice if compare(die, face))

    rules: dict[str, Keep] = {
        "the most frequent face": lambda dice, _: _commonest(dice),
        "all pairs and more": lambda dice, _: tuple(die for die in dice if dice.count(die) > 1),
        "one die of each face": lambda dice, _: tuple(set(dice)),
    }
    for face in range(1, faces + 1) if faces <= 20 else ():  # more would take long
        for words, compare in (f"{face}", eq), (f"{face} or more", ge), (f"{face} or less", le):
            rules[f"dice that show {words}"] = compared(compare, face)
    return rules


def _commonest(dice: Point) -> Point:
    count, face = max((count, face) for face, count in Counter(dice).items())
    return (face,) * count
