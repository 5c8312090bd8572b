"""The policy and the expected score of a strategy that depends only on the scorecard."""

import numpy as np
from numpy.typing import NDArray

from rollwise.errors import InconsistentError, InputError
from rollwise.model.arrays import build
from rollwise.rules import Rules
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.compiled_game import CompiledGame
from rollwise.solving.kernels.moments import fill_moments
from rollwise.solving.kernels.policy import LayerPolicy
from rollwise.solving.kernels.policy_of_choices import (
    RollProbabilities,
    StateChoices,
    policy_of_choices,
)
from rollwise.solving.kernels.vector import WIDTH
from rollwise.solving.policy import OptimalPolicy, Policy
from rollwise.solving.position_index import START
from rollwise.solving.turn_policy import Cards, Turns
from rollwise.strategies import Strategy

Integers = NDArray[np.int64]


def policy_of(strategy: Strategy, rules: Rules | None = None, threads: int | None = None) -> Policy:
    """Return the policy of a strategy in all states of a game.

    An optimal strategy uses the game of its solution and ignores ``rules``.

    Raises
    ------
    InputError
        If ``rules`` is None and the strategy has no solution.
    InconsistentError
        If the strategy depends on the points so far.
    TooLargeError
        If a layer of the game takes too much memory.
    """
    if isinstance(strategy.solution, CardSolution):
        return OptimalPolicy(strategy.solution, die=strategy.die_bonus, threads=threads)
    if "score" in strategy.sees:
        raise InconsistentError(
            f"{strategy.name} depends on the points so far, so exact statistics are not available; "
            "use simulate to estimate them"
        )
    if rules is None:
        raise InputError("the strategy needs the rules of a game; pass the argument rules")
    return StrategyPolicy(strategy, rules, threads)


def mean_of(policy: Policy) -> float:
    """Return the expected final score of a policy from the empty scorecard.

    One backward pass is much faster than computing the whole distribution.
    """
    model = policy.compiled.model
    mean = policy.compiled.rows(model.bonus_L.astype(np.float64))
    policy.backward((fill_moments, model.total_points_O.astype(np.float64), mean, None))
    return float(mean[START.c, START.lane])


class StrategyPolicy(Policy):
    """The policy of a strategy, computed once per group of states with the same turn policy."""

    def __init__(self, strategy: Strategy, rules: Rules, threads: int | None = None) -> None:
        super().__init__(CompiledGame(build(rules), threads=threads))
        self._strategy = strategy
        self._forward_index = RollProbabilities.of(self.compiled.model.lattice)

    def _play(self, layer: int, wanted_X: NDArray[np.bool_], played: LayerPolicy) -> None:
        model, (first, last) = self.compiled.model, self.compiled.layers[layer]
        number_C = model.rows_C[first:last]
        class_X = np.repeat(np.arange(first, last), number_C)
        row_X = np.arange(len(class_X)) - np.repeat(np.cumsum(number_C) - number_C, number_C)
        cards = np.flatnonzero(wanted_X)
        rows_G_2 = np.stack([row_X[cards], row_X[cards] + 1], axis=1)
        if "lane" not in self._strategy.sees:  # one state per class represents all lanes
            cards = cards[np.diff(class_X[cards], prepend=-1) != 0]
            rows_G_2 = np.stack([cards * 0, model.rows_C[class_X[cards]]], axis=1)
        lane_G = model.first_lane_C[class_X[cards]] + row_X[cards]
        every = Cards(model, class_X[cards], lane_G, lane_G * 0)
        for part in every.parts(self._strategy.batch):
            turns = self._strategy.turns(every.at(part))
            play = self._play_mixed if turns.is_mixed else self._play_chosen
            play(turns, rows_G_2[part], played)

    def _play_chosen(self, turns: Turns, rows_G_2: Integers, played: LayerPolicy) -> None:
        compiled, class_G = self.compiled, turns.cards.class_G
        chosen = StateChoices(
            class_G, rows_G_2, turns.keeps, turns.categories, forbidden_G=np.zeros(len(class_G))
        )
        stops = compiled.model.rules.stops
        compiled.run(policy_of_choices, 0, len(class_G), self._forward_index, stops, chosen, played)
        if chosen.forbidden_G.any():
            raise InputError(
                "the policy scores a roll in a category that the rules do not allow; correct "
                "the policy"
            )

    def _play_mixed(self, turns: Turns, rows_G_2: Integers, played: LayerPolicy) -> None:
        for c, (row, end), probability_O in zip(
            turns.cards.class_G.tolist(),
            rows_G_2.tolist(),
            turns.outcome_probabilities(),
            strict=True,
        ):
            outcomes = self.compiled.model.outcomes_of(c)
            for r in range(row, end):
                begin = played.starts_C[c - played.first] + r // WIDTH * len(outcomes) * WIDTH
                block = played.probabilities[begin : begin + len(outcomes) * WIDTH]
                block[r % WIDTH :: WIDTH] = probability_O[outcomes]
