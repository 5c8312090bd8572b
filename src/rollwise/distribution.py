"""Discrete probability distributions of whole numbers, such as scores."""

from dataclasses import dataclass
from functools import cached_property
from math import erfc, sqrt
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rollwise.errors import InputError, check_type, quoted
from rollwise.notebook import Tabular, html_table

ROUNDING = 1e-12
"""The difference below which two cumulative probabilities count as equal."""

SHOWN = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)
"""The probabilities of the quantiles that a notebook shows."""


@dataclass(frozen=True, eq=False)
class Distribution(Tabular):
    """The probability distribution of a whole number, such as a final score.

    Below, P(≤ s) is the probability of a score of at most s.

    Attributes
    ----------
    scores : int64 array of shape (n,)
        The scores, in increasing order.
    probabilities : float64 array of shape (n,)
        The nonnegative probability of each score. The sum is 1 up to rounding.

    Examples
    --------
    >>> scores = evaluate("greedy", "crag").distribution
    >>> scores
    <Distribution of 4 to 244: mean 146.034, SD 34.0259, median 148>
    >>> round(scores.at_least(200), 4)
    0.0356
    """

    scores: NDArray[np.int64]
    probabilities: NDArray[np.float64]

    def __post_init__(self) -> None:
        shape = np.shape(self.scores)
        if len(shape) != 1 or shape != np.shape(self.probabilities):
            raise InputError("a distribution needs an array of scores and one of probabilities")

    def __repr__(self) -> str:
        return (
            f"<Distribution of {self.minimum} to {self.maximum}: mean {self.mean:.6g}, "
            f"SD {self.sd:.6g}, median {self.median}>"
        )

    def _repr_html_(self) -> str:
        rows = [(f"{p:.0%}", self.quantile(p)) for p in SHOWN]
        return html_table(f"mean {self.mean:.6g}, SD {self.sd:.6g}", rows, ("P(≤)", "quantile"))

    def rows(self) -> list[dict[str, Any]]:
        """Return a row for each score."""
        columns = self.scores, self.probabilities, 1 - self.below(self.scores)
        keys = "score", "probability", "at_least"
        rows = zip(*(column.tolist() for column in columns), strict=True)
        return [dict(zip(keys, row, strict=True)) for row in rows]

    @classmethod
    def of_counts(cls, probabilities: NDArray[np.float64]) -> "Distribution":
        """Return the distribution with the given probabilities of the scores 0, 1, 2, ….

        Scores with probability 0 are left out.
        """
        scores = np.flatnonzero(probabilities)
        return cls(scores, probabilities[scores])

    @classmethod
    def of_sample(cls, scores_N: NDArray[np.int64]) -> "Distribution":
        """Return the distribution of the scores of N games, each with probability 1 / N."""
        scores, counts = np.unique(scores_N, return_counts=True)
        return cls(scores, counts / len(scores_N))

    @classmethod
    def certain(cls, score: int) -> "Distribution":
        """Return the distribution in which a single score has probability 1."""
        return cls(np.array([score]), np.ones(1))

    @property
    def is_constant(self) -> bool:
        """Whether only one score is possible."""
        return bool(np.count_nonzero(self.probabilities) == 1)

    @cached_property
    def mean(self) -> float:
        """The mean; exact if only one score is possible."""
        if self.is_constant:
            return float(self.scores[self.probabilities.argmax()])
        return float(self.scores @ self.probabilities)

    def _central_moment(self, order: int) -> float:
        return float((self.scores - self.mean) ** order @ self.probabilities)

    @cached_property
    def sd(self) -> float:
        """The standard deviation; exactly 0 if only one score is possible."""
        return float(np.sqrt(self._central_moment(2)))

    @cached_property
    def skewness(self) -> float:
        """The third central moment divided by the cube of ``sd``, or 0 if ``sd`` is 0."""
        return self._central_moment(3) / self.sd**3 if self.sd else 0.0

    @property
    def mode(self) -> int:
        """The most probable score, or the lowest of several most probable scores."""
        return int(self.scores[self.probabilities.argmax()])

    @property
    def median(self) -> int:
        """The 0.5 quantile."""
        return self.quantile(0.5)

    @property
    def minimum(self) -> int:
        """The lowest possible score."""
        return int(self.scores[0])

    @property
    def maximum(self) -> int:
        """The highest possible score."""
        return int(self.scores[-1])

    @cached_property
    def _cumulative(self) -> NDArray[np.float64]:
        """0, followed by P(≤ s) for each score s."""
        return np.append(0.0, np.cumsum(self.probabilities))

    @cached_property
    def _upper(self) -> NDArray[np.float64]:
        """P(≥ s) for each score s, which is exactly 1 for the lowest score, followed by 0."""
        return np.concatenate(([1.0], np.cumsum(self.probabilities[:0:-1])[::-1], [0.0]))

    def quantile(self, p: float) -> int:
        """Return the p quantile: the lowest score s with P(≤ s) ≥ p, up to ``ROUNDING``.

        Raises
        ------
        InputError
            If ``p`` is not between 0 and 1.
        """
        if not isinstance(p, int | float | np.number) or not 0 <= p <= 1:
            raise InputError(f"p must be a probability between 0 and 1, not {quoted(p)}")
        index = np.searchsorted(self._cumulative[1:], p - ROUNDING)
        return int(self.scores[min(int(index), len(self.scores) - 1)])

    def probability(self, score: int) -> float:
        """Return the probability of exactly this score.

        Raises
        ------
        InputError
            If ``score`` is not a number.
        """
        check_type(score, (int, float, np.number), "a score as a number")
        return float(self.probabilities[self.scores == score].sum())

    def at_least(self, score: float) -> float:
        """Return the probability of at least this score.

        Raises
        ------
        InputError
            If ``score`` is not a number.
        """
        check_type(score, (int, float, np.number), "a score as a number")
        return float(self.probabilities[self.scores >= score].sum())

    def normal_at_least(self, score: int) -> float:
        """Return P(≥ score) of the normal distribution with the same mean and standard deviation.

        The continuity correction of de Moivre and Laplace evaluates the normal distribution half a
        point below the score, because scores are whole numbers. If ``sd`` is 0, return the exact
        P(≥ score).
        """
        if self.sd == 0:
            return self.at_least(score)
        return erfc((score - 0.5 - self.mean) / (self.sd * sqrt(2))) / 2

    def below(self, scores: ArrayLike) -> NDArray[np.float64]:
        """Return P(< s) for each score s, as a float64 array of the same shape."""
        return self._cumulative[np.searchsorted(self.scores, scores)]

    def up_to(self, scores: ArrayLike) -> NDArray[np.float64]:
        """Return P(≤ s) for each score s, as a float64 array of the same shape."""
        return self._cumulative[np.searchsorted(self.scores, scores, side="right")]

    def above(self, scores: ArrayLike) -> NDArray[np.float64]:
        """Return P(> s) for each score s, as a float64 array of the same shape.

        The sums begin with the highest score, so the relative error of a small result is small.
        """
        return self._upper[np.searchsorted(self.scores, scores, side="right")]

    def against(self, other: "Distribution") -> tuple[float, float, float]:
        """Return P(X > Y), P(X = Y), and P(X < Y) for draws X and Y.

        X is drawn from this distribution, and Y is drawn independently from ``other``.
        """
        win = float(self.probabilities @ other.below(self.scores))
        not_lost = float(self.probabilities @ other.up_to(self.scores))
        # Sums of probabilities can exceed 1 by a rounding error.
        return win, max(not_lost - win, 0.0), max(1.0 - not_lost, 0.0)

    @property
    def tie(self) -> float:
        """The probability that two independent draws are equal."""
        return float(self.probabilities @ self.probabilities)
