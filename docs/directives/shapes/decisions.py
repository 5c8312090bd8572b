"""What is written of decisions in a file, by ``decide``."""

from directives.shapes.base import Number, Shape


class Choice(Shape):
    stage: str
    state: str
    probability: Number
    """The probability that the optimal policy reaches this state."""
    values: dict[str, Number]
    """The certainty equivalent of each option, which is its expected payoff without a utility."""
    best: list[str]


class PayoffProbability(Shape):
    payoff: Number
    probability: Number


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
