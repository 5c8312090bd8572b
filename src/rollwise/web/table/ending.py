"""The ending: who has won, what luck and decisions did, how well it was played, what comes next."""

from collections.abc import Awaitable, Callable, Mapping

from rollwise.game.game import Game
from rollwise.playing.game_summary import (
    best_moment,
    decisions_sentence,
    describe_result,
    luck_sentence,
    worst_moment,
)
from rollwise.playing.rating_scale import rating
from rollwise.reviews.review import Review
from rollwise.web.elements import Button, Link, Tag, address
from rollwise.web.game_analysis import Insight


class Ending:
    """A sheet over the table once the game is over; it can be put away to see the cards.

    Parameters
    ----------
    id : str
        Of the game.
    again : callable
        Starts another game at the same table.
    """

    def __init__(self, id: str, again: Callable[[], Awaitable[None]]) -> None:
        self._id, self._again = id, again
        self._told: object = None
        self._put_away = False
        with Tag("div", classes="ending-ground") as self._ground:
            self._sheet = Tag("section", classes="ending", aria_label="The end", role="dialog")

    def show(self, game: Game, people: set[int], insight: Insight) -> None:
        """Show how it ended, as far as that is known: reviews take a moment, the scale longer."""
        reviews, scale = insight.reviews, insight.scale
        if not game.is_over:
            self._put_away, self._told = False, None
        self._ground.visible = game.is_over and not self._put_away
        told = game.is_over, len(reviews), tuple(scale), insight.unreviewed
        if not game.is_over or told == self._told:
            return
        self._told = told
        self._sheet.clear()
        with self._sheet:
            Tag("p", "The game is over", "over")
            Tag("h2", describe_result(game), "result")
            with Tag("div", classes="people", aria_live="polite"):
                for number, review in enumerate(reviews):
                    if number in people:
                        _person(review, scale, alone=len(people) == 1)
                if insight.unreviewed:
                    Tag("p", f"Decisions are not judged: {insight.unreviewed}.", "soft")
                elif not reviews:
                    Tag("p", "Looking at every decision…", "soft")
            if scale:
                known = ", ".join(f"{words} {loss:.1f}" for words, loss in scale.items())
                Tag("p", f"Points that strategies lose in a game, exactly: {known}.", "soft note")
            name = game.players[min(people, default=0)]
            with Tag("div", classes="answers"):
                Button("Play again", self._again, "primary")
                if not insight.unreviewed:
                    practice = address("/practice", rules=game.rules.name, name=name)
                    Link("Learn from your mistakes", practice, "button")
                    Link("Review this game", f"/review/{self._id}", "button")
                Button("See the cards", self._close)

    def _close(self) -> None:
        self._put_away, self._ground.visible = True, False


def _person(review: Review, scale: dict[str, float], *, alone: bool) -> None:
    """Show what one person's luck and decisions did."""
    with Tag("div", classes="person"):
        if not alone:
            Tag("h3", review.player)
        Tag("p", luck_sentence(review))
        Tag("p", decisions_sentence(review))
        if scale:
            Tag("p", f"That is {rating(review.loss, scale)}.", "rating")
            _draw(review.loss, scale)
        for title, words in (
            ("Best moment", best_moment(review)),
            ("Worst moment", worst_moment(review)),
        ):
            if words:
                with Tag("p", classes="high"):
                    Tag("strong", title)
                    Tag("span", words)


def _draw(loss: float, scale: Mapping[str, float]) -> None:
    """Draw the scale from best play on the left, with what was lost as a mark on it."""
    most = max([loss, *scale.values()])
    with Tag("div", classes="scale", aria_hidden="true"):
        for one in scale.values():
            Tag("span", classes="tick-mark", style=f"left: {100 * one / most:.1f}%")
        Tag("span", classes="yours", style=f"left: {100 * loss / most:.1f}%")
