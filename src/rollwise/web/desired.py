"""A position that is being put together, die by die and box by box."""

from dataclasses import dataclass, field

from rollwise.game.position import Position
from rollwise.game.scorecard import Scorecard
from rollwise.rules import Rules


@dataclass
class Desired:
    """The position as it is being put together; it may be none yet."""

    rules: Rules
    dice: list[int]
    rolls_left: int
    boxes: list[int | None] = field(default_factory=list)
    extra: int = 0
    saved: int = 0
    announced: int | None = None

    @classmethod
    def of(cls, position: Position) -> "Desired":
        """Return a position to be changed."""
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
        """Return it; raises what it says if it is none."""
        card = Scorecard(self.rules, tuple(self.boxes), self.extra, self.saved)
        return Position.of(card, self.dice, self.rolls_left, self.announced)


def first_position(rules: Rules) -> Position:
    """Return the position that the page begins with: the dice of the README, or the like."""
    faces = (1, 1, 3, 6, 6, 6, 6, 6, 6, 6, 6, 6)
    dice = [
        symbols[min(face, len(symbols)) - 1]
        for symbols, (number, _) in zip(rules.symbols, rules.kinds, strict=True)
        for face in faces[:number]
    ]
    return Position.of(Scorecard.empty(rules), dice, rules.most_rolls(0) - 1)
