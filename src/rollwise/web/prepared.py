"""Games too large to be solved on request, as somebody has solved them on this machine."""

import numpy as np

from rollwise.rules import Rules
from rollwise.solving import cache as tables
from rollwise.solving.cache_names import layers_of
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.card_solver import CardSolver
from rollwise.solving.objectives import EXPECTED
from rollwise.solving.storage.layer_files import LayerFiles
from rollwise.solving.storage.stores import LocalStore
from rollwise.solving.values import kept_layers


def prepared(rules: Rules) -> CardSolution | None:
    """Return a game solved for the expected score if all of it is on disk, None if it is not.

    Of a game that saves rolls cards are read as they are asked for.
    """
    solution = tables.load(rules, EXPECTED)
    if solution is not None or not rules.carries_rolls:
        return solution
    model = CardSolver(rules, threads=None, cache=True).model
    folder = layers_of(rules, EXPECTED)
    files, full_L = LayerFiles(LocalStore(folder.parent), folder.name), np.asarray(model.bonus_L)
    layers = kept_layers(model, files, 0, EXPECTED.terminal(full_L.astype(np.float64)))
    if layers is None or any(values is None for values in layers.arrays):
        return None
    return CardSolution(rules, EXPECTED, model, layers)
