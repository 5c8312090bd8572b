"""Distributed solving: workers compute the parts of each layer and save them in a store.

Any executor can run the workers. A job specifies only the game, the layer, and the number of a
part. A worker reads the blocks of the next layer that contain successors of its states, and writes
its part to a file. A lost job is run again. If two workers compute the same part, their files are
identical.
"""

from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from rollwise.errors import InputError, LostWorkersError
from rollwise.model.arrays import Model, build
from rollwise.rules import Rules
from rollwise.solving.backward_induction import Layered
from rollwise.solving.cache_entries import layers_folder
from rollwise.solving.jobs import Workers
from rollwise.solving.kernels.backward import BackwardScratch, backward
from rollwise.solving.objectives import CardObjective
from rollwise.solving.progress import Progress, within_layer
from rollwise.solving.storage.chunks import LayerChunks, bytes_of
from rollwise.solving.storage.layer_files import LayerFiles, StoredLayer, Values
from rollwise.solving.storage.retention import FileRetention
from rollwise.solving.values import Layers, is_large, shapes_of

PROCESS = 400_000_000
"""The memory of an idle worker in bytes: Python, compiled code, and the game."""


@dataclass(frozen=True)
class Assignment:
    """The game that workers solve, and the files of its layers.

    Attributes
    ----------
    files : LayerFiles
        The files of the layers. The name of their folder identifies the game and the code.
    rules : Rules
    objective : CardObjective
    """

    files: LayerFiles
    rules: Rules = field(compare=False)
    objective: CardObjective = field(compare=False)


def solve_by_parts(
    model: Model,
    objective: CardObjective,
    files: LayerFiles,
    executor: Callable[[], Executor],
    progress: Progress | None = None,
) -> Layers:
    """Return the value of every state, computed by the workers of an executor.

    Parameters
    ----------
    executor : callable
        Creates an executor. If its workers die, a new executor gets the unfinished parts.
    progress : callable, optional
        Called with the completed fraction of the work, from 0 to 1, after each part.

    Raises
    ------
    LostWorkersError
        If workers keep dying, or their scheduler does not come back.
    """
    assignment, layered = Assignment(files, model.rules, objective), Layered(model, objective)
    retention = FileRetention(layered.shapes, files)

    def compute(turns: int) -> None:
        parts = files.missing(layered.shapes)[turns]
        report = within_layer(progress, layered.work, turns)
        done = LayerChunks.of(layered.shapes[turns]).parts - len(parts)
        for _ in workers.each(solve_part, {part: (assignment, turns, part) for part in parts}):
            done += 1
            if report:
                report(done / LayerChunks.of(layered.shapes[turns]).parts)
        if files.missing(layered.shapes)[turns]:
            raise LostWorkersError(
                "the workers or their scheduler stopped; finished work is saved; restart the "
                "workers and the scheduler, then repeat the command to continue"
            )
        retention.layers[turns] = StoredLayer(files, turns, layered.shapes[turns])

    with Workers(executor) as workers:
        from_disk = retention.fill(layered.full_cards, compute)
    return Layers(model, retention.layers, small=not is_large(model), from_disk=from_disk)


def solve_part(assignment: Assignment, turns: int, part: int) -> None:
    """Compute part ``part`` of layer ``turns``, and save it; the next layer must be finished."""
    layered = _layered(assignment)
    cuts = LayerChunks.of(layered.shapes[turns])
    values = np.empty(cuts.shape(part))
    start = layered.sweep.layers[turns][0]
    first, last = cuts.part(part)
    classes = np.arange(start + first, start + last)
    after, index_C = _values_after(assignment, layered, turns, classes)
    index_C[classes] = np.arange(len(classes))
    arrays, lattice_index = layered.sweep.arrays, layered.sweep.lattice_index
    layer = layered.layer(classes, index_C, values, after)
    scratch, chains = BackwardScratch.of(arrays, lattice_index), layered.chains[turns]
    backward(0, len(classes), scratch, arrays, lattice_index, chains, layer)
    assignment.files.write_part(turns, part, cuts, values)


def _values_after(
    assignment: Assignment, layered: Layered, turns: int, classes: NDArray[np.int64]
) -> tuple[Values, NDArray[np.int64]]:
    """Return an array with the values of all successors of ``classes``, and their indices in it."""
    model, index_C = layered.sweep.model, layered.index_C.copy()
    if turns + 2 == len(layered.shapes):
        return layered.full_cards, index_C
    steps = np.stack([model.category_O, model.code_O, model.makes_eligible_O])
    outcomes = np.unique(steps, axis=1, return_index=True)[1]
    outcomes = outcomes[model.category_O[outcomes] >= 0]
    may_G_O = model.open_boxes(classes)[:, model.category_O[outcomes]]
    after = np.unique(model.class_after(classes[:, None], outcomes)[may_G_O])
    layer = StoredLayer(assignment.files, turns + 1, layered.shapes[turns + 1])
    values, index_C[after] = layer.gather(index_C[after])
    return values, index_C


@lru_cache(maxsize=1)
def _layered(assignment: Assignment) -> Layered:
    """Return the states of the game, which a worker reuses for all parts.

    Raises
    ------
    InputError
        If the worker has a different version of the code.
    """
    if layers_folder(assignment.rules, assignment.objective).name != assignment.files.folder:
        raise InputError(
            "a worker runs another version of rollwise; install the same version on all machines"
        )
    return Layered(build(assignment.rules), assignment.objective, threads=1)


def memory_of_part(rules: Rules) -> int:
    """Return the memory in bytes that a worker needs for the largest part of a game.

    Besides the values of the part, the worker needs the values of the successors. These are at most
    one row for each row of the part and each open category.
    """
    shapes, needs = shapes_of(build(rules)), [0]
    for turns, (shape, after) in enumerate(pairwise(shapes)):
        rows = LayerChunks.of(shape).in_part * (len(shapes) - 1 - turns)
        read = min(bytes_of(after), bytes_of((rows, *after[1:])))
        needs.append(bytes_of((LayerChunks.of(shape).in_part, *shape[1:])) + 2 * read)
    return PROCESS + max(needs)
