"""A legal action with what it is worth: as numbers, as data, in words."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from rollwise.game.actions import Action
from rollwise.game.notation import format_action
from rollwise.game.position import Position
from rollwise.notebook import html_table, text_table
from rollwise.rules import Rules
from rollwise.solving.objectives import Objective

KEYS = ("action", "kind", "value", "loss", "best", "expected", "sd")
"""What is told of an option as data."""


class Option(NamedTuple):
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

    Examples
    --------
    >>> best = solve("micro-yahtzee").options("6 | card double=4")[0]
    >>> best.action, best.value, best.loss
    (Score(1), 40.0, 0.0)
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
        words = format_action(rules, self.action)
        told = dict(zip(KEYS, (words, self.action.kind, *self[1:]), strict=True))
        return {key: told[key] for key in keys}


def format_value(value: float, unit: str) -> str:
    """Return points with two decimals, a probability with four, in per cent; else six digits.

    Of what is minimised, and so has minus itself as its value, itself.
    """
    if unit == "probability":
        return f"{100 * value:.4f} %"
    if unit == "squared points":
        return f"{0.0 - value:.6g} {unit}"
    return f"{value:.2f}" if unit == "points" else f"{value + 0.0:.6g}"


def format_loss(option: Option, unit: str = "points") -> str:
    """Return a loss, rounded as the value; a positive one never reads as nothing."""
    if option.best:
        return "–"
    if unit == "probability":
        return f"{100 * option.loss:.4f}" if option.loss >= 5e-7 else "<0.0001"
    if unit in ("utility", "squared points"):
        return f"{option.loss:.3g}"
    return f"{option.loss:.2f}" if option.loss >= 0.005 else "<0.01"


class Options(list[Option]):
    """All legal actions at a position, best first; a list that people read as a table.

    Attributes
    ----------
    position : Position
    objective : Objective
        What the values are of.
    """

    def __init__(self, options: Iterable[Option], position: Position, objective: Objective) -> None:
        super().__init__(options)
        self.position, self.objective = position, objective

    def table(self) -> list[tuple[str, ...]]:
        """Return a line of headings, then a line an option."""
        rules, unit = self.position.rules, self.objective.unit
        columns = {
            "option": [format_action(rules, option.action) for option in self],
            "value": [format_value(option.value, unit) for option in self],
        }
        expected = [f"{option.expected:.2f}" for option in self if option.expected is not None]
        if expected and self.objective.name != "expected":
            columns["expected score"] = expected
        sds = [f"± {option.sd:.0f}" for option in self if option.sd is not None]
        if sds:
            columns["±"] = sds
        columns["loss"] = [format_loss(option, unit) for option in self]
        return [tuple(columns), *zip(*columns.values(), strict=True)]

    def __str__(self) -> str:
        return text_table(self.table())

    def _repr_html_(self) -> str:
        head, *rows = self.table()
        return html_table(f"{self.position}: {self.objective.meaning}", rows, head)
