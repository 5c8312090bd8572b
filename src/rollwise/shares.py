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
    first : int
        The first class of the layer.
    starts : int64 array of shape (classes of the layer,)
    weights : float64 array
    """

    first: int
    starts: NDArray[np.int64]
    weights: NDArray[np.float64]

    def of(self, sweep: Sweep, c: int, r: int) -> NDArray[np.float64]:
        """Return the probability of each outcome on row r of class c, float64 of shape (O,)."""
        outcomes = list_slots(sweep.game, c)
        start = self.starts[c - self.first] + r // WIDTH * len(outcomes) * WIDTH + r % WIDTH
        share_O = np.zeros(len(sweep.model.points_O))
        share_O[outcomes] = self.weights[start : start + len(outcomes) * WIDTH : WIDTH]
        return share_O


class Sharing:
    """How a strategy plays, layer by layer.

    Each layer is computed in the memory of the one before: a system may take long to hand out
    memory that was never touched.
    """

    def __init__(self, strategy: Strategy, sweep: Sweep) -> None:
        self._strategy, self._sweep = strategy, sweep
        self._layouts = [self._layout(first, last) for first, last in sweep.layers[:-1]]
        self._memory = np.empty(max(size for _, _, size in self._layouts))
        if isinstance(strategy, Optimal):
            self._values = sweep.padded(strategy.solution.remaining_C_L).reshape(-1)

    def _layout(self, first: int, last: int) -> tuple[NDArray[np.int64], NDArray[np.int64], int]:
        """Return the slots of each class of a layer, where its block starts, the size of all."""
        slots_C = count_slots(self._sweep.game, first, last)
        blocks_C = -(-self._sweep.model.rows_C[first:last] // WIDTH)
        ends = np.cumsum(slots_C * blocks_C * WIDTH)
        return slots_C, np.append(0, ends[:-1]), int(ends[-1])

    def of_layer(self, layer: int) -> Shares:
        """Return how every card of a layer is played; the layer asked for before is lost."""
        slots_C, starts, size = self._layouts[layer]
        shares = Shares(self._sweep.layers[layer][0], starts, self._memory[:size])
        if isinstance(self._strategy, Optimal):
            self._best_play(layer, shares, self._strategy.die_worth)
        else:
            self._play(layer, slots_C, shares)
        return shares

    def _best_play(self, layer: int, shares: Shares, die: float) -> None:
        sweep, (first, last) = self._sweep, self._sweep.layers[layer]

        def play(start: int, stop: int) -> None:
            starts = shares.starts[start - first : stop - first]
            best_play(
                self._values, sweep.stride, start, stop, sweep.game, sweep.turn, TIE, die,
                starts, shares.weights,
            )  # fmt: skip

        sweep.each_part(first, last, play)

    def _play(self, layer: int, slots_C: NDArray[np.int64], shares: Shares) -> None:
        strategy, sweep, model = self._strategy, self._sweep, self._sweep.model
        for i, c in enumerate(range(*sweep.layers[layer])):
            outcomes = list_slots(sweep.game, c)
            blocks = -(-int(model.rows_C[c]) // WIDTH)
            size = blocks * len(outcomes) * WIDTH
            block = shares.weights[shares.starts[i] : shares.starts[i] + size]
            share_B_O_L = block.reshape(blocks, slots_C[i], WIDTH)
            for r in range(model.rows_C[c]):
                if r == 0 or strategy.sees_lane:
                    policy = strategy.turn_policy(model, c, int(model.first_lane_C[c]) + r)
                    taken_O = policy.outcome_shares(model, c)
                share_B_O_L[r // WIDTH, :, r % WIDTH] = taken_O[outcomes]
