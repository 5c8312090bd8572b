"""The scratch arrays of a thread, which every kernel gets as its argument ``work``."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rollwise.solving.kernels.lattice_index import LatticeIndex
from rollwise.solving.kernels.legal_outcomes import LegalOutcomes
from rollwise.solving.kernels.vector import WIDTH, Floats, aligned

Lanes = NDArray[np.uint16]
"""Sets of lanes, one bit per lane."""

NODES = 2
"""The highest number of nodes of a row, between which its values are interpolated."""


class ReadOffsets(NamedTuple):
    """The array indices in the next layer that the slots of a row read or write.

    Each array has N numbers for each slot, which begin at ``N * slot``; N is 1, or the number of
    nodes of a row in a game of two players.
    """

    # The row that each slot leads to.
    row: NDArray[np.int64]
    # The array index in the next layer minus the score.
    offset: NDArray[np.int64]
    # The lowest and the highest array index of a read.
    first: NDArray[np.int64]
    last: NDArray[np.int64]
    # For two players, the points of each read, the step of the scores that it reads, and the points
    # beyond a whole number of steps.
    points: NDArray[np.int64]
    step: NDArray[np.int64]
    rest: NDArray[np.int64]

    @classmethod
    def of(cls, number: int) -> "ReadOffsets":
        """Return arrays for a number of reads."""
        return cls(*np.zeros((len(cls._fields), number), dtype=np.int64))


class Work(NamedTuple):
    """The scratch arrays of a thread.

    Axes: ``P`` lattice points, ``R`` rolls, ``O`` slots, and ``J`` rerolls left.
    """

    legal: LegalOutcomes
    reads: ReadOffsets
    writes: ReadOffsets
    # The weight of each read, shape (NODES * O,).
    weights: Floats
    # The value and the second quantity of each point, shape (P * WIDTH,).
    point: Floats
    rest: Floats
    # The value of the best dice to keep from each point, with tie breakers, shape (P * WIDTH,).
    best: Floats
    # The probability of each point, shape (P * WIDTH,).
    mass: Floats
    # The lanes in which each point is kept whole, shape (J, P), and in which it moves to each
    # child, shape (J, edges).
    whole_J: Lanes
    moved_J: Lanes
    # The value of each final roll, shape (J + 1, R * WIDTH), and its probability, (R * (J + 1),).
    final_J: Floats
    ended_E: Floats
    # The second quantity of each slot, its probability, and the sum of its probabilities over all
    # states of a class, shape (O * WIDTH,).
    second: Floats
    slot_probability: Floats
    total: Floats
    # The tie breaker of each slot, shape (O,).
    tie_breaker: Floats
    # One vector.
    vector: Floats

    @classmethod
    def of(
        cls,
        lattice_index: LatticeIndex,
        categories: int,
        outcomes: int,
        tables: int,
        rerolls: int,
        kind: type[np.floating[Any]] = np.float64,
    ) -> "Work":
        """Return scratch arrays for turns with these numbers of categories, outcomes, and so on.

        ``kind`` is the type of all values.
        """
        n_points, n_rolls = len(lattice_index.targets) + 1, len(lattice_index.ways_R)
        n_edges, n_final = len(lattice_index.child_offsets), (rerolls + 1) * n_rolls
        return cls(
            legal=LegalOutcomes.of(categories, outcomes, tables * n_rolls, kind),
            reads=ReadOffsets.of(NODES * outcomes),
            writes=ReadOffsets.of(outcomes),
            weights=np.zeros(NODES * outcomes),
            point=aligned(n_points * WIDTH, kind),
            rest=aligned(n_points * WIDTH, kind),
            best=aligned(n_points * WIDTH, kind),
            mass=aligned(n_points * WIDTH, kind),
            whole_J=np.empty((rerolls, n_points), dtype=np.uint16),
            moved_J=np.empty((rerolls, n_edges), dtype=np.uint16),
            final_J=aligned(n_final * WIDTH, kind).reshape(rerolls + 1, -1),
            ended_E=np.empty(n_final),
            second=aligned(outcomes * WIDTH, kind),
            slot_probability=aligned(outcomes * WIDTH, kind),
            total=aligned(outcomes * WIDTH, kind),
            tie_breaker=np.zeros(outcomes),
            vector=aligned(WIDTH),
        )
