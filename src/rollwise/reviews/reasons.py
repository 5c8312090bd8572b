"""Why the best option is better than the others: what it has more of every box and bonus."""

from collections.abc import Iterator, Sequence

from rollwise.evaluation.breakdown import Breakdown, Gains, parts_of
from rollwise.game.notation import format_action
from rollwise.game.position import Position
from rollwise.reviews.grades import because, format_points
from rollwise.solving.option import Option
from rollwise.solving.solution import Solution


class Reasons:
    """The reasons of a solved game, once they are prepared; that takes some seconds.

    Parameters
    ----------
    solution : Solution
    parts : Breakdown, optional
        Where they are known already.

    Attributes
    ----------
    parts : Breakdown or None
        None before, and where values are not points.
    begun : bool
        Whether the parts were asked for.
    """

    def __init__(self, solution: Solution, parts: Breakdown | None = None) -> None:
        self.solution, self.parts = solution, parts
        self.begun = parts is not None

    def are_prepared(self, position: Position) -> bool:
        """Return whether they are told at once, of the options at a position."""
        return self.begun and (self.parts is None or self.parts.is_prepared(position))

    def prepare(self, position: Position | None = None) -> None:
        """Find the parts of values that are told at a position, if nobody did before."""
        if not self.begun:
            self.parts = parts_of(self.solution)
            self.begun = True
        if self.parts is not None and position is not None:
            self.parts.prepare(position)

    def of(self, position: Position, options: Sequence[Option]) -> list[Gains]:
        """Return what the first and best option has more than each; nothing for what is as good."""
        if self.parts is None or not options or not self.are_prepared(position):
            return [()] * len(options)
        actions = [option.action for option in options]
        gains = self.parts.gains(position, options[0].action, actions)
        return [() if o.best else gain for o, gain in zip(options, gains, strict=True)]

    def sentences(
        self, position: Position, options: Sequence[Option], most: int = 4
    ) -> Iterator[str]:
        """Yield why the first and best option is to be taken and not another one, of each."""
        words = [format_action(self.solution.rules, option.action) for option in options]
        for other, gains in zip(words, self.of(position, options), strict=True):
            if gains:
                yield f"{words[0]}, not {other}, because of {self.words(gains, most)}"

    def briefly(self, gains: Gains, room: int) -> str:
        """Return the two largest gains by their titles, or the largest, as far as there is room."""
        told = (because(self.solution.rules, gains, most) for most in (2, 1))
        return next((words for words in told if len(words) <= room), "")

    def words(self, gains: Gains, most: int) -> str:
        """Return the largest gains by their titles, and the sum of all others."""
        told = because(self.solution.rules, gains, most)
        rest = sum(gain for _, gain in gains[most:])
        return f"{told}; all else {format_points(rest)}" if gains[most:] else told
