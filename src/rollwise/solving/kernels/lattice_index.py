"""The lattice of dice as streams of offsets, in the order in which a turn reads its points.

The values of all points stand in one array, point p at ``p * WIDTH``. Where dice are of several
kinds, all points with the same dice of the later kinds come before the next, so that a cache holds
them.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rollwise.model.lattice import ABSENT, Lattice
from rollwise.solving.kernels.vector import WIDTH

MEAN, WORST, BEST = 0, 1, 2
"""How chance is combined: by its weights, or as if dice were the player's enemy or friend."""


class LatticeIndex(NamedTuple):
    """How values go up the lattice.

    Attributes
    ----------
    throws : int64 array of shape (throws, 2)
        Runs of keeps: how many follow, with how many faces of the die that is thrown.
    keep_offsets : uint32 array of shape (K,)
        The keeps in that order, each after the points that it leads to.
    parent_offsets : uint32 array
        For each of them, its points with one more die.
    segments : int64 array of shape (segments, 2)
        Points by size, then by number of different symbols: how many follow, with how many
        children each. A constant inner trip count is one that the processor predicts.
    targets : uint32 array of shape (P - 1,)
        The points in that order.
    child_offsets : uint32 array
        For each target, its points with one die less, by symbol.
    ways_R : float64 array of shape (R,)
        In how many ordered ways each roll falls: integers below 2**53, so exact.
    ways : float
        All of them.
    chance : int
        ``MEAN``, ``WORST`` or ``BEST``.
    """

    throws: NDArray[np.int64]
    keep_offsets: NDArray[np.uint32]
    parent_offsets: NDArray[np.uint32]
    segments: NDArray[np.int64]
    targets: NDArray[np.uint32]
    child_offsets: NDArray[np.uint32]
    ways_R: NDArray[np.float64]
    ways: float
    chance: int


class ForwardIndex(NamedTuple):
    """How probabilities come down the lattice, beside its streams.

    Attributes
    ----------
    passed_starts : int64 array of shape (K + 1,)
        For each keep, in the order of the streams, where the points with one die more begin, and
        where the last ones end: also those that no throw leads to.
    passed_edges, passed_offsets : int64 and uint32 arrays
        These points, the last target first, and which of the children of all targets it is there.
    thrown_starts, thrown_ends : int64 arrays of shape ((P - 1) * kinds,)
        For each target and kind of dice, where those children begin and end that become it by the
        throw of such a die.
    share_of_kind : float64 array of shape (kinds,)
        The probability of a face.
    sizes : float64 array of shape (P,)
        Dice of each point.
    """

    passed_starts: NDArray[np.int64]
    passed_edges: NDArray[np.int64]
    passed_offsets: NDArray[np.uint32]
    thrown_starts: NDArray[np.int64]
    thrown_ends: NDArray[np.int64]
    share_of_kind: NDArray[np.float64]
    sizes: NDArray[np.float64]


def lay_out(lattice: Lattice, chance: int) -> tuple[LatticeIndex, ForwardIndex]:
    """Return the streams of a lattice."""
    usual = lattice.kinds[0][1]  # faces of the first kind
    counts_P_F = lattice.counts_P_F.astype(np.int64)
    usual_P, others_P = counts_P_F[:, :usual].sum(axis=1), counts_P_F[:, usual:].sum(axis=1)
    # The points with the same dice of the later kinds form a column.
    _, column_P = np.unique(counts_P_F[:, usual:], axis=0, return_inverse=True)
    has_child_P_F = lattice.child_P_F != ABSENT
    children_P = has_child_P_F.sum(axis=1)
    targets = np.lexsort((children_P, usual_P, column_P.ravel(), others_P))
    targets = targets[targets != 0]  # all but the empty keep, which has no child
    child_starts = np.concatenate([[0], np.cumsum(children_P[targets])]).astype(np.int64)
    thrown_starts, thrown_ends = _thrown(lattice, targets, child_starts)
    keeps = targets[::-1][targets[::-1] < lattice.first_roll]
    keeps = np.append(keeps, 0)
    faces_K = np.array([faces for _, faces in lattice.kinds])[lattice.kind_K]
    parent_K_F = lattice.parent_K_F[keeps]
    children = lattice.child_P_F[targets][has_child_P_F[targets]]
    lattice_index = LatticeIndex(
        throws=_runs(faces_K[keeps]),
        keep_offsets=(keeps * WIDTH).astype(np.uint32),
        parent_offsets=(parent_K_F[parent_K_F != ABSENT] * WIDTH).astype(np.uint32),
        segments=_runs(children_P[targets]),
        targets=(targets * WIDTH).astype(np.uint32),
        child_offsets=(children * WIDTH).astype(np.uint32),
        ways_R=lattice.weight_R.astype(np.float64),
        ways=float(lattice.ways),
        chance=chance,
    )
    place_P = np.argsort(keeps)  # of each keep in the streams
    edges = np.lexsort((-np.arange(len(children)), place_P[children]))
    forward_index = ForwardIndex(
        passed_starts=np.searchsorted(place_P[children][edges], np.arange(len(keeps) + 1)),
        passed_edges=edges,
        passed_offsets=(np.repeat(targets, children_P[targets])[edges] * WIDTH).astype(np.uint32),
        thrown_starts=thrown_starts.ravel(),
        thrown_ends=thrown_ends.ravel(),
        share_of_kind=1 / np.array([faces for _, faces in lattice.kinds], dtype=np.float64),
        sizes=counts_P_F.sum(axis=1).astype(np.float64),
    )
    return lattice_index, forward_index


def _runs(numbers: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return how often each number follows itself, and the number, int64 of shape (runs, 2)."""
    starts = np.flatnonzero(np.diff(numbers, prepend=-1))
    return np.stack([np.diff(starts, append=len(numbers)), numbers[starts]], axis=1)


def _thrown(
    lattice: Lattice, targets: NDArray[np.int64], child_starts: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return where the children begin and end that a throw leads from, (P - 1, kinds) each.

    A die of a kind is thrown once the kinds before it are complete.
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
