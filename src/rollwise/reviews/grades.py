"""Words for what a decision lost and for how lucky a roll was."""

from collections.abc import Sequence

from rollwise.evaluation.breakdown import TURN_IN
from rollwise.rules import Rules
from rollwise.solving.solution import TIE

EXCELLENT, INACCURACY, MISTAKE = 0.2, 1.0, 5.0
"""Losses, in points, from which a decision is no longer of the class before."""

LUCKY, VERY_LUCKY = 10.0, 23.0
"""Luck, in points, of about the best tenth and the best fortieth of rolls."""

BLOCKS = "▁▂▃▄▅▆▇█"
VERDICTS = ("best", "excellent", "inaccuracy", "mistake", "blunder")
MARKS = {"best": "", "excellent": "", "inaccuracy": "?!", "mistake": "?", "blunder": "??"}


def verdict_of(loss: float, point: float = 1.0) -> str:
    """Return the class of a loss; ``point`` is what counts as one point."""
    if loss <= TIE:
        return "best"
    limits = (EXCELLENT, INACCURACY, MISTAKE)
    return VERDICTS[1 + sum(loss >= limit * point for limit in limits)]


def luck_words(luck: float) -> str:
    """Return how lucky a roll was in words; nothing for an ordinary one."""
    for limit, words in ((VERY_LUCKY, "very "), (LUCKY, "")):
        if abs(luck) >= limit:
            return words + ("lucky" if luck > 0 else "unlucky")
    return ""


def format_points(points: float) -> str:
    """Return points with two decimals and their sign; nothing that is something reads as 0.00."""
    if points == 0:
        return "0.00"
    sign = "+" if points > 0 else "−"
    return f"{sign}{abs(points):.2f}" if abs(points) >= 0.005 else f"{sign}<0.01"


def sparkline(values: Sequence[float]) -> str:
    """Return numbers as a line of blocks, the lowest and the highest as high as can be apart."""
    low, high = min(values), max(values)
    span = (high - low) or 1.0
    return "".join(BLOCKS[round((len(BLOCKS) - 1) * (value - low) / span)] for value in values)


def part_title(rules: Rules, name: str) -> str:
    """Return what people call what a gain comes from: a box, a bonus, a turn that ends in a box."""
    titles = {category.key: category.title for category in rules.categories}
    in_box = titles.get(name.removeprefix(TURN_IN))
    if in_box and name not in titles:
        return f"a turn in {in_box}"
    return titles.get(name) or name.replace("-", " ")


def because(rules: Rules, reasons: Sequence[tuple[str, float]], most: int = 3) -> str:
    """Return what the best option gains, and what it gives up for that, by box and bonus.

    ``Yahtzee +3.12, upper bonus +1.95, but Large Straight −0.40``; the largest ``most`` parts.
    """
    shown = sorted(reasons[:most], key=lambda reason: -reason[1])
    gains = [f"{part_title(rules, name)} {format_points(x)}" for name, x in shown if x > 0]
    costs = [f"{part_title(rules, name)} {format_points(x)}" for name, x in shown if x < 0]
    return ", but ".join(", ".join(parts) for parts in (gains, costs) if parts)
