"""A PettingZoo environment for a game in which several players take turns.

Players move one after another, so this is an AEC environment ("agent environment cycle"). It has no
parallel form, in which all players move at the same time.
"""

from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from gymnasium.utils import EzPickle
from gymnasium.utils.seeding import np_random
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from rollwise.errors import IllegalError, InputError
from rollwise.learning.codings import Coding
from rollwise.learning.games import Form
from rollwise.learning.rendering import RENDER_MODES, draw
from rollwise.learning.task import Task
from rollwise.rules import Rules

MOST_PLAYERS = 20

ONE = np.ones(1, dtype=np.bool_)


def env(**settings: Any) -> AECEnv:
    """Return the environment with PettingZoo's wrappers; an illegal action loses the game.

    The settings are the parameters of :class:`Turns`.
    """
    return wrappers.OrderEnforcingWrapper(
        wrappers.AssertOutOfBoundsWrapper(
            wrappers.TerminateIllegalWrapper(Turns(**settings), illegal_reward=-1)
        )
    )


class Turns(AECEnv, EzPickle):
    """A game with several players, each with their own scorecard and dice.

    An observation is a vector of numbers from 0 to 1: the flat observation of the player's own game
    (:func:`rollwise.learning.games.space_of`), then the scorecards of the other players in turn
    order. ``info`` contains ``action_mask``, in which all actions are illegal if it is not the
    player's turn. With an oracle, it also contains ``value`` and ``best`` for the player's own
    game, and ``regret`` after the player's step.

    Parameters
    ----------
    players : int
        The number of players, from 2 to ``MOST_PLAYERS``.
    rules, actions, oracle
        As in :class:`rollwise.learning.task.Task`.
    observation : {"dict", "flat"}
        With ``dict``, an observation is a dict with the keys ``observation`` (the vector) and
        ``action_mask``. With ``flat``, it is the vector alone, for wrappers that do not accept a
        dict.
    reward : {"wins", "points", "luck-adjusted"}
        ``wins`` pays at the end of the game: 1 to a winner, 0 to the players who tie for the
        highest score, and -1 to all others. The other rewards pay each player for their own game.
    render_mode : {"ansi", "rgb_array"}, optional
        The form in which :meth:`render` returns the game of the player to move.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "rollwise_turns_v0",
        "render_modes": [*RENDER_MODES],
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(
        self,
        players: int = 2,
        rules: Rules | str = "yahtzee",
        actions: Coding = "keeps",
        observation: Form = "dict",
        reward: str = "wins",
        oracle: bool = False,
        render_mode: str | None = None,
    ) -> None:
        EzPickle.__init__(self, players, rules, actions, observation, reward, oracle, render_mode)
        super().__init__()
        if not 2 <= players <= MOST_PLAYERS:
            raise InputError(
                f"the number of players must be from 2 to {MOST_PLAYERS}, not {players}"
            )
        if reward not in ("wins", "points", "luck-adjusted"):
            raise InputError(f"unknown reward {reward!r}; use wins, points, or luck-adjusted")
        own = "points" if reward == "wins" else reward
        self.render_mode, self._wins = render_mode, reward == "wins"
        self._tasks = [Task(1, rules, actions, "flat", own, oracle) for _ in range(players)]
        self.possible_agents = [f"player_{number}" for number in range(players)]
        self.agents = list(self.possible_agents)
        games, self._action_space = self._tasks[0].games, self._tasks[0].action_space
        size, card = games.observation_size, len(games.rules.categories) + 4
        self._card = size - card  # where the scorecard begins in an observation
        self._flat = observation == "flat"
        vector = spaces.Box(0.0, 1.0, (size + (players - 1) * card,), np.float32)
        mask = spaces.Box(0, 1, (games.actions.number,), np.int8)
        masked = spaces.Dict(observation=vector, action_mask=mask)
        self._observation_space = vector if self._flat else masked
        self._seeded = False

    def observation_space(self, agent: str) -> spaces.Space:
        """Return the space of a player's observations."""
        return self._observation_space

    def action_space(self, agent: str) -> spaces.Space:
        """Return the space of a player's actions."""
        return self._action_space

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a game; if ``options["card"]`` is given, all players start with this scorecard."""
        if seed is not None or not self._seeded:
            _, first_seed = np_random(seed)
            for number, task in enumerate(self._tasks):
                task.games.seed([(first_seed + number) % 2**64])
            self._seeded = True
        for task in self._tasks:
            task.start_from(options, ONE)
            task.games.deal(ONE)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.agent_selection = self.agents[0]
        self.infos = {agent: self._info(agent) for agent in self.agents}

    def observe(self, agent: str) -> Any:
        """Return the observation of a player."""
        first = self.possible_agents.index(agent)
        others = self._tasks[first + 1 :] + self._tasks[:first]
        cards = [task.games.look()[0][0, self._card :] for task in others]
        seen = np.concatenate([self._tasks[first].games.look()[0][0], *cards])
        return seen if self._flat else {"observation": seen, "action_mask": self._mask(agent)}

    def _mask(self, agent: str) -> NDArray[np.int8]:
        """Return the action mask of a player, which is all zeros if it is not their turn."""
        _, mask_N_A = self._tasks[self.possible_agents.index(agent)].games.look()
        return np.asarray(mask_N_A[0] * np.int8(agent == self.agent_selection))

    def step(self, action: int | None) -> None:
        """Keep dice and roll the others, or score, for the player to move.

        ``action`` is None only if the game is over.

        Raises
        ------
        IllegalError
            If the action is illegal; :func:`env` ends the game instead.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        index = self.possible_agents.index(agent)
        task = self._tasks[index]
        if not self._mask(agent)[action]:
            raise IllegalError(
                f"the action {action} is illegal; choose an action of the action mask"
            )
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        reward_N, infos = task.step(np.array([action]))
        if not self._wins:
            self.rewards[agent] = float(reward_N[0])
        states = task.games.states
        if states.over_N[0] or states.fresh_N[0]:
            self.agent_selection = self.agents[(index + 1) % len(self.agents)]
        if all(other.games.states.over_N[0] for other in self._tasks):
            self.terminations = dict.fromkeys(self.agents, True)
            if self._wins:
                self.rewards = dict(zip(self.agents, self._results(), strict=True))
        self.infos = {player: self._info(player) for player in self.agents}
        if "regret" in infos:
            self.infos[agent]["regret"] = float(infos["regret"][0])
        self._accumulate_rewards()

    def render(self) -> str | NDArray[np.uint8] | None:
        """Return the dice and the scorecard of the player to move."""
        index = self.possible_agents.index(self.agent_selection)
        return draw(self._tasks[index].games, 0, self.render_mode)

    def _results(self) -> list[float]:
        """Return the reward of each player at the end of the game."""
        scores = [int(task.games.points_N[0]) for task in self._tasks]
        most = max(scores)
        won = 1.0 if scores.count(most) == 1 else 0.0
        return [won if score == most else -1.0 for score in scores]

    def _info(self, agent: str) -> dict[str, Any]:
        """Return the ``info`` of a player."""
        info: dict[str, Any] = {"action_mask": self._mask(agent)}
        if oracle := self._tasks[self.possible_agents.index(agent)].oracle:
            value_N, best_N = oracle.look()
            info |= {"value": float(value_N[0]), "best": int(best_N[0])}
        return info
