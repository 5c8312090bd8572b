"""The dice lattice: all rolls, all sets of dice to keep, and the links between them.

A *lattice point* is a multiset of dice that is part of a roll. A die shows a *symbol*: 1, 2, …. The
symbols of each other kind of dice follow the symbols of the kinds before it. Lattice points are
numbered by size, then in the order of their sorted symbols. All lattice points of one size are
therefore contiguous, and the rolls come last.

The dice that are not kept are rolled one after another, kind by kind. A set of dice to keep
therefore leads to one larger lattice point for each face of its first incomplete kind.

Axis letters: ``P`` lattice points, ``K`` sets of dice to keep (lattice points smaller than a roll),
``R`` rolls, ``F`` symbols.
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
"""The marker of a missing lattice point in ``parent_K_F`` and ``child_P_F``."""

MAX_POINTS = 200_000

Kinds = tuple[tuple[int, int], ...]
"""The number of dice and the number of faces of each kind."""

Dice = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Lattice:
    """All multisets of dice, up to the given number of each kind."""

    kinds: Kinds
    # The lattice points, each as a sorted tuple of symbols.
    points: tuple[Dice, ...]
    # The number of dice that show each symbol.
    counts_P_F: NDArray[np.int8]
    # Lattice points of size s are ``size_starts[s] .. size_starts[s + 1] - 1``, shape (dice + 2,).
    size_starts: NDArray[np.int64]
    # The lattice point with this symbol added, or ``ABSENT`` if the symbol is not of the first
    # incomplete kind.
    parent_K_F: NDArray[np.int32]
    # The lattice point without one die of this symbol, or ``ABSENT`` if no die shows the symbol.
    child_P_F: NDArray[np.int32]
    # The first incomplete kind: the set does not contain all dice of this kind.
    kind_K: NDArray[np.int8]
    # The number of ordered outcomes that give each roll; the sum is ``ways``.
    weight_R: NDArray[np.int64]

    @property
    def dice(self) -> int:
        """The number of dice in a roll."""
        return sum(dice for dice, _ in self.kinds)

    @property
    def links(self) -> int:
        """The number of links that a reroll follows: all parents and children of lattice points."""
        return int((self.child_P_F >= 0).sum() + (self.parent_K_F >= 0).sum())

    @property
    def ways(self) -> int:
        """The number of ordered outcomes of rolling all dice."""
        return prod(faces**dice for dice, faces in self.kinds)

    @property
    def first_roll(self) -> int:
        """The index of the first roll, equal to the number of smaller lattice points."""
        return int(self.size_starts[self.dice])

    @property
    def rolls(self) -> tuple[Dice, ...]:
        """The rolls in lattice order, each as a sorted tuple of symbols."""
        return self.points[self.first_roll :]

    @cached_property
    def throws(self) -> tuple[tuple[NDArray[np.int64], NDArray[np.int32]], ...]:
        """The sets of dice to keep, grouped by size (largest first) and the kind of the next die.

        Each group is a pair of arrays: N lattice points, of shape (N,), and the lattice points with
        the next die added, of shape (N, faces of the kind).
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
        """Return the index of the point with these dice, in any order, or raise a ValueError."""
        try:
            return _numbers(self.kinds)[tuple(sorted(dice))]
        except KeyError:
            raise ValueError(f"expected up to {describe_kinds(self.kinds)}, got {dice}") from None


def describe_kinds(kinds: Kinds) -> str:
    """Return the numbers of dice and faces of each kind, in words."""
    return " and ".join(f"{dice} dice with {faces} faces" for dice, faces in kinds)


def symbols(kinds: Kinds) -> Iterator[range]:
    """Yield the symbols of each kind."""
    first = 1
    for _, faces in kinds:
        yield range(first, first + faces)
        first += faces


def multisets(kinds: Kinds) -> list[Dice]:
    """Return all multisets of dice, sorted by size, then by symbols."""
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

    A kind of n dice with f faces multiplies the number of lattice points by C(n + f, n). Five
    ordinary dice have 462 lattice points, including 252 rolls. More than ``MAX_POINTS`` points
    raise a TooLargeError.
    """
    size = prod(comb(dice + faces, dice) for dice, faces in kinds)
    if size > MAX_POINTS:
        raise TooLargeError(
            f"{describe_kinds(kinds)} have {size:,} combinations of dice to keep, and the limit is "
            f"{MAX_POINTS:,}; use fewer dice or faces"
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
    is_next = kind_K[smaller] == kind_F[added]
    parent[smaller[is_next], added[is_next]] = larger[is_next]
    ways_R = [
        prod(factorial(n) for n, _ in kinds) // prod(factorial(int(c)) for c in row)
        for row in counts[n_keeps:]
    ]
    return Lattice(
        kinds, points, counts, size_starts, parent, child, kind_K, np.array(ways_R, dtype=np.int64)
    )
