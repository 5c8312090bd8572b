"""With what probability a strategy takes each outcome, from every card of a layer."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rollwise.errors import InconsistentError, TooLargeError
from rollwise.model.arrays import Model, build
from rollwise.rules import Rules
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.kernels.policy import best_play, count_slots, list_slots
from rollwise.solving.kernels.vector import WIDTH
from rollwise.solving.layers import Sweep
from rollwise.solving.objectives import EXPECTED, CardObjective
from rollwise.solving.solution import TIE
from rollwise.strategies import Optimal, Strategy

MAX_LAYER_BYTES = 4 << 30


def game_of(strategy: Strategy, rules: Rules | None) -> tuple[Model, CardObjective]:
    """Return the game that a strategy plays, and what it plays for.

    Raises
    ------
    ValueError
        When no rules are given for a strategy that has none of its own.
    InconsistentError
        When the strategy depends on the points so far, and so on more than the card.
    """
    if strategy.sees_score:
        raise InconsistentError(
            f"expected a strategy that depends on the card alone; {strategy.name} also looks at "
            "the points so far"
        )
    if isinstance(strategy, Optimal) and isinstance(strategy.solution, CardSolution):
        return strategy.solution.model, strategy.solution.objective
    if rules is None:
        raise ValueError("expected the rules of the game that the strategy plays")
    return build(rules), EXPECTED


@dataclass(frozen=True)
class Shares:
    """Outcome probabilities of one layer, laid out as the kernel ``best_play`` does.

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


Layout = tuple[NDArray[np.int64], NDArray[np.int64], int]
"""The slots of each class of a layer, where its block starts, the size of all."""


def _layouts(sweep: Sweep) -> list[Layout]:
    layouts = []
    for first, last in sweep.layers[:-1]:
        slots_C = count_slots(sweep.game, first, last)
        blocks_C = -(-sweep.model.rows_C[first:last] // WIDTH)
        ends = np.cumsum(slots_C * blocks_C * WIDTH)
        layouts.append((slots_C, np.append(0, ends[:-1]), int(ends[-1])))
    size = 8 * max(size for _, _, size in layouts)
    if size > MAX_LAYER_BYTES:
        raise TooLargeError(
            f"{sweep.model.rules.name}: how all cards of a layer are played would take "
            f"{size / 2**30:.1f} GiB: expected at most {MAX_LAYER_BYTES >> 30}"
        )
    return layouts


def check_room(rules: Rules) -> None:
    """Check that all cards of a game can be played through, before it is solved for minutes.

    Raises
    ------
    TooLargeError
        When they take too much memory.
    """
    _layouts(Sweep(build(rules), EXPECTED))


class Sharing:
    """How a strategy plays, layer by layer.

    Each layer is computed in the memory of the one before: a system may take long to hand out
    memory that was never touched.

    Raises
    ------
    TooLargeError
        When a layer would take more than ``MAX_LAYER_BYTES``.
    """

    def __init__(self, strategy: Strategy, sweep: Sweep) -> None:
        self._strategy, self._sweep = strategy, sweep
        self._layouts = _layouts(sweep)
        self._memory = np.empty(max(size for _, _, size in self._layouts))
        if isinstance(strategy, Optimal):
            assert isinstance(strategy.solution, CardSolution)  # else it sees the score
            self._values = sweep.padded(strategy.solution.remaining_C_L).reshape(-1)

    def of_layer(self, layer: int, wanted_X: NDArray[np.bool_] | None = None) -> Shares:
        """Return how the cards of a layer are played; the layer asked for before is lost.

        ``wanted_X`` says for each row of the layer whether it is wanted; all are unless told.
        """
        slots_C, starts, size = self._layouts[layer]
        shares = Shares(self._sweep.layers[layer][0], starts, self._memory[:size])
        if isinstance(self._strategy, Optimal):
            self._best_play(layer, shares, self._strategy.die_worth, wanted_X)
        else:
            self._play(layer, slots_C, shares)
        return shares

    def _best_play(
        self, layer: int, shares: Shares, die: float, wanted_X: NDArray[np.bool_] | None
    ) -> None:
        sweep, (first, last) = self._sweep, self._sweep.layers[layer]
        first_row_C = np.append(0, np.cumsum(sweep.model.rows_C[first:last]))
        wanted = np.ones(first_row_C[-1], dtype=np.bool_) if wanted_X is None else wanted_X

        def play(start: int, stop: int) -> None:
            starts = shares.starts[start - first : stop - first]
            best_play(
                self._values, sweep.stride, start, stop, sweep.game, sweep.turn, TIE, die,
                wanted, first_row_C[start - first : stop - first + 1], starts, shares.weights,
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
