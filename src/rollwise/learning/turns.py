"""Two and more players who take turns, as an environment of PettingZoo.

They move one after another, so that its kind is AEC ("agent environment cycle"); a parallel
environment, in which all move at once, is another game.
"""

from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from gymnasium.utils import EzPickle
from gymnasium.utils.seeding import np_random
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from rollwise import Rules, errors
from rollwise.learning.codings import Coding
from rollwise.learning.games import Form
from rollwise.learning.rendering import RENDER_MODES, draw
from rollwise.learning.task import Task

MOST_PLAYERS = 20

ONE = np.ones(1, dtype=np.bool_)


def env(**settings: Any) -> AECEnv:
    """Return the environment, in which an action that is not allowed ends the game and loses it.

    Settings are those of :class:`Turns`.
    """
    return wrappers.OrderEnforcingWrapper(
        wrappers.AssertOutOfBoundsWrapper(
            wrappers.TerminateIllegalWrapper(Turns(**settings), illegal_reward=-1)
        )
    )


class Turns(AECEnv, EzPickle):
    """A game of several players, each with a card and dice of his own.

    A player sees a vector of numbers from 0 to 1: his own game as
    :func:`rollwise.learning.games.space_of` tells, flat, then those of the others in the
    order of play after him, without their dice. In ``info`` stand ``action_mask``, with nothing
    allowed where it is not his turn, and what an oracle tells of his own points.

    Parameters
    ----------
    players : int
    rules, actions, oracle
        As :class:`rollwise.learning.task.Task` takes them.
    observation : {"dict", "flat"}
        That vector as ``observation`` beside ``action_mask``, or by itself, for wrappers that know
        vectors only.
    reward : {"wins", "points", "luck-adjusted"}
        ``wins`` pays at the end: 1 to who alone has most points, 0 to each who shares them, -1 to
        all others. The other two pay each player as his own game does.
    render_mode : {"ansi", "rgb_array"}, optional
        Of the player whose turn it is.
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
            raise errors.InputError(f"expected 2 to {MOST_PLAYERS} players, got {players}")
        if reward not in ("wins", "points", "luck-adjusted"):
            raise errors.InputError(f"reward {reward!r}: expected wins, points or luck-adjusted")
        own = "points" if reward == "wins" else reward
        self.render_mode, self._wins = render_mode, reward == "wins"
        self._tasks = [Task(1, rules, actions, "flat", own, oracle) for _ in range(players)]
        self.possible_agents = [f"player_{number}" for number in range(players)]
        self.agents = list(self.possible_agents)
        games, self._action_space = self._tasks[0].games, self._tasks[0].action_space
        self._card = games.seen - len(games.rules.categories) - 4  # where a card begins
        seen = games.seen + (players - 1) * (games.seen - self._card)
        self._flat = observation == "flat"
        vector = spaces.Box(0.0, 1.0, (seen,), np.float32)
        mask = spaces.Box(0, 1, (games.actions.number,), np.int8)
        both = spaces.Dict(observation=vector, action_mask=mask)
        self._observation_space = vector if self._flat else both
        self._seeded = False

    def observation_space(self, agent: str) -> spaces.Space:
        """Return the space of what a player sees."""
        return self._observation_space

    def action_space(self, agent: str) -> spaces.Space:
        """Return the space of what a player does."""
        return self._action_space

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game, each player from the card of ``options["card"]`` if there is one."""
        if seed is not None or not self._seeded:
            _, given = np_random(seed)
            for number, task in enumerate(self._tasks):
                task.games.seed([(given + number) % 2**64])
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
        """Return what a player sees."""
        first = self.possible_agents.index(agent)
        others = self._tasks[first + 1 :] + self._tasks[:first]
        cards = [task.games.look()[0][0, self._card :] for task in others]
        seen = np.concatenate([self._tasks[first].games.look()[0][0], *cards])
        return seen if self._flat else {"observation": seen, "action_mask": self._mask(agent)}

    def _mask(self, agent: str) -> NDArray[np.int8]:
        """Return what a player may do: nothing where it is not his turn."""
        _, mask_N_A = self._tasks[self.possible_agents.index(agent)].games.look()
        return np.asarray(mask_N_A[0] * np.int8(agent == self.agent_selection))

    def step(self, action: int | None) -> None:
        """Let the player whose turn it is keep dice and roll the others, or score.

        Raises
        ------
        IllegalError
            When he may not do that: :func:`env` ends the game instead.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        place = self.possible_agents.index(agent)
        task = self._tasks[place]
        if not self._mask(agent)[action]:
            raise errors.IllegalError(f"action {action}: expected one of the action mask")
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        paid_N, told = task.step(np.array([action]))
        if not self._wins:
            self.rewards[agent] = float(paid_N[0])
        stand = task.games.stand
        if stand.over_N[0] or stand.fresh_N[0]:
            self.agent_selection = self.agents[(place + 1) % len(self.agents)]
        if all(other.games.stand.over_N[0] for other in self._tasks):
            self.terminations = dict.fromkeys(self.agents, True)
            if self._wins:
                self.rewards = dict(zip(self.agents, self._results(), strict=True))
        self.infos = {one: self._info(one) for one in self.agents}
        if "regret" in told:
            self.infos[agent]["regret"] = float(told["regret"][0])
        self._accumulate_rewards()

    def render(self) -> str | NDArray[np.uint8] | None:
        """Return the table and the card of the player whose turn it is."""
        place = self.possible_agents.index(self.agent_selection)
        return draw(self._tasks[place].games, 0, self.render_mode)

    def _results(self) -> list[float]:
        """Return what the end of the game pays each player."""
        scores = [int(task.games.points_N[0]) for task in self._tasks]
        most = max(scores)
        won = 1.0 if scores.count(most) == 1 else 0.0
        return [won if score == most else -1.0 for score in scores]

    def _info(self, agent: str) -> dict[str, Any]:
        """Return what a player is told beside what he sees."""
        told: dict[str, Any] = {"action_mask": self._mask(agent)}
        if oracle := self._tasks[self.possible_agents.index(agent)].oracle:
            value_N, best_N = oracle.look()
            told |= {"value": float(value_N[0]), "best": int(best_N[0])}
        return told
