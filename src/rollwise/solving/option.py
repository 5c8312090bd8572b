"""A legal action with what it is worth: as numbers, as data, in words."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rollwise.game.notation import format_action
from rollwise.game.scorecard import Action
from rollwise.rules import Rules

KEYS = ("action", "kind", "value", "loss", "best", "expected", "sd")
"""What is told of an option as data."""


@dataclass(frozen=True)
class Option:
    """A legal action at a position.

    Attributes
    ----------
    action : Keep or Score
    value : float
        What is maximised: the expected final score after it, points so far included; for other
        objectives theirs, such as a probability.
    loss : float
        Value of the best option less this one.
    best : bool
        Whether it is the best, or as good (within :data:`rollwise.solving.solution.TIE`).
    expected : float or None
        Expected final score after it and the play that is best for the objective; None if the
        solution does not have it.
    sd : float or None
        Standard deviation of that score; None if the solution has no moments.
    """

    action: Action
    value: float
    loss: float
    best: bool
    expected: float | None = None
    sd: float | None = None

    def as_dict(self, rules: Rules, keys: Sequence[str] = KEYS) -> dict[str, Any]:
        """Return the option as JSON can hold it, its action as text.

        Parameters
        ----------
        keys : sequence of str
            What is told, in this order.
        """
        told = vars(self) | {
            "action": format_action(rules, self.action),
            "kind": self.action.kind,
        }
        return {key: told[key] for key in keys}


def format_value(value: float, unit: str) -> str:
    """Return a value with two decimals; a probability with four, in per cent."""
    return f"{100 * value:.4f} %" if unit == "probability" else f"{value:.2f}"


def format_loss(option: Option, unit: str = "points") -> str:
    """Return a loss, rounded as the value; a positive one never reads as nothing."""
    if option.best:
        return "–"
    if unit == "probability":
        return f"{100 * option.loss:.4f}" if option.loss >= 5e-7 else "<0.0001"
    return f"{option.loss:.2f}" if option.loss >= 0.005 else "<0.01"
