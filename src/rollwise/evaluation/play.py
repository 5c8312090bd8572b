"""The play of any strategy that looks at nothing but the card."""

import numpy as np
from numpy.typing import NDArray

from rollwise.errors import InconsistentError
from rollwise.model.arrays import build
from rollwise.rules import Rules
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.kernels.policy import LayerPlay
from rollwise.solving.kernels.vector import WIDTH
from rollwise.solving.layers import Sweep
from rollwise.solving.objectives import EXPECTED
from rollwise.solving.play import BestPlay, Play
from rollwise.strategies import Optimal, Strategy


def play_of(strategy: Strategy, rules: Rules | None = None, threads: int | None = None) -> Play:
    """Return how a strategy plays all cards of a game.

    Parameters
    ----------
    rules : Rules, optional
        The game; that of its solution for an optimal strategy.
    threads : int, optional
        As many as the process may use unless told.

    Raises
    ------
    ValueError
        When no rules are given for a strategy that has none of its own.
    InconsistentError
        When the strategy depends on the points so far, and so on more than the card.
    TooLargeError
        When a layer of the game takes too much memory.
    """
    if isinstance(strategy, Optimal) and isinstance(strategy.solution, CardSolution):
        return BestPlay(strategy.solution, die=strategy.die_worth, threads=threads)
    if strategy.sees_score:
        raise InconsistentError(
            f"expected a strategy that depends on the card alone; {strategy.name} also looks at "
            "the points so far"
        )
    if rules is None:
        raise ValueError("expected the rules of the game that the strategy plays")
    return StrategyPlay(strategy, rules, threads)


class StrategyPlay(Play):
    """The play of a strategy, asked for a turn policy on every card."""

    def __init__(self, strategy: Strategy, rules: Rules, threads: int | None = None) -> None:
        super().__init__(Sweep(build(rules), EXPECTED, threads))
        self._strategy = strategy

    def _play(self, layer: int, wanted_X: NDArray[np.bool_], played: LayerPlay) -> None:
        strategy, sweep, model = self._strategy, self.sweep, self.sweep.model
        first_row = 0
        for c, start in zip(range(*sweep.layers[layer]), played.starts_C, strict=True):
            wanted_R = wanted_X[first_row : first_row + model.rows_C[c]]
            first_row += len(wanted_R)
            if not wanted_R.any():
                continue
            outcomes = model.outcomes_of(c)
            blocks = -(-int(model.rows_C[c]) // WIDTH)
            size = blocks * len(outcomes) * WIDTH
            block = played.probabilities[start : start + size]
            probability_B_O_L = block.reshape(blocks, len(outcomes), WIDTH)
            for r in range(len(wanted_R)):
                if r == 0 or (strategy.sees_lane and wanted_R[r]):
                    policy = strategy.turn_policy(model, c, int(model.first_lane_C[c]) + r)
                    probability_O = policy.outcome_probabilities(model, c)
                probability_B_O_L[r // WIDTH, :, r % WIDTH] = probability_O[outcomes]
