"""What is written of a decision in a file, by ``decide``."""

from directives.shapes.base import Number, Shape


class Choice(Shape):
    decision: str
    known: dict[str, str]
    """The states that are known; at a stage, its state under the key `state`."""
    probability: Number
    """The probability that the optimal policy reaches this choice."""
    values: dict[str, Number]
    """The certainty equivalent of each option, which is its expected payoff without a utility."""
    best: list[str]


class PayoffProbability(Shape):
    payoff: Number
    probability: Number


class Information(Shape):
    names: list[str]
    before: str
    value: Number
    """The increase of the certainty equivalent."""


class Threshold(Shape):
    number: Number
    is_exact: bool
    decision: str
    known: dict[str, str]
    below: list[str]
    above: list[str]


class Sensitivity(Shape):
    names: list[str]
    """The numbers in the file that vary together."""
    range: tuple[Number, Number]
    thresholds: list[Threshold]


class Decision(Shape):
    file: str
    title: str
    unit: str
    expected_payoff: Number
    expected_utility: Number
    certainty_equivalent: Number
    choices: list[Choice]
    risk_profile: list[PayoffProbability]
    """The distribution of the payoff under the optimal policy."""
    information: list[Information]
    sensitivity: Sensitivity | None
