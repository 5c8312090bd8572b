"""Textbook examples of decision analysis: an investment and three influence diagrams."""

from collections.abc import Mapping
from fractions import Fraction

from rollwise.decision_analysis.arrows import Number
from rollwise.decision_analysis.decision_problem import DecisionProblem
from rollwise.decision_analysis.influence_diagram import (
    ChanceNode,
    DecisionNode,
    InfluenceDiagram,
    ValueNode,
)
from rollwise.errors import InputError

SUCCESS: Mapping[str, Fraction] = {
    "weak": Fraction(1, 5),
    "fair": Fraction(1, 2),
    "strong": Fraction(4, 5),
}
"""The probability that a plant succeeds, for each market in which it is built."""

NEXT_YEAR: Mapping[str, Mapping[str, Fraction]] = {
    "weak": {"weak": Fraction(2, 3), "fair": Fraction(1, 3)},
    "fair": {"weak": Fraction(1, 4), "fair": Fraction(1, 2), "strong": Fraction(1, 4)},
    "strong": {"fair": Fraction(1, 3), "strong": Fraction(2, 3)},
}
"""The transition probabilities from this year's market to next year's market."""


def investment(years: int = 3) -> list[DecisionProblem]:
    """Return the yearly decisions about when to build a plant in a market that changes.

    Each year, the firm sees a weak, fair, or strong market before it decides. It can *make* the
    investment, *delay* it by a year, or *drop* it. It cannot delay the investment in the last year.
    A successful plant earns less the later it is built, and each delay costs a fee. Amounts are in
    millions. The payoff is the total at the end, so that a utility can apply to it.

    Parameters
    ----------
    years
        The number of years in which the firm can decide, 1 or more.

    Returns
    -------
    list of DecisionProblem
        One decision for each year. After the firm makes or drops the investment, the state of all
        later years is the outcome.

    Raises
    ------
    ValueError
        If ``years`` is below 1.

    Examples
    --------
    >>> from rollwise.decision_analysis import analyze
    >>> [year.best["fair"] for year in analyze(investment(3))]
    [('make, fair',), ('make, fair',), ('make, fair',)]
    >>> dread_of_loss = lambda x: x if x >= 0 else 2 * x
    >>> [year.best["fair"] for year in analyze(investment(3), dread_of_loss)]
    [('delay, fair',), ('delay, fair',), ('drop',)]
    """
    if years < 1:
        raise InputError(f"the number of years must be 1 or more, not {years}")
    payoff: dict[str, int] = {}
    decisions: list[DecisionProblem] = []
    for year in range(1, years + 1):
        decided = list(payoff)
        fees = 5 * (year - 1)
        success, failure, dropped = (
            f"{result}, year {year}" for result in ("success", "failure", "none")
        )
        payoff |= {success: 170 - 20 * year - fees, failure: -80 - fees, dropped: 10 - fees}
        options: dict[str, Mapping[str, Fraction]] = {"drop": {dropped: Fraction(1)}}
        available: dict[str, list[str]] = {}
        for market, p in SUCCESS.items():
            options[f"make, {market}"] = {success: p, failure: 1 - p}
            available[market] = [f"make, {market}", "drop"]
            if year < years:
                options[f"delay, {market}"] = NEXT_YEAR[market]
                available[market].insert(1, f"delay, {market}")
        for outcome in decided:
            options[outcome] = {outcome: Fraction(1)}
            available[outcome] = [outcome]
        decisions.append(DecisionProblem(available, options, payoff if year == years else None))
    return decisions


def umbrella() -> InfluenceDiagram:
    """Return the influence diagram for deciding whether to take an umbrella, given a forecast.

    This is a standard example in influence-diagram software, with the usual numbers. The expected
    value is 77.

    Examples
    --------
    >>> from rollwise.decision_analysis import solve_diagram, value_of_information
    >>> print(solve_diagram(umbrella()))
    umbrella, forecast sunny: leave (9800/107)
    umbrella, forecast cloudy: leave (2800/43)
    umbrella, forecast rainy: take (56)
    >>> value_of_information(umbrella(), "weather", before="umbrella")
    Fraction(14, 1)
    """
    forecasts = {
        "sun": {"sunny": Fraction(7, 10), "cloudy": Fraction(2, 10), "rainy": Fraction(1, 10)},
        "rain": {"sunny": Fraction(15, 100), "cloudy": Fraction(1, 4), "rainy": Fraction(6, 10)},
    }
    pleasure = {
        ("sun", "take"): 20,
        ("rain", "take"): 70,
        ("sun", "leave"): 100,
        ("rain", "leave"): 0,
    }
    return InfluenceDiagram(
        [
            ChanceNode("weather", {"sun": Fraction(7, 10), "rain": Fraction(3, 10)}),
            ChanceNode("forecast", forecasts.__getitem__, ["weather"]),
            DecisionNode("umbrella", ["take", "leave"], ["forecast"]),
            ValueNode("pleasure", lambda *states: pleasure[states], ["weather", "umbrella"]),
        ]
    )


def drilling() -> InfluenceDiagram:
    """Return the influence diagram for deciding whether to drill for oil without a seismic report.

    Amounts are in thousands; the value is 20. Source: H. Raiffa, Decision Analysis (1968).

    Examples
    --------
    >>> from rollwise.decision_analysis import value_of_information
    >>> value_of_information(drilling(), "report", before="drill")
    Fraction(25, 2)
    >>> value_of_information(drilling(), "oil", before="drill")
    Fraction(35, 1)
    """
    return InfluenceDiagram(
        [
            ChanceNode("oil", _OIL),
            ChanceNode("report", _REPORTS.__getitem__, ["oil"]),
            DecisionNode("drill", ["yes", "no"]),
            ValueNode("profit", _profit, ["oil", "drill"]),
        ]
    )


def oil_wildcatter() -> InfluenceDiagram:
    """Return the influence diagram of the oil wildcatter, who can buy a report before drilling.

    Amounts are in thousands; the value is 22.5. Source: H. Raiffa, Decision Analysis (1968).

    Examples
    --------
    >>> from rollwise.decision_analysis import solve_diagram
    >>> solution = solve_diagram(oil_wildcatter())
    >>> solution.value
    Fraction(45, 2)
    >>> solution.best("drill", test="yes", report="open")
    ('yes',)
    """

    def report(oil: str, test: str) -> Mapping[str, Number]:
        return _REPORTS[oil] if test == "yes" else {"not asked": 1}

    return InfluenceDiagram(
        [
            ChanceNode("oil", _OIL),
            DecisionNode("test", ["yes", "no"]),
            ChanceNode("report", report, ["oil", "test"]),
            DecisionNode("drill", ["yes", "no"], ["report"]),
            ValueNode("fee", lambda test: -10 if test == "yes" else 0, ["test"]),
            ValueNode("profit", _profit, ["oil", "drill"]),
        ]
    )


_OIL = {"dry": Fraction(5, 10), "wet": Fraction(3, 10), "soaking": Fraction(2, 10)}

_REPORTS = {
    "dry": {"no": Fraction(6, 10), "open": Fraction(3, 10), "closed": Fraction(1, 10)},
    "wet": {"no": Fraction(3, 10), "open": Fraction(4, 10), "closed": Fraction(3, 10)},
    "soaking": {"no": Fraction(1, 10), "open": Fraction(4, 10), "closed": Fraction(5, 10)},
}
"""The distribution of the reported structure, for each amount of oil."""


def _profit(oil: str, drill: str) -> int:
    return {"dry": 0, "wet": 120, "soaking": 270}[oil] - 70 if drill == "yes" else 0
