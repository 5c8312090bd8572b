"""Evaluate an agent with an untrained neural network of two layers.

``rollwise compare examples/agent.py`` evaluates it in Yahtzee; this script, in a game with three
categories:

    $ python examples/agent.py
    loses 14.02 ± 0.26 of 29.07 points a game
"""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from rollwise import compare
from rollwise.learning.agents import Agent

HIDDEN = 64


def act(observations: NDArray[np.float32], masks: NDArray[np.int8]) -> NDArray[np.float32]:
    """Return a score for every action in each game; the agent takes the highest legal one."""
    generator = np.random.default_rng(0)
    first = generator.normal(size=(observations.shape[1], HIDDEN)).astype(np.float32)
    second = generator.normal(size=(HIDDEN, masks.shape[1])).astype(np.float32)
    return np.asarray(np.maximum(observations @ first, 0) @ second)


agent = Agent(act)

if __name__ == "__main__":
    comparison = compare(
        [agent], games=500, rules=str(Path(__file__).with_name("three_categories.toml"))
    )
    lost = comparison.strategies[0].lost
    print(f"loses {lost.total:.2f} ± {lost.error:.2f} of {comparison.optimum:.2f} points a game")
