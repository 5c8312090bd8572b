"""Options: the legal actions at a position, their values, and a table that displays them."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from rollwise.game.actions import Action
from rollwise.game.notation import format_action
from rollwise.game.position import Position
from rollwise.notebook import Tabular, html_table, text_table
from rollwise.rules import Rules
from rollwise.solving.objectives import Objective

KEYS = ("action", "kind", "value", "loss", "best", "expected", "sd")
"""The fields of an option in JSON output."""


class Option(NamedTuple):
    """A legal action at a position, with its value.

    Attributes
    ----------
    action : Keep or Score
    value : float
        The value of the objective after the action. By default, this is the expected final score,
        including the points so far. For another objective, it can be a probability.
    loss : float
        The EV loss: the value of the best option minus the value of this option.
    best : bool
        Whether the option is the best one, or ties with it (within
        :data:`rollwise.solving.solution.TOLERANCE`).
    expected : float or None
        The expected final score if the player takes the action and then plays optimally for the
        objective; None if the solution does not include it.
    sd : float or None
        The standard deviation of the final score; None if the solution has no moments.

    Examples
    --------
    >>> best = solve("micro-yahtzee").options("6 | card double=4")[0]
    >>> best.action, best.value, best.loss
    (Score('square'), 40.0, 0.0)
    """

    action: Action
    value: float
    loss: float
    best: bool
    expected: float | None = None
    sd: float | None = None

    def _repr_html_(self) -> str:
        rows = [(key, value) for key, value in self._asdict().items() if value is not None]
        return html_table("option", rows)

    def as_dict(self, rules: Rules, keys: Sequence[str] = KEYS) -> dict[str, Any]:
        """Return the option as JSON-compatible data, with the action as a string.

        Parameters
        ----------
        keys : sequence of str
            The fields to return, in this order.
        """
        action = format_action(rules, self.action)
        fields = dict(zip(KEYS, (action, self.action.kind, *self[1:]), strict=True))
        return {key: fields[key] for key in keys}


def format_value(value: float, unit: str) -> str:
    """Format a value with a number of digits that depends on the unit.

    Points have two decimals, percentages have four, and other values have six significant digits.
    Squared points are minimized, so their values are negative. They are shown without the sign.
    """
    if unit == "probability":
        return f"{100 * value:.4f}%"
    if unit == "squared points":
        return f"{0.0 - value:.6g} {unit}"
    return f"{value:.2f}" if unit == "points" else f"{value + 0.0:.6g}"


def format_loss(option: Option, unit: str = "points") -> str:
    """Format the EV loss of an option; return a dash for the best option.

    A positive EV loss is never shown as zero.
    """
    if option.best:
        return "–"
    if unit == "probability":
        return f"{100 * option.loss:.4f}" if option.loss >= 5e-7 else "<0.0001"
    if unit in ("utility", "squared points"):
        return f"{option.loss:.3g}"
    return f"{option.loss:.2f}" if option.loss >= 0.005 else "<0.01"


HEADINGS = {
    "expected": "EV",
    "worst-case": "guaranteed",
    "best-case": "best case",
    "target": "probability",
    "beat": "P(win)",
    "exponential": "CE",
    "utility": "utility",
    "least-variance": "variance",
}
"""The heading of the column of values, by the part of the objective's name before the colon."""


class Options(Tabular, list[Option]):
    """A list of all options at a position, best first, which is displayed as a table.

    Attributes
    ----------
    position : Position
        The position at which the actions are legal.
    objective : Objective
        The objective that defines the values.
    """

    def __init__(self, options: Iterable[Option], position: Position, objective: Objective) -> None:
        super().__init__(options)
        self.position, self.objective = position, objective

    def table(self) -> list[tuple[str, ...]]:
        """Return a row of headings, followed by one row per option."""
        rules, unit = self.position.rules, self.objective.unit
        points = self.objective.name == "expected"
        heading = HEADINGS.get(self.objective.name.partition(":")[0], "value")
        columns = {
            "option": [format_action(rules, option.action) for option in self],
            heading: [format_value(option.value, unit) for option in self],
        }
        expected = [f"{option.expected:.2f}" for option in self if option.expected is not None]
        if expected and not points:
            columns["EV"] = expected
        sds = [f"{option.sd:.0f}" for option in self if option.sd is not None]
        if sds:
            columns["SD"] = sds
        columns["EV loss" if points else "loss"] = [format_loss(option, unit) for option in self]
        return [tuple(columns), *zip(*columns.values(), strict=True)]

    def rows(self) -> list[dict[str, Any]]:
        """Return a row for each option, best first."""
        return [option.as_dict(self.position.rules) for option in self]

    def __repr__(self) -> str:
        rules, best = self.position.rules, self[0]
        value = format_value(best.value, self.objective.unit)
        action = format_action(rules, best.action)
        return f"<Options in {rules.name}: {len(self)} actions, best {action} ({value})>"

    def __str__(self) -> str:
        return text_table(self.table())

    def _repr_html_(self) -> str:
        head, *rows = self.table()
        return html_table(f"{self.position}: {self.objective.meaning}", rows, head)
