"""The time, memory, and disk space that it takes to solve a game, known before the solver starts.

A class of states is solved in two steps. The first step lists its legal outcomes. The second step
computes ``VECTOR`` upper-section totals at a time, with vector reads. The estimated time is the
number of reads in both steps times the duration of one read. The estimates do not require a
solution, so they also work for games that are too large to solve.
"""

import logging
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

from rollwise.errors import counted
from rollwise.model.classes import classes_by_layer, each_column, exceeds_table
from rollwise.model.dice_lattice import lattice
from rollwise.model.outcomes import special_categories
from rollwise.rules import Rules, preset_names
from rollwise.solving.objectives import EXPECTED, Objective
from rollwise.solving.progress import format_duration
from rollwise.solving.storage.layers import bytes_of
from rollwise.solving.values import VECTOR, Layers, has_many_states

log = logging.getLogger("rollwise.cost")

SECONDS_A_READ = 0.7e-9
"""The duration of a vector read on one core, in seconds.

On the machine of ``benchmarks/README.md``, it is 0.4 to 0.8 ns in games that take minutes.
"""

LEGAL_READS = 7
"""The number of reads per roll and open category that it takes to list the legal outcomes."""

SCORE_READS = 2
"""The relative number of reads in a turn if values depend on the points so far."""

LONG = 10.0
"""The shortest time to announce, in seconds; many machines take twice as long as estimated."""

SIZES = {"TB": 1e12, "GB": 1e9, "MB": 1e6, "kB": 1e3, "B": 1.0}


@dataclass(frozen=True)
class Cost:
    """The cost of the value of every state, for an objective that ignores the points so far."""

    rules: Rules
    layers: Layers
    # The bit mask of the categories that are filled at the start.
    filled: int = 0

    @property
    def is_large(self) -> bool:
        """Whether there are too many states for one table."""
        return has_many_states(self.rules, self.layers)

    @property
    def classes(self) -> int:
        """The number of classes."""
        pairs = zip(self.layers.classes_F, self.layers.saved_F, strict=True)
        return sum(classes * len(saved) for classes, saved in pairs)

    @property
    def memory(self) -> int:
        """The size of the values in memory, in bytes: one table, or two adjacent layers."""
        sizes = list(map(bytes_of, self.layers.shapes))
        return max(map(sum, pairwise(sizes))) if self.is_large else sum(sizes)

    @property
    def disk(self) -> int:
        """The size of all values on disk, in bytes: a table without padding, or layers with it.

        The layer of full scorecards is never saved.
        """
        if self.is_large:
            return sum(map(bytes_of, self.layers.shapes[:-1]))
        return 8 * self.layers.lanes * self.classes

    def announce(
        self, objective: Objective, layers: Iterable[int], cores: int, *, cached: bool, whole: bool
    ) -> None:
        """Log what it takes to solve some layers, if it takes long.

        ``cached`` is whether the result is saved, and ``whole`` whether all layers are saved.
        """
        disk, saved = "", ""
        if cached:
            size = in_unit(self.memory if self.is_large and not whole else self.disk, SIZES)
            disk = f"up to {size}" if self.is_large and not whole else size
            saved = "The result is saved."
        if cached and self.is_large:
            result = "All turns are saved." if whole else "The first turns are saved."
            saved = f"{result} If you stop with Ctrl-C, the same command continues."
        faster = [name for name in preset_names() if name.startswith(f"{self.rules.name}-no-")]
        if faster and self.rules.carries_rolls:
            saved += f" A faster game is {faster[0]}."
        seconds = self.core_seconds(layers)
        announce(self.rules, objective, seconds, cores, self.memory, disk, saved.strip())

    def core_seconds(self, layers: Iterable[int] | None = None) -> float:
        """Return the time on one core to solve some layers, or all layers but the last."""
        layers = range(len(self.layers.classes_F) - 1) if layers is None else layers
        return SECONDS_A_READ * sum(map(self._reads, layers))

    def _reads(self, layer: int) -> float:
        """Return the number of vector reads that a layer takes."""
        rules, saved = self.rules, self.layers.saved_F[layer]
        legal = _legal_outcomes(rules, self.filled)
        # On average about half of the upper-section totals of a class are reachable.
        blocks = 1 if self.layers.lanes == 1 else 1 + self.layers.lanes / 2 / VECTOR
        # If rolls are saved, the turn with the most rolls contains all shorter turns.
        starts = saved[-1:] if rules.saves_rolls else saved
        turns = sum(_turn_reads(rules, rules.rolls_with(start), legal) for start in starts)
        return self.layers.classes_F[layer] * (LEGAL_READS * legal + blocks * turns)


def cost_of(rules: Rules) -> Cost:
    """Return the cost of a whole game, which can be too large to solve."""
    if exceeds_table(rules):
        from rollwise.solving.columns import rows_by_layer  # numba

        rows_F, lanes = rows_by_layer(rules), each_column(rules)[-1].upper_numbers
        return Cost(rules, Layers.of(rows_F, [range(1)] * len(rows_F), lanes))
    classes_F = classes_by_layer(rules, special_categories(rules).extra)
    saved_F = [rules.saved_after(turns) for turns in range(len(classes_F))]
    return Cost(rules, Layers.of(classes_F, saved_F, rules.upper_numbers))


def core_seconds_by_score(rules: Rules, filled: int, pairs: float) -> float:
    """Return the time on one core to solve pairs of a state and the points so far."""
    turn = _turn_reads(rules, rules.rolls, _legal_outcomes(rules, filled))
    return SECONDS_A_READ * SCORE_READS * pairs / VECTOR * turn


def _legal_outcomes(rules: Rules, filled: int) -> float:
    """Return the mean number of pairs of a roll and a category that it can be scored in."""
    # A chain of n categories has n + 1 states. In n of them, one category can be filled.
    open_chains = (sum(not filled >> k & 1 for k in chain) for chain in rules.chains)
    return len(lattice(rules.kinds).rolls) * sum(n / (n + 1) for n in open_chains)


def _turn_reads(rules: Rules, rolls: int, legal: float) -> float:
    """Return the number of reads in a turn with up to ``rolls`` rolls."""
    return (rolls - 1) * lattice(rules.kinds).links + (rolls if rules.stops else 1) * legal


def announce(
    rules: Rules,
    objective: Objective,
    core_seconds: float,
    cores: int,
    memory: int,
    disk: str = "",
    saved: str = "",
) -> None:
    """Log what it takes to solve a game, if it takes long.

    ``disk`` is the disk space in words, and ``saved`` says in a sentence what is saved. The log
    record has the time in its attribute ``seconds``.
    """
    seconds = core_seconds / cores
    if seconds < LONG:
        return
    name = rules.name + f" for {objective.name}" * (objective.name != EXPECTED.name)
    time = f"about {format_duration(seconds)} on {counted(cores, 'core')}"
    needs = [time, f"{in_unit(memory, SIZES)} of memory"] + [f"{disk} of disk space"] * bool(disk)
    text = f"Solving {name} takes {', '.join(needs[:-1])}{',' * (len(needs) > 2)} and {needs[-1]}."
    log.info("%s", " ".join(filter(None, [text, saved])), extra={"seconds": seconds})


def in_unit(number: float, units: dict[str, float]) -> str:
    """Return a number in the largest unit in which it is at least 1, or in the smallest unit."""
    unit = next((name for name, size in units.items() if number >= size), [*units][-1])
    return f"{number / units[unit]:,.1f} {unit}"
