"""Agents as strategies: what a network says of a batch is what is played."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rollwise import RollByRoll, Rules, errors
from rollwise.learning.codings import Actions, Coding, actions_of
from rollwise.learning.games import Games
from rollwise.model.arrays import Model

Integers = NDArray[np.int64]
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
