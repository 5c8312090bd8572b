"""Sensitivity of a decision to a number in its file: thresholds at which the best options change.

The range of the number is divided into cells. Within each cell, bisection finds the end of each
interval in which the optimal policy stays the same. If the utility is linear, the values are linear
in a payoff or a cost. A policy that is optimal at two numbers is then also optimal between them, so
no threshold is missed. In other cases, two thresholds within one cell can be missed.

A threshold is exact if both options have exactly the same value there. The search tries two kinds
of candidates. The first is the root of the line through the values at the ends of the last
interval, which is exact if the values are linear. The others are fractions with a small
denominator. If no candidate is exact, the threshold is known to a millionth of the range, because
float64 values are also tied around a threshold.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from rollwise.decision_analysis.arrows import Number
from rollwise.decision_analysis.decision_file import DecisionFile, is_probability
from rollwise.decision_analysis.decision_model import ModelSolution
from rollwise.errors import InputError, did_you_mean
from rollwise.toml_errors import KeyPath

CELLS = 64
PRECISION = Fraction(1, 2**40)
"""The width of the last interval of a bisection, as a fraction of the range."""

TIED = Fraction(1, 10**6)
"""The maximum width of a tie around a threshold, as a fraction of the range."""

Situation = tuple[str, tuple[tuple[str, str], ...]]
"""A decision, and the states that are known."""


class Threshold(NamedTuple):
    """A number at which the best options of a decision change.

    Attributes
    ----------
    number
        The number.
    is_exact
        Whether the number is exact.
    decision
        The name of the decision.
    known
        The states that are known at the decision.
    below, above
        The best options for slightly smaller and slightly larger numbers.
    """

    number: Fraction
    is_exact: bool
    decision: str
    known: Mapping[str, str]
    below: tuple[str, ...]
    above: tuple[str, ...]


class _Change(NamedTuple):
    """An interval in which the best options of a situation change."""

    low: Fraction
    high: Fraction
    situation: Situation
    below: tuple[str, ...]
    above: tuple[str, ...]


@dataclass(frozen=True)
class Sensitivity:
    """The optimal policy as a function of a number.

    Attributes
    ----------
    names
        The names of the numbers in the file that vary together.
    low, high
        The range of the number.
    thresholds
        The thresholds inside the range, in ascending order.
    solutions
        The solution for each of several equally spaced numbers.
    """

    names: Sequence[str]
    low: Fraction
    high: Fraction
    thresholds: Sequence[Threshold]
    solutions: Mapping[Fraction, ModelSolution]


def sensitivity(
    file: DecisionFile,
    name: str,
    low: Fraction,
    high: Fraction,
    progress: Callable[[float], None] = lambda done: None,
) -> Sensitivity:
    """Return the thresholds of a number: the values at which the best options change.

    Parameters
    ----------
    file
        The decision file.
    name
        The name of the number in the file, such as ``payoffs.win``, or a unique end of it, such as
        ``win``. Names that are joined by ``+`` vary together.
    low, high
        The range of the number.
    progress
        Called with the completed fraction of the work, from 0 to 1.

    Raises
    ------
    ValueError
        If there is no such number, or the range is empty or contains impossible numbers.
    """
    if not low < high:
        raise InputError(f"the range is empty: {low} is not below {high}")
    paths = _paths(file.numbers(), name)
    _check_independent(paths)

    @cache
    def solve(number: Fraction) -> ModelSolution:
        return file.with_numbers(dict.fromkeys(paths, number)).model.solve()

    grid = [low + (high - low) * i / CELLS for i in range(CELLS + 1)]
    changes: list[_Change] = []
    for i, (left, right) in enumerate(pairwise(grid)):
        changes += _changes(solve, left, right, (high - low) * PRECISION)
        progress((i + 1) / CELLS)
    thresholds = [
        _threshold(solve, change)
        for change in _merged(changes, (high - low) * TIED)
        if change.low > low and change.high < high
    ]
    thresholds.sort(key=lambda threshold: threshold.number)
    names = [".".join(path) for path in paths]
    return Sensitivity(names, low, high, thresholds, {number: solve(number) for number in grid})


def _paths(numbers: Mapping[str, KeyPath], name: str) -> list[KeyPath]:
    """Return the paths of a name, or of several names that are joined by ``+``."""
    ends = [full for full in numbers if full == name or full.endswith(f".{name}")]
    if name in numbers or len(ends) == 1:
        return [numbers[name if name in numbers else ends[0]]]
    if ends:
        raise InputError(f"{name!r} names {len(ends)} numbers; use one of {', '.join(ends[:5])}")
    first, plus, rest = name.partition("+")
    if not plus:
        tails = {full.split(".", i)[-1]: full for full in numbers for i in range(full.count("."))}
        hint = did_you_mean(name, tails) or f"Use a name such as {next(iter(numbers))!r}."
        raise InputError(f"the file has no number {name!r}. {hint}")
    return [*_paths(numbers, first.strip()), *_paths(numbers, rest.strip())]


def _check_independent(paths: Sequence[KeyPath]) -> None:
    rows = [path[:-1] for path in paths if is_probability(path)]
    if len(set(rows)) < len(rows):
        raise InputError(
            f"{' and '.join(map('.'.join, paths))} include two probabilities of one distribution; "
            "vary one of them, and the others keep their ratios"
        )


def _changes(
    solve: Callable[[Fraction], ModelSolution], low: Fraction, high: Fraction, width: Fraction
) -> Iterator[_Change]:
    """Yield the changes between two numbers, each in an interval of at most ``width``."""
    last = _best_options(solve(high))
    while (first := _best_options(solve(low))) != last:
        left, right = low, high
        while right - left > width:
            middle = (left + right) / 2
            if _best_options(solve(middle)) == first:
                left = middle
            else:
                right = middle
        following = _best_options(solve(right))
        reached = _reached(solve(left)) | _reached(solve(right))
        for situation, best in first.items():
            if situation in reached and following.get(situation, best) != best:
                yield _Change(left, right, situation, best, following[situation])
        low = right


def _best_options(solution: ModelSolution) -> dict[Situation, tuple[str, ...]]:
    return {planned.key: planned.choice.best for planned in solution.choices}


def _reached(solution: ModelSolution) -> set[Situation]:
    return {planned.key for planned in solution.choices if planned.probability}


def _merged(changes: Sequence[_Change], width: Fraction) -> Iterator[_Change]:
    """Join each pair of changes that surround a single number at which options are tied."""
    by_situation: dict[Situation, list[_Change]] = {}
    for change in changes:
        row = by_situation.setdefault(change.situation, [])
        before = row[-1] if row else change
        is_tie = {*before.below, *change.above} <= set(before.above)
        if row and is_tie and change.high - before.low <= width:
            row[-1] = before._replace(high=change.high, above=change.above)
        else:
            row.append(change)
    for row in by_situation.values():
        yield from (change for change in row if change.below != change.above)


def _threshold(solve: Callable[[Fraction], ModelSolution], change: _Change) -> Threshold:
    """Return the exact threshold of a change, or the middle of its interval."""
    low, high = change.low, change.high
    decision, known = change.situation[0], dict(change.situation[1])

    def values(number: Fraction) -> Mapping[str, Number]:
        """Return the value of each option, multiplied by the probability of the known states."""
        choice = next(p.choice for p in solve(number).choices if p.key == change.situation)
        return {option: choice.probability * v for option, v in choice.values.items()}

    def is_tie(number: Fraction) -> bool:
        at = values(number)
        options = {*change.below, *change.above}
        return len({at[option] for option in options}) == 1 and not isinstance(
            at[change.below[0]], float
        )

    x, y = next((x, y) for x in change.below for y in change.above if x != y)
    first, last = (values(end)[x] - values(end)[y] for end in (low, high))
    root = (low + high) / 2
    if (first > 0) != (last > 0):
        root = low + (high - low) * Fraction(first / (first - last))
    candidates = [root, low, high, *(root.limit_denominator(10**k) for k in (3, 6))]
    exact = next((c for c in candidates if low <= c <= high and is_tie(c)), None)
    number = root if exact is None else exact
    return Threshold(number, exact is not None, decision, known, change.below, change.above)
