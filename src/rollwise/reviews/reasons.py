"""Why the best option is better than the others: what it has more of every box and bonus."""

from collections.abc import Iterator, Sequence

from rollwise.evaluation.breakdown import Gains, Parts, parts_of
from rollwise.game.notation import format_action
from rollwise.game.position import Position
from rollwise.reviews.verdicts import because, format_points
from rollwise.solving.option import Option
from rollwise.solving.solution import Solution


class Reasons:
    """The reasons of a solved game, once they are prepared; that takes a second or two.

    Parameters
    ----------
    solution : Solution
    parts : Parts, optional
        Where they are known already.

    Attributes
    ----------
    parts : Parts or None
        None before, where values are not points, and where the game is too large.
    prepared : bool
    """

    def __init__(self, solution: Solution, parts: Parts | None = None) -> None:
        self.solution, self.parts = solution, parts
        self.prepared = parts is not None

    def prepare(self) -> None:
        """Find the expected points of every box and bonus from all cards, if nobody did before."""
        if not self.prepared:
            self.parts = parts_of(self.solution)
            self.prepared = True

    def of(self, position: Position, options: Sequence[Option]) -> list[Gains]:
        """Return what the first and best option has more than each; nothing for what is as good."""
        if self.parts is None or not options:
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
