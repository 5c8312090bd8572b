"""Agents as strategies: what a network says of a batch is what is played.

A strategy of ours in the environments: its actions in many games.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rollwise import RollByRoll, Rules, Strategy, errors
from rollwise.learning.codings import Actions, Coding, actions_of
from rollwise.learning.games import Games
from rollwise.model.arrays import Model

Integers = NDArray[np.int64]


class Follower:
    """Plays some games by a strategy, from the beginning of a turn on.

    A strategy may keep all dice and go on; the games know no such action, so that whoever does
    that here has a reroll less from then on.

    Parameters
    ----------
    strategy : Strategy
    games : Games
    seed : int
        Of the choices of mixed strategies; certain ones need none.
    """

    def __init__(self, strategy: Strategy, games: Games, seed: int = 0) -> None:
        self.strategy, self.games = strategy, games
        self._rng = np.random.default_rng(seed)
        model, number = games.model, games.number
        most, rolls = games.arrays.most_left, len(model.lattice.rolls)
        ends = rolls * (most + 1 if model.rules.stops else 1)
        self._keeps_N_J_R = np.zeros((number, most, rolls), dtype=np.uint16)
        self._category_N_E = np.zeros((number, ends), dtype=np.uint8)
        self._class_N = np.zeros(number, dtype=np.int64)
        self._left_N = np.zeros(number, dtype=np.int64)

    def actions(self) -> Integers:
        """Return the action of the strategy in each game, int64 of shape (N,); 0 if it is over."""
        games, model = self.games, self.games.model
        stand = games.stand
        fresh = np.flatnonzero(stand.fresh_N & ~stand.over_N)
        if len(fresh):
            self._begin(fresh)
        roll_N, chosen_N = stand.fallen.roll_N, np.zeros(games.number, dtype=np.int64)
        first_roll, rolls = model.lattice.first_roll, len(model.lattice.rolls)
        retention = np.flatnonzero(~stand.over_N)
        scoring = [retention[:0]]
        while len(retention):
            done = self._left_N[retention] == 0
            scoring.append(retention[done])
            retention = retention[~done]
            point = self._kept(retention)
            whole = point >= first_roll
            some = retention[~whole]
            same = games.actions.keep_R_A[roll_N[some]] == point[~whole, None]
            chosen_N[some] = same.argmax(axis=1)
            self._left_N[some] -= 1
            retention = retention[whole]
            if model.rules.stops:
                scoring.append(retention)
                break
            self._left_N[retention] -= 1
        ending = np.concatenate(scoring)
        end = roll_N[ending] + (stand.left_N[ending] * rolls if model.rules.stops else 0)
        chosen_N[ending] = games.actions.keeps + self._scored(ending, end)
        return chosen_N

    def _begin(self, fresh: Integers) -> None:
        """Ask the strategy how it plays the turns that some games begin."""
        cards, model, strategy = self.games.cards, self.games.model, self.strategy
        self._class_N[fresh] = cards.class_N[fresh]
        self._left_N[fresh] = model.rerolls_C[cards.class_N[fresh]]
        if strategy.mixed:
            return
        lane = cards.lane_N[fresh] * (strategy.sees_lane or strategy.sees_score)
        score = cards.score_N[fresh] * strategy.sees_score
        told = np.stack([cards.class_N[fresh], lane, score])
        own, which = np.unique(told, axis=1, return_inverse=True)
        keeps_G_J_R, category_G_E = strategy.choices_at(model, *own)
        rerolls, ends = keeps_G_J_R.shape[1], category_G_E.shape[1]
        most = self._keeps_N_J_R.shape[1]
        self._keeps_N_J_R[fresh, most - rerolls :] = keeps_G_J_R[which.ravel()]
        self._category_N_E[fresh, :ends] = category_G_E[which.ravel()]

    def _kept(self, some: Integers) -> Integers:
        """Return the points that the strategy keeps in some games."""
        left, roll = self._left_N[some], self.games.stand.fallen.roll_N[some]
        if self.strategy.mixed:
            return self._drawn(some, left, roll)
        return self._keeps_N_J_R[some, self._keeps_N_J_R.shape[1] - left, roll].astype(np.int64)

    def _scored(self, some: Integers, end: Integers) -> Integers:
        """Return the categories of some games whose turns end so."""
        if self.strategy.mixed:
            return self._drawn(some, np.zeros_like(some), end)
        return self._category_N_E[some, end].astype(np.int64)

    def _drawn(self, some: Integers, left: Integers, row: Integers) -> Integers:
        """Draw keeps with rerolls left, or categories with none, by their probabilities."""
        drawn = np.zeros(len(some), dtype=np.int64)
        if not len(some):
            return drawn
        cards = np.stack([self._class_N[some], self.games.cards.lane_N[some], left])
        cards[1] *= self.strategy.sees_lane
        own, which, number = np.unique(cards, axis=1, return_inverse=True, return_counts=True)
        groups = np.split(np.argsort(which.ravel(), kind="stable"), np.cumsum(number)[:-1])
        for here, (c, lane, still) in zip(groups, own.T.tolist(), strict=True):
            policy = self.strategy.turn_policy(self.games.model, c, lane)
            choice: NDArray[Any] = policy.keeps[-still] if still else policy.categories
            mine = choice[row[here]]
            if choice.ndim > 1:  # the last choice with any probability takes what rounding leaves
                reached = np.cumsum(mine, axis=1)
                share = self._rng.random((len(here), 1)) * reached[:, -1:]
                mine = (reached <= share).sum(axis=1)
            drawn[here] = mine
        return drawn


Act = Callable[[NDArray[np.float32], NDArray[np.int8]], ArrayLike]

MOST = 65_536
"""Rolls that an agent is asked about at once."""


class Agent(RollByRoll):
    """The strategy of an agent that answers a batch of observations.

    Parameters
    ----------
    act : callable
        From flat observations, float32 of shape (N, D), and masks of allowed actions, int8 of
        shape (N, A), to the numbers of actions, whole numbers of shape (N,), or to a score of every
        action, shape (N, A), of which the highest allowed one is taken.
    actions : {"keeps", "dice"}
        The coding of what is kept (:func:`rollwise.learning.codings.actions_of`).
    name : str
    """

    def __init__(self, act: Act, actions: Coding = "keeps", name: str = "agent") -> None:
        self.act, self.coding, self.name = act, actions, name
        self._known: tuple[Rules, Actions] | None = None

    def decide(
        self,
        model: Model,
        class_N: Integers,
        lane_N: Integers,
        score_N: Integers,
        roll_N: Integers,
        left_N: Integers,
    ) -> tuple[Integers, Integers]:
        """Return what the agent keeps of each roll, and where it scores."""
        actions = self._actions(model.rules)
        chosen_N = np.empty(len(roll_N), dtype=np.int64)
        for start in range(0, len(roll_N), MOST):
            part = slice(start, start + MOST)
            games = Games(model.rules, actions, len(roll_N[part]))
            cards, stand = games.cards, games.stand
            cards.class_N[:], cards.lane_N[:] = class_N[part], lane_N[part]
            cards.score_N[:] = score_N[part]
            stand.fallen.roll_N[:], stand.left_N[:] = roll_N[part], left_N[part]
            chosen_N[part] = self._chosen(*games.look())
        keeps = chosen_N < actions.keeps
        kept_N = actions.keep_R_A[roll_N, np.where(keeps, chosen_N, 0)].astype(np.int64)
        return np.where(keeps, kept_N, -1), np.where(keeps, -1, chosen_N - actions.keeps)

    def _actions(self, rules: Rules) -> Actions:
        if self._known is None or self._known[0] != rules:
            self._known = rules, actions_of(rules, self.coding)
        return self._known[1]

    def _chosen(self, seen_N_D: NDArray[np.float32], mask_N_A: NDArray[np.int8]) -> Integers:
        """Return the actions, asked and checked."""
        answer: NDArray[Any] = np.asarray(self.act(seen_N_D, mask_N_A))
        number, most = mask_N_A.shape
        if answer.shape == mask_N_A.shape and not np.isnan(answer).any():
            answer = np.where(mask_N_A, answer, -np.inf).argmax(axis=1)
        if answer.shape != (number,) or not np.issubdtype(answer.dtype, np.integer):
            raise errors.IllegalError(
                f"{self.name} answers {answer.dtype} of shape {answer.shape}: expected whole "
                f"numbers of shape ({number},) or scores of shape ({number}, {most})"
            )
        inside = (answer >= 0) & (answer < most)
        wrong = np.flatnonzero(~inside | (mask_N_A[np.arange(number), answer * inside] == 0))
        if len(wrong):
            allowed = np.flatnonzero(mask_N_A[wrong[0]]).tolist()
            raise errors.IllegalError(
                f"{self.name} takes action {answer[wrong[0]]}: expected one of {allowed}"
            )
        return answer.astype(np.int64)
