"""Reasons why an option is best: the expected points that it gains in each category and bonus."""

from collections.abc import Iterator, Sequence

from rollwise.evaluation.breakdown import Breakdown, Gains, breakdown_of
from rollwise.game.notation import format_action
from rollwise.game.position import Position
from rollwise.reviews.grades import because, format_points
from rollwise.solving.option import Option
from rollwise.solving.solution import Solution


class Reasons:
    """The reasons for the best options of a solved game; preparing them takes seconds.

    There are no reasons before they are prepared, or if the game has no breakdown (``parts``).
    """

    def __init__(self, solution: Solution, parts: Breakdown | None = None) -> None:
        self.solution, self.parts = solution, parts
        self.are_prepared = parts is not None

    def prepare(self) -> None:
        """Compute the breakdown of the values, unless it is available."""
        if not self.are_prepared:
            self.parts = breakdown_of(self.solution)
            self.are_prepared = True

    def of(self, position: Position, options: Sequence[Option]) -> list[Gains]:
        """Return the gains of the first option, which must be best, over each option.

        The gains over a best option are empty.
        """
        if self.parts is None or not options:
            return [()] * len(options)
        actions = [option.action for option in options]
        gains = self.parts.gains(position, options[0].action, actions)
        return [() if option.best else gain for option, gain in zip(options, gains, strict=True)]

    def sentences(
        self, position: Position, options: Sequence[Option], most: int = 4
    ) -> Iterator[str]:
        """Yield, for each worse option, a sentence that says why the first option is better."""
        words = [format_action(self.solution.rules, option.action) for option in options]
        for other, gains in zip(words, self.of(position, options), strict=True):
            if gains:
                yield f"{words[0]} rather than {other}: {self.words(gains, most)}"

    def briefly(self, gains: Gains, room: int) -> str:
        """Return the two largest gains in words, or fewer if they exceed ``room`` characters."""
        candidates = (because(self.solution.rules, gains, most) for most in (2, 1))
        return next((words for words in candidates if len(words) <= room), "")

    def words(self, gains: Gains, most: int) -> str:
        """Return the ``most`` largest gains in words, and the sum of all other gains."""
        largest = because(self.solution.rules, gains, most)
        rest = sum(gain for _, gain in gains[most:])
        return f"{largest}; other differences {format_points(rest)}" if gains[most:] else largest
