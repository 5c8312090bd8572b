r"""The solver for games where rolls are carried over from turn to turn.

With s rolls saved before a turn of up to R + s rolls, and W_j(r) the value of the roll r with j
rolls left:

.. math::
    S_j(r) &= \max_k \; g(p) \, V(c', u', j) + h(p) \\
    W_0 &= S_0, \qquad W_j(r) = \max(S_j(r), \max_{q \subset r} E_j(q)) \\
    V(c, u, s) &= \sum_r P(r) \, W_{R-1+s}(r)

with E_j from W_{j-1} as in :mod:`rollwise.solving.cards`. One chain over j gives V for all s at
once: a card costs 2 f + 3 steps after f turns of three rolls, not 3 for each of 2 f + 1 starts. Of
extra rolls a turn takes one at most, so that j counts R of them, if s > 0, and the last one costs
one: V has s - 1 after j = 0 and s after the others. Each s has a chain of its own.

Memory: two neighbouring layers. A large game's finished layers go to disk: the last one, so that
an interrupted run goes on from there; all of them if asked, for play, review and simulation.
"""

import logging
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from rollwise.errors import TooLargeError
from rollwise.game.position import Position
from rollwise.model.arrays import Model, build
from rollwise.rules import Rules
from rollwise.solving.kernels.backward import Chains, Layer, Scratch, backward
from rollwise.solving.kernels.vector import WIDTH
from rollwise.solving.layers import Sweep
from rollwise.solving.objectives import CardObjective
from rollwise.solving.progress import Progress, within
from rollwise.solving.saving.layers import Files, Layers, Values

log = logging.getLogger("rollwise")

SMALL = 1 << 30
"""Bytes: a game with less is solved in memory, all layers kept as one table."""

MAX_BYTES = 10 << 30
"""Of two neighbouring layers."""


class _Plan:
    """Which classes are solved, and how large their layers are."""

    def __init__(self, rules: Rules, sweep: Sweep, filled: int) -> None:
        model = sweep.model
        self.stride = -(-(model.lanes + WIDTH) // WIDTH) * WIDTH
        self.place_C = np.full(model.n_classes, -1, dtype=np.int64)
        self.classes: list[NDArray[np.int64]] = []
        self.rules = rules
        self.saves = [rules.saved_after(layer).stop for layer in range(len(sweep.layers))]
        for first, last in sweep.layers:
            held = np.arange(first, last)
            held = held[model.mask_C[held] & filled == filled]
            self.place_C[held] = np.arange(len(held))
            self.classes.append(held)
        self.first = filled.bit_count()

    def shape(self, layer: int) -> tuple[int, int, int]:
        """Return the shape of a layer: classes, rolls saved, lanes."""
        return len(self.classes[layer]), self.saves[layer], self.stride

    def size(self, layer: int) -> int:
        """Return the bytes of a layer."""
        return 8 * int(np.prod(self.shape(layer)))

    @property
    def fits(self) -> bool:
        """Whether all layers are kept in memory."""
        return sum(map(self.size, range(self.first, len(self.classes)))) <= SMALL

    def work(self, model: Model, layer: int) -> int:
        """Return how many chain steps of how many lanes a layer takes."""
        steps = int((self.chains(layer).then_N_J >= 0).sum())
        return int(model.rows_C[self.classes[layer]].sum()) * steps

    def chains(self, layer: int) -> Chains:
        """Return the turns from the cards of a layer."""
        rules = self.rules
        # Where rolls are saved, the turn with most of them has all others in it.
        starts = list(rules.saved_after(layer))[-1 if rules.saves_rolls else 0 :]
        then_N_J = np.full((len(starts), rules.most_rolls(layer)), -1)
        start_N_J = np.full(then_N_J.shape, -1)
        for then_J, start_J, saved in zip(then_N_J, start_N_J, starts, strict=True):
            rolls = rules.rolls_with(saved)
            then_J[:rolls] = [rules.saved_then(saved, left) for left in range(rolls)]
            start_J[rolls - 1] = saved
            if rules.saves_rolls:
                start_J[rules.rolls - 1 : rolls] = range(saved + 1)
        return Chains(then_N_J, start_N_J)


def solve_saving(
    rules: Rules,
    objective: CardObjective,
    *,
    position: Position | None = None,
    on_disk: bool = False,
    folder: Path | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Layers:
    """Return the value of every card, with every number of rolls saved.

    Parameters
    ----------
    position : Position, optional
        Of a large game solve what can be reached from its card; keep that card and those after it.
    on_disk : bool
        Keep all layers of a large game, in ``folder``; else its first two.
    folder : Path, optional
        Where a large game's layers go; nowhere unless told.
    threads, progress
        As for :func:`rollwise.solving.solver.solve`.

    Raises
    ------
    TooLargeError
        When memory or disk would not do.
    """
    build(rules)  # what has too many cards or scores is refused now, and not when all is done
    sweep = Sweep(build(rules.unsaved), objective, threads)
    plan, last = _Plan(rules, sweep, 0), len(sweep.layers) - 1
    small = fits = plan.fits
    filled = position.state.filled if position and not small else 0
    if filled:
        kept = _kept(rules, sweep, Files(folder), filled.bit_count()) if folder else None
        if kept is not None:
            return kept
        plan = _Plan(rules, sweep, filled)
        fits = plan.fits
    pair = max(plan.size(layer) + plan.size(layer + 1) for layer in range(plan.first, last))
    if pair > MAX_BYTES:
        raise TooLargeError(
            f"{rules.name}: two layers of cards take {pair / 2**30:.1f} GiB: expected at most "
            f"{MAX_BYTES >> 30}"
        )
    files = None if small or folder is None or filled else Files(folder)
    keep = on_disk and files is not None
    arrays: list[Values | None] = [None] * (last + 1)
    bonus_L = sweep.model.bonus_L.astype(np.float64)
    full = np.pad(bonus_L, (0, plan.stride - len(bonus_L)), "edge")
    arrays[last] = np.broadcast_to(objective.terminal(full), plan.shape(last)).copy()
    done = _resume(files, plan, arrays, keep)
    missing = sum(plan.size(layer) for layer in range(done))
    if files is not None and keep and not files.room_for(missing):
        raise TooLargeError(f"{folder}: expected room for {missing / 2**30:.0f} GiB more")
    work = [plan.work(sweep.model, layer) for layer in range(last)]
    total = sum(work[plan.first :])
    for layer in range(done - 1, plan.first - 1, -1):
        if not fits and not keep and layer + 2 <= last:
            arrays[layer + 2] = None
        after, out = arrays[layer + 1], np.empty(plan.shape(layer))
        assert after is not None
        begin, end = sum(work[layer + 1 :]) / total, sum(work[layer:]) / total
        sweep.each_part(
            0,
            len(plan.classes[layer]),
            backward,
            sweep.arrays,
            sweep.streams,
            plan.chains(layer),
            Layer(
                plan.classes[layer],
                plan.place_C,
                plan.saves[layer],
                plan.saves[layer + 1],
                out.reshape(-1, plan.stride),
                after.reshape(-1, plan.stride),
            ),
            scratch=Scratch.of,
            done=within(progress, begin, end),
        )
        arrays[layer] = out
        if files is not None:
            _put_away(files, layer, plan, arrays, keep)
    return Layers(build(rules), plan.place_C, arrays, small, from_disk=done <= plan.first)


def _kept(rules: Rules, sweep: Sweep, files: Files, layer: int) -> Layers | None:
    """Return the whole game as far as it is on disk, if that is enough for cards of a layer."""
    plan = _Plan(rules, sweep, 0)
    arrays = [files.read(number, plan.shape(number)) for number in range(len(sweep.layers))]
    if any(values is None for values in arrays[layer : layer + 2]):
        return None
    return Layers(build(rules), plan.place_C, arrays, small=False, from_disk=True)


def _resume(files: Files | None, plan: _Plan, arrays: list[Values | None], keep: bool) -> int:
    """Read finished layers; return the first one that stands."""
    last = len(arrays) - 1
    if files is None:
        return last
    found = [files.read(layer, plan.shape(layer)) for layer in range(last)]
    if keep:  # all that follow have to be there
        done = last
        while done > 0 and found[done - 1] is not None:
            done -= 1
            arrays[done] = found[done]
        return done
    done = next((layer for layer, values in enumerate(found) if values is not None), last)
    for layer in range(done, last):
        arrays[layer] = found[layer]
    return done


def _put_away(
    files: Files, layer: int, plan: _Plan, arrays: list[Values | None], keep: bool
) -> None:
    """Write a finished layer, and drop those that are needed no more."""
    values = arrays[layer]
    assert values is not None
    try:
        files.write(layer, values)
    except OSError as error:
        log.warning("a finished layer could not be kept: %s", error)
        if keep:
            raise
    if keep:
        arrays[layer] = files.read(layer, plan.shape(layer))
        if layer + 1 < len(arrays) - 1:
            arrays[layer + 1] = files.read(layer + 1, plan.shape(layer + 1))
    elif layer + 2 < len(arrays) - 1:
        files.drop(layer + 2)
