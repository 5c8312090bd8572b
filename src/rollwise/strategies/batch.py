"""What the kernels of batches of games read: outcomes of a class, and the dice."""

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from rollwise.model.lattice import ABSENT, Lattice
from rollwise.solving.card_solution import CardSolution

if TYPE_CHECKING:
    from rollwise.solving.kernels.states import Dice


def outcome_worths(solution: CardSolution, c: int, lanes: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return what scoring each outcome is worth on cards of one class, shape (lanes, O).

    Outcomes that the class cannot score hold numbers without a meaning.
    """
    model, objective = solution.model, solution.objective
    after_O = model.class_after(c, np.arange(len(model.points_O)))
    lane_G_O = np.minimum(lanes[:, None] + model.shift_O, model.lanes - 1)
    points_O = model.step_O.astype(np.float64)
    remaining_G_O = solution.remaining_C_L[after_O, lane_G_O]
    return np.asarray(objective.gain(points_O) * remaining_G_O + objective.points(points_O))


@lru_cache(maxsize=8)
def batch_dice(lattice: Lattice) -> "Dice":
    """Return the dice as the kernels of batch play take them."""
    from rollwise.solving.kernels.states import Dice

    parent_P_F = np.full(lattice.child_P_F.shape, ABSENT, dtype=np.int32)
    parent_P_F[: lattice.first_roll] = lattice.parent_K_F
    own_P = np.arange(len(lattice.points), dtype=np.int32)
    ends = np.cumsum([faces for _, faces in lattice.kinds])
    thrown = np.stack([np.append(0, ends[:-1]), ends], axis=1)
    return Dice(
        np.where(parent_P_F == ABSENT, own_P[:, None], parent_P_F),
        lattice.child_P_F,
        thrown[lattice.kind_K],
        lattice.counts_P_F.sum(axis=1).astype(np.float64),
        lattice.first_roll,
    )
