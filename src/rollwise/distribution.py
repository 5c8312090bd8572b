"""A discrete law: numbers and their probabilities."""

from dataclasses import dataclass
from functools import cached_property
from math import erfc, sqrt

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rollwise.notebook import html_table

ROUNDING = 1e-12
"""Sums of probabilities closer than this are equal."""

SHOWN = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)
"""The quantiles that a notebook shows."""


@dataclass(frozen=True, eq=False)
class Distribution:
    """The law of a whole number, such as a final score.

    Attributes
    ----------
    scores : int64 array of shape (n,)
        Increasing.
    probabilities : float64 array of shape (n,)
        Positive or zero, of sum 1 up to rounding.

    Examples
    --------
    >>> law = evaluate("greedy", "crag").distribution
    >>> law
    <Distribution of 4 to 244: mean 146.034, sd 34.0259, median 148>
    >>> round(law.at_least(200), 4)
    0.0356
    """

    scores: NDArray[np.int64]
    probabilities: NDArray[np.float64]

    def __repr__(self) -> str:
        return (
            f"<Distribution of {self.minimum} to {self.maximum}: mean {self.mean:.6g}, "
            f"sd {self.sd:.6g}, median {self.median}>"
        )

    def _repr_html_(self) -> str:
        rows = [(f"{p:.0%}", self.quantile(p)) for p in SHOWN]
        return html_table(f"mean {self.mean:.6g}, sd {self.sd:.6g}", rows, ("P(≤)", "quantile"))

    @classmethod
    def of_counts(cls, probabilities: NDArray[np.float64]) -> "Distribution":
        """Return the law of 0, 1, 2, … without those that cannot happen."""
        scores = np.flatnonzero(probabilities)
        return cls(scores, probabilities[scores])

    @classmethod
    def certain(cls, score: int) -> "Distribution":
        """Return the law of one score."""
        return cls(np.array([score]), np.ones(1))

    @property
    def is_constant(self) -> bool:
        """Whether only one score can happen."""
        return bool(np.count_nonzero(self.probabilities) == 1)

    @cached_property
    def mean(self) -> float:
        """The expectation; without rounding if only one score can happen."""
        if self.is_constant:
            return float(self.scores[self.probabilities.argmax()])
        return float(self.scores @ self.probabilities)

    def _central_moment(self, order: int) -> float:
        return float((self.scores - self.mean) ** order @ self.probabilities)

    @cached_property
    def sd(self) -> float:
        """The standard deviation, 0 exactly if only one score can happen."""
        return float(np.sqrt(self._central_moment(2)))

    @cached_property
    def skewness(self) -> float:
        """The third central moment over the cube of the standard deviation; 0 if that is 0."""
        return self._central_moment(3) / self.sd**3 if self.sd else 0.0

    @property
    def mode(self) -> int:
        """The most probable score, the lowest if there are several."""
        return int(self.scores[self.probabilities.argmax()])

    @property
    def median(self) -> int:
        """The 0.5 quantile."""
        return self.quantile(0.5)

    @property
    def minimum(self) -> int:
        """The lowest score that can happen."""
        return int(self.scores[0])

    @property
    def maximum(self) -> int:
        """The highest score that can happen."""
        return int(self.scores[-1])

    @cached_property
    def _cumulative(self) -> NDArray[np.float64]:
        """0, then P(≤ s) of each score s."""
        return np.append(0.0, np.cumsum(self.probabilities))

    def quantile(self, p: float) -> int:
        """Return the lowest score s with P(≤ s) ≥ p, up to ``ROUNDING``.

        Raises
        ------
        ValueError
            When ``p`` is not between 0 and 1.
        """
        if not 0 <= p <= 1:
            raise ValueError(f"expected a probability between 0 and 1, got {p}")
        at = np.searchsorted(self._cumulative[1:], p - ROUNDING)
        return int(self.scores[min(int(at), len(self.scores) - 1)])

    def probability(self, score: int) -> float:
        """Return P(= score)."""
        return float(self.probabilities[self.scores == score].sum())

    def at_least(self, score: float) -> float:
        """Return P(≥ score)."""
        return float(self.probabilities[self.scores >= score].sum())

    def normal_at_least(self, score: int) -> float:
        """Return what P(≥ score) would be for a normal law with this mean and standard deviation.

        Of whole numbers, so the normal law is asked from half a point below (the continuity
        correction of de Moivre and Laplace). Without a spread it is the probability itself.
        """
        if self.sd == 0:
            return self.at_least(score)
        return erfc((score - 0.5 - self.mean) / (self.sd * sqrt(2))) / 2

    def below(self, scores: ArrayLike) -> NDArray[np.float64]:
        """Return P(< s) of each of some scores, float64 of their shape."""
        return self._cumulative[np.searchsorted(self.scores, scores)]

    def up_to(self, scores: ArrayLike) -> NDArray[np.float64]:
        """Return P(≤ s) of each of some scores, float64 of their shape."""
        return self._cumulative[np.searchsorted(self.scores, scores, side="right")]

    def against(self, other: "Distribution") -> tuple[float, float, float]:
        """Return P(>), P(=) and P(<) of a draw of this law against one of another, independent."""
        win = float(self.probabilities @ other.below(self.scores))
        not_lost = float(self.probabilities @ other.up_to(self.scores))
        return win, not_lost - win, 1.0 - not_lost

    def percents(self, *, reach: bool = False) -> list[tuple[float, float]]:
        """Return (score, probability in percent) where all but a thousandth of the law lies.

        Parameters
        ----------
        reach : bool
            The probability of the score or more, instead of that of the score itself.
        """
        of = self.at_least if reach else self.probability
        low, high = self.quantile(0.0005), self.quantile(0.9995)
        return [(score, 100 * of(score)) for score in range(low, high + 1)]

    @property
    def tie(self) -> float:
        """The probability that two independent draws are equal."""
        return float(self.probabilities @ self.probabilities)
