"""Student's t distribution: how far a mean of few games may be off."""

from math import atan, cos, inf, nextafter, pi, sin, sqrt


def student_quantile(probability: float, freedom: int) -> float:
    """Return a quantile of Student's t distribution.

    Parameters
    ----------
    probability : float
        From 0.5 to less than 1.
    freedom : int
        Degrees of freedom, at least 1.
    """
    low, high = 0.0, 1.0
    while _within(high, freedom) < 2 * probability - 1:
        high *= 2
    while nextafter(low, inf) < high:
        middle = (low + high) / 2
        if _within(middle, freedom) < 2 * probability - 1:
            low = middle
        else:
            high = middle
    return high


def _within(t: float, freedom: int) -> float:
    """Return the probability of -t to t: finite sums, as of Abramowitz & Stegun (26.7.3-4)."""
    angle = atan(t / sqrt(freedom))
    odd = freedom % 2
    term = total = 0.0 if freedom == 1 else cos(angle) ** odd
    for power in range(2 + odd, freedom, 2):
        term *= (power - 1) / power * cos(angle) ** 2
        total += term
    return (angle + sin(angle) * total) * 2 / pi if odd else sin(angle) * total
