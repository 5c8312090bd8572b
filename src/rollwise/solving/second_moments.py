"""The spread of the final score where the cards of a game are too many for one table.

The mean is the value itself, so one more layered pass does: that of the second moment. It holds a
layer of values beside two of second moments, half as much memory again as the values took, and
leaves layers as large as those of the values.
"""

import numpy as np

from rollwise.solving.bellman import Layered, keeping_of
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.kernels.policy import Tie
from rollwise.solving.kernels.second import SecondScratch, backward_second
from rollwise.solving.progress import Progress
from rollwise.solving.solution import TIE
from rollwise.solving.storage.layer_files import LayerFiles
from rollwise.solving.values import Layers, full_cards, is_large


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
    layered = Layered(model, solution.objective, threads)
    sweep, keeping = layered.sweep, keeping_of(model, files, files is not None, in_store)
    tie = Tie(TIE, TIE / model.rules.dice)

    def compute(turns: int) -> None:
        squares, after = keeping.room(turns), keeping.whole(turns + 1)
        first, last = sweep.layers[turns]
        layer = layered.layer(np.arange(first, last), layered.place_C, squares, after)
        sweep.each_part(
            0,
            last - first,
            backward_second,
            sweep.arrays,
            sweep.streams,
            layered.chains[turns],
            layer,
            np.asarray(values.arrays[turns + 1]).reshape(layer.after.shape),
            sweep.falls,
            tie,
            scratch=SecondScratch.of,
            done=layered.share(progress, turns),
        )
        keeping.put(turns, squares)

    squares_L = sweep.model.bonus_L.astype(np.float64) ** 2
    ends = full_cards(squares_L, layered.shapes[-1])
    from_disk = keeping.fill(ends, compute, model.root.filled.bit_count())
    return Layers(model, keeping.layers, small=not is_large(model), from_disk=from_disk)
