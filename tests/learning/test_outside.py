"""Test the environments with other libraries: PettingZoo's tests and an OpenSpiel agent."""

from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

from rollwise import errors
from rollwise.learning.environment import Environment
from rollwise.learning.turns import Turns, env

# PettingZoo prints these warnings for its own games with masks, too.
pytestmark = [
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
]


class TestTurns:
    @pytest.mark.parametrize(
        "settings",
        [
            {"rules": "micro-yahtzee", "observation": "flat"},
            {"rules": "crag", "players": 3, "actions": "dice"},
            {"rules": "crag", "oracle": True, "reward": "luck-adjusted"},
        ],
    )
    def test_pettingzoo_checks_pass(
        self, settings: dict[str, Any], capsys: pytest.CaptureFixture[str]
    ) -> None:
        api_test(env(**settings), num_cycles=40)
        seed_test(lambda: env(**settings), num_cycles=20)
        assert capsys.readouterr().out.endswith("Passed API test\n")

    def test_player_with_most_points_wins(self) -> None:
        game, ended = Turns(players=3, rules="micro-yahtzee"), set()
        for seed in range(30):
            game.reset(seed=seed)
            order = []
            for agent in game.agent_iter():
                _, _, over, _, info = game.last()
                if over:
                    break
                order.append(agent)
                assert game.rewards == dict.fromkeys(game.agents, 0.0)
                game.step(int(info["action_mask"].argmax()))
            assert order == ["player_0", "player_1", "player_2"] * 2
            scores = [int(task.games.points_N[0]) for task in game._tasks]
            first = scores.count(max(scores))
            paid = {score: 1.0 if first == 1 else 0.0 for score in scores if score == max(scores)}
            assert list(game.rewards.values()) == [paid.get(score, -1.0) for score in scores]
            ended.add(first)
        assert ended >= {1, 2}

    def test_illegal_action_raises_an_error_or_loses(self) -> None:
        bare = Turns(rules="crag")
        bare.reset(seed=1)
        (wrong, *_) = np.flatnonzero(bare.observe("player_0")["action_mask"] == 0)
        assert not bare.observe("player_1")["action_mask"].any()
        with pytest.raises(
            errors.IllegalError, match="the action 1 is illegal; choose an action of"
        ):
            bare.step(int(wrong))
        game = env(rules="crag")
        game.reset(seed=1)
        game.step(int(wrong))
        assert game.unwrapped.rewards == {"player_0": -1.0, "player_1": 0}
        assert all(game.unwrapped.terminations.values())

    def test_rendering_shows_the_player_to_move(self) -> None:
        game = Turns(rules="micro-yahtzee", render_mode="ansi")
        game.reset(seed=1)
        before = game.render()
        game.step(int(game.infos["player_0"]["action_mask"].argmax()))
        assert str(before).endswith("Total   0\n")
        assert game.agent_selection == "player_1"
        assert game.render() != before

    @pytest.mark.parametrize(
        ("settings", "expected"),
        [
            ({"players": 1}, "the number of players must be from 2 to 20, not 1"),
            ({"reward": "fame"}, "unknown reward 'fame'; use wins, points, or luck-adjusted"),
        ],
    )
    def test_invalid_settings_raise_an_error(self, settings: dict[str, Any], expected: str) -> None:
        with pytest.raises(errors.InputError, match=expected):
            Turns(**settings)


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
