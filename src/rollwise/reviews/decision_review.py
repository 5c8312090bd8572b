"""The review of one decision, and the review of one roll."""

from dataclasses import dataclass
from typing import Any

from rollwise.game.notation import format_action, format_dice, format_keep, format_position
from rollwise.game.position import Position
from rollwise.game.scorecard import Dice
from rollwise.reviews.grades import MARKS, because, format_points
from rollwise.rules import Rules
from rollwise.solving.option import Option

OPTION_FIELDS = ("action", "value", "loss")
"""The fields of every option in JSON."""


@dataclass(frozen=True)
class DecisionReview:
    """The review of one decision.

    Attributes
    ----------
    roll : RollReview
        The roll before the decision. With announced categories, two decisions follow the first
        roll.
    options : tuple of Option
        All legal actions, best first.
    chosen : Option
    verdict : str
        One of ``VERDICTS``.
    reasons : tuple of (str, float)
        The expected points that the best option gains over the choice, by category and bonus. The
        largest differences come first, and all of them add up to the loss. Empty for a best choice,
        and in a review without a breakdown.
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
        """The number of the roll in the turn, from 1."""
        return self.roll.number

    @property
    def name(self) -> str:
        """A name that identifies the decision among all decisions of the player."""
        return f"{self.turn}-{self.number}{'-for' * self.position.is_just_announced}"

    @property
    def luck(self) -> float:
        """The luck of the roll; 0 for a second decision after the same roll."""
        return 0.0 if self.position.is_just_announced else self.roll.luck

    @property
    def after(self) -> float:
        """The value of the game after the decision."""
        return self.chosen.value

    @property
    def best(self) -> Option:
        """The best option, or the first of several."""
        return self.options[0]

    @property
    def loss(self) -> float:
        """The EV loss of the choice; 0 if it is one of the best."""
        return 0.0 if self.chosen.best else self.chosen.loss

    @property
    def counted(self) -> bool:
        """Whether the decision mattered: some options were worse than others."""
        return not all(option.best for option in self.options)

    def best_was(self, most: int = 3) -> str:
        """Return a phrase that names the best option and the ``most`` largest parts of the loss."""
        rules = self.position.rules
        reasons = because(rules, self.reasons, most)
        best = f"best was {format_action(rules, self.best.action)}"
        return f"{best} ({reasons})" if reasons else best

    def as_dict(self) -> dict[str, Any]:
        """Return the review as data for JSON."""
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
            "options": [option.as_dict(rules, OPTION_FIELDS) for option in self.options],
        }


@dataclass(frozen=True)
class RollReview:
    """The review of one roll.

    Attributes
    ----------
    kept : tuple of int
        The dice that the player did not reroll.
    before, after : float
        The value of the game before and after the roll.
    words : str
        ``lucky``, ``very unlucky`` and so on; empty for an average roll.
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
        """The change in value from the roll."""
        return self.after - self.before

    def as_dict(self, rules: Rules) -> dict[str, Any]:
        """Return the review as data for JSON."""
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


def table_row(decision: DecisionReview) -> tuple[str, ...]:
    """Return a decision and the roll before it as text, with the columns ``COLUMNS``."""
    rules, roll = decision.position.rules, decision.roll
    turn = str(decision.turn) if decision.number == 1 else ""
    of_roll = (turn, format_dice(rules, roll.dice), format_points(roll.luck))
    return (
        *(("", "", "") if decision.position.is_just_announced else of_roll),
        format_action(rules, decision.chosen.action),
        MARKS[decision.verdict],
        format_points(decision.loss).removeprefix("+") if decision.loss else "–",
        "" if decision.chosen.best else format_action(rules, decision.best.action),
        f"{decision.after:.2f}",
    )
