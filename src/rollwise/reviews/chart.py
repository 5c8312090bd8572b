"""The expected score through a game as a line, with a dot for every mistake."""

from collections.abc import Sequence
from dataclasses import dataclass

from rollwise.reviews.decisions import DecisionReview
from rollwise.reviews.review import Review

STROKES = ("", "6 3", "2 3", "9 3 2 3")
"""Line patterns, so that players are told apart without colour."""

TOLD = ("inaccuracy", "mistake", "blunder")
"""Classes of decisions that have a dot."""


@dataclass(frozen=True)
class Dot:
    """A decision that lost something, where it lies on a curve."""

    x: float
    y: float
    decision: DecisionReview


@dataclass(frozen=True)
class Curve:
    """One player's expected score through the game."""

    player: str
    path: str
    stroke: str
    dots: list[Dot]


@dataclass(frozen=True)
class Chart:
    """The expected score through the game, one curve a player, in percent of width and height.

    Attributes
    ----------
    ticks : list of (float, str)
        Heights and labels of the scale.
    turns : list of (float, int)
        Where each turn begins.
    """

    curves: list[Curve]
    ticks: list[tuple[float, str]]
    turns: list[tuple[float, int]]


def steps_of(review: Review) -> list[tuple[float, float]]:
    """Return the expected score after every roll and every choice, over turns played."""
    at = [0.0]
    for i, roll in enumerate(review.rolls):
        start, width = _roll_at(review, roll.turn, roll.number)
        at.append(start + width / 2)
        if i < len(review.decisions):
            at.append(decided_at(review, review.decisions[i]))
    return list(zip(at, review.line(), strict=True))


def decided_at(review: Review, decision: DecisionReview) -> float:
    """Return how many turns were played when something was decided: a part of one for a keep."""
    start, width = _roll_at(review, decision.turn, decision.number)
    return float(decision.turn) if decision.chosen.action.kind == "score" else start + width


def _roll_at(review: Review, turn: int, number: int) -> tuple[float, float]:
    """Return where a roll begins, in turns, and its part of the turn."""
    taken = (roll.number for roll in review.rolls if roll.turn == turn)
    rolls = max(review.rules.rolls, *taken)  # a turn that uses saved rolls has more
    return turn - 1 + (number - 1) / rolls, 1 / rolls


def chart_of(reviews: Sequence[Review]) -> Chart:
    """Return the chart of the expected score after every roll and every choice."""
    turns = len(reviews[0].rules.categories)
    values = [value for review in reviews for value in review.line()]
    low, high = min(values), max(values)
    span = (high - low) or 1.0

    def x_of(turn: float) -> float:
        return round(100 * turn / turns, 2)

    def y_of(value: float) -> float:
        return round(100 * (high - value) / span, 2)

    curves = []
    for number, review in enumerate(reviews):
        path = " ".join(f"{x_of(turn)},{y_of(value)}" for turn, value in steps_of(review))
        dots = [
            Dot(x_of(decided_at(review, one)), y_of(one.chosen.value), one)
            for one in review.decisions
            if one.verdict in TOLD
        ]
        curves.append(Curve(review.player, path, STROKES[number % len(STROKES)], dots))
    ticks = [(y_of(value), f"{value:.4g}") for value in (low, reviews[0].start, high)]
    return Chart(curves, ticks, [(x_of(turn), turn + 1) for turn in range(turns)])
