"""What a player sees: everything that matters for what is still to come, and the points so far."""

from typing import Any, Literal

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from rollwise import errors
from rollwise.learning.games import Games

Form = Literal["dict", "flat"]


def space_of(games: Games, form: Form) -> spaces.Space:
    """Return the space of what the player of one game sees.

    ``dict`` has whole numbers:

    ==============  ===================================================================
    ``dice``        how many dice show each symbol
    ``rolls_left``  rerolls left in the turn
    ``open``        1 for each open box, in card order
    ``upper``       the upper total, at most the last threshold of its bonus
    ``armed``       1 where the box of the extra bonus holds points
    ``saved``       rolls saved, or extra rolls left
    ``score``       the points so far, bonuses included
    ==============  ===================================================================

    ``flat`` is the same as one vector of numbers from 0 to 1: each a share of the most that it
    can be, but for the rerolls, of which each number has a place of its own.

    Raises
    ------
    InputError
        When the form is neither.
    """
    if form not in ("dict", "flat"):
        raise errors.InputError(f"observation {form!r}: expected dict or flat")
    if form == "flat":
        return spaces.Box(0.0, 1.0, (games.seen,), np.float32)
    arrays, model, boxes = games.arrays, games.model, len(games.rules.categories)
    return spaces.Dict(
        dice=spaces.Box(0, model.lattice.dice, (arrays.counts_R_F.shape[1],), np.int8),
        rolls_left=spaces.Discrete(arrays.most_left + 1),
        open=spaces.MultiBinary(boxes),
        upper=spaces.Box(0, max(model.lanes - 1, 1), (1,), np.int64),
        armed=spaces.Discrete(2),
        saved=spaces.Discrete(model.saved_F[-1].stop),
        score=spaces.Box(0, arrays.highest, (1,), np.int64),
    )


def as_dict(games: Games) -> dict[str, NDArray[Any]]:
    """Return what the players of all games see, an entry a game in each array."""
    cards, model = games.cards, games.model
    mask_N, boxes = model.mask_C[cards.class_N], np.arange(len(games.rules.categories))
    return {
        "dice": games.arrays.counts_R_F[games.stand.fallen.roll_N],
        "rolls_left": games.stand.left_N.copy(),
        "open": (1 - (mask_N[:, None] >> boxes & 1)).astype(np.int8),
        "upper": cards.lane_N[:, None].copy(),
        "armed": model.armed_C[cards.class_N].astype(np.int64),
        "saved": model.saved_C[cards.class_N].astype(np.int64),
        "score": games.points_N[:, None],
    }
