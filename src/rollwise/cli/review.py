"""``rollwise review``: the question, a screen that steps through the game, and saving it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

from cyclopts import Parameter

from rollwise.cli import flags, streams
from rollwise.cli.commands import extends
from rollwise.errors import InputError, check_extra
from rollwise.history import History, check_turns
from rollwise.questions.answer import Block
from rollwise.questions.progress import note
from rollwise.questions.review import Reviews
from rollwise.questions.review import review as question
from rollwise.reviews.review import steps_through


class _Steps(Reviews):
    def show(self) -> Iterator[Block]:
        """Show each decision on a separate screen, if there are any, instead of a text."""
        from rollwise.terminal.review import ReviewApp, ReviewPages  # imports textual

        if steps := steps_through(self.game, self.reviews):
            ReviewApp(ReviewPages(self.game.players, steps, self.game.headers.bots)).run()
        yield from ()


@extends("review")
def review(
    *given: Any,
    step: Annotated[bool, Parameter(help="Step through the game with the arrow keys.")] = False,
    save: Annotated[bool, Parameter(help="Save the game for your history and rating.")] = False,
    database: flags.Database = None,
    **options: Any,
) -> Reviews:
    """Review a game, step through it, or save it in the history."""
    if step:
        check_extra("play", "rollwise review --step", "textual")
        if not streams.is_interactive():
            raise InputError("--step needs a terminal. Leave out --step, or run it without a pipe.")
    if database is not None and not save:
        raise InputError("--database is the file in which --save saves the game. Add --save.")
    reviews = question(*given, **options)
    if save:
        reviews = _saved(reviews, database)
    return _Steps(**vars(reviews)) if step else reviews


def _saved(reviews: Reviews, database: str | None) -> Reviews:
    """Save a game and the reviews of its people, and say where the game is."""
    game = reviews.game
    check_turns(game)
    with History(database) as history:
        saved, is_new = history.add(game)
        if game.is_over:
            people = [one for one in reviews if one.player not in game.headers.bots]
            history.keep_reviews(saved.id, people, saved.saved_at)
    note_saved(saved.id, database, is_new=is_new, is_over=saved.game.is_over)
    return reviews.model_copy(update={"saved_as": saved.id})


def note_saved(id: str, database: str | None, *, is_new: bool = True, is_over: bool) -> None:
    """Report where a game is saved, and how to resume it."""
    note(f"{'saved the game' if is_new else 'The game is already'} in the history as {id}")
    if not is_over:
        note(f"To resume it, run: rollwise play --resume {id}{flags.repeated(database)}")
