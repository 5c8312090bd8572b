"""The mean and the second moment of the points to come from every state, with optimal play.

:func:`with_moments` computes both for a game that fits in one table. For larger games the objective
must be the expected score, so the mean is the value itself. :func:`second_moments` then computes
the second moment with one more backward induction. It needs 1.5 times the memory of the solver: one
layer of values and two layers of second moments. The saved layers of second moments are as large as
the layers of values.
"""

from dataclasses import replace
from typing import Any

import numpy as np

from rollwise.solving.backward_induction import Layered, retention_of
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.kernels.moments import (
    SecondMomentScratch,
    fill_moments,
    fill_second_moments,
)
from rollwise.solving.kernels.policy import TieRule
from rollwise.solving.policy import OptimalPolicy
from rollwise.solving.progress import Progress
from rollwise.solving.solution import TIE
from rollwise.solving.storage.layer_files import LayerFiles
from rollwise.solving.storage.retention import check_memory
from rollwise.solving.values import Layers, Moments, full_cards, is_large, shapes_of


def with_moments(solution: CardSolution, threads: int | None = None) -> CardSolution:
    """Return the solution with the mean and second moment of the points to come.

    The player follows the policy :class:`rollwise.strategies.Optimal`, including its rule for ties.
    """
    model = solution.model
    policy = OptimalPolicy(solution, threads=threads)
    bonus_L, points_O = model.bonus_L.astype(np.float64), model.total_points_O.astype(np.float64)
    mean, second = policy.sweep.rows(bonus_L), policy.sweep.rows(bonus_L**2)
    policy.backward((fill_moments, points_O, mean, second))
    lanes = slice(model.lanes)
    return replace(solution, moments=Moments(mean[:, lanes], second[:, lanes]))


def second_moments(
    solution: CardSolution,
    files: LayerFiles | None,
    threads: int | None = None,
    progress: Progress | None = None,
    *,
    in_store: bool = False,
) -> Layers:
    """Return the second moment of the points to come from each state.

    The player follows the policy :class:`rollwise.strategies.Optimal`, including its rule for ties.

    Parameters
    ----------
    solution : CardSolution
        The solution for the expected score, with all layers available.
    files : LayerFiles, optional
        Where to save and look up the layers of second moments; by default, they are not saved.
    in_store : bool
        Save the layers even if the game is small.
    """
    values, model = solution.remaining_C_L, solution.model
    assert isinstance(values, Layers)
    check_memory(model.rules.name, shapes_of(model), read=2)
    layered = Layered(model, solution.objective, threads)
    retention = retention_of(model, files, files is not None, in_store)
    tie = TieRule(TIE, TIE / model.rules.dice)

    def kernel(turns: int) -> tuple[Any, ...]:
        return fill_second_moments, layered.chains[turns]

    def more(turns: int) -> tuple[Any, ...]:
        after = np.asarray(values.arrays[turns + 1])
        return after.reshape(-1, after.shape[-1]), layered.sweep.forward_index, tie

    squares_L = layered.sweep.model.bonus_L.astype(np.float64) ** 2
    ends = full_cards(squares_L, layered.shapes[-1])
    from_disk = layered.fill(
        retention, ends, kernel, more, scratch=SecondMomentScratch.of, progress=progress
    )
    return Layers(model, retention.layers, small=not is_large(model), from_disk=from_disk)
