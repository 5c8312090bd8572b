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
    TiedPolicies,
    fill_least_second_moments,
    fill_moments,
    fill_second_moments,
)
from rollwise.solving.kernels.policy import TieRule
from rollwise.solving.kernels.turn import TwoQuantityScratch
from rollwise.solving.layers import Sweep
from rollwise.solving.policy import OptimalPolicy
from rollwise.solving.progress import Progress
from rollwise.solving.solution import TIE
from rollwise.solving.storage.layer_files import LayerFiles
from rollwise.solving.storage.retention import check_memory
from rollwise.solving.values import Layers, Moments, full_cards, is_large, sd_of, shapes_of


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


def sd_range_of_ties(solution: CardSolution, threads: int | None = None) -> tuple[float, float]:
    """Return the lowest and the highest SD of the final score among all optimal policies.

    Optimal policies differ in how they break ties. They all have the same mean, but their
    distributions differ.

    Parameters
    ----------
    solution : CardSolution
        The solution for the expected score.

    Raises
    ------
    TooLargeError
        If the game is too large for one table.
    """
    sweep = Sweep(solution.model, solution.objective, threads)
    values_C_L = sweep.padded(solution.table_C_L)
    least, most = (
        _second_moment(sweep, TiedPolicies(values_C_L, TIE, sign)) for sign in (1.0, -1.0)
    )
    mean = solution.value()
    return float(sd_of(mean, least)), float(sd_of(mean, most))


def _second_moment(sweep: Sweep, tied: TiedPolicies) -> float:
    """Return the second moment of the final score under the tie-breaking rule ``tied``."""
    second_C_L = sweep.rows(tied.sign * sweep.model.bonus_L.astype(np.float64) ** 2)
    for first, last in sweep.layers[-2::-1]:
        sweep.each_part(
            first,
            last,
            fill_least_second_moments,
            sweep.arrays,
            sweep.lattice_index,
            tied,
            second_C_L,
            scratch=TwoQuantityScratch.of,
        )
    return tied.sign * float(second_C_L[0, 0])


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
