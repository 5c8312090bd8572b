"""Single rows of a policy, which kernels store in blocks of lanes."""

import numpy as np
from numpy.typing import NDArray

from rollwise.solving.kernels.policy import LayerPolicy
from rollwise.solving.kernels.vector import WIDTH
from rollwise.solving.policy import Policy


def outcome_probabilities(play: Policy, played: LayerPolicy, c: int, r: int) -> NDArray[np.float64]:
    """Return the probability of each outcome in row ``r`` of class ``c``, shape (O,)."""
    model = play.compiled.model
    outcomes, probability_O = model.outcomes_of(c), np.zeros(len(model.points_O))
    start = played.starts_C[c - played.first] + r // WIDTH * len(outcomes) * WIDTH + r % WIDTH
    probability_O[outcomes] = played.probabilities[start:][: len(outcomes) * WIDTH : WIDTH]
    return probability_O
