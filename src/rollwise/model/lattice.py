"""The dice lattice: all rolls and keeps, and which leads to which. It does not depend on scoring.

The multisets of up to ``n`` dice are *points* of a lattice. A die shows a *symbol*: 1, 2, …;
dice of another kind have symbols of their own, which follow the symbols of earlier kinds. Points
are numbered by size, then in the order of their sorted symbols, so all points of one size are
contiguous and the rolls (size ``n``) come last.

The dice that are not kept are rolled one after another, kind by kind. So a keep leads to one
larger point for each face of the first kind that is incomplete.

Axis letters: ``P`` points, ``K`` keeps (points smaller than a roll), ``R`` rolls, ``F`` symbols.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations_with_replacement, product
from math import comb, factorial, prod

import numpy as np
from numpy.typing import NDArray

from rollwise.errors import TooLargeError

ABSENT = -1
"""Marks a missing point in ``parent_K_F`` and ``child_P_F``."""

MAX_POINTS = 200_000

Kinds = tuple[tuple[int, int], ...]
"""The number of dice and the number of faces of each kind."""

Dice = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Lattice:
    """All multisets of dice, up to the given number of each kind.

    Attributes
    ----------
    kinds : tuple of (int, int)
        Dice and faces of each kind.
    counts_P_F : int8 array of shape (P, F)
        How many dice show each symbol.
    size_starts : int64 array of shape (dice + 2,)
        Points of size s are ``size_starts[s] .. size_starts[s + 1] - 1``.
    parent_K_F : int32 array of shape (K, F)
        The point with one more die of the first incomplete kind, or ``ABSENT``.
    child_P_F : int32 array of shape (P, F)
        The point with one die of this symbol less, or ``ABSENT``.
    kind_K : int8 array of shape (K,)
        The first incomplete kind.
    weight_R : int64 array of shape (R,)
        How many of the ``ways`` give each roll.
    """

    kinds: Kinds
    points: tuple[Dice, ...]
    counts_P_F: NDArray[np.int8]
    size_starts: NDArray[np.int64]
    parent_K_F: NDArray[np.int32]
    child_P_F: NDArray[np.int32]
    kind_K: NDArray[np.int8]
    weight_R: NDArray[np.int64]

    @property
    def dice(self) -> int:
        """The number of dice of a roll."""
        return sum(dice for dice, _ in self.kinds)

    @property
    def links(self) -> int:
        """The number of values that a reroll reads: those of all parents and children of points."""
        return int((self.child_P_F >= 0).sum() + (self.parent_K_F >= 0).sum())

    @property
    def ways(self) -> int:
        """The number of ordered outcomes of rolling all dice."""
        return prod(faces**dice for dice, faces in self.kinds)

    @property
    def first_roll(self) -> int:
        """The number of keeps, which is also the point of the first roll."""
        return int(self.size_starts[self.dice])

    @property
    def rolls(self) -> tuple[Dice, ...]:
        """The rolls, each a sorted tuple of symbols, in point order."""
        return self.points[self.first_roll :]

    @cached_property
    def throws(self) -> tuple[tuple[NDArray[np.int64], NDArray[np.int32]], ...]:
        """Pairs of keeps with the same kind of next die, and of the points to which it leads.

        The arrays have the shapes (n,) and (n, faces of the kind). Larger keeps come first.
        """
        sizes_K = self.counts_P_F[: self.first_roll].sum(axis=1)
        groups = []
        for size, kind in product(range(self.dice - 1, -1, -1), range(len(self.kinds))):
            keeps = np.flatnonzero((sizes_K == size) & (self.kind_K == kind))
            if len(keeps):
                parents = self.parent_K_F[keeps]
                groups.append((keeps, parents[:, parents[0] != ABSENT]))
        return tuple(groups)

    def point(self, dice: Dice) -> int:
        """Return the number of the point with these dice, in any order.

        Raises
        ------
        ValueError
            If there is no such multiset.
        """
        try:
            return _numbers(self.kinds)[tuple(sorted(dice))]
        except KeyError:
            raise ValueError(f"expected up to {describe_kinds(self.kinds)}, got {dice}") from None


def describe_kinds(kinds: Kinds) -> str:
    """Return the dice and faces of each kind in words."""
    return " and ".join(f"{dice} dice of {faces} faces" for dice, faces in kinds)


def symbols(kinds: Kinds) -> Iterator[range]:
    """Yield the symbols of each kind."""
    first = 1
    for _, faces in kinds:
        yield range(first, first + faces)
        first += faces


def multisets(kinds: Kinds) -> list[Dice]:
    """Return all multisets of up to the given dice of each kind, by size, then in order."""
    of_kind = [
        [p for size in range(dice + 1) for p in combinations_with_replacement(shown, size)]
        for (dice, _), shown in zip(kinds, symbols(kinds), strict=True)
    ]
    points = [tuple(die for part in parts for die in part) for parts in product(*of_kind)]
    return sorted(points, key=lambda point: (len(point), point))


@lru_cache(maxsize=8)
def _numbers(kinds: Kinds) -> dict[Dice, int]:
    return {point: number for number, point in enumerate(multisets(kinds))}


@lru_cache(maxsize=8)
def lattice(kinds: Kinds) -> Lattice:
    """Return the lattice of dice of one or several kinds.

    A kind of n dice with f faces multiplies the points by C(n + f, n): five ordinary dice have 462,
    252 of them rolls.

    Raises
    ------
    TooLargeError
        If there are more than ``MAX_POINTS``.
    """
    size = prod(comb(dice + faces, dice) for dice, faces in kinds)
    if size > MAX_POINTS:
        raise TooLargeError(
            f"{describe_kinds(kinds)} have {size:,} keeps: expected at most {MAX_POINTS:,}"
        )
    number = _numbers(kinds)
    points = tuple(number)
    kind_F = np.repeat(np.arange(len(kinds), dtype=np.int8), [faces for _, faces in kinds])
    counts = np.zeros((len(points), len(kind_F)), dtype=np.int8)
    child = np.full((len(points), len(kind_F)), ABSENT, dtype=np.int32)
    for p, point in enumerate(points):
        for position, die in enumerate(point):
            counts[p, die - 1] += 1
            child[p, die - 1] = number[point[:position] + point[position + 1 :]]
    sizes = counts.sum(axis=1)
    dice = sum(dice for dice, _ in kinds)
    size_starts = np.searchsorted(sizes, np.arange(dice + 2))
    n_keeps = int(size_starts[dice])
    complete_P_kind = np.stack(
        [counts[:, kind_F == kind].sum(axis=1) == kinds[kind][0] for kind in range(len(kinds))],
        axis=1,
    )
    kind_K = complete_P_kind[:n_keeps].argmin(axis=1).astype(np.int8)
    parent = np.full((n_keeps, len(kind_F)), ABSENT, dtype=np.int32)
    larger, added = np.nonzero(child != ABSENT)
    smaller = child[larger, added]
    thrown = kind_K[smaller] == kind_F[added]
    parent[smaller[thrown], added[thrown]] = larger[thrown]
    ways_R = [
        prod(factorial(n) for n, _ in kinds) // prod(factorial(int(c)) for c in row)
        for row in counts[n_keeps:]
    ]
    return Lattice(
        kinds, points, counts, size_starts, parent, child, kind_K, np.array(ways_R, dtype=np.int64)
    )
