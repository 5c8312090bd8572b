"""A position that is edited, die by die and category by category."""

from dataclasses import dataclass, field

from rollwise.game.position import Position
from rollwise.game.scorecard import Scorecard
from rollwise.rules import Rules


@dataclass
class Desired:
    """A position as edited so far, which may be impossible."""

    rules: Rules
    dice: list[int]
    rolls_left: int
    boxes: list[int | None] = field(default_factory=list)
    extra: int = 0
    saved: int = 0
    announced: int | None = None

    @classmethod
    def of(cls, position: Position) -> "Desired":
        """Return a position for editing."""
        card = position.card or Scorecard.empty(position.rules)
        return cls(
            position.rules,
            list(position.dice),
            position.rolls_left,
            list(card.boxes),
            card.extra_bonus,
            card.saved,
            position.state.announced,
        )

    def position(self) -> Position:
        """Return the position; raises an InputError if it is impossible."""
        card = Scorecard(self.rules, tuple(self.boxes), self.extra, self.saved)
        return Position.of(card, self.dice, self.rolls_left, self.announced)


def first_position(rules: Rules) -> Position:
    """Return the first position of the page: the dice of the README, or similar ones."""
    faces = (1, 1, 3, 6, 6, 6, 6, 6, 6, 6, 6, 6)
    dice = [
        symbols[min(face, len(symbols)) - 1]
        for symbols, (number, _) in zip(rules.symbols, rules.kinds, strict=True)
        for face in faces[:number]
    ]
    return Position.of(Scorecard.empty(rules), dice, rules.most_rolls(0) - 1)
