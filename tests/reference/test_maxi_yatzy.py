"""Check the complete solution of Maxi Yatzy without saved rolls, the largest solved preset."""

import random

import numpy as np
import pytest

from rollwise.model.size import reachable
from rollwise.model.turn import keep_values, roll_values
from rollwise.rules import load_rules
from rollwise.solving.solver import Solver

CARDS = 40


@pytest.mark.slow
def test_values_satisfy_the_bellman_equation() -> None:
    """Check the Bellman equation at random states of every layer, computing turns in NumPy."""
    solution = Solver(load_rules("maxi-yatzy-no-saving"), cache=False).solve_by_card()
    model, rerolls = solution.model, solution.rules.rolls - 1
    assert solution.states == 57_507_840  # published by other authors
    random_, reached_C_L = random.Random(6), reachable(model)
    for card in range(CARDS):
        layer = card % len(solution.rules.categories)
        first, last = model.layer_starts[layer : layer + 2].tolist()
        c = random_.randrange(first, last)
        lane = random_.choice(np.flatnonzero(reached_C_L[c]).tolist())
        final_R = solution.final_roll_values(c, lane)[0].max(axis=1)
        first_R = roll_values(model.lattice, final_R, rerolls, "mean")[-1]
        value = keep_values(model.lattice, first_R, "mean")[0]
        assert value == pytest.approx(solution.remaining_C_L[c, lane], abs=1e-9)
