"""The spread of the final score where the cards of a game are too many for one table.

The mean is the value itself, so one more layered pass does: that of the second moment. It holds a
layer of values beside two of second moments, half as much memory again as the values took, and
leaves layers as large as those of the values.
"""

from typing import Any

import numpy as np

from rollwise.solving.bellman import Layered, keeping_of
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.kernels.policy import Tie
from rollwise.solving.kernels.second import SecondScratch, backward_second
from rollwise.solving.progress import Progress
from rollwise.solving.solution import TIE
from rollwise.solving.storage.keeping import check_memory
from rollwise.solving.storage.layer_files import LayerFiles
from rollwise.solving.values import Layers, full_cards, is_large, shapes_of


def second_moments(
    solution: CardSolution,
    files: LayerFiles | None,
    threads: int | None = None,
    progress: Progress | None = None,
    *,
    in_store: bool = False,
) -> Layers:
    """Return the second moment of what is still to come from each card.

    That of the play of :class:`rollwise.strategies.Optimal`, ties included.

    Parameters
    ----------
    solution : CardSolution
        For the expected score, with all layers at hand.
    files : LayerFiles, optional
        Where the layers of second moments go, or are; nowhere unless told.
    in_store : bool
        Keep them there of any game; else of a large one.

    Raises
    ------
    TooLargeError
        When memory or disk would not do.
    """
    values, model = solution.remaining_C_L, solution.model
    assert isinstance(values, Layers)
    check_memory(model.rules.name, shapes_of(model), read=2)
    layered = Layered(model, solution.objective, threads)
    keeping = keeping_of(model, files, files is not None, in_store)
    tie = Tie(TIE, TIE / model.rules.dice)

    def kernel(turns: int) -> tuple[Any, ...]:
        return backward_second, layered.chains[turns]

    def more(turns: int) -> tuple[Any, ...]:
        after = np.asarray(values.arrays[turns + 1])
        return after.reshape(-1, after.shape[-1]), layered.sweep.falls, tie

    squares_L = layered.sweep.model.bonus_L.astype(np.float64) ** 2
    ends = full_cards(squares_L, layered.shapes[-1])
    from_disk = layered.fill(
        keeping, ends, kernel, more, scratch=SecondScratch.of, progress=progress
    )
    return Layers(model, keeping.layers, small=not is_large(model), from_disk=from_disk)
