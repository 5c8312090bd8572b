"""The review of one decision, and the review of one roll."""

from dataclasses import dataclass

from rollwise.game.dice_notation import format_dice
from rollwise.game.notation import format_action
from rollwise.game.position import Position
from rollwise.game.scorecard import Dice
from rollwise.notebook import html_table
from rollwise.reviews.grades import MARKS, Verdict, because, format_points
from rollwise.solving.option import Option

SHOWN = 5
"""The number of options that a notebook shows, besides the chosen option."""

OPTION_FIELDS = ("action", "value", "loss")
"""The fields of every option in JSON."""


@dataclass(frozen=True, repr=False)
class DecisionReview:
    """The review of one decision.

    Attributes
    ----------
    roll : RollReview
        The roll before the decision.
    options : tuple of Option
        All legal actions, best first.
    chosen : Option
    verdict : str
        The grade, one of ``VERDICTS``.
    reasons : tuple of (str, float)
        The expected points that the best option gains over the chosen option, by category and
        bonus, largest difference first. They add up to the EV loss. Empty if the chosen option is a
        best option, or if the review has no breakdown.
    """

    roll: "RollReview"
    position: Position
    options: tuple[Option, ...]
    chosen: Option
    verdict: Verdict
    reasons: tuple[tuple[str, float], ...] = ()

    def __repr__(self) -> str:
        return f"<DecisionReview of {self._summary}>"

    def _repr_html_(self) -> str:
        head = ("option", "value", "loss")
        rows = [
            (format_action(self.position.rules, o.action), f"{o.value:.2f}", f"{o.loss:.2f}")
            for o in dict.fromkeys((*self.options[:SHOWN], self.chosen))
        ]
        return html_table(f"{self.position}: {self._summary}", rows, head)

    @property
    def _summary(self) -> str:
        rules = self.position.rules
        chosen, best = (format_action(rules, o.action) for o in (self.chosen, self.best))
        dice = format_dice(rules, self.position.dice)
        loss = "" if self.chosen.best else f", loss {self.loss:.2f}, best {best}"
        return f"turn {self.turn}, roll {self.number} ({dice}): {chosen}, {self.verdict}{loss}"

    @property
    def turn(self) -> int:
        """The number of the player's turn, counting from 1."""
        return self.roll.turn

    @property
    def number(self) -> int:
        """The number of the roll in the turn, counting from 1."""
        return self.roll.number

    @property
    def name(self) -> str:
        """An identifier of the decision among all decisions of the player."""
        return f"{self.turn}-{self.number}"

    @property
    def after(self) -> float:
        """The value of the game after the decision."""
        return self.chosen.value

    @property
    def best(self) -> Option:
        """The best option; if several options are tied, the first of them."""
        return self.options[0]

    @property
    def loss(self) -> float:
        """The EV loss of the chosen option, or 0 if the chosen option is a best option."""
        return 0.0 if self.chosen.best else self.chosen.loss

    @property
    def counted(self) -> bool:
        """Whether some options were worse than others, so that the decision mattered."""
        return not all(option.best for option in self.options)

    def best_was(self, most: int = 3) -> str:
        """Return a phrase with the best option and the ``most`` largest parts of the EV loss."""
        rules = self.position.rules
        reasons = because(rules, self.reasons, most)
        best = f"best was {format_action(rules, self.best.action)}"
        return f"{best} ({reasons})" if reasons else best


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
        A description of the luck, such as ``very unlucky``; empty for an average roll.
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
        """The value after the roll minus the value before it."""
        return self.after - self.before


def table_row(decision: DecisionReview) -> tuple[str, ...]:
    """Return the turn, dice, luck, action, mark, loss, best action, and value of a decision."""
    rules, roll = decision.position.rules, decision.roll
    turn = str(decision.turn) if decision.number == 1 else ""
    return (
        turn,
        format_dice(rules, roll.dice),
        format_points(roll.luck),
        format_action(rules, decision.chosen.action),
        MARKS[decision.verdict],
        format_points(decision.loss).removeprefix("+") if decision.loss else "–",
        "" if decision.chosen.best else format_action(rules, decision.best.action),
        f"{decision.after:.2f}",
    )
