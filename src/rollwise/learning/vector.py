"""A Gymnasium vector environment for many games."""

from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import ArrayLike, NDArray

from rollwise.errors import InputError
from rollwise.learning.games import Form
from rollwise.learning.task import Infos, Task, select_game
from rollwise.rules import Rules
from rollwise.solving.jobs import usable_cores

Flags = NDArray[np.bool_]


class VectorEnvironment(VectorEnv):
    """An environment for many games: ``gymnasium.make_vec("rollwise/Yahtzee-v0", num_envs=…)``.

    With seed s, game i is the same as in a one-game environment with seed s + i, for any number of
    threads. Gymnasium's vector of one-game environments therefore plays the same games.

    Parameters
    ----------
    num_envs : int
        The number of games.
    rules, observation, reward, oracle, threads
        As in :class:`rollwise.learning.task.Task`. The default of ``threads`` is the number of
        cores that the process can use.
    autoreset_mode : {"NextStep", "SameStep", "Disabled"} or AutoresetMode
        When to replace a game that is over. ``NextStep`` replaces it at the next step, and ignores
        the action. ``SameStep`` replaces it at the step that ends it, which also returns
        ``final_obs`` and ``final_info``. ``Disabled`` waits for
        ``reset(options={"reset_mask": …})``.
    render_mode : {"ansi"}, optional
        As in :class:`rollwise.learning.environment.Environment`.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 2}  # noqa: RUF012

    def __init__(
        self,
        num_envs: int = 1,
        rules: Rules | str = "yahtzee",
        observation: Form = "dict",
        reward: str = "points",
        oracle: bool = False,
        threads: int | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        render_mode: str | None = None,
    ) -> None:
        self.num_envs, self.render_mode = num_envs, render_mode
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {**type(self).metadata, "autoreset_mode": self.autoreset_mode}
        threads = threads or usable_cores()
        self.task = Task(num_envs, rules, observation, reward, oracle, threads)
        self.single_action_space = self.task.action_space
        self.single_observation_space = self.task.observation_space
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self._seeded = False

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, Infos]:
        """Start all games, or only the games that ``options["reset_mask"]`` marks.

        If ``options["card"]`` is given, these games start with this scorecard.
        """
        options = dict(options or {})
        which_N = np.asarray(options.pop("reset_mask", np.ones(self.num_envs, dtype=np.bool_)))
        if which_N.shape != (self.num_envs,) or which_N.dtype != np.bool_:
            raise InputError(f"reset_mask must have {self.num_envs} Boolean values")
        self._seed(seed, which_N)
        self.task.start_from(options, which_N)
        self.task.games.deal(which_N)
        seen, infos = self.task.look()
        return seen, _masked(infos, which_N)

    def _seed(self, seed: int | list[int | None] | None, which_N: Flags) -> None:
        if seed is None or isinstance(seed, int):
            super().reset(seed=seed)
            if seed is None and self._seeded:
                return
            seeds: list[int | None] = [self.np_random_seed + i for i in range(self.num_envs)]
        else:
            seeds = seed
        if len(seeds) != self.num_envs:
            raise InputError(f"the number of seeds must be {self.num_envs}, not {len(seeds)}")
        numbered = enumerate(seeds)
        pairs = [(i, own % 2**64) for i, own in numbered if own is not None and which_N[i]]
        which, keys = np.array(pairs, dtype=np.uint64).reshape(-1, 2).T
        self.task.games.seed(keys, which.astype(np.int64))
        self._seeded = True

    def step(self, actions: ArrayLike) -> tuple[Any, NDArray[np.float64], Flags, Flags, Infos]:
        """Take an action in each game."""
        games = self.task.games
        was_over_N = games.states.over_N.copy()
        if self.autoreset_mode == AutoresetMode.DISABLED and was_over_N.any():
            raise InputError("a game is over; reset it with reset_mask before the next step")
        reward_N, step_infos = self.task.step(actions)
        ended_N = games.states.over_N & ~was_over_N
        games.deal(was_over_N)
        seen, state_infos = self.task.look()
        final: dict[str, Any] = {}
        stepped_N = ~was_over_N
        if self.autoreset_mode == AutoresetMode.SAME_STEP and ended_N.any():
            stepped_N = ~ended_N
            final = _final(seen, step_infos | state_infos, ended_N)
            games.deal(ended_N)
            seen, state_infos = self.task.look()
        every_N = np.ones(self.num_envs, dtype=np.bool_)
        infos = final | _masked(step_infos, stepped_N) | _masked(state_infos, every_N)
        return seen, reward_N, ended_N, np.zeros(self.num_envs, dtype=np.bool_), infos

    def render(self) -> tuple[str | None, ...]:
        """Return each game as text."""
        text = self.task.games.text
        return tuple(text(n) if self.render_mode else None for n in range(self.num_envs))


def _masked(infos: Infos, of_N: Flags) -> Infos:
    """Return infos in Gymnasium's format, each with the mask ``of_N`` of the games it covers."""
    masked: Infos = {}
    for key, values in infos.items() if of_N.any() else ():
        masked[key], masked[f"_{key}"] = values, of_N.copy()
        values[~of_N] = 0
    return masked


def _final(seen: Any, infos: Infos, ended_N: Flags) -> dict[str, Any]:
    """Return the final observations and infos of the games ``ended_N``."""
    seen_N = np.full(len(ended_N), None, dtype=object)
    for i in np.flatnonzero(ended_N).tolist():
        seen_N[i] = select_game(seen, i)
    info = _masked({key: values.copy() for key, values in infos.items()}, ended_N)
    return {
        "final_obs": seen_N,
        "_final_obs": ended_N.copy(),
        "final_info": info,
        "_final_info": ended_N.copy(),
    }
