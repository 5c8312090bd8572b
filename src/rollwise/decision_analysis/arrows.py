"""Weighted edges between states and options, as sparse arrays for backward induction.

A *chance arrow* leads from an option to a state and carries a probability. A *decision arrow* leads
from a state to an option. Backward induction sums over chance arrows and takes the maximum over
decision arrows. Each step is one pass over flat arrays.

The same functions work in float64 and in exact arithmetic. For exact arithmetic, arrays of dtype
``object`` hold ints or Fractions.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from numbers import Rational
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

Number = int | float | Fraction
Array = NDArray[Any]

TIE = 1e-9
"""Two float64 means are tied if they differ by at most this fraction of the larger magnitude.

The *magnitude* of the mean Σ p x of numbers x with probabilities p is Σ p |x|. Rounding errors are
proportional to the magnitude, even if gains and losses cancel and the mean is nearly 0. If all x
have the same sign, the magnitude is |Σ p x|.
"""


@dataclass(frozen=True)
class Arrows:
    """A sparse matrix: weighted arrows from tails to heads, sorted by tail.

    There are A arrows and T tails.

    Attributes
    ----------
    heads
        The head of each arrow, shape [A].
    weights
        The weight of each arrow, shape [A].
    firsts
        The index of the first arrow of each tail, shape [T]. Every tail has at least one arrow.
    """

    heads: Array
    weights: Array
    firsts: Array

    @classmethod
    def leaving(cls, tails: Iterable[Sequence[tuple[int, Number]]], dtype: Any) -> Self:
        """Return the arrows, given at least one (head, weight) pair for each tail."""
        heads: list[int] = []
        weights: list[Number] = []
        firsts: list[int] = []
        for arrows in tails:
            firsts.append(len(heads))
            for head, weight in arrows:
                heads.append(head)
                weights.append(weight)
        return cls(np.array(heads), np.array(weights, dtype=dtype), np.array(firsts))

    def heads_of(self, tail: int) -> list[int]:
        """Return the heads of the arrows that leave a tail."""
        first = self.firsts[tail]
        last = self.firsts[tail + 1] if tail + 1 < len(self.firsts) else len(self.heads)
        heads: list[int] = self.heads[first:last].tolist()
        return heads

    def total(self, values: Array) -> Array:
        """Return the sum over the arrows of each tail, shape [T].

        Each arrow contributes its weight times the value of its head.
        """
        sums: Array = np.add.reduceat(self.weights * values[self.heads], self.firsts)
        return sums

    def best(self, values: Array) -> Array:
        """Return the largest value among the heads of each tail, shape [T]."""
        maxima: Array = np.maximum.reduceat(values[self.heads], self.firsts)
        return maxima

    def size_of_best(self, values: Array, sizes: Array) -> Array:
        """Return the magnitude of the largest value among the heads of each tail, shape [T].

        ``sizes`` contains the magnitudes of ``values``. If several heads have the largest value,
        return the largest of their magnitudes.
        """
        arrows = np.diff(self.firsts, append=len(self.heads))
        is_best = values[self.heads] == np.repeat(self.best(values), arrows)
        maxima: Array = np.maximum.reduceat(np.where(is_best, sizes[self.heads], 0), self.firsts)
        return maxima


def is_exact(numbers: Iterable[Number]) -> bool:
    """Return whether all numbers are ints or Fractions, which allow exact arithmetic."""
    return all(isinstance(number, Rational) for number in numbers)


def as_array(numbers: Sequence[Number], exact: bool) -> Array:
    """Return an array of numbers: Fractions if ``exact``, otherwise float64."""
    if not exact:
        return np.array(numbers, dtype=np.float64)
    return np.array([Fraction(number) for number in numbers], dtype=object)


def is_tie(value: Number, best: Number, *sizes: Number) -> bool:
    """Return whether a value is tied with the best value.

    Exact values are tied if they are equal. If either value is a float, they are tied within `TIE`.
    ``sizes`` are the magnitudes of the two means (see `TIE`). Exact values do not need them.
    """
    if isinstance(value, float) or isinstance(best, float):
        return abs(float(best) - float(value)) <= TIE * max(map(float, sizes))
    return value == best
