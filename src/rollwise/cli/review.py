"""``rollwise review``: the question, and a screen that steps through the game."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

from cyclopts import Parameter

from rollwise.cli import streams
from rollwise.cli.commands import extends
from rollwise.errors import InputError, check_extra
from rollwise.questions.answer import Block
from rollwise.questions.review import Reviews
from rollwise.questions.review import review as question
from rollwise.reviews.review import steps_through


def step_through(reviews: Reviews) -> None:
    """Show each decision on a separate screen, if there are any."""
    from rollwise.terminal.review import ReviewApp  # imports textual

    if steps := steps_through(reviews.game, reviews.reviews):
        ReviewApp(reviews.game.players, steps, reviews.game.headers.bots).run()


class _Steps(Reviews):
    def show(self) -> Iterator[Block]:
        """Show the screens instead of a text."""
        step_through(self)
        yield from ()


@extends("review")
def review(
    *given: Any,
    step: Annotated[bool, Parameter(help="Step through the game with the arrow keys.")] = False,
    **options: Any,
) -> Reviews:
    """Review a game, or step through it."""
    if step:
        check_extra("play", "rollwise review --step", "textual")
        if not streams.is_interactive():
            raise InputError("--step needs a terminal. Leave out --step, or run it without a pipe.")
    reviews = question(*given, **options)
    return _Steps(**vars(reviews)) if step else reviews
