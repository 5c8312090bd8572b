"""A strategy of ours in the environments: its actions in many games."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rollwise import Strategy
from rollwise.learning.games import Games

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
        keeping = np.flatnonzero(~stand.over_N)
        scoring = [keeping[:0]]
        while len(keeping):
            done = self._left_N[keeping] == 0
            scoring.append(keeping[done])
            keeping = keeping[~done]
            point = self._kept(keeping)
            whole = point >= first_roll
            some = keeping[~whole]
            same = games.actions.keep_R_A[roll_N[some]] == point[~whole, None]
            chosen_N[some] = same.argmax(axis=1)
            self._left_N[some] -= 1
            keeping = keeping[whole]
            if model.rules.stops:
                scoring.append(keeping)
                break
            self._left_N[keeping] -= 1
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
