"""With what probability a strategy takes each outcome, from every card of a layer."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rollwise.kernels.policy import best_play, count_slots, list_slots
from rollwise.kernels.vector import WIDTH
from rollwise.solution import TIE
from rollwise.strategies import Optimal, Strategy
from rollwise.sweep import Sweep


@dataclass(frozen=True)
class Shares:
    """Outcome probabilities of one layer, laid out as :func:`rollwise.kernels.policy.best_play`.

    Attributes
    ----------
    starts : int64 array of shape (classes of the layer,)
    weights : float64 array
    """

    starts: NDArray[np.int64]
    weights: NDArray[np.float64]


def shares_of(strategy: Strategy, sweep: Sweep, layer: int) -> Shares:
    """Return how a strategy plays every card of a layer."""
    first, last = sweep.layers[layer]
    model = sweep.model
    slots_C = count_slots(sweep.game, first, last)
    windows_C = model.last_lane_C[first:last] - model.first_lane_C[first:last] + 1
    blocks_C = -(-windows_C // WIDTH)
    ends = np.cumsum(slots_C * blocks_C * WIDTH)
    shares = Shares(np.append(0, ends[:-1]), np.zeros(ends[-1]))
    if isinstance(strategy, Optimal):
        values = sweep.padded(strategy.solution.remaining_C_L).reshape(-1)

        def play(start: int, stop: int) -> None:
            starts = shares.starts[start - first : stop - first]
            best_play(
                values, sweep.stride, start, stop, sweep.game, sweep.turn, TIE, starts,
                shares.weights,
            )  # fmt: skip

        sweep.each_part(first, last, play)
        return shares
    for i, c in enumerate(range(first, last)):
        outcomes = list_slots(sweep.game, c)
        block = shares.weights[shares.starts[i] : ends[i]].reshape(-1, slots_C[i], WIDTH)
        for lane in range(windows_C[i]):
            if lane == 0 or strategy.sees_lane:
                policy = strategy.turn_policy(model, c, int(model.first_lane_C[c]) + lane)
                taken_O = policy.outcome_shares(model, c)
            block[lane // WIDTH, :, lane % WIDTH] = taken_O[outcomes]
    return shares
