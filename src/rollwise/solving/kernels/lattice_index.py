"""The index of the dice lattice: array offsets in the order in which a turn reads lattice points.

One array holds the values of all lattice points; the values of point p start at ``p * WIDTH``. With
several kinds of dice, points with the same dice of the later kinds are adjacent, so that they share
the processor's cache.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rollwise.model.dice_lattice import ABSENT, Lattice
from rollwise.solving.kernels.vector import WIDTH

MEAN, WORST, BEST = 0, 1, 2
"""The value of a chance node: the mean, the worst roll (adversarial dice), or the best roll."""


class LatticeIndex(NamedTuple):
    """The index for backward induction over a turn; points are given by their array offsets.

    A *kept set* is a lattice point with fewer dice than a roll. A *target* is any point except the
    empty kept set. A *child* of a point is the point without one of its dice. Axis letters are
    explained in :mod:`rollwise.model.dice_lattice`.
    """

    # The length of each run of kept sets whose next die has the same number of faces, and this
    # number, shape (runs, 2).
    keep_runs: NDArray[np.int64]
    # The kept sets in the order of computation: each follows the points that it leads to.
    keep_offsets: NDArray[np.uint32]
    # For each kept set, the points with one more die.
    parent_offsets: NDArray[np.uint32]
    # The length of each run of targets with the same number of children, and this number, shape
    # (runs, 2). With one kind of dice, targets are ordered by number of dice, then by number of
    # children. This order rarely changes the trip count of inner loops.
    target_runs: NDArray[np.int64]
    # The targets in this order, shape (P - 1,).
    targets: NDArray[np.uint32]
    # For each target, its children, in the order of the symbol of the missing die.
    child_offsets: NDArray[np.uint32]
    # The number of ordered outcomes of each roll, and of all rolls; below 2**53, so it is exact.
    ways_R: NDArray[np.float64]
    ways: float
    # ``MEAN``, ``WORST``, or ``BEST``.
    chance: int


class ForwardIndex(NamedTuple):
    """The additional index for the forward pass over a turn.

    A *source* of a kept set is a point that contains the set and one more die. The kept sets are in
    the order of :class:`LatticeIndex`, and the sources of each in the reverse order of the targets.
    """

    # The first source of each kept set, and one past the last source, shape (K + 1,).
    source_starts: NDArray[np.int64]
    # The index in ``child_offsets`` of the step from each source to the kept set.
    source_edges: NDArray[np.int64]
    # The array offset of each source.
    source_offsets: NDArray[np.uint32]
    # The range in ``child_offsets`` of the children from which a roll of one die of a kind leads to
    # each target, shape ((P - 1) * kinds,).
    rolled_starts: NDArray[np.int64]
    rolled_ends: NDArray[np.int64]
    # The probability of each face of a die of each kind.
    face_probabilities: NDArray[np.float64]
    # The number of dice of each point.
    sizes: NDArray[np.float64]


def index_lattice(lattice: Lattice, chance: int) -> tuple[LatticeIndex, ForwardIndex]:
    """Return the index of a lattice for backward induction and for the forward pass."""
    usual = lattice.kinds[0][1]  # faces of the first kind
    counts_P_F = lattice.counts_P_F.astype(np.int64)
    usual_P, others_P = counts_P_F[:, :usual].sum(axis=1), counts_P_F[:, usual:].sum(axis=1)
    # Points with the same dice of the later kinds form a column and are adjacent.
    _, column_P = np.unique(counts_P_F[:, usual:], axis=0, return_inverse=True)
    has_child_P_F = lattice.child_P_F != ABSENT
    children_P = has_child_P_F.sum(axis=1)
    targets = np.lexsort((children_P, usual_P, column_P.ravel(), others_P))
    targets = targets[targets != 0]  # without the empty set, which has no child
    child_starts = np.concatenate([[0], np.cumsum(children_P[targets])]).astype(np.int64)
    rolled_starts, rolled_ends = _rolled(lattice, targets, child_starts)
    keeps = targets[::-1][targets[::-1] < lattice.first_roll]
    keeps = np.append(keeps, 0)
    faces_K = np.array([faces for _, faces in lattice.kinds])[lattice.kind_K]
    parent_K_F = lattice.parent_K_F[keeps]
    children = lattice.child_P_F[targets][has_child_P_F[targets]]
    lattice_index = LatticeIndex(
        keep_runs=_runs(faces_K[keeps]),
        keep_offsets=(keeps * WIDTH).astype(np.uint32),
        parent_offsets=(parent_K_F[parent_K_F != ABSENT] * WIDTH).astype(np.uint32),
        target_runs=_runs(children_P[targets]),
        targets=(targets * WIDTH).astype(np.uint32),
        child_offsets=(children * WIDTH).astype(np.uint32),
        ways_R=lattice.weight_R.astype(np.float64),
        ways=float(lattice.ways),
        chance=chance,
    )
    position_P = np.argsort(keeps)  # the position of each kept set in the index
    edges = np.lexsort((-np.arange(len(children)), position_P[children]))
    forward_index = ForwardIndex(
        source_starts=np.searchsorted(position_P[children][edges], np.arange(len(keeps) + 1)),
        source_edges=edges,
        source_offsets=(np.repeat(targets, children_P[targets])[edges] * WIDTH).astype(np.uint32),
        rolled_starts=rolled_starts.ravel(),
        rolled_ends=rolled_ends.ravel(),
        face_probabilities=1 / np.array([faces for _, faces in lattice.kinds], dtype=np.float64),
        sizes=counts_P_F.sum(axis=1).astype(np.float64),
    )
    return lattice_index, forward_index


def _runs(numbers: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the length of each run of equal numbers, and this number, shape (runs, 2)."""
    starts = np.flatnonzero(np.diff(numbers, prepend=-1))
    return np.stack([np.diff(starts, append=len(numbers)), numbers[starts]], axis=1)


def _rolled(
    lattice: Lattice, targets: NDArray[np.int64], child_starts: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return ``rolled_starts`` and ``rolled_ends`` of :class:`ForwardIndex`, shape (P - 1, kinds).

    The children whose missing die is of one kind have consecutive indices. A range is empty unless
    the target has all dice of the earlier kinds, which are rolled first.
    """
    kind_F = np.repeat(np.arange(len(lattice.kinds)), [faces for _, faces in lattice.kinds])
    starts, ends = [], []
    at, complete = child_starts[:-1], np.ones(len(targets), dtype=np.bool_)
    for kind, (dice, _) in enumerate(lattice.kinds):
        counts_F = lattice.counts_P_F[targets][:, kind_F == kind]
        after = at + (counts_F > 0).sum(axis=1)
        starts.append(at)
        ends.append(np.where(complete, after, at))
        complete &= counts_F.sum(axis=1) == dice
        at = after
    return np.stack(starts, axis=1), np.stack(ends, axis=1)
