"""Train a network on its own games of Yahtzee, and evaluate its policy exactly.

Run ``python benchmarks/train.py [--rules NAME] [--rounds N] [--games N] [--seed N] [-o FILE.npy]``
in an environment with the extras ``learn`` and ``train``. The network learns a value function,
which gives the expected points to come from each state, by TD(λ) on games of its own policy. Within
a turn, the policy uses the exact probabilities of the dice, but no part of the solution. After the
training, the script evaluates the policy exactly, and prints its EV loss by category. A seed
determines the network for one version of the libraries on one kind of machine.
"""

import argparse
import time
from collections import deque
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.neural_network import MLPRegressor

from rollwise import Rules, compare, evaluate, load_rules
from rollwise.learning.games import Games
from rollwise.model.arrays import Model, build
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.objectives import EXPECTED
from rollwise.solving.turn_policy import Cards
from rollwise.solving.values import Table
from rollwise.strategies import Optimal

Floats = NDArray[np.float64]

UNIT = 50.0
"""The number of points per unit of the network's output."""

LAMBDA = 0.7
REMEMBERED = 6
"""The number of latest rounds whose games are in the training set."""

BATCHES = 256, 8192
"""The batch sizes at the beginning and at the end; larger batches make later steps less noisy."""


def features(model: Model, class_N: NDArray[np.int64], lane_N: NDArray[np.int64]) -> Floats:
    """Return the network's inputs: filled categories, eligibility, and upper-section total."""
    filled_N_K = model.mask_C[class_N][:, None] >> np.arange(len(model.rules.categories)) & 1
    most = max(model.lanes - 1, 1)
    rest = [model.eligible_C[class_N], lane_N / most, (lane_N >= most / 2), (lane_N == most)]
    return np.column_stack([filled_N_K, *rest]).astype(np.float64)


def actions(policy: Optimal, games: Games) -> NDArray[np.int64]:
    """Return the action of a policy in each game, shape (N,); 0 if the game is over.

    No action keeps all dice, so the games score these dice early.
    """
    cards, playing = games.cards, ~games.states.over_N
    states_2_N = np.stack([cards.class_N, cards.lane_N])[:, playing]
    (class_G, lane_G), group_N = np.unique(states_2_N, axis=1, return_inverse=True)
    turns = policy.turns(Cards(games.model, class_G, lane_G, np.zeros_like(class_G)))
    roll_N, left_N = games.states.dice.roll_N[playing], games.states.left_N[playing]
    keep_N = turns.keeps[group_N, -left_N, roll_N].astype(np.int64)
    score_N = games.actions.keeps + turns.categories[group_N, roll_N].astype(np.int64)
    action_N = np.zeros(games.number, dtype=np.int64)
    scores_N = (left_N == 0) | (keep_N >= games.actions.keeps)
    action_N[playing] = np.where(scores_N, score_N, keep_N)
    return action_N


class Learner:
    """A network, its value table, and the games on which it is trained."""

    def __init__(self, rules: Rules, games: int, seed: int) -> None:
        self.model, self.seed = build(rules), seed
        self.games = Games(rules, games)
        self.network = MLPRegressor(hidden_layer_sizes=(96, 96), random_state=seed)
        self.rng = np.random.default_rng(seed)
        self._full = self.model.layer_starts[-2]
        self._remembered: deque[tuple[Floats, Floats]] = deque(maxlen=REMEMBERED)
        self.value_C_L = np.zeros((self.model.n_classes, self.model.lanes))
        self._finish(self.value_C_L)

    def _finish(self, value_C_L: Floats) -> None:
        """Write the exact values of full scorecards, which need no training."""
        value_C_L[self._full :] = self.model.bonus_L

    def play(self, number: int) -> float:
        """Play and store the games of a round; return their mean score."""
        games, first = self.games, (number + 1) * self.games.number + (self.seed << 32)
        games.seed(first + np.arange(games.number))
        games.deal(np.ones(games.number, dtype=np.bool_))
        policy = self.policy()
        seen: list[NDArray[np.int64]] = []
        while not games.states.over_N.all():
            if games.states.fresh_N.any():  # all games are in the same turn
                seen.append(
                    np.stack([games.cards.class_N, games.cards.lane_N, games.cards.score_N])
                )
            games.act(actions(policy, games))
        seen.append(np.stack([games.cards.class_N, games.cards.lane_N, games.cards.score_N]))
        self._remember(np.stack(seen))
        return float(games.points_N.mean())

    def policy(self) -> Optimal:
        """Return the optimal policy if the network's values were exact."""
        table = Table(self.model, [], self.value_C_L)
        return Optimal(CardSolution(self.model.rules, EXPECTED, self.model, table))

    def _remember(self, seen_T_3_N: NDArray[np.int64]) -> None:
        """Store the states of a round with their TD(λ) targets."""
        class_T_N, lane_T_N, score_T_N = seen_T_3_N.swapaxes(0, 1)
        value_T_N = self.value_C_L[class_T_N, lane_T_N]
        target_N, target_T_N = value_T_N[-1], np.empty(value_T_N.shape)
        for turn in range(len(target_T_N) - 2, -1, -1):
            after_N = LAMBDA * target_N + (1 - LAMBDA) * value_T_N[turn + 1]
            target_N = score_T_N[turn + 1] - score_T_N[turn] + after_N
            target_T_N[turn] = target_N
        inputs = features(self.model, class_T_N[:-1].ravel(), lane_T_N[:-1].ravel())
        self._remembered.append((inputs, target_T_N[:-1].ravel() / UNIT))

    def learn(self, batch: int) -> None:
        """Train the network for one epoch on the stored games, and update the value table."""
        inputs, targets = (np.concatenate(part) for part in zip(*self._remembered, strict=True))
        order = self.rng.permutation(len(targets))
        self.network.set_params(batch_size=min(batch, len(targets)))
        self.network.partial_fit(inputs[order], targets[order])
        self.value_C_L = self.beliefs()

    def beliefs(self) -> Floats:
        """Return the network's value of each state, shape (C, L)."""
        model = self.model
        class_X, lane_X = np.divmod(np.arange(model.n_classes * model.lanes), model.lanes)
        value_X = self.network.predict(features(model, class_X, lane_X)) * UNIT
        value_C_L: Floats = value_X.reshape(model.n_classes, model.lanes)
        self._finish(value_C_L)
        return value_C_L


def main() -> None:
    """Train a network, and print the expected score of its policy."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rules", default="yahtzee")
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--games", type=int, default=4000, help="of each round")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("-o", type=Path, help="what it expects from each card, as an array")
    given = parser.parse_args()
    rules, began = load_rules(given.rules), time.process_time()
    learner = Learner(rules, given.games, given.seed)
    for number in range(given.rounds):
        mean = learner.play(number)
        learner.learn(round(BATCHES[0] * (BATCHES[1] / BATCHES[0]) ** (number / given.rounds)))
        if number % 10 == 9:
            spent, played = time.process_time() - began, (number + 1) * given.games
            print(f"{played:,} games, {spent:.0f} CPU s: the last score {mean:.1f}", flush=True)
    if given.o:
        np.save(given.o, learner.value_C_L)
    agent = learner.policy()
    distribution = evaluate(agent, rules).distribution
    print(f"{rules.title}: worth {distribution.mean:.4f} points, SD {distribution.sd:.2f}, exactly")
    result = compare([agent], rules=rules)
    lost = result.strategies[0].lost
    print(f"loses {lost.total:.2f} ± {lost.error:.2f} of {result.optimum:.4f}; by category:")
    for category, points in zip(rules.categories, lost.by_category.values(), strict=True):
        print(f"{category.title:20}{points:6.2f}")


if __name__ == "__main__":
    main()
