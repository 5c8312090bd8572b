"""Reviews as HTML: a self-contained page to print, and its parts for other pages.

The chart shows the expected score during the game as a curve, with a dot for every mistake.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import combinations
from pathlib import Path
from typing import Any

from rollwise.game.dice_notation import format_dice
from rollwise.game.game import Game
from rollwise.game.notation import describe_action
from rollwise.reviews.decision_review import DecisionReview, RollReview
from rollwise.reviews.grades import MARKS, because, format_points
from rollwise.reviews.review import Review
from rollwise.reviews.sample_size import sample_size_sentence
from rollwise.style import style

COURSE = Path(__file__).with_name("course.css")

Where = Callable[[DecisionReview], str]
"""A function that returns the link to a decision."""


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
        describe_action=describe_action,
        format_dice=format_dice,
        format_points=format_points,
        marks=MARKS,
        on_pairs=_on_pairs,
        marked_grades=MARKED_GRADES,
    )
    return environment


def anchor(review: Review, decision: DecisionReview) -> str:
    """Return the HTML id of the row of a decision."""
    return f"{decision.name}-{review.player}".replace(" ", "-")


def _on_pairs(reviews: Sequence[Review]) -> list[str]:
    """Return a sentence for each pair of players with different EV losses."""
    return [words for pair in combinations(reviews, 2) if (words := sample_size_sentence(*pair))]


def _part(name: str, *arguments: object) -> str:
    """Return the output of a macro of the template ``parts.html``."""
    return str(getattr(_templates().get_template("parts.html").module, name)(*arguments))


def review_html(game: Game, reviews: list[Review]) -> str:
    """Return the page of a reviewed game; strings from the record are escaped."""

    def row_of(review: Review, decision: DecisionReview) -> str:
        return f"#{anchor(review, decision)}"

    page = (
        _templates()
        .get_template("page.html")
        .render(
            game=game,
            reviews=reviews,
            wheres=[partial(row_of, review) for review in reviews],
            style="\n".join((style("tokens"), COURSE.read_text("utf-8"))),
        )
    )
    return str(page)


def players_html(reviews: Sequence[Review]) -> str:
    """Return the headline numbers of all players as HTML, without a style sheet."""
    return _part("players", reviews)


def line_html(reviews: Sequence[Review], wheres: Sequence[Where]) -> str:
    """Return the chart of the expected score; ``wheres`` has a link function for each player."""
    return _part("line", reviews, wheres)


def worst_html(review: Review, where: Where) -> str:
    """Return the list of the largest EV losses, each with a link from ``where``."""
    return _part("worst", review, where)


def decisions_html(review: Review, where: Where) -> str:
    """Return the table of all decisions, each with a link from ``where``."""
    return _part("decisions", review, where)


def legend_html(reviews: Sequence[Review]) -> str:
    """Return the explanation of the terms of a review."""
    return _part("legend", reviews)


MARKED_GRADES = ("inaccuracy", "mistake", "blunder")
"""The grades that the chart marks with a dot."""


CLOSE = 0.09
"""The distance between two ticks, as a fraction of the axis, below which their labels overlap."""


@dataclass(frozen=True)
class Dot:
    """The position of a decision on a curve."""

    x: float
    y: float
    decision: DecisionReview


@dataclass(frozen=True)
class Curve:
    """The expected score of one player during the game, with dots at inaccuracies or worse."""

    player: str
    path: str
    dots: list[Dot]


@dataclass(frozen=True)
class Chart:
    """The expected score during the game, one curve per player, in percent of the chart's size.

    Attributes
    ----------
    ticks : list of (float, str)
        The vertical position and the label of each tick.
    turns : list of (float, int)
        The horizontal position and the number of each turn.
    """

    curves: list[Curve]
    ticks: list[tuple[float, str]]
    turns: list[tuple[float, int]]


def steps_of(review: Review) -> list[tuple[float, float]]:
    """Return the turns played and the expected score at the start and after every step."""
    at = [
        _at(review, step, 1 / 2) if isinstance(step, RollReview) else decided_at(review, step)
        for step in review.steps
    ]
    return list(zip([0.0, *at], review.line(), strict=True))


def decided_at(review: Review, decision: DecisionReview) -> float:
    """Return the number of turns played up to a decision, with a fraction for part of a turn."""
    is_end = decision.chosen.action.kind == "score"
    return float(decision.turn) if is_end else _at(review, decision.roll, 1)


def _at(review: Review, roll: RollReview, part: float) -> float:
    """Return the number of turns played up to a point in a roll, as a fraction for part of a turn.

    ``part`` is the finished fraction of the roll. A roll is finished once the decisions after it
    are made.
    """
    numbers = (other.number for other in review.rolls if other.turn == roll.turn)
    rolls = max(review.rules.rolls, *numbers)  # a turn with saved rolls has more
    return roll.turn - 1 + (roll.number - 1 + part) / rolls


def chart_of(reviews: Sequence[Review]) -> Chart:
    """Return the chart of the expected score after every roll and every decision."""
    turns = len(reviews[0].rules.categories)
    values = [value for review in reviews for value in review.line()]
    low, high = min(values), max(values)
    span = (high - low) or 1.0

    def x_of(turn: float) -> float:
        return round(100 * turn / turns, 2)

    def y_of(value: float) -> float:
        return round(100 * (high - value) / span, 2)

    curves = []
    for review in reviews:
        path = " ".join(f"{x_of(turn)},{y_of(value)}" for turn, value in steps_of(review))
        dots = [
            Dot(x_of(decided_at(review, decision)), y_of(decision.after), decision)
            for decision in review.decisions
            if decision.verdict in MARKED_GRADES
        ]
        curves.append(Curve(review.player, path, dots))
    start = reviews[0].start
    far = [value for value in (low, high) if abs(value - start) > CLOSE * span]
    ticks = [(y_of(value), f"{value:.0f}") for value in (start, *far)]
    return Chart(curves, ticks, [(x_of(turn), turn + 1) for turn in range(turns)])
