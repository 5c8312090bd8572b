"""A review as one HTML page that needs nothing beside it, and prints well.

The expected score through a game as a line, with a dot for every mistake.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import combinations
from math import hypot
from pathlib import Path
from typing import Any

from rollwise.game.notation import format_action, format_dice
from rollwise.game.records.record import Record
from rollwise.reviews.decisions import DecisionReview, RollReview
from rollwise.reviews.grades import MARKS, because, format_points
from rollwise.reviews.review import Review
from rollwise.reviews.sample_size import words_on_two

COURSE = Path(__file__).with_name("course.css")

Where = Callable[[DecisionReview], str]
"""Gives the address of a decision."""


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
        anchor=anchor,
        because=because,
        chart_of=chart_of,
        format_action=format_action,
        format_dice=format_dice,
        format_points=format_points,
        marks=MARKS,
        on_pairs=_on_pairs,
        told=TOLD,
    )
    return environment


def anchor(one: Review, decision: DecisionReview) -> str:
    """Return the name of a row: a player that has another name has other ones."""
    return f"{decision.name}-{one.player}".replace(" ", "-")


def _on_pairs(reviews: Sequence[Review]) -> list[str]:
    """Return what is to be said of every two players."""
    return [words for words in (words_on_two(*two) for two in combinations(reviews, 2)) if words]


def _part(name: str, *given: object) -> str:
    return str(getattr(_templates().get_template("parts.html").module, name)(*given))


def review_html(record: Record, reviews: list[Review]) -> str:
    """Return the page; whatever a record says in it is text, never markup."""

    def row_of(one: Review, decision: DecisionReview) -> str:
        return f"#{anchor(one, decision)}"

    page = (
        _templates()
        .get_template("page.html")
        .render(
            record=record,
            reviews=reviews,
            wheres=[partial(row_of, one) for one in reviews],
            course_css=COURSE.read_text(),
        )
    )
    return str(page)


def players_html(reviews: Sequence[Review]) -> str:
    """Return the headline numbers of all players, for a page that has its own looks."""
    return _part("players", reviews)


def line_html(reviews: Sequence[Review], wheres: Sequence[Where]) -> str:
    """Return the expected score through the game, with a link for every mistake."""
    return _part("line", reviews, wheres)


def worst_html(one: Review, where: Where, options_of: Where) -> str:
    """Return what cost most, each with the address of all options."""
    return _part("worst", one, where, options_of)


def decisions_html(one: Review, where: Where) -> str:
    """Return the table of every decision."""
    return _part("decisions", one, where)


def legend_html(reviews: Sequence[Review]) -> str:
    """Return what the words of a review mean."""
    return _part("legend", reviews)


STROKES = ("", "6 3", "2 3", "9 3 2 3")
"""Line patterns, so that players are told apart without colour."""

TOLD = ("inaccuracy", "mistake", "blunder")
"""Classes of decisions that have a dot."""

REACH = 22.0
"""Pixels around a dot that are its own: a finger needs 44 across."""


@dataclass(frozen=True)
class Dot:
    """A decision where it lies on a curve."""

    x: float
    y: float
    decision: DecisionReview


@dataclass(frozen=True)
class Curve:
    """One player's expected score through the game, and where every decision lies on it."""

    player: str
    path: str
    stroke: str
    decided: list[Dot]

    @property
    def dots(self) -> list[Dot]:
        """The decisions that lost something."""
        return [dot for dot in self.decided if dot.decision.verdict in TOLD]


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

    def nearest(
        self, at: tuple[float, float], size: tuple[float, float]
    ) -> tuple[int, DecisionReview]:
        """Return what a press on the chart means: the nearest dot in reach, else what lies nearest.

        Parameters
        ----------
        at, size : (float, float)
            Of the press and of the chart, in pixels.

        Returns
        -------
        (int, DecisionReview)
            The number of the curve, and a decision on it.
        """

        def away(dot: Dot) -> float:
            return hypot(dot.x / 100 * size[0] - at[0], dot.y / 100 * size[1] - at[1])

        places = [(number, dot) for number, one in enumerate(self.curves) for dot in one.decided]
        within = [one for one in places if one[1].decision.verdict in TOLD and away(one[1]) < REACH]
        number, dot = min(within or places, key=lambda one: away(one[1]))
        return number, dot.decision


def steps_of(review: Review) -> list[tuple[float, float]]:
    """Return the expected score after every roll and every choice, over turns played."""
    at = [
        _at(review, one, 1 / 2) if isinstance(one, RollReview) else decided_at(review, one)
        for one in review.steps
    ]
    return list(zip([0.0, *at], review.line(), strict=True))


def decided_at(review: Review, decision: DecisionReview) -> float:
    """Return how many turns were played when something was decided: a part of one within it."""
    match decision.chosen.action.kind:
        case "score":
            return float(decision.turn)
        case "announce":
            return _at(review, decision.roll, 3 / 4)
        case "keep":
            return _at(review, decision.roll, 1)


def _at(review: Review, roll: RollReview, part: float) -> float:
    """Return how many turns were played when a part of what belongs to a roll was done."""
    taken = (one.number for one in review.rolls if one.turn == roll.turn)
    rolls = max(review.rules.rolls, *taken)  # a turn that uses saved rolls has more
    return roll.turn - 1 + (roll.number - 1 + part) / rolls


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
        decided = [
            Dot(x_of(decided_at(review, one)), y_of(one.after), one) for one in review.decisions
        ]
        curves.append(Curve(review.player, path, STROKES[number % len(STROKES)], decided))
    ticks = [(y_of(value), f"{value:.4g}") for value in (low, reviews[0].start, high)]
    return Chart(curves, ticks, [(x_of(turn), turn + 1) for turn in range(turns)])
