"""Dice of each game from a stream of its own: number n of it is a function of the key and n alone.

The stream is SplitMix64: G. L. Steele, D. Lea, C. H. Flood, "Fast splittable pseudorandom number
generators", OOPSLA 2014. So games do not depend on threads, nor on the games beside them.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rollwise.solving.kernels.compiler import inlined
from rollwise.solving.kernels.states import Dice

GAMMA = np.uint64(0x9E3779B97F4A7C15)
FIRST, SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
S30, S27, S31, S32 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(32)


class Fallen(NamedTuple):
    """The dice of all games.

    Attributes
    ----------
    key_N, thrown_N : uint64 arrays of shape (N,)
        The key of each stream, and how many of its numbers are used.
    roll_N : int64 array of shape (N,)
        What lies on the table, by the number of the roll in lattice order.
    """

    key_N: NDArray[np.uint64]
    thrown_N: NDArray[np.uint64]
    roll_N: NDArray[np.int64]


def keys_of(seed_N: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return the keys of streams with these seeds: neighbouring seeds have distant keys."""
    z = (seed_N + np.uint64(1)) * GAMMA
    z = (z ^ (z >> S30)) * FIRST
    z = (z ^ (z >> S27)) * SECOND
    return np.asarray(z ^ (z >> S31))


@inlined
def throw(n: int, point: int, dice: Dice, fallen: Fallen) -> None:
    """Throw the dice of game n that are missing from the point kept.

    The upper 32 bits of a number times the number of faces, shifted, is the face: of f faces none
    is likelier than another by more than f / 2**32.
    """
    while point < dice.first_roll:
        fallen.thrown_N[n] += np.uint64(1)
        z = fallen.key_N[n] + fallen.thrown_N[n] * GAMMA
        z = (z ^ (z >> S30)) * FIRST
        z = (z ^ (z >> S27)) * SECOND
        z = z ^ (z >> S31)
        first = dice.thrown_K[point, 0]
        faces = np.uint64(dice.thrown_K[point, 1] - first)
        point = dice.parent_P_F[point, first + np.int64(((z >> S32) * faces) >> S32)]
    fallen.roll_N[n] = point - dice.first_roll
