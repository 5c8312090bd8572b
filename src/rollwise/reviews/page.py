"""A review as one HTML page that needs nothing beside it, and prints well."""

from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from itertools import combinations
from pathlib import Path
from typing import Any

from rollwise.game.notation import format_action, format_dice
from rollwise.game.records.record import Record
from rollwise.reviews.apart import words_on_two
from rollwise.reviews.chart import TOLD, chart_of
from rollwise.reviews.decisions import DecisionReview
from rollwise.reviews.review import Review
from rollwise.reviews.verdicts import MARKS, because, format_points

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
