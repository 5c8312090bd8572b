"""An agent around a network, here of two layers that is not trained.

``rollwise compare examples/agent.py`` evaluates it in Yahtzee; here it plays a card of three boxes:

    $ python examples/agent.py
    loses 14.02 ± 0.26 of 29.07 points a game
"""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from rollwise import compare
from rollwise.learning.agents import Agent

HIDDEN = 64


def act(seen: NDArray[np.float32], masks: NDArray[np.int8]) -> NDArray[np.float32]:
    """Return a score of every action of each game; the highest that is allowed is taken."""
    source = np.random.default_rng(0)
    first = source.normal(size=(seen.shape[1], HIDDEN)).astype(np.float32)
    second = source.normal(size=(HIDDEN, masks.shape[1])).astype(np.float32)
    return np.asarray(np.maximum(seen @ first, 0) @ second)


agent = Agent(act)

if __name__ == "__main__":
    found = compare([agent], games=500, rules=str(Path(__file__).with_name("three_boxes.toml")))
    lost = found.strategies[0].lost
    print(f"loses {lost.total:.2f} ± {lost.error:.2f} of {found.optimum:.2f} points a game")
