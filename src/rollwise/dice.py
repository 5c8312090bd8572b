"""Rolls, keeps and the lattice that joins them; knows no rules.

The multisets of up to ``n`` dice are *points* of a lattice; adding one die leads from a point to
``faces`` larger ones. Points are numbered by size, then in the order of their sorted faces, so that
all points of one size are contiguous and the rolls (size ``n``) come last.

Axis letters: ``P`` points, ``K`` keeps (points smaller than a roll), ``R`` rolls, ``F`` faces.
"""

from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations_with_replacement
from math import comb, factorial, prod

import numpy as np
from numpy.typing import NDArray

from rollwise.errors import TooLargeError

ABSENT = -1
"""In ``child_P_F``: the point has no die of that face to take away."""

MAX_POINTS = 200_000


@dataclass(frozen=True, eq=False)
class Lattice:
    """All multisets of up to ``dice`` dice with ``faces`` faces.

    Attributes
    ----------
    counts_P_F : int8 array of shape (P, F)
        How many dice show each face.
    size_starts : int64 array of shape (dice + 2,)
        Points of size s are ``size_starts[s] .. size_starts[s + 1] - 1``.
    parent_K_F : int32 array of shape (K, F)
        The point with one more die of each face.
    child_P_F : int32 array of shape (P, F)
        The point with one die of each face less, or ``ABSENT``.
    weight_R : int64 array of shape (R,)
        In how many of the ``faces ** dice`` ordered ways each roll falls.
    """

    dice: int
    faces: int
    points: tuple[tuple[int, ...], ...]
    counts_P_F: NDArray[np.int8]
    size_starts: NDArray[np.int64]
    parent_K_F: NDArray[np.int32]
    child_P_F: NDArray[np.int32]
    weight_R: NDArray[np.int64]

    @property
    def first_roll(self) -> int:
        """The number of keeps, and the point of the first roll."""
        return int(self.size_starts[self.dice])

    @property
    def rolls(self) -> tuple[tuple[int, ...], ...]:
        """The rolls, each a sorted tuple of faces, in point order."""
        return self.points[self.first_roll :]

    def point(self, dice: tuple[int, ...]) -> int:
        """Return the number of the point with these dice, in any order.

        Raises
        ------
        ValueError
            When there is no such multiset.
        """
        try:
            return _numbers(self.dice, self.faces)[tuple(sorted(dice))]
        except KeyError:
            raise ValueError(
                f"expected up to {self.dice} dice with faces 1 to {self.faces}, got {dice}"
            ) from None


def _all_points(dice: int, faces: int) -> list[tuple[int, ...]]:
    values = range(1, faces + 1)
    return [p for size in range(dice + 1) for p in combinations_with_replacement(values, size)]


@lru_cache(maxsize=8)
def _numbers(dice: int, faces: int) -> dict[tuple[int, ...], int]:
    return {point: number for number, point in enumerate(_all_points(dice, faces))}


@lru_cache(maxsize=8)
def lattice(dice: int, faces: int) -> Lattice:
    """Return the lattice of up to ``dice`` dice with ``faces`` faces.

    The number of points is C(dice + faces, dice): 462 for five ordinary dice, 252 of them rolls.

    Raises
    ------
    TooLargeError
        When there are more than ``MAX_POINTS``.
    """
    if comb(dice + faces, dice) > MAX_POINTS:
        raise TooLargeError(
            f"{dice} dice of {faces} faces have {comb(dice + faces, dice):,} keeps: expected at "
            f"most {MAX_POINTS:,}"
        )
    number = _numbers(dice, faces)
    points = tuple(number)
    counts = np.zeros((len(points), faces), dtype=np.int8)
    child = np.full((len(points), faces), ABSENT, dtype=np.int32)
    for p, point in enumerate(points):
        for position, face in enumerate(point):
            counts[p, face - 1] += 1
            child[p, face - 1] = number[point[:position] + point[position + 1 :]]
    sizes = counts.sum(axis=1)
    size_starts = np.searchsorted(sizes, np.arange(dice + 2))
    parent = np.full((int(size_starts[dice]), faces), ABSENT, dtype=np.int32)
    larger, added = np.nonzero(child != ABSENT)
    parent[child[larger, added], added] = larger
    ways = [
        factorial(dice) // prod(factorial(int(c)) for c in row)
        for row in counts[size_starts[dice] :]
    ]
    return Lattice(
        dice, faces, points, counts, size_starts, parent, child, np.array(ways, dtype=np.int64)
    )
