"""Strategies from functions of observations, such as networks."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rollwise.errors import IllegalError
from rollwise.learning.games import Games
from rollwise.solving.turn_policy import Cards
from rollwise.strategies import RollByRoll
from rollwise.strategies.roll_by_roll import NONE

Integers = NDArray[np.int64]

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
    name : str
        The name of the strategy.
    """

    def __init__(self, act: Act, name: str = "agent") -> None:
        self.act, self.name = act, name

    def decide(self, cards: Cards, roll_N: Integers, left: int) -> tuple[Integers, Integers]:
        """Return the lattice indices of the dice to keep, and the categories."""
        action_N = np.empty(len(roll_N), dtype=np.int64)
        for start in range(0, len(roll_N), MAX_BATCH):
            part = slice(start, start + MAX_BATCH)
            games = Games(cards.model.rules, len(roll_N[part]))
            _, games.cards.class_N[:], games.cards.lane_N[:], games.cards.score_N[:] = cards.at(
                part
            )
            games.states.dice.roll_N[:], games.states.left_N[:] = roll_N[part], left
            action_N[part] = self._act(*games.look())
        keeps = cards.model.lattice.first_roll  # the number of actions that keep dice
        keeping = action_N < keeps
        return np.where(keeping, action_N, NONE), np.where(keeping, NONE, action_N - keeps)

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
