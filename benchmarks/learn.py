"""Measure the steps per second of environments for learners, or check simulated scores.

Run ``python benchmarks/learn.py`` in an environment with the test extra. The actions are random
legal actions, and only ``step`` is timed. With ``--games N``, the script instead simulates N games
each of optimal, greedy, and random play, and compares their scores with the exact distributions:
the mean, the SD, and the category with the largest deviation.
"""

import argparse
import time
from typing import Any

import gymnasium
import numpy as np

import rollwise.learning
from rollwise import evaluate, parse_strategy
from rollwise.learning.agents import StrategyPlayer
from rollwise.learning.task import Task

NAME = "rollwise/Yahtzee-v0"
AT_ONCE = 100_000
"""The number of games in a batch."""


def allowed(mask: Any, rng: np.random.Generator) -> Any:
    """Return random legal actions."""
    return (mask * rng.random(mask.shape, dtype=np.float32)).argmax(axis=-1)


def rate(env: Any, steps: int) -> tuple[float, float]:
    """Return the steps of an environment per second of wall time and per second of CPU time."""
    rng, wall, cpu = np.random.default_rng(1), 0.0, 0.0
    _, info = env.reset(seed=1)
    for number in range(steps + 3):
        if number == 3:  # the code is compiled and memory allocated
            wall = cpu = 0.0
        action = allowed(info["action_mask"], rng)
        clock, core = time.perf_counter(), time.process_time()
        _, _, over, _, info = env.step(action)
        wall, cpu = wall + time.perf_counter() - clock, cpu + time.process_time() - core
        if np.ndim(over) == 0 and over:
            _, info = env.reset()
    count = steps * getattr(env.unwrapped, "num_envs", 1)
    return count / wall, count / cpu


def speeds() -> None:
    """Print the steps per second of each environment."""
    print("steps a second, Yahtzee: by the clock, and a second of one core")
    single: dict[str, dict[str, Any]] = {
        "one environment": {},
        "one environment, flat": {"observation": "flat"},
        "one environment, oracle": {"oracle": True},
    }
    for title, settings in single.items():
        env = gymnasium.make(NAME, disable_env_checker=True, **settings)
        clock, core = rate(env, 4000)
        print(f"{title:44}{clock:12,.0f}{core:12,.0f}")
    for number, steps in ((64, 2000), (1024, 400), (16384, 40)):
        for threads in (1, 2):
            for title, settings in (
                ("flat", {"observation": "flat"}),
                ("flat, dice", {"observation": "flat", "actions": "dice"}),
                ("dict", {}),
                ("flat, oracle", {"observation": "flat", "oracle": True}),
            ):
                if threads > 1 and number < 1024:
                    continue
                env = gymnasium.make_vec(NAME, num_envs=number, threads=threads, **settings)
                clock, core = rate(env, steps // (8 if "oracle" in settings else 1))
                words = f"{number} games, {threads} thread{'s' * (threads > 1)}, {title}"
                print(f"{words:44}{clock:12,.0f}{core:12,.0f}")


def distributions(games: int) -> None:
    """Print the mean and SD of simulated scores beside the exact numbers, for each strategy."""
    for name in ("optimal", "greedy", "random"):
        began, played = time.process_time(), []
        for first in range(0, games, AT_ONCE):
            number = min(AT_ONCE, games - first)
            task = Task(number, "yahtzee")
            task.games.seed(np.arange(first, first + number))
            task.games.deal(np.ones(number, dtype=np.bool_))
            player = StrategyPlayer(parse_strategy(name, task.games.rules), task.games, seed=first)
            while not task.games.states.over_N.all():
                task.games.act(player.actions())
            played.append((task.games.points_N, task.games.cards.points_N_K))
        scores, points_N_K = map(np.concatenate, zip(*played, strict=True))
        took = time.process_time() - began
        exact = evaluate(name, "yahtzee")
        error, root = exact.distribution.sd / games**0.5, games**0.5
        off = [
            (points.mean() - row.mean) / (row.sd / root)
            for points, row in zip(points_N_K.T, exact.categories.values(), strict=True)
        ]
        far = int(np.abs(off).argmax())
        print(
            f"{name}: {games:,} games, mean {scores.mean():.4f}, "
            f"exact {exact.distribution.mean:.4f} "
            f"({(scores.mean() - exact.distribution.mean) / error:+.2f} standard errors); "
            f"SD {scores.std():.4f}, exact {exact.distribution.sd:.4f}; farthest box "
            f"{[*exact.categories][far]} ({off[far]:+.2f}); {took:.0f} s of one core"
        )


def main() -> None:
    """Print the measurements."""
    assert rollwise.learning  # its import registers the environments
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int)
    arguments = parser.parse_args()
    if arguments.games:
        distributions(arguments.games)
    else:
        speeds()


if __name__ == "__main__":
    main()
