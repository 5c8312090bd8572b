"""A parser for objectives that are given as strings, such as ``target:300``."""

import csv
from collections.abc import Callable, Mapping
from math import isfinite
from pathlib import Path

from rollwise.distribution import Distribution
from rollwise.errors import MalformedError, did_you_mean, quoted
from rollwise.files import read_file
from rollwise.solving.objectives import (
    BEST_CASE,
    EXPECTED,
    LEAST_VARIANCE,
    WORST_CASE,
    Objective,
    beating,
    exponential,
    mean_variance,
    of_utility,
    target,
)

BEAT = "beat"
"""The name of the objective of having the highest score; tied players share the win."""

MAX_FILE_BYTES = 10_000_000
"""The maximum size of a utility file, in bytes."""

_BY_NAME = {o.name: o for o in (EXPECTED, WORST_CASE, BEST_CASE, LEAST_VARIANCE)}

FORMS = (
    *_BY_NAME,
    "target:SCORE",
    "beat:OPPONENTS",
    "utility:FILE",
    "exponential:RISK",
    "mean-variance:AVERSION",
)
"""The forms in which an objective can be written. Opponents are scores or strategies, such as
``250``, ``3*optimal``, or ``optimal+greedy``."""

MOST_POINTS, MOST_OPPONENTS = 999_999_999, 10_000_000_000

DistributionOf = Callable[[str], Distribution]


def parse_objective(text: str, distribution_of: DistributionOf | None = None) -> Objective:
    """Return the objective that a string describes.

    Parameters
    ----------
    text : str
        One of ``FORMS``.
    distribution_of : callable, optional
        Maps the name of an opponent's strategy to the distribution of its final score.

    Raises
    ------
    MalformedError
        If the string is not a valid objective.
    OSError
        If the utility file cannot be read.

    Examples
    --------
    >>> parse_objective("target:300")
    <Objective target:300: probability of 300 or more>
    """
    if text in _BY_NAME:
        return _BY_NAME[text]
    kind, colon, rest = text.partition(":")
    if colon:
        if kind == "target":
            return target(parse_score(rest))
        if kind == "utility":
            return read_utility(Path(rest))
        if kind == "exponential":
            return exponential(_number(rest, "a risk"))
        if kind == "mean-variance":
            return mean_variance(_number(rest, "an aversion"))
        if kind == "beat":
            return _beating(rest, distribution_of)
    known = {}
    for form in FORMS:
        name, takes, _ = form.partition(":")
        known[name] = f"{name}:{rest}" if takes and rest else form
    fix = did_you_mean(kind, known)
    fix = fix or f"Use one of {', '.join(FORMS)}."
    raise MalformedError(f"unknown objective {quoted(text)}. {fix}")


def parse_score(text: str) -> int:
    """Parse a score, such as the target of an objective.

    Raises
    ------
    MalformedError
        If the string is not a whole number from 1 to ``MOST_POINTS``.
    """
    return _whole(text, "a score", MOST_POINTS)


def _whole(text: str, what: str, most: int) -> int:
    digits = text.isascii() and text.isdigit() and len(text) <= len(str(most))
    if not digits or not 1 <= int(text) <= most:
        raise MalformedError(f"expected {what} from 1 to {most}, got {quoted(text)}")
    return int(text)


def _number(text: str, what: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = float("nan")
    if not isfinite(number):
        raise MalformedError(f"expected {what} as a number, got {quoted(text)}")
    return number


def _beating(text: str, distribution_of: DistributionOf | None) -> Objective:
    opponents: list[tuple[Distribution, int]] = []
    for part in text.split("+"):
        count, star, name = part.strip().rpartition("*")
        number = _whole(count.strip(), "a number of opponents", MOST_OPPONENTS) if star else 1
        name = name.strip()
        if name.isascii() and name.isdigit():
            distribution = Distribution.certain(int(name))
        elif not name:
            raise MalformedError(
                f"expected opponents such as 250 or optimal+greedy, got {quoted(text)}"
            )
        elif distribution_of is None:
            raise MalformedError(
                f"the opponent {quoted(name)} needs a score distribution; as the objective, pass "
                f"parse_objective({f'beat:{text}'!r}, lambda name: evaluate(name, rules)"
                ".distribution)"
            )
        else:
            distribution = distribution_of(name)
        opponents.append((distribution, number))
    return beating(opponents, f"beat:{text}")


def read_utility(path: Path) -> Objective:
    """Return the objective of maximizing the expected utility that a CSV file defines.

    Each line has a score and its value. The scores must be consecutive. The utility is constant
    below the first score and above the last score. The first line can be a heading.

    Raises
    ------
    MalformedError
        If the file is empty or not a CSV file, if a line is not a score and a value, or if the
        scores are not consecutive. The message contains the number of the wrong line.
    OSError
        If the file cannot be read.
    """
    table: dict[int, float] = {}
    try:
        lines = read_file(path, MAX_FILE_BYTES).decode().splitlines()
        rows = list(csv.reader(lines))
    except (UnicodeDecodeError, csv.Error):
        raise MalformedError(
            f"{path} is not a CSV file; write a score and its value on each line, such as 200,1.5"
        ) from None
    for number, row in enumerate(rows, start=1):
        cells = [cell.strip() for cell in row]
        if not cells or (number == 1 and not _is_number(cells[0])):
            continue
        score, value = _line(cells, f"{path}, line {number}")
        if table and score != max(table) + 1:
            raise MalformedError(
                f"{path}, line {number}: the scores must be consecutive; expected "
                f"{max(table) + 1}, got {score}"
            )
        table[score] = value
    if not table:
        raise MalformedError(
            f"{path} is empty; write a score and its value on each line, such as 200,1.5"
        )
    return of_utility(_extended(table), f"utility:{path}")


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _line(cells: list[str], where: str) -> tuple[int, float]:
    if len(cells) != 2 or not all(map(_is_number, cells)):
        raise MalformedError(f"{where}: expected a score and its value, such as 200,1.5")
    score, value = map(float, cells)
    if not isfinite(value) or abs(value) > 1e15:
        raise MalformedError(f"{where}: expected a value between -1e15 and 1e15, got {cells[1]}")
    if not 0 <= score <= 1e6 or score != int(score):
        raise MalformedError(f"{where}: expected a whole number from 0 to 1000000, got {cells[0]}")
    return int(score), value


def _extended(table: Mapping[int, float]) -> Callable[[int], float]:
    lowest, highest = min(table), max(table)
    return lambda score: table[min(max(score, lowest), highest)]
