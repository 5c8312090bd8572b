"""The odds of a target within one turn: :func:`odds`, exact or simulated."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import comb, prod, sqrt
from operator import eq, ge, le
from random import Random
from statistics import fmean, stdev
from typing import Any, NamedTuple

from rollwise.decision_analysis.targets import target_pattern, target_turn
from rollwise.decision_analysis.turn import Multisets, Point, Turn
from rollwise.errors import InputError, check_count, check_type
from rollwise.notebook import Tabular

DiceText = str | int | Iterable[int]
"""Dice as text, as the digits of a number, or as faces."""

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


@dataclass(frozen=True, repr=False)
class Odds(Tabular):
    """The value of one turn, and of dice to keep in it.

    Attributes
    ----------
    target : str
        The target, or the payoff ``sum``.
    turn : Turn
        The turn, which has the exact values of all rolls unless it is too large to solve.
    hand : str or None
        The current dice.
    rolls_left : int
        The number of rerolls left.
    keeps : tuple of KeepOption
        The exact value of each set of dice to keep, best first; empty if there are no current dice.
    estimate : Estimate or None
        The simulated value; None for exact odds.
    """

    target: str
    turn: Turn
    hand: str | None
    rolls_left: int
    keeps: tuple[KeepOption, ...] = ()
    estimate: Estimate | None = None

    @property
    def is_probability(self) -> bool:
        """Whether values are probabilities of the target; otherwise they are expected payoffs."""
        return self.target != "sum"

    @property
    def value(self) -> Fraction | float:
        """The value of the best dice to keep, or of the turn if there are no current dice.

        An exact value is a fraction; a simulated value is a float.
        """
        if self.estimate is not None:
            return self.estimate.mean
        return self.keeps[0].value if self.keeps else self.turn.value

    def __float__(self) -> float:
        return float(self.value)

    def __repr__(self) -> str:
        of = f" from {self.hand}" if self.hand else ""
        return f"<Odds of {self.target}{of}: {float(self.value):.7g}>"

    def as_dict(self, *, exact: bool = False) -> dict[str, Any]:
        """Return the odds as JSON-serializable data; exact numbers are fractions, as strings."""
        measure, number = "chance" if self.is_probability else "mean", str if exact else float
        turn, estimate = self.turn, self.estimate
        head = {
            "target": self.target,
            "faces": turn.notation.faces,
            "dice": turn.dice,
            "rolls": turn.rolls,
        }
        if estimate is not None:
            simulated = {"games": estimate.turns, "seed": estimate.seed, measure: estimate.mean}
            error = estimate.standard_error
            return {**head, **simulated, "standard_error": error, "policy": estimate.policy}
        if not self.keeps:
            return {**head, measure: number(turn.value)}
        format_ = Multisets(turn.notation.faces).format
        rows = [
            {"keep": f"keep {format_(o.keep)}", measure: number(o.value), "best": o.best}
            for o in self.keeps
        ]
        return {**head, "hand": self.hand, "rolls_left": self.rolls_left, "keeps": rows}

    def rows(self) -> list[dict[str, Any]]:
        """Return a row for each set of dice to keep, or for each first roll."""
        if self.estimate is not None:
            return [{"value": self.estimate.mean, "error": self.estimate.standard_error}]
        if self.keeps:
            return [
                {"keep": self.turn.text_of(o.keep), "value": float(o.value), "best": o.best}
                for o in self.keeps
            ]
        values = self.turn.payoffs(self.turn.rolls - 1)
        return [
            {"roll": roll, "probability": float(p), "value": float(values[roll])}
            for roll, p in self.turn.outcomes(self.turn.start).items()
        ]


def odds(
    target: str,
    faces: int = 6,
    dice: int = 5,
    rolls: int = 3,
    *,
    hand: DiceText | None = None,
    rolls_left: int | None = None,
    compare: Iterable[DiceText] = (),
    simulate: int | None = None,
    seed: int = 0,
) -> Odds:
    """Return the odds of a target within one turn, if the player plays only for the target.

    Parameters
    ----------
    target : str
        A category (``full-house``), a pattern (``4x6``, ``straight-3``, ``sum>=25``), a profile
        (``00001``), a roll (``23456``), or the payoff ``sum``.
    faces, dice, rolls : int
        The numbers of faces per die, of dice, and of rolls in the turn, including the first.
    hand : str, int, or sequence of int, optional
        The current dice; the result then values the dice to keep.
    rolls_left : int, optional
        The number of rerolls left (default: all).
    compare : sequence of dice
        The dice to keep to compare, such as ``["66", "366"]`` (default: all).
    simulate : int, optional
        The number of turns to simulate, for turns too large to solve.
    seed : int
        The seed of simulated dice.

    Raises
    ------
    InputError
        If the target, the dice, or a number cannot be used.

    Examples
    --------
    >>> odds("5-of-a-kind")
    <Odds of 5-of-a-kind: 0.04602864>
    >>> odds("large-straight", hand=12566, rolls_left=2, compare=["25", "256"]).keeps[0].best
    True
    """
    check_type(target, str, "a target as text, such as 'full-house'")
    for number, what in ((faces, "faces"), (dice, "dice"), (rolls, "rolls")):
        check_count(number, what)
    check_count(seed, "seed", least=0)
    left = rolls - 1 if rolls_left is None else rolls_left
    check_count(left, "rolls_left", least=0)
    roll = None if hand is None else _text(hand)
    keeps = _keeps(Multisets(faces), dice, roll, map(_text, compare))
    if simulate is not None and keeps:
        raise InputError("a simulation estimates a whole turn; leave out hand and compare")
    if target == "sum":
        turn = Turn(Multisets(faces), sum, dice, rolls)
    elif simulate is None:
        turn = target_turn(target, faces=faces, dice=dice, rolls=rolls)
    else:
        pattern = target_pattern(target, faces=faces, dice=dice)
        turn = Turn(Multisets(faces), pattern, dice, rolls)
    if simulate is not None:
        estimate = _simulate(turn, simulate, seed)
        return Odds(target, turn, roll, left, estimate=estimate)
    result = Odds(target, turn, roll, left, tuple(rank(turn, keeps, left)))
    float(result)  # solves the turn now, which can fail
    return result


def _text(dice: DiceText) -> str:
    if isinstance(dice, str | int):
        return str(dice)
    check_type(dice, Iterable, "dice such as '66', 66, or (6, 6)")
    return ",".join(map(str, dice)) or "-"


def _keeps(notation: Multisets, dice: int, hand: str | None, keeps: Iterable[str]) -> list[Point]:
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


def _simulate(turn: Turn, turns: int, seed: int) -> Estimate:
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
