"""One turn of roll and keep, solved exactly by backward induction.

A turn has n dice of f faces and R rolls. A *point* represents some dice: `Multisets` lists their
faces, and `Profiles` counts the faces that show on one die, on two dice, and so on. Rolling one
more die leads from a point with k dice to points with k + 1 dice. The points with n dice are the
*states*. Every point is an *option*, a set of dice to keep while the others are rolled. It is
available in a state if rolling the other dice can lead to the state. States and options are written
as strings in the notation of the turn, such as ``12566`` or ``201``.

Let X_r(s) be the expected payoff of the full roll s with r rolls left, under optimal play; X_0 is
the payoff. With r rolls left,

* the value of keeping the whole roll is v_r(s) = X_{r−1}(s);
* the value of keeping fewer dice k is the mean over the results k' of rolling one more die:
  v_r(k) = Σ ways(k → k') v_r(k') / f, where ways(k → k') is the number of faces that lead to k';
* the value of a roll is X_r(s) = max v_r(k) over the subsets k of s, found one die at a time.

`analyze` gives the same result for R − 1 decisions and a first roll, but needs all outcomes of each
option. Here, values are whole numbers in units of f^(−nr). If k has j dice, v_r(k) is a multiple of
f^j, so no division has a remainder, and ties are exact.

Source: W. Huber's answer on stats.stackexchange.com (2015) on the probability of a yahtzee.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm
from numbers import Rational
from operator import mul
from typing import ClassVar

from rollwise.decision_analysis.decision_problem import DecisionProblem, Number
from rollwise.errors import InputError, TooLargeError, quoted

Point = tuple[int, ...]

MAX_FACES, MAX_DICE, MAX_ROLLS = 1_000, 100, 1_000

MAX_ARROWS = 3_000_000
"""The maximum number of steps from a point to a point, because more take minutes and gigabytes."""


@dataclass(frozen=True)
class Multisets:
    """Dice as their sorted faces, written ``12566``; no dice are written ``-``.

    For dice with ten faces or more, commas separate the faces: ``3,10,12``.

    Attributes
    ----------
    faces : int
        The number of faces of each die, 1 to 1,000, all equally likely.
    """

    faces: int = 6
    _name: ClassVar[str] = "roll"

    def __post_init__(self) -> None:
        _check("the number of faces", self.faces, MAX_FACES)

    def roll_one(self, point: Point) -> Iterator[tuple[Point, int]]:
        """Yield each point after one more die, and the number of faces that lead to it."""
        for face in range(1, self.faces + 1):
            yield tuple(sorted((*point, face))), 1

    def of_dice(self, dice: Sequence[int]) -> Point:
        """Return the point of dice with these faces."""
        for face in dice:
            if not 1 <= face <= self.faces:
                raise InputError(f"a die cannot show {face}; its faces are 1 to {self.faces}")
        return tuple(sorted(dice))

    def count(self, point: Point) -> int:
        """Return the number of dice of a point."""
        return len(point)

    def parse(self, text: str) -> Point:
        """Parse the faces of dice, in any order; up to nine faces need no commas."""
        if text == "-":
            return ()
        tokens = re.findall(r"[0-9]" if self.faces <= 9 else r"[0-9]+", text)
        if not re.fullmatch(r"[0-9, ]{1,500}", text) or not tokens:
            raise InputError(
                f"cannot read {quoted(text)} as dice; "
                f"write faces from 1 to {self.faces}, or - for no dice"
            )
        return self.of_dice([int(token) for token in tokens])

    def parse_roll(self, text: str, dice: int) -> Point:
        """Parse a full roll, which must have exactly ``dice`` dice."""
        point = self.parse(text)
        if (shown := self.count(point)) != dice:
            raise InputError(f"the {self._name} {text!r} has {shown} dice; it must have {dice}")
        return point

    def format(self, point: Point) -> str:
        """Format dice as a string."""
        return ("" if self.faces <= 9 else ",").join(map(str, point)) or "-"


class Profiles(Multisets):
    """Dice as tuples (d₁, d₂, …) in which d_i faces show on exactly i dice, written ``201``.

    The profile ``201`` is two singles, no pair, and one triple; no dice are ``0``. If a number is
    ten or more, commas separate the numbers, and a single number ends with a comma: ``10,0,1`` is
    ten singles and a triple, ``12,`` is twelve singles, and ``12`` is a single and two pairs.
    """

    _name = "profile"

    def roll_one(self, point: Point) -> Iterator[tuple[Point, int]]:
        """Yield each point after one more die, which shows the same face as i other dice."""
        augmented = (self.faces - sum(point), *point, 0)  # d₀ faces do not show yet
        for i, ways in enumerate(augmented):
            if ways:
                rolled = list(augmented)
                rolled[i : i + 2] = rolled[i] - 1, rolled[i + 1] + 1
                yield _trimmed(rolled[1:]), ways

    def of_dice(self, dice: Sequence[int]) -> Point:
        """Return the profile of dice with these faces."""
        times = Counter(Counter(super().of_dice(dice)).values())
        return tuple(times[i] for i in range(1, max(times, default=0) + 1))

    def count(self, point: Point) -> int:
        """Return the number of dice of a profile."""
        return sum(i * d for i, d in enumerate(point, start=1))

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
                f"a die has only {self.faces}"
            )
        return point

    def format(self, point: Point) -> str:
        """Format a profile as a string."""
        if all(n <= 9 for n in point):
            return "".join(map(str, point)) or "0"
        return ",".join(map(str, point)) + ("," if len(point) == 1 else "")


@dataclass(frozen=True)
class Turn:
    """A turn: a number of dice, a number of rolls, and the payoff of each full roll.

    In all methods, ``rolls_left`` is the number of rolls to come. It is 2 after the first of three
    rolls.

    Attributes
    ----------
    notation : Multisets or Profiles
        The representation of dice.
    payoff : callable or mapping
        A function from a full roll, given as a tuple of the notation, to its payoff. Or a mapping
        from full rolls, as strings, to payoffs; all other rolls pay 0. Payoffs are ints or
        Fractions. True counts as 1, and False as 0.
    dice : int
        The number of dice, 1 to 100.
    rolls : int
        The number of rolls, including the first, 1 to 1,000.

    Raises
    ------
    InputError
        If a number is out of range, or a string is not a full roll. The first method that needs all
        rolls raises it if there are too many rolls, or a payoff is neither an int nor a Fraction.

    Examples
    --------
    >>> Turn(Profiles(), {"00001": 1}).value
    Fraction(347897, 7558272)
    >>> Turn(Multisets(), sum, dice=1, rolls=2).value
    Fraction(17, 4)
    """

    notation: Multisets
    payoff: Callable[[Point], Number] | Mapping[str, Number]
    dice: int = 5
    rolls: int = 3

    def __post_init__(self) -> None:
        _check("the number of dice", self.dice, MAX_DICE)
        _check("the number of rolls", self.rolls, MAX_ROLLS)
        _ = self._by_point  # checks the keys of a mapping

    @cached_property
    def _by_point(self) -> dict[Point, Number]:
        """The payoffs of a mapping, by full roll."""
        payoffs = () if callable(self.payoff) else self.payoff.items()
        return {self.notation.parse_roll(text, self.dice): x for text, x in payoffs}

    def pays(self, point: Point) -> Number:
        """Return the payoff of a full roll, given as a tuple of the notation."""
        return self.payoff(point) if callable(self.payoff) else self._by_point.get(point, 0)

    @cached_property
    def _graph(self) -> tuple[dict[Point, int], list[tuple[list[int], tuple[int, ...]]]]:
        """The number of each point, and the points after one more die with the ways to each.

        Points are numbered by their number of dice, so the states are last.
        """
        numbers: dict[Point, int] = {(): 0}
        rolled: list[tuple[list[int], tuple[int, ...]]] = []
        shared: dict[tuple[int, ...], tuple[int, ...]] = {}
        arrows = 0
        for dice_left in range(self.dice, 0, -1):
            in_layer = 0
            for point in list(numbers)[len(rolled) :]:
                ends, ways = zip(*self.notation.roll_one(point), strict=True)
                rolled.append(
                    (
                        [numbers.setdefault(end, len(numbers)) for end in ends],
                        shared.setdefault(ways, ways),
                    )
                )
                in_layer += len(ends)
                # This is a lower bound, because points with more dice never have fewer arrows.
                if arrows + in_layer * dice_left > MAX_ARROWS:
                    raise TooLargeError(
                        f"{self.dice} dice with {self.notation.faces} faces have too many "
                        "different rolls; use fewer dice or faces, or simulate (--simulate N)"
                    )
            arrows += in_layer
        return numbers, rolled

    @cached_property
    def points(self) -> tuple[Point, ...]:
        """The points of all options, from no dice to all dice."""
        return tuple(self._graph[0])

    @cached_property
    def options(self) -> tuple[str, ...]:
        """All options, from no dice to all dice."""
        return tuple(map(self.notation.format, self.points))

    @cached_property
    def states(self) -> tuple[str, ...]:
        """All full rolls."""
        return tuple(map(self.notation.format, self.points[len(self._graph[1]) :]))

    @property
    def start(self) -> str:
        """The option of keeping no dice, which is the only option at the start of a turn."""
        return self.notation.format(())

    def text_of(self, dice: Sequence[int]) -> str:
        """Return the state or option with these dice."""
        return self.notation.format(self.notation.of_dice(dice))

    def outcomes(self, option: str) -> dict[str, Fraction]:
        """Return the distribution F(d) of the full roll after an option d."""
        point = self._point(option)
        ways = Counter({point: 1})
        left = self.dice - self.notation.count(point)
        for _ in range(left):
            rolled: Counter[Point] = Counter()
            for before, n in ways.items():
                for after, faces in self.notation.roll_one(before):
                    rolled[after] += n * faces
            ways = rolled
        total = self.notation.faces**left
        return {self.notation.format(point): Fraction(n, total) for point, n in ways.items()}

    @property
    def value(self) -> Fraction:
        """The expected payoff of the turn before its first roll."""
        return self.keep_value(self.start, self.rolls)

    def keep_value(self, option: str, rolls_left: int) -> Fraction:
        """Return the value of an option: the expected payoff under optimal play after it."""
        values, _ = self._round(rolls_left)
        return self._fraction(values[self._graph[0][self._point(option)]], rolls_left)

    def keep_values(self, rolls_left: int) -> dict[str, Fraction]:
        """Return the value of each option."""
        numbers = (self._fraction(n, rolls_left) for n in self._round(rolls_left)[0])
        return dict(zip(self.options, numbers, strict=True))

    def payoffs(self, rolls_left: int) -> dict[str, Fraction]:
        """Return the value X_r of each state, where r is ``rolls_left``; X_0 is the payoff."""
        units = self._payoffs[0] if rolls_left == 0 else self._round(rolls_left)[1]
        numbers = (self._fraction(n, rolls_left) for n in units[-len(self.states) :])
        return dict(zip(self.states, numbers, strict=True))

    def moves(self, rolls_left: int) -> dict[str, tuple[str, ...]]:
        """Return all best options of each state, in increasing order of their number of dice."""
        values, best = self._round(rolls_left)
        moves: dict[str, tuple[str, ...]] = {}
        for number, state in enumerate(self.states, start=len(self._graph[1])):
            # Walk down from the state, only through dice whose subsets include a best option.
            top, within = best[number], {number}
            found: list[int] = []
            while within:
                found += [i for i in within if values[i] == top]
                within = {j for i in within for j in self._below[i] if best[j] == top}
            moves[state] = tuple(self.options[i] for i in sorted(found))
        return moves

    def decision_problem(self, payoff: Mapping[str, Number] | None = None) -> DecisionProblem:
        """Return one decision of this turn as a decision problem, with all options and outcomes.

        ``payoff`` is the payoff of each state after the decision (default: the payoff of the turn).
        Use this method only for small turns, because it lists all outcomes of each option.
        """
        options = {option: self.outcomes(option) for option in self.options}
        available = {
            state: [option for option, outcomes in options.items() if state in outcomes]
            for state in self.states
        }
        return DecisionProblem(available, options, self.payoffs(0) if payoff is None else payoff)

    @cached_property
    def _payoffs(self) -> tuple[list[int], int]:
        """The payoff of each state in units of 1/m, and m."""
        payoffs = [self.pays(point) for point in self.points[len(self._graph[1]) :]]
        for state, x in zip(self.states, payoffs, strict=True):
            if not isinstance(x, Rational):
                raise InputError(
                    f"the payoff of roll {state!r} is {quoted(x)}; use an int or a Fraction"
                )
        m = lcm(*(x.denominator for x in payoffs))
        return [int(x * m) for x in payoffs], m

    @cached_property
    def _rounds(self) -> list[tuple[list[int], list[int]]]:
        """The value of each option and the best value of its subsets, with 1 … R rolls left."""
        rolled, faces = self._graph[1], self.notation.faces
        states = self._payoffs[0]
        rounds = []
        for _ in range(self.rolls):
            values = [0] * len(rolled) + [x * faces**self.dice for x in states]
            for number in range(len(rolled) - 1, -1, -1):
                ends, ways = rolled[number]
                values[number] = sum(map(mul, ways, map(values.__getitem__, ends))) // faces
            best = values.copy()
            for number, (ends, _) in enumerate(rolled):
                below = best[number]
                for end in ends:
                    if best[end] < below:
                        best[end] = below
            rounds.append((values, best))
            states = best[len(rolled) :]
        return rounds

    @cached_property
    def _below(self) -> list[list[int]]:
        """For each point, the points without one of its dice."""
        below: list[list[int]] = [[] for _ in self.points]
        for number, (ends, _) in enumerate(self._graph[1]):
            for end in ends:
                below[end].append(number)
        return below

    def _point(self, option: str) -> Point:
        point = self.notation.parse(option)
        if self.notation.count(point) > self.dice:
            raise InputError(f"cannot keep {option!r}; this turn has {self.dice} dice")
        return point

    def _round(self, rolls_left: int) -> tuple[list[int], list[int]]:
        if not 1 <= rolls_left <= self.rolls:
            raise InputError(
                f"the number of rolls left must be from 1 to {self.rolls}, not {rolls_left}"
            )
        return self._rounds[rolls_left - 1]

    def _fraction(self, units: int, rolls_left: int) -> Fraction:
        outcomes: int = self.notation.faces**self.dice
        return Fraction(units, self._payoffs[1] * outcomes**rolls_left)


def _check(what: str, number: int, most: int) -> None:
    if not isinstance(number, int) or not 1 <= number <= most:
        raise InputError(f"{what} must be a whole number from 1 to {most:,}, not {number!r}")


def _trimmed(counts: list[int]) -> Point:
    while counts and counts[-1] == 0:
        counts.pop()
    return tuple(counts)
