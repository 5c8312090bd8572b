"""How large a game is: the counts that any other program for it must agree with."""

from itertools import pairwise
from math import prod

import numpy as np

from rollwise.model import Model, build
from rollwise.reach import reachable
from rollwise.rules import Rules


def counts(rules: Rules) -> dict[str, int]:
    """Return the numbers of rolls, keeps and states of a game, by their names.

    States in a turn are counted as Verhoeff does: the start, the keeps before each reroll, the
    rolls after each roll.
    """
    model = build(rules)
    lattice = model.lattice
    n_keeps, n_rolls = len(lattice.points), len(lattice.rolls)
    rolls_P_F = lattice.counts_P_F[lattice.first_roll :].astype(np.int64)
    return {
        "rolls": n_rolls,
        "keeps": n_keeps,
        "states in a turn": 1 + (rules.rolls - 1) * n_keeps + rules.rolls * n_rolls,
        "pairs of a roll and a keep": sum(prod(int(n) + 1 for n in row) for row in rolls_P_F),
        "states between turns": model.classes * model.lanes,
        "reachable states between turns": int(reachable(model).sum()),
    }


def reachable_by_layer(model: Model) -> list[int]:
    """Return the number of reachable states with 0, 1, 2, … filled categories."""
    reached_C_L = reachable(model)
    return [int(reached_C_L[first:last].sum()) for first, last in pairwise(model.layer_starts)]
