"""A worked example without dice: an investment to make, delay or drop each year."""

from collections.abc import Mapping
from fractions import Fraction

from rollwise.errors import InputError
from rollwise.prospects.prospect import Prospect

SUCCESS: Mapping[str, Fraction] = {
    "weak": Fraction(1, 5),
    "fair": Fraction(1, 2),
    "strong": Fraction(4, 5),
}
"""The chance that a plant succeeds if it is built in such a market."""

NEXT_YEAR: Mapping[str, Mapping[str, Fraction]] = {
    "weak": {"weak": Fraction(2, 3), "fair": Fraction(1, 3)},
    "fair": {"weak": Fraction(1, 4), "fair": Fraction(1, 2), "strong": Fraction(1, 4)},
    "strong": {"fair": Fraction(1, 3), "strong": Fraction(2, 3)},
}
"""How the market of one year leads to that of the next."""


def investment(years: int = 3) -> list[Prospect]:
    """Describe a plant that may be built in any of some years, in a market that moves.

    Each year that nothing is decided yet, the firm sees a weak, fair or strong market. It can
    *make* the investment, *delay* it by a year, or *drop* it; in the last year it cannot delay.
    A plant that succeeds earns less the later it is built, and each delay costs a fee. All amounts
    are millions, counted once at the end, so a utility of the whole outcome can take their place.

    Parameters
    ----------
    years
        The number of years in which the decision can be made, 1 or more.

    Returns
    -------
    list of Prospect
        One decision a year. Closed outcomes stay as they are in all years that follow.

    Raises
    ------
    ValueError
        When there is no year.

    Examples
    --------
    >>> from rollwise.prospects import analyse
    >>> [year.best["fair"] for year in analyse(investment(3))]
    [('make, fair',), ('make, fair',), ('make, fair',)]
    >>> dread_of_loss = lambda x: x if x >= 0 else 2 * x
    >>> [year.best["fair"] for year in analyse(investment(3), dread_of_loss)]
    [('delay, fair',), ('delay, fair',), ('drop',)]
    """
    if years < 1:
        raise InputError(f"years: got {years}, expected 1 or more")
    payoff: dict[str, int] = {}
    decisions: list[Prospect] = []
    for year in range(1, years + 1):
        closed = list(payoff)
        fees = 5 * (year - 1)
        success, failure, dropped = (
            f"{end}, year {year}" for end in ("success", "failure", "none")
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
        for outcome in closed:
            options[outcome] = {outcome: Fraction(1)}
            available[outcome] = [outcome]
        decisions.append(Prospect(available, options, payoff if year == years else None))
    return decisions
