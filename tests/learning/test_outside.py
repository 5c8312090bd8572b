"""Test that a learner of another library learns in the environment."""

import numpy as np
import pytest

from rollwise.learning.environment import Environment


def test_openspiel_learner_reaches_zero_ev_loss() -> None:
    pytest.importorskip("pyspiel", reason="open_spiel is not installed")
    from open_spiel.python import rl_environment as spiel
    from open_spiel.python.algorithms.tabular_qlearner import QLearner

    game = Environment("micro-yahtzee", reward="luck-adjusted")
    games = game.task.games
    agent = QLearner(0, int(game.action_space.n))
    np.random.seed(1)  # the learner uses this generator

    def lost(evaluated: bool) -> float:
        """Return the EV loss of the learner in a game."""
        seen, info = game.reset()
        total, kind, reward = 0.0, spiel.StepType.FIRST, 0.0
        while True:
            state = (tuple(seen["dice"]), tuple(seen["open"]))
            here = {"info_state": [state], "legal_actions": [np.flatnonzero(info["action_mask"])]}
            step = spiel.TimeStep({**here, "current_player": 0}, [reward], [1.0], kind)
            chosen = agent.step(step, is_evaluation=evaluated)
            if kind == spiel.StepType.LAST:
                return total
            seen, reward, over, _, info = game.step(int(chosen.action))
            total -= reward
            kind = spiel.StepType.LAST if over else spiel.StepType.MID

    games.seed([1])
    first = np.mean([lost(True) for _ in range(40)])
    for _ in range(120):
        lost(False)
    assert first > 1
    assert np.mean([lost(True) for _ in range(40)]) == pytest.approx(0, abs=1e-9)
