"""A Gymnasium environment for one game."""

from typing import Any, ClassVar

import gymnasium
import numpy as np
from gymnasium.utils import EzPickle
from numpy.typing import NDArray

from rollwise.errors import InputError
from rollwise.game.actions import Keep, Score
from rollwise.learning.games import Form
from rollwise.learning.task import Task, select_game
from rollwise.rules import Rules

EVERY = np.ones(1, dtype=np.bool_)


class Environment(gymnasium.Env, EzPickle):
    """An environment for one game: ``gymnasium.make("rollwise/Yahtzee-v0", rules=…)``.

    An illegal action ends the game. ``info`` contains ``action_mask`` and, after a step,
    ``illegal`` (whether the action was illegal). An oracle adds ``value`` and ``best``. ``value``
    is the expected final score with optimal play from here, or the probability of reaching the
    target if the reward is a target. ``best`` is an action with this value. After a step, the
    oracle also adds ``regret``.

    Parameters
    ----------
    rules, observation, reward, oracle
        As in :class:`rollwise.learning.task.Task`.
    render_mode : {"ansi"}, optional
        With ``ansi``, :meth:`render` returns the dice and the scorecard as text.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["ansi"], "render_fps": 2}

    def __init__(
        self,
        rules: Rules | str = "yahtzee",
        observation: Form = "dict",
        reward: str = "points",
        oracle: bool = False,
        render_mode: str | None = None,
    ) -> None:
        EzPickle.__init__(self, rules, observation, reward, oracle, render_mode)
        if render_mode not in (None, "ansi"):
            raise InputError(f"unknown render_mode {render_mode!r}; use ansi")
        self.render_mode = render_mode
        self.task = Task(1, rules, observation, reward, oracle)
        self.action_space = self.task.action_space
        self.observation_space = self.task.observation_space
        self._seeded = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Start a game; if ``options["card"]`` is given, the game starts with this scorecard.

        A seed determines the dice of this game and of all later games.
        """
        super().reset(seed=seed)
        if seed is not None or not self._seeded:
            self.task.games.seed([self.np_random_seed % 2**64])
            self._seeded = True
        self.task.start_from(options, EVERY)
        self.task.games.deal(EVERY)
        return self._look({})

    def step(self, action: int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Keep dice and roll the others, or score; do nothing if the game is over."""
        reward_N, infos = self.task.step(np.array([action]))
        seen, info = self._look(infos)
        return seen, float(reward_N[0]), bool(self.task.games.states.over_N[0]), False, info

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the mask of legal actions, for libraries that support action masking."""
        return self.task.games.look()[1][0].astype(np.bool_)

    def meaning(self, action: int) -> Keep | Score | None:
        """Return the move with the number ``action`` at the current roll.

        Return None if the move keeps dice that the roll does not contain.
        """
        games = self.task.games
        return games.actions.meaning(int(action), int(games.states.dice.roll_N[0]))

    def render(self) -> str | None:
        """Return the dice and the scorecard as text."""
        return self.task.games.text(0) if self.render_mode else None

    def _look(self, infos: dict[str, NDArray[Any]]) -> tuple[Any, dict[str, Any]]:
        seen, more_infos = self.task.look()
        return select_game(seen), select_game(infos | more_infos)
