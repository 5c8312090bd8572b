"""Games too large to be solved on request, as somebody has solved them on this machine."""

import numpy as np

from rollwise.model.arrays import build
from rollwise.rules import Rules
from rollwise.solving import cache as tables
from rollwise.solving.cache_names import LAYERS, path_of
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.objectives import EXPECTED
from rollwise.solving.storage.layer_files import LayerFiles
from rollwise.solving.storage.stored_layer import stored_layers
from rollwise.solving.storage.stores import LocalStore
from rollwise.solving.values import Layers, shapes_of


def prepared(rules: Rules) -> CardSolution | None:
    """Return a game solved for the expected score if all of it is on disk, None if it is not.

    Of a game that saves rolls cards are read as they are asked for.
    """
    solution = tables.load(rules, EXPECTED)
    if solution is not None or not rules.carries_rolls:
        return solution
    model, folder = build(rules), path_of(rules, EXPECTED).with_suffix(LAYERS)
    shapes = shapes_of(model)
    found = stored_layers(LayerFiles(LocalStore(folder.parent), folder.name), shapes)[:-1]
    if any(layer is None for layer in found):
        return None
    bonus_L = np.asarray(model.bonus_L, dtype=np.float64)
    full = np.pad(bonus_L, (0, shapes[-1][-1] - len(bonus_L)), "edge")  # of these there is no file
    every_row = np.broadcast_to(full, (model.n_classes + 1, *shapes[-1][1:]))
    layers = [*found, every_row]
    return CardSolution(rules, EXPECTED, model, Layers(model, layers, small=False, from_disk=True))
