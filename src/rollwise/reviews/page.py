"""A review as one HTML page that needs nothing beside it, and prints well."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from rollwise.game.notation import format_action, format_dice
from rollwise.game.records.record import Record
from rollwise.reviews.decisions import DecisionReview
from rollwise.reviews.review import Review
from rollwise.reviews.verdicts import MARKS, because, format_points

WIDTH, HEIGHT, MARGIN = 720, 240, 48
"""Of the chart, in its own units."""

STROKES = ("", "6 3", "2 3", "9 3 2 3")
"""Line patterns, so that players are told apart without colour."""


@dataclass(frozen=True)
class Curve:
    """One player's expected score through the game, in units of the chart."""

    player: str
    path: str
    stroke: str


@dataclass(frozen=True)
class Chart:
    """The expected score through the game, one curve a player.

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
    longest: dict[int, int] = {}  # by turn: one that uses saved rolls has more
    for roll in review.rolls:
        longest[roll.turn] = max(roll.number, longest.get(roll.turn, review.rules.rolls))
    at = [0.0]
    for i, roll in enumerate(review.rolls):
        rolls = longest[roll.turn]
        start = roll.turn - 1 + (roll.number - 1) / rolls
        at.append(start + 1 / (2 * rolls))
        if i < len(review.decisions):
            scored = review.decisions[i].chosen.action.kind == "score"
            at.append(float(roll.turn) if scored else start + 1 / rolls)
    return list(zip(at, review.line(), strict=True))


def chart_of(reviews: list[Review]) -> Chart:
    """Return the chart of the expected score after every roll and every choice."""
    turns = len(reviews[0].rules.categories)
    values = [value for review in reviews for value in review.line()]
    low, high = min(values), max(values)
    span = (high - low) or 1.0

    def x_of(turn: float) -> float:
        return round(MARGIN + (WIDTH - MARGIN) * turn / turns, 1)

    def y_of(value: float) -> float:
        return round(12 + (HEIGHT - MARGIN) * (high - value) / span, 1)

    curves = []
    for number, review in enumerate(reviews):
        points = (f"{x_of(turn)},{y_of(value)}" for turn, value in steps_of(review))
        curves.append(Curve(review.player, " ".join(points), STROKES[number % len(STROKES)]))
    ticks = [(y_of(value), f"{value:.4g}") for value in (low, reviews[0].start, high)]
    return Chart(curves, ticks, [(x_of(turn), turn + 1) for turn in range(turns)])


@lru_cache(maxsize=1)
def _templates() -> Any:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("rollwise.reviews", ""),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    environment.globals.update(
        because=because,
        format_action=format_action,
        format_dice=format_dice,
        format_points=format_points,
        marks=MARKS,
    )
    return environment


def review_html(record: Record, reviews: list[Review]) -> str:
    """Return the page; whatever a record says in it is text, never markup."""
    page = (
        _templates()
        .get_template("page.html")
        .render(
            record=record,
            reviews=reviews,
            chart=chart_of(reviews),
            width=WIDTH,
            height=HEIGHT,
            margin=MARGIN,
        )
    )
    return str(page)


def players_html(reviews: list[Review]) -> str:
    """Return the headline numbers of all players, for a page that has its own looks."""
    return str(_templates().get_template("parts.html").module.players(reviews))


def worst_html(one: Review, options_of: Callable[[DecisionReview], str]) -> str:
    """Return what cost most, each with the address of all options."""
    return str(_templates().get_template("parts.html").module.worst(one, options_of))


def decisions_html(one: Review) -> str:
    """Return the table of every decision."""
    return str(_templates().get_template("parts.html").module.decisions(one))
