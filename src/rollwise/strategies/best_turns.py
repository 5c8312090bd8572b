"""The best turns of many cards at once, compiled; one at a time they are in :mod:`.strategy`.

A strategy as a table: what is expected from each card, learnt or guessed by whatever means.
"""

import numpy as np
from numpy.typing import NDArray

from rollwise.errors import MalformedError
from rollwise.model.arrays import Model
from rollwise.model.outcomes import FORBIDDEN
from rollwise.model.turn import options_of_all
from rollwise.solving.solution import TIE
from rollwise.strategies.strategy import ByCards, Choices


def best_turns(
    model: Model,
    worth_W_O: NDArray[np.float64],
    worth_G: NDArray[np.int64],
    classes_G: NDArray[np.int64],
    *,
    tie: float = TIE,
    die: float | None = None,
    ahead: int | None = None,
    box_G: NDArray[np.int64] | None = None,
) -> Choices:
    """Return the best turns for what outcomes are worth, on cards with turns of one length.

    Parameters
    ----------
    worth_W_O : float64 array of shape (W, O)
        What scoring each outcome is worth.
    worth_G : int64 array of shape (G,)
        Which of these rows each card goes by.
    tie, die, ahead
        As for :func:`rollwise.strategies.strategy.best_turn`.
    box_G : int64 array of shape (G,), optional
        The box in which each turn has to end; any unless told.
    """
    from rollwise.solving.kernels.scalar_turn import (  # imports numba
        LatticeArrays,
        StateScratch,
        best_choices,
    )

    boxes = len(model.rules.categories)
    told_G = classes_G if box_G is None else classes_G * boxes + box_G
    told, told_of_G = np.unique(told_G, return_inverse=True)
    classes = told if box_G is None else told // boxes
    option_X_E_K = options_of_all(model, classes)
    if box_G is not None:
        other_X_K = np.arange(boxes) != (told % boxes)[:, None]
        option_X_E_K = np.where(other_X_K[:, None], FORBIDDEN, option_X_E_K).astype(np.uint16)
    count, dice = int(model.rerolls_C[classes[0]]), LatticeArrays.of(model.lattice)
    looked = count if ahead is None else min(ahead, count)
    keeps = np.empty((len(classes_G), looked, len(model.lattice.rolls)), dtype=np.uint16)
    categories = np.empty((len(classes_G), option_X_E_K.shape[1]), dtype=np.uint8)
    best_choices(
        StateScratch.of(dice, looked),
        worth_W_O,
        option_X_E_K,
        np.stack([worth_G, told_of_G], axis=1),
        dice,
        tie,
        tie / model.rules.dice if die is None else die,
        keeps,
        categories,
    )
    short_sighted = np.repeat(keeps[:, :1], count - looked, axis=1)
    return np.concatenate([short_sighted, keeps], axis=1), categories


def best_boxes(
    model: Model,
    worth_G_O: NDArray[np.float64],
    classes_G: NDArray[np.int64],
    *,
    tie: float = TIE,
) -> NDArray[np.uint8]:
    """Return the box that is best announced after each first roll, uint8 of shape (G, R).

    Parameters
    ----------
    worth_G_O : float64 array of shape (G, O)
        What scoring each outcome is worth.
    """
    from rollwise.solving.kernels.scalar_turn import (  # imports numba
        LatticeArrays,
        StateScratch,
        best_announcements,
    )

    classes, class_G = np.unique(classes_G, return_inverse=True)
    option_X_K_E = np.swapaxes(options_of_all(model, classes), 1, 2)
    dice, n_rolls = LatticeArrays.of(model.lattice), len(model.lattice.rolls)
    box_G_R = np.empty((len(classes_G), n_rolls), dtype=np.uint8)
    best_announcements(
        StateScratch.of(dice, int(model.rerolls_C[classes[0]])),
        worth_G_O,
        np.ascontiguousarray(option_X_K_E)[..., None],
        class_G,
        dice,
        tie,
        np.empty((option_X_K_E.shape[1], n_rolls)),
        box_G_R,
    )
    return box_G_R


class ByValues(ByCards):
    """Plays each turn for its points and for what the table says of the card after it.

    With the values of best play it is best play. Ties: as :class:`Optimal` breaks them.

    Parameters
    ----------
    value_C_L : float64 array of shape (C, L)
        The points still to come from each card, the upper bonus among them, also one earned before
        (:class:`rollwise.model.arrays.Model` has the axes).
    name : str
    """

    def __init__(self, value_C_L: NDArray[np.float64], name: str = "by-values") -> None:
        self.value_C_L, self.name = value_C_L, name

    def _choices(
        self,
        model: Model,
        classes_G: NDArray[np.int64],
        lanes_G: NDArray[np.int64],
        scores_G: NDArray[np.int64],
    ) -> Choices:
        if self.value_C_L.shape != (model.n_classes, model.lanes):
            raise MalformedError(
                f"{self.name} has values of shape {self.value_C_L.shape}: expected "
                f"{(model.n_classes, model.lanes)} for {model.rules.name}"
            )
        every_O = np.arange(len(model.points_O))
        after_G_O = model.class_after(classes_G[:, None], every_O)
        lane_G_O = model.lane_after(lanes_G[:, None], every_O)
        worth_G_O = model.step_O + self.value_C_L[after_G_O, lane_G_O]
        return best_turns(model, worth_G_O, np.arange(len(classes_G)), classes_G)
