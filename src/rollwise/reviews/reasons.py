"""Why the best option is better than the others: what it has more of every box and bonus."""

from rollwise.evaluation.breakdown import Gains, Parts, parts_of
from rollwise.game.notation import format_action
from rollwise.reviews.verdicts import because, format_points
from rollwise.solving.option import Options
from rollwise.solving.solution import Solution


class Reasons:
    """The reasons of a solved game, once they are prepared; that takes a second or two.

    Parameters
    ----------
    solution : Solution

    Attributes
    ----------
    parts : Parts or None
        None before, where values are not points, and where the game is too large.
    """

    def __init__(self, solution: Solution) -> None:
        self.solution = solution
        self.parts: Parts | None = None

    def prepare(self) -> None:
        """Find the expected points of every box and bonus from all cards."""
        self.parts = parts_of(self.solution)

    def of(self, options: Options) -> list[Gains]:
        """Return what the best option has more than each; nothing for what is as good."""
        if self.parts is None or not options:
            return [()] * len(options)
        actions = [option.action for option in options]
        gains = self.parts.gains(options.position, options[0].action, actions)
        return [() if o.best else gain for o, gain in zip(options, gains, strict=True)]

    def sentences(self, options: Options, number: int) -> list[str]:
        """Return why the best option is to be taken and not one of the next, so many of them."""
        words = [format_action(self.solution.rules, option.action) for option in options]
        return [
            f"{words[0]}, not {other}, because of {self.words(gains)}"
            for other, gains in zip(words, self.of(options), strict=True)
            if gains
        ][:number]

    def words(self, gains: Gains, most: int = 4) -> str:
        """Return the largest gains by their titles, and the sum of all others."""
        told = because(self.solution.rules, gains, most)
        rest = sum(gain for _, gain in gains[most:])
        return f"{told}; all else {format_points(rest)}" if gains[most:] else told
