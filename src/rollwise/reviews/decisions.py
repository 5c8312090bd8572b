"""One decision and one roll of a game, judged."""

from dataclasses import dataclass
from typing import Any

from rollwise.game.notation import format_action, format_dice, format_keep, format_position
from rollwise.game.position import Position
from rollwise.game.scorecard import Dice
from rollwise.reviews.grades import MARKS, format_points
from rollwise.rules import Rules
from rollwise.solving.option import Option

TOLD = ("action", "value", "loss")
"""Of every option, as data."""


@dataclass(frozen=True)
class DecisionReview:
    """One decision judged.

    Attributes
    ----------
    roll : RollReview
        The roll that it is about. Where boxes are announced, the first of a turn has two decisions.
    options : tuple of Option
        All legal actions, best first.
    chosen : Option
    verdict : str
        One of ``VERDICTS``.
    reasons : tuple of (str, float)
        The expected points that the best option has more, by box and bonus, the largest first; they
        add up to the loss. Empty for a best choice, and where parts were not asked for.
    """

    roll: "RollReview"
    position: Position
    options: tuple[Option, ...]
    chosen: Option
    verdict: str
    reasons: tuple[tuple[str, float], ...] = ()

    @property
    def turn(self) -> int:
        """The player's turn, from 1."""
        return self.roll.turn

    @property
    def number(self) -> int:
        """The roll of the turn that the decision is about, from 1."""
        return self.roll.number

    @property
    def name(self) -> str:
        """What it is called among the decisions of its player."""
        return f"{self.turn}-{self.number}{'-for' * self.position.is_just_announced}"

    @property
    def luck(self) -> float:
        """What the roll brought; 0 of the second decision about one, so that each counts once."""
        return 0.0 if self.position.is_just_announced else self.roll.luck

    @property
    def after(self) -> float:
        """The value of the game after it."""
        return self.chosen.value

    @property
    def best(self) -> Option:
        """The best option, the first if there are several."""
        return self.options[0]

    @property
    def loss(self) -> float:
        """What the choice gave away; 0 for a best one."""
        return 0.0 if self.chosen.best else self.chosen.loss

    @property
    def counted(self) -> bool:
        """Whether there was something to decide: not all options were equally good."""
        return not all(option.best for option in self.options)

    def as_dict(self) -> dict[str, Any]:
        """Return everything as JSON can hold it."""
        rules = self.position.rules
        return {
            "turn": self.turn,
            "roll": self.number,
            "position": format_position(self.position),
            "chosen": format_action(rules, self.chosen.action),
            "best": format_action(rules, self.best.action),
            "value": self.after,
            "loss": self.loss,
            "verdict": self.verdict,
            "counted": self.counted,
            "reasons": dict(self.reasons),
            "options": [option.as_dict(rules, TOLD) for option in self.options],
        }


@dataclass(frozen=True)
class RollReview:
    """One roll judged.

    Attributes
    ----------
    kept : tuple of int
        The dice that were not rolled.
    before, after : float
        The value of the game before and after it.
    words : str
        ``lucky``, ``very unlucky`` and so on; empty for an ordinary roll.
    """

    turn: int
    number: int
    kept: Dice
    dice: Dice
    before: float
    after: float
    words: str

    @property
    def luck(self) -> float:
        """What the roll brought."""
        return self.after - self.before

    def as_dict(self, rules: Rules) -> dict[str, Any]:
        """Return everything as JSON can hold it."""
        return {
            "turn": self.turn,
            "roll": self.number,
            "kept": format_keep(rules, self.kept),
            "dice": format_dice(rules, self.dice),
            "before": self.before,
            "after": self.after,
            "luck": self.luck,
            "words": self.words,
        }


COLUMNS = ("turn", "dice", "luck", "played", "", "loss", "best", "value")


def line_of(one: DecisionReview) -> tuple[str, ...]:
    """Return a decision and the roll that it follows as people read them, under ``COLUMNS``."""
    rules, roll = one.position.rules, one.roll
    at = str(one.turn) if one.number == 1 else "", format_dice(rules, roll.dice)
    return (
        *(("", "", "") if one.position.is_just_announced else (*at, format_points(roll.luck))),
        format_action(rules, one.chosen.action),
        MARKS[one.verdict],
        format_points(one.loss).removeprefix("+") if one.loss else "–",
        "" if one.chosen.best else format_action(rules, one.best.action),
        f"{one.after:.2f}",
    )
