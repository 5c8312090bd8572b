"""Utilities of a payoff, and the certainty equivalents of expected utilities.

A *utility* U is an increasing function of the payoff. The *certainty equivalent* of an uncertain
payoff X is the certain payoff that is equally good: U⁻¹(E U(X)). It is below E X for a decision
maker who is averse to risk.

Source: H. Raiffa, Decision Analysis (1968), chapter 4.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import expm1, log1p
from typing import Protocol

from rollwise.decision_analysis.arrows import Number
from rollwise.errors import InputError


class Utility(Protocol):
    """An increasing function of the payoff, and its inverse."""

    def __call__(self, payoff: Number) -> Number:
        """Return the utility of a payoff."""
        ...

    def inverse(self, utility: Number) -> Number:
        """Return the payoff that has the given utility."""
        ...


@dataclass(frozen=True)
class LinearUtility:
    """The utility U(x) = x of a decision maker who maximizes the expected payoff."""

    def __call__(self, payoff: Number) -> Number:
        """Return the payoff itself."""
        return payoff

    def inverse(self, utility: Number) -> Number:
        """Return the utility itself."""
        return utility


@dataclass(frozen=True)
class ExponentialUtility:
    """The utility U(x) = R (1 − exp(−x / R)), in float64.

    Attributes
    ----------
    risk_tolerance
        The positive number R, in the units of the payoff. A larger R means less aversion to risk.

    Examples
    --------
    >>> utility = ExponentialUtility(Fraction(100))
    >>> round(utility.inverse((utility(0) + utility(100)) / 2), 2)
    37.99
    """

    risk_tolerance: Number

    def __call__(self, payoff: Number) -> Number:
        """Return R (1 − exp(−x / R))."""
        tolerance = float(self.risk_tolerance)
        try:
            return -tolerance * expm1(-float(payoff) / tolerance)
        except OverflowError:
            raise self._too_small(payoff) from None

    def inverse(self, utility: Number) -> Number:
        """Return −R log(1 − u / R)."""
        tolerance = float(self.risk_tolerance)
        try:
            return -tolerance * log1p(-float(utility) / tolerance)
        except ValueError:
            raise self._too_small(utility) from None

    def _too_small(self, payoff: Number) -> InputError:
        return InputError(
            f"the risk tolerance {float(self.risk_tolerance):.6g} is too small for payoffs such as "
            f"{float(payoff):.6g}; use a larger one"
        )


@dataclass(frozen=True)
class LossUtility:
    """The utility U(x) = x of a gain, and U(x) = k x of a loss.

    Attributes
    ----------
    factor
        The positive number k, by which losses are multiplied.

    Examples
    --------
    >>> utility = LossUtility(2)
    >>> utility(5), utility(-4), utility.inverse(-8)
    (5, -8, Fraction(-4, 1))
    """

    factor: Number

    def __call__(self, payoff: Number) -> Number:
        """Return x, or k x if x is negative."""
        return payoff if payoff >= 0 else self.factor * payoff

    def inverse(self, utility: Number) -> Number:
        """Return u, or u / k if u is negative."""
        return utility if utility >= 0 else utility / Fraction(self.factor)


@dataclass(frozen=True)
class TableUtility:
    """The piecewise linear utility through given points.

    Attributes
    ----------
    points
        At least two pairs of a payoff and its utility, both increasing.

    Raises
    ------
    ValueError
        If a payoff is outside the points.

    Examples
    --------
    >>> utility = TableUtility([(-100, 0), (0, 60), (200, 100)])
    >>> utility(Fraction(100)), utility.inverse(Fraction(30))
    (Fraction(80, 1), Fraction(-50, 1))
    """

    points: Sequence[tuple[Number, Number]]

    def __call__(self, payoff: Number) -> Number:
        """Return the utility of a payoff by linear interpolation between the points around it."""
        low, high = self.points[0][0], self.points[-1][0]
        if not low <= payoff <= high:
            raise InputError(
                f"the utility has no point for the payoff {payoff}; its points go from {low} to "
                f"{high}"
            )
        return _interpolated(self.points, payoff)

    def inverse(self, utility: Number) -> Number:
        """Return the payoff of a utility by linear interpolation between the points around it."""
        return _interpolated([(u, x) for x, u in self.points], utility)


def _interpolated(points: Sequence[tuple[Number, Number]], x: Number) -> Number:
    """Return the value at x of the line through the points around x."""
    sections = list(pairwise(points))
    (x0, y0), (x1, y1) = next((s for s in sections if x <= s[1][0]), sections[-1])
    return y0 + (y1 - y0) * (x - x0) / Fraction(x1 - x0)
