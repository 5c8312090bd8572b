"""Test Gymnasium environments of one game and of many games."""

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode, SyncVectorEnv, VectorEnv

import rollwise.learning  # registers the environments
from rollwise import errors, format_position, solve
from rollwise.learning.environment import Environment
from rollwise.learning.games import PART
from rollwise.learning.task import Task, select_game

assert rollwise.learning
NAME = "rollwise/Yahtzee-v0"


def make(**settings: Any) -> Any:
    """Return the environment of one game, without wrappers."""
    return gymnasium.make(NAME, disable_env_checker=True, **settings).unwrapped


def allowed(info: dict[str, Any], rng: np.random.Generator) -> Any:
    """Return random legal actions."""
    mask = np.atleast_2d(info["action_mask"])
    return (mask * rng.random(mask.shape)).argmax(axis=1)


def assert_same(one: Any, other: Any) -> None:
    """Check that the results of two environments have equal values and equal types."""
    assert type(one) is type(other)
    if isinstance(one, dict):
        assert one.keys() == other.keys()
        for key in one:
            assert_same(one[key], other[key])
    elif isinstance(one, tuple | list) or (isinstance(one, np.ndarray) and one.dtype.hasobject):
        for mine, its in zip(one, other, strict=True):
            assert_same(mine, its)
    elif isinstance(one, np.ndarray):
        assert one.dtype == other.dtype
        np.testing.assert_array_equal(one, other)
    else:
        assert one == other


@pytest.mark.parametrize(
    "settings",
    [
        {"rules": "micro-yahtzee", "render_mode": "ansi"},
        {"rules": "crag", "observation": "flat", "reward": "target:150"},
        {"rules": "crag", "oracle": True, "reward": "luck-adjusted", "render_mode": "ansi"},
    ],
)
def test_gymnasium_checks_pass(settings: dict[str, Any]) -> None:
    env = make(**settings)
    check_env(env, skip_render_check=env.render_mode is None)


class TestVector:
    @pytest.mark.parametrize(
        ("mode", "form"),
        [
            (AutoresetMode.NEXT_STEP, "dict"),
            (AutoresetMode.SAME_STEP, "dict"),
            (AutoresetMode.SAME_STEP, "flat"),
            (AutoresetMode.DISABLED, "flat"),
        ],
    )
    def test_matches_vector_of_gymnasium(self, mode: AutoresetMode, form: str) -> None:
        settings = {"rules": "crag", "oracle": True, "observation": form}
        theirs = SyncVectorEnv([lambda: make(**settings)] * 3, autoreset_mode=mode)
        ours: VectorEnv = gymnasium.make_vec(NAME, num_envs=3, autoreset_mode=mode, **settings)
        assert ours.single_observation_space == theirs.single_observation_space
        assert ours.observation_space == theirs.observation_space
        assert ours.action_space == theirs.action_space
        assert ours.metadata == theirs.metadata
        rng, ended_N = np.random.default_rng(3), np.zeros(3, dtype=np.bool_)
        assert_same(ours.reset(seed=7), theirs.reset(seed=7))
        ended, action_N = 0, np.zeros(3, dtype=np.int64)
        for number in range(70):
            if mode == AutoresetMode.DISABLED and ended_N.any():
                with pytest.raises(
                    errors.InputError, match="a game is over; reset it with reset_mask"
                ):
                    ours.step(action_N)
                again, which_N = ours.reset(options={"reset_mask": ended_N}), ended_N.copy()
                assert_same(again, theirs.reset(options={"reset_mask": which_N}))
            mask = np.stack([env.unwrapped.action_masks() for env in theirs.envs])
            action_N = allowed({"action_mask": mask}, rng)
            action_N[number % 23 == 22] = 0  # usually illegal, which ends a game
            step = ours.step(action_N)
            assert_same(step, theirs.step(action_N))
            ended_N = step[2]
            ended += int(ended_N.sum())
        assert ended >= 4

    def test_results_do_not_depend_on_threads(self) -> None:
        vectors = [
            gymnasium.make_vec(
                NAME, num_envs=2 * PART, rules="crag", oracle=True, threads=threads
            ).unwrapped
            for threads in (1, 2)
        ]
        rng = np.random.default_rng(1)
        steps = [env.reset(seed=9) for env in vectors]
        for _ in range(6):
            assert_same(*steps)
            action_N = allowed(steps[0][-1], rng)
            steps = [env.step(action_N) for env in vectors]

    def test_seed_and_scorecard_of_one_game(self) -> None:
        env = gymnasium.make_vec(NAME, num_envs=2, rules="crag").unwrapped
        seen, _ = env.reset(seed=[4, None], options={"card": "ones=1"})
        alone = make(rules="crag")
        first, _ = alone.reset(seed=4, options={"card": "ones=1"})
        assert_same(select_game(seen), first)
        assert first["open"].tolist() == [0] + [1] * 12
        assert first["score"] == 1
        assert env.render() == (None, None)

    @pytest.mark.parametrize(
        ("asked", "expected"),
        [
            ({"seed": [1]}, "the number of seeds must be 2, not 1"),
            ({"options": {"reset_mask": [True]}}, "reset_mask must have 2 Boolean values"),
            ({"options": {"card": "ones=99"}}, "ones"),
        ],
    )
    def test_invalid_resets_raise_an_error(self, asked: dict[str, Any], expected: str) -> None:
        env = gymnasium.make_vec(NAME, num_envs=2, rules="crag")
        with pytest.raises(errors.InputError, match=expected):
            env.reset(**asked)

    def test_invalid_actions_raise_an_error(self) -> None:
        env = gymnasium.make_vec(NAME, num_envs=2, rules="crag")
        env.reset(seed=1)
        for action_N in ([1], [0.5, 1.0], [[1, 2]]):
            with pytest.raises(errors.InputError, match="the actions must be 2 integers, not"):
                env.step(action_N)


class TestEnvironment:
    def test_illegal_action_ends_the_game(self) -> None:
        env = make(rules="crag", oracle=True, reward="luck-adjusted")
        _, before = env.reset(seed=2)
        (action, *_) = np.flatnonzero(before["action_mask"] == 0)
        _, reward, over, _, info = env.step(action)
        assert (over, info["illegal"], info["best"]) == (True, True, -1)
        assert reward == -info["regret"] == -before["value"]
        assert not env.action_masks().any()

    def test_target_reward_is_paid_if_the_target_is_reached(self) -> None:
        paid = []
        for target in (0, 20, 10**6):
            env = make(rules="micro-yahtzee", reward=f"target:{target}")
            scores = set()
            for seed in range(20):
                _, info = env.reset(seed=seed)
                over, rewards = False, []
                while not over:
                    seen, reward, over, _, info = env.step(info["action_mask"].argmax())
                    rewards.append(reward)
                scores.add(rewards[-1] == (seen["score"][0] >= target))
                assert not any(rewards[:-1])
                paid.append(rewards[-1])
            assert scores == {True}
        assert set(paid[:20]) == {1.0}
        assert set(paid[20:40]) == {0.0, 1.0}
        assert set(paid[40:]) == {0.0}

    def test_seed_determines_later_games(self) -> None:
        env, other = make(rules="crag"), make(rules="crag")
        first = [env.reset(seed=5)[0], env.reset()[0], env.reset()[0]]
        assert_same(first, [other.reset(seed=5)[0], other.reset()[0], other.reset()[0]])
        assert any(not np.array_equal(first[0]["dice"], later["dice"]) for later in first[1:])

    def test_rendering(self) -> None:
        env = make(rules="crag", render_mode="ansi")
        env.reset(seed=1)
        position = format_position(env.task.games.position(0))
        dice, *card = env.render().splitlines()
        assert dice == f"{position.split(' | ')[0]}, 1 roll left"
        assert card == str(env.task.games.card(0)).splitlines()

    @pytest.mark.parametrize(
        ("settings", "expected"),
        [
            ({"rules": "yatzee"}, "unknown game. Did you mean 'yahtzee'"),
            ({"observation": "image"}, "unknown observation 'image'; use dict or flat"),
            ({"reward": "score"}, "'score'; use one of points, luck-adjusted, target:SCORE"),
            ({"reward": "target:many"}, "unknown reward 'target:many'; use one of points"),
            ({"render_mode": "human"}, "unknown render_mode 'human'; use ansi"),
        ],
    )
    def test_invalid_settings_raise_an_error(self, settings: dict[str, Any], expected: str) -> None:
        with pytest.raises(errors.InputError, match=expected):
            Environment(**settings)


def finished(name: str, games: int, strategy: str = "optimal") -> tuple[Task, Any]:
    """Return finished games of optimal or random actions, and the total regret of each game."""
    task, rng = Task(games, name, oracle=True), np.random.default_rng(1)
    task.games.seed(np.arange(games))
    task.games.deal(np.ones(games, dtype=np.bool_))
    lost_N = np.zeros(games)
    while not task.games.states.over_N.all():
        _, infos = task.look()
        action_N = infos["best"] if strategy == "optimal" else allowed(infos, rng)
        _, infos = task.step(action_N)
        assert not infos["illegal"].any()
        lost_N += infos["regret"]
    return task, lost_N


def assert_lawful(name: str, games: int, strategy: str = "optimal") -> None:
    """Check simulated scores against the exact distribution: mean, SD, and each category."""
    task, _ = finished(name, games, strategy)
    exact = rollwise.evaluate(strategy, name)
    score_N, distribution = task.games.points_N, exact.distribution
    far = 4.5 / games**0.5  # 4.5 standard errors in SDs; one sample in 10**5 deviates more
    assert abs(score_N.mean() - distribution.mean) <= far * distribution.sd
    fourth = float(((distribution.scores - distribution.mean) ** 4) @ distribution.probabilities)
    assert abs(score_N.var() - distribution.sd**2) <= far * (fourth - distribution.sd**4) ** 0.5
    for points_N, row in zip(task.games.cards.points_N_K.T, exact.categories.values(), strict=True):
        assert abs(points_N.mean() - row.mean) <= far * row.sd


class TestDistributions:
    @pytest.mark.parametrize(
        ("name", "games", "strategy"),
        [
            ("micro-yahtzee", 4000, "optimal"),
            ("micro-yahtzee", 4000, "random"),
            ("crag", 300, "optimal"),
        ],
    )
    def test_scores_match_the_exact_distribution(
        self, name: str, games: int, strategy: str
    ) -> None:
        assert_lawful(name, games, strategy)

    @pytest.mark.slow
    def test_scores_of_yahtzee_match_the_exact_distribution(self) -> None:
        assert_lawful("yahtzee", 8000)

    def test_optimal_play_has_no_regret(self) -> None:
        _, lost_N = finished("crag", 200)
        assert (lost_N < 1e-8).all()
        env = make(rules="crag", oracle=True, reward="luck-adjusted")
        _, info = env.reset(seed=3)
        over = False
        while not over:
            _, reward, over, _, info = env.step(info["best"])
            assert reward == pytest.approx(0, abs=1e-9)

    def test_luck_adjusted_reward_varies_only_with_decisions(self) -> None:
        # Micro Yahtzee has one die, which is doubled or squared, in either order. Only the first
        # turn has a decision, and its regret is the value difference of the two orders.
        mean = {"double": 7.0, "square": 91 / 6}
        values = [(2 * face + mean["square"], face * face + mean["double"]) for face in range(1, 7)]
        lost = np.array([max(pair) - value for pair in values for value in pair])
        games = 20_000
        task, lost_N = finished("micro-yahtzee", games, "random")
        assert lost_N.mean() == pytest.approx(lost.mean(), abs=4.5 * lost.std() / games**0.5)
        spread = ((lost - lost.mean()) ** 2).std()
        assert lost_N.var() == pytest.approx(lost.var(), abs=4.5 * spread / games**0.5)
        # The mean regret is the optimum minus the mean score; the dice add most of the variance.
        best = solve("micro-yahtzee").value()
        exact = rollwise.evaluate("random", "micro-yahtzee").distribution
        assert best - lost.mean() == pytest.approx(exact.mean, abs=1e-9)
        assert lost_N.var() < task.games.points_N.var() / 5
