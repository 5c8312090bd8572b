"""Adapters that turn agents into strategies, and strategies into agents.

:class:`Agent` turns a function from observations to actions, such as a network, into a strategy.
:class:`StrategyPlayer` uses a strategy to choose the actions in the games of an environment.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rollwise.errors import IllegalError
from rollwise.learning.codings import Actions, Coding, actions_of
from rollwise.learning.games import Games
from rollwise.model.arrays import Model
from rollwise.rules import Rules
from rollwise.strategies import RollByRoll, Strategy

Integers = NDArray[np.int64]


class StrategyPlayer:
    """A player that takes the actions of a strategy in many games.

    All games must be at the beginning of a turn when the player starts. A strategy can keep all
    dice and continue the turn, but the games have no action for this. In that case, the player
    plays the turn with one reroll fewer.

    Parameters
    ----------
    strategy : Strategy
    games : Games
    seed : int
        The seed of the random actions of a mixed strategy.
    """

    def __init__(self, strategy: Strategy, games: Games, seed: int = 0) -> None:
        self.strategy, self.games = strategy, games
        self._rng = np.random.default_rng(seed)
        model, number = games.model, games.number
        rerolls, rolls = games.arrays.max_rerolls, len(model.lattice.rolls)
        ends = rolls * (rerolls + 1 if model.rules.stops else 1)
        self._keeps_N_J_R = np.zeros((number, rerolls, rolls), dtype=np.uint16)
        self._category_N_E = np.zeros((number, ends), dtype=np.uint8)
        self._class_N = np.zeros(number, dtype=np.int64)
        self._left_N = np.zeros(number, dtype=np.int64)

    def actions(self) -> Integers:
        """Return the strategy's action in each of the N games, int64 of shape (N,).

        The action is 0 if the game is over.
        """
        games, model = self.games, self.games.model
        states = games.states
        fresh = np.flatnonzero(states.fresh_N & ~states.over_N)
        if len(fresh):
            self._begin(fresh)
        roll_N, action_N = states.dice.roll_N, np.zeros(games.number, dtype=np.int64)
        first_roll, rolls = model.lattice.first_roll, len(model.lattice.rolls)
        keeping = np.flatnonzero(~states.over_N)
        scoring = [keeping[:0]]
        while len(keeping):
            done = self._left_N[keeping] == 0
            scoring.append(keeping[done])
            keeping = keeping[~done]
            point = self._points_to_keep(keeping)
            whole = point >= first_roll
            rerolling = keeping[~whole]
            same = games.actions.keep_R_A[roll_N[rerolling]] == point[~whole, None]
            action_N[rerolling] = same.argmax(axis=1)
            self._left_N[rerolling] -= 1
            keeping = keeping[whole]
            if model.rules.stops:
                scoring.append(keeping)
                break
            self._left_N[keeping] -= 1
        ending = np.concatenate(scoring)
        end = roll_N[ending] + (states.left_N[ending] * rolls if model.rules.stops else 0)
        action_N[ending] = games.actions.keeps + self._categories(ending, end)
        return action_N

    def _begin(self, fresh: Integers) -> None:
        """Store the strategy's actions for every roll of the new turns in the games ``fresh``."""
        cards, model, strategy = self.games.cards, self.games.model, self.strategy
        self._class_N[fresh] = cards.class_N[fresh]
        self._left_N[fresh] = model.rerolls_C[cards.class_N[fresh]]
        if strategy.mixed:
            return
        lane = cards.lane_N[fresh] * (strategy.sees_lane or strategy.sees_score)
        score = cards.score_N[fresh] * strategy.sees_score
        states_3_N = np.stack([cards.class_N[fresh], lane, score])
        states_3_G, group_N = np.unique(states_3_N, axis=1, return_inverse=True)
        keeps_G_J_R, category_G_E = strategy.choices_at(model, *states_3_G)
        rerolls, ends = keeps_G_J_R.shape[1], category_G_E.shape[1]
        first = self._keeps_N_J_R.shape[1] - rerolls
        self._keeps_N_J_R[fresh, first:] = keeps_G_J_R[group_N.ravel()]
        self._category_N_E[fresh, :ends] = category_G_E[group_N.ravel()]

    def _points_to_keep(self, games: Integers) -> Integers:
        """Return the lattice points of the dice that the strategy keeps in the given games."""
        left, roll = self._left_N[games], self.games.states.dice.roll_N[games]
        if self.strategy.mixed:
            return self._draw(games, left, roll)
        return self._keeps_N_J_R[games, self._keeps_N_J_R.shape[1] - left, roll].astype(np.int64)

    def _categories(self, games: Integers, end: Integers) -> Integers:
        """Return the categories that the strategy fills in the given games.

        ``end`` contains, for each game, the row of its final roll in the strategy's arrays.
        """
        if self.strategy.mixed:
            return self._draw(games, np.zeros_like(games), end)
        return self._category_N_E[games, end].astype(np.int64)

    def _draw(self, games: Integers, left: Integers, row: Integers) -> Integers:
        """Draw actions of a mixed strategy: dice to keep, or categories if no rerolls are left.

        ``left`` contains the number of rerolls left in each game. ``row`` contains the row in the
        strategy's arrays of each game's roll.
        """
        drawn = np.zeros(len(games), dtype=np.int64)
        if not len(games):
            return drawn
        states_3_N = np.stack([self._class_N[games], self.games.cards.lane_N[games], left])
        states_3_N[1] *= self.strategy.sees_lane
        states_3_G, group_N, number_G = np.unique(
            states_3_N, axis=1, return_inverse=True, return_counts=True
        )
        groups = np.split(np.argsort(group_N.ravel(), kind="stable"), np.cumsum(number_G)[:-1])
        for group, (c, lane, rerolls) in zip(groups, states_3_G.T.tolist(), strict=True):
            policy = self.strategy.turn_policy(self.games.model, c, lane)
            choice: NDArray[Any] = policy.keeps[-rerolls] if rerolls else policy.categories
            chosen = choice[row[group]]
            if choice.ndim > 1:  # the sum can differ from 1 by a rounding error
                cumulative = np.cumsum(chosen, axis=1)
                level = self._rng.random((len(group), 1)) * cumulative[:, -1:]
                chosen = (cumulative <= level).sum(axis=1)
            drawn[group] = chosen
        return drawn


Act = Callable[[NDArray[np.float32], NDArray[np.int8]], ArrayLike]

MAX_BATCH = 65_536
"""The maximum number of observations in one call of an agent."""


class Agent(RollByRoll):
    """The strategy of an agent that acts on batches of observations.

    Parameters
    ----------
    act : callable
        A function of N flat observations, float32 of shape (N, D), and their masks of legal
        actions, int8 of shape (N, A). D is the size of an observation, and A the number of actions.
        The function returns action numbers, integers of shape (N,), or action scores of shape
        (N, A). With scores, the strategy takes the legal action with the highest score.
    actions : {"keeps", "dice"}
        The coding of the dice to keep (:func:`rollwise.learning.codings.actions_of`).
    name : str
        The name of the strategy.
    """

    def __init__(self, act: Act, actions: Coding = "keeps", name: str = "agent") -> None:
        self.act, self.coding, self.name = act, actions, name
        self._last: tuple[Rules, Actions] | None = None

    def decide(
        self,
        model: Model,
        class_N: Integers,
        lane_N: Integers,
        score_N: Integers,
        roll_N: Integers,
        left_N: Integers,
    ) -> tuple[Integers, Integers]:
        """Return the lattice indices of the dice to keep, and the categories."""
        actions = self._actions(model.rules)
        action_N = np.empty(len(roll_N), dtype=np.int64)
        for start in range(0, len(roll_N), MAX_BATCH):
            part = slice(start, start + MAX_BATCH)
            games = Games(model.rules, actions, len(roll_N[part]))
            cards, states = games.cards, games.states
            cards.class_N[:], cards.lane_N[:] = class_N[part], lane_N[part]
            cards.score_N[:] = score_N[part]
            states.dice.roll_N[:], states.left_N[:] = roll_N[part], left_N[part]
            action_N[part] = self._act(*games.look())
        keeps = action_N < actions.keeps
        point_N = actions.keep_R_A[roll_N, np.where(keeps, action_N, 0)].astype(np.int64)
        return np.where(keeps, point_N, -1), np.where(keeps, -1, action_N - actions.keeps)

    def _actions(self, rules: Rules) -> Actions:
        if self._last is None or self._last[0] != rules:
            self._last = rules, actions_of(rules, self.coding)
        return self._last[1]

    def _act(self, seen_N_D: NDArray[np.float32], mask_N_A: NDArray[np.int8]) -> Integers:
        """Return the actions of the agent, and check that they are legal."""
        output: NDArray[Any] = np.asarray(self.act(seen_N_D, mask_N_A))
        number, most = mask_N_A.shape
        if output.shape == mask_N_A.shape and not np.isnan(output).any():
            output = np.where(mask_N_A, output, -np.inf).argmax(axis=1)
        if output.shape != (number,) or not np.issubdtype(output.dtype, np.integer):
            raise IllegalError(
                f"{self.name} returned {output.dtype} of shape {output.shape}; return integers of "
                f"shape ({number},) or scores of shape ({number}, {most})"
            )
        inside = (output >= 0) & (output < most)
        wrong = np.flatnonzero(~inside | (mask_N_A[np.arange(number), output * inside] == 0))
        if len(wrong):
            allowed = np.flatnonzero(mask_N_A[wrong[0]]).tolist()
            raise IllegalError(
                f"{self.name} returned the illegal action {output[wrong[0]]}; return one of "
                f"{allowed}"
            )
        return output.astype(np.int64)
