"""The learning task: games with a form of observations and a reward."""

from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import ArrayLike, NDArray

from rollwise.errors import InputError
from rollwise.game.scorecard import Scorecard
from rollwise.learning.games import Form, Games, as_dict, space_of
from rollwise.learning.oracle import Oracle
from rollwise.rules import Rules, load_rules

REWARDS = "points", "luck-adjusted", "target:SCORE"

Infos = dict[str, NDArray[Any]]


class Task:
    """The games, observations, and rewards of an environment.

    Parameters
    ----------
    number : int
        The number of games.
    rules : Rules, str, or Path
        The name of a preset, or a rule file.
    observation : {"dict", "flat"}
        The form of observations (:func:`rollwise.learning.games.space_of`).
    reward : str
        ``points`` pays the points of each category and bonus when they are scored. The sum of the
        rewards is the final score. ``luck-adjusted`` pays minus the regret of each action. The sum
        of the rewards is minus the EV loss of the game, which does not include the luck of the
        dice. ``target:250`` pays 1 at the end of a game with at least 250 points.
    oracle : bool
        Whether ``info`` contains the exact value of the game, the best action, and the regret of
        the last action. The value and the regret are in points, or probabilities if the reward is a
        target. The oracle needs the solution of the game. It takes a few microseconds per step, or
        0.1 ms per turn for a target.
    threads : int
        The number of threads; results do not depend on it.
    """

    def __init__(
        self,
        number: int,
        rules: Rules | str = "yahtzee",
        observation: Form = "dict",
        reward: str = "points",
        oracle: bool = False,
        threads: int = 1,
    ) -> None:
        rules = rules if isinstance(rules, Rules) else load_rules(rules)
        self.games = Games(rules, number, threads)
        self.action_space = spaces.Discrete(self.games.actions.number)
        self.observation_space = space_of(self.games, observation)
        self._flat = observation == "flat"
        self._target = _target_of(reward)
        self._adjusted = reward == "luck-adjusted"
        objective = "expected" if self._target is None else reward
        self.oracle = Oracle(self.games, objective) if oracle or self._adjusted else None

    def start_from(self, options: dict[str, Any] | None, which_N: NDArray[np.bool_]) -> None:
        """Set the first scorecard of the games ``which_N``: ``options["card"]`` or an empty one."""
        card = (options or {}).get("card", Scorecard.empty(self.games.rules))
        if not isinstance(card, Scorecard):
            card = Scorecard(self.games.rules, card)
        self.games.start_from(card, which_N)

    def step(self, action_N: ArrayLike) -> tuple[NDArray[np.float64], Infos]:
        """Take one action per game; return the rewards (float64 of shape (N,)) and the infos."""
        games = self.games
        action_N, was_over_N = games.as_actions(action_N), games.states.over_N.copy()
        infos: Infos = {}
        if self.oracle:
            infos["regret"] = self.oracle.regrets(action_N)
        earned_N, infos["illegal"] = games.act(action_N)
        if self._adjusted:
            return 0.0 - infos["regret"], infos
        if self._target is None:
            return earned_N.astype(np.float64), infos
        ended_N = games.states.over_N & ~was_over_N
        return (ended_N & (games.points_N >= self._target)).astype(np.float64), infos

    def look(self) -> tuple[Any, Infos]:
        """Return the observations of all games, and the infos that describe their states."""
        seen, mask_N_A = self.games.look()
        infos: Infos = {"action_mask": mask_N_A}
        if self.oracle:
            infos["value"], infos["best"] = self.oracle.look()
        return seen if self._flat else as_dict(self.games), infos


def _target_of(reward: str) -> int | None:
    """Return the target score of a reward, or None for other rewards."""
    kind, colon, score = reward.partition(":")
    if kind == "target" and score.isascii() and score.isdigit():
        return int(score)
    if colon or kind not in REWARDS:
        raise InputError(f"unknown reward {reward!r}; use one of {', '.join(REWARDS)}")
    return None


def select_game(batch: Any, n: int = 0) -> Any:
    """Return the observation or info of game n in the form that a one-game environment returns."""
    if isinstance(batch, dict):
        return {key: select_game(values, n) for key, values in batch.items()}
    value = batch[n]
    return value if isinstance(value, np.ndarray) else value.item()
