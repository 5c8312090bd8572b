"""Grades of decisions by EV loss, and words for the luck of a roll."""

from collections.abc import Sequence
from typing import Literal, get_args

from rollwise.game.scorecard import EXTRA_BONUS, extra_bonus_title
from rollwise.rules import Rules

EXCELLENT, INACCURACY, MISTAKE = 0.2, 1.0, 5.0
"""The EV losses in points below which a decision is ``excellent``, an ``inaccuracy``, or a
``mistake``."""

LUCKY, VERY_LUCKY = 10.0, 23.0
"""Limits of absolute luck in points: about 1 in 10 rolls exceed the first limit, and about 1 in 40
exceed the second."""

BLOCKS = "▁▂▃▄▅▆▇█"

Verdict = Literal["best", "excellent", "inaccuracy", "mistake", "blunder"]
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
MARKS = {"best": "", "excellent": "", "inaccuracy": "?!", "mistake": "?", "blunder": "??"}


def verdict_of(loss: float, point: float = 1.0) -> Verdict:
    """Return the grade of an EV loss; ``point`` is the EV loss that is graded like one point."""
    from rollwise.solving.solution import (
        TOLERANCE,  # imports NumPy, which lists of games do not need
    )

    if loss <= TOLERANCE:
        return "best"
    limits = (EXCELLENT, INACCURACY, MISTAKE)
    return VERDICTS[1 + sum(loss >= limit * point for limit in limits)]


def luck_words(luck: float) -> str:
    """Return a description such as ``very lucky``; an empty string for an average roll."""
    for limit, words in ((VERY_LUCKY, "very "), (LUCKY, "")):
        if abs(luck) >= limit:
            return words + ("lucky" if luck > 0 else "unlucky")
    return ""


def format_points(points: float) -> str:
    """Format points with two decimals and a sign; only an exact zero becomes 0.00."""
    if points == 0:
        return "0.00"
    sign = "+" if points > 0 else "−"
    return f"{sign}{abs(points):.2f}" if abs(points) >= 0.005 else f"{sign}<0.01"


def sparkline(values: Sequence[float]) -> str:
    """Return a chart of the values in one line of text, with one block character per value."""
    low, high = min(values), max(values)
    span = (high - low) or 1.0
    return "".join(BLOCKS[round((len(BLOCKS) - 1) * (value - low) / span)] for value in values)


def part_title(rules: Rules, name: str) -> str:
    """Return the title of a part of a value: a category or a bonus."""
    if name == EXTRA_BONUS:
        return extra_bonus_title(rules)
    titles = {category.key: category.title for category in rules.categories}
    return titles.get(name) or name.replace("-", " ")


def because(rules: Rules, reasons: Sequence[tuple[str, float]], most: int = 3) -> str:
    """Return the ``most`` largest gains and costs of the best option, by category and bonus.

    An example is ``Yahtzee +3.12, upper bonus +1.95, but Large Straight −0.40``.
    """
    shown = sorted(reasons[:most], key=lambda reason: -reason[1])
    gains = [f"{part_title(rules, name)} {format_points(x)}" for name, x in shown if x > 0]
    costs = [f"{part_title(rules, name)} {format_points(x)}" for name, x in shown if x < 0]
    return ", but ".join(", ".join(parts) for parts in (gains, costs) if parts)


def main_gains(reasons: Sequence[tuple[str, float]]) -> list[tuple[str, float]]:
    """Return the two largest gains of the best option, without its costs."""
    return [(name, points) for name, points in reasons if points > 0][:2]
