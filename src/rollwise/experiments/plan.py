"""Estimates of the states, memory, disk space, and time that a game takes to solve.

The estimates do not require a solution, so they also work for games that are too large to solve. A
class of states is solved in two steps. The first step lists its legal outcomes. The second step
computes ``WIDTH`` upper-section totals at a time, with vector reads. The estimated time is the
number of reads in both steps times the duration of one read, which is measured in a small game.
"""

from dataclasses import dataclass
from functools import cache
from time import process_time

import numpy as np

from rollwise.errors import TooLargeError
from rollwise.model.arrays import build
from rollwise.model.classes import classes_by_layer, exceeds_table
from rollwise.model.dice_lattice import lattice
from rollwise.model.outcomes import special_categories
from rollwise.rules import Rules, RulesLike, as_rules, load_rules
from rollwise.solving.backward_induction import solve_cards
from rollwise.solving.column_solver import Columns
from rollwise.solving.kernels.vector import WIDTH
from rollwise.solving.layers import usable_cores
from rollwise.solving.objectives import EXPECTED
from rollwise.two_player.size import DuelSize
from rollwise.two_player.solver import DuelSolver

MEASURED = "yahtzee-plain"
"""The game that is solved to measure the duration of a read; this takes a third of a second."""

LEGAL_READS = 7
"""The number of reads per roll and open category that it takes to list the legal outcomes."""

MOST_SECONDS = 60.0
"""The longest time, in core seconds, that a two-player plan can spend on a one-player solution."""


@dataclass(frozen=True)
class Plan:
    """The resources needed to solve a game, alone or as a game of two who respond to each other."""

    rules: str
    players: int
    # The sets of filled categories, each combined with eligibility for the five-of-a-kind bonus and
    # a number of saved rolls; for two players, the pairs of scorecards.
    classes: int
    # The pairs of a class and an upper-section total, reachable or not; for two players, the pairs
    # of scorecards with an undecided score difference, which is an estimate for large games.
    entries: int
    # Bytes. For one player, the sizes of the two largest adjacent layers and of all layers; for two
    # players, the peak memory, and the size of the win and tie probabilities.
    memory: int
    disk: int
    # The approximate time on one core, in seconds.
    core_seconds: float

    def seconds(self, cores: int) -> float:
        """Return the time on several cores in seconds, without transfers between machines."""
        return self.core_seconds / cores


def plan(rules: RulesLike, players: int = 1) -> Plan:
    """Estimate the resources needed to solve a game for the expected score, or a two-player game.

    The game can be too large to solve. A plan for two players needs a one-player solution; if that
    takes too long, raise a TooLargeError.
    """
    game = as_rules(rules)
    one_player = _one_player(game)
    if players == 1:
        return one_player
    if one_player.core_seconds > MOST_SECONDS:
        raise TooLargeError(
            f"{game.name} is too large to estimate for two players: solving it for one player "
            f"would take {one_player.core_seconds:.0f} seconds on one core, and the limit is "
            f"{MOST_SECONDS:.0f}; choose a smaller game"
        )
    return _two_players(game, DuelSolver(game).size())


def _two_players(rules: Rules, size: DuelSize) -> Plan:
    seconds = size.seconds * usable_cores()
    # Each state has the probabilities of a win and of a tie.
    return Plan(rules.name, 2, size.pairs, size.lanes, size.bytes, 16 * size.lanes, seconds)


def _one_player(rules: Rules) -> Plan:
    classes_F, lanes = classes_by_layer(rules, special_categories(rules).extra), rules.upper_numbers
    if exceeds_table(rules):
        columns = Columns(rules)
        classes_F, lanes = [rows for rows, *_ in columns.shapes], columns.last.lanes
    layers = np.array(classes_F, dtype=np.float64) * 8 * lanes
    return Plan(
        rules=rules.name,
        players=1,
        classes=sum(classes_F),
        entries=sum(classes_F) * lanes,
        memory=int((layers[1:] + layers[:-1]).max()),
        disk=int(layers.sum()),
        core_seconds=_reads(rules, classes_F, lanes) * seconds_a_read(),
    )


def _reads(rules: Rules, classes_F: list[int], lanes: int) -> float:
    """Return the number of vector reads that a solution takes."""
    dice = lattice(rules.kinds)
    rolls = len(dice.rolls)
    # A chain of n categories has n + 1 states. In n of them, one category can be filled.
    legal = rolls * sum(len(chain) / (len(chain) + 1) for chain in rules.chains)
    # On average about half of the upper-section totals of a class are reachable.
    blocks = 1 if lanes == 1 else 1 + lanes / 2 / WIDTH
    total = 0.0
    for turns, classes in enumerate(classes_F[:-1]):
        saved = rules.saved_after(turns)
        # If rolls are saved, the turn with the most rolls contains all shorter turns.
        starts = saved[-1:] if rules.saves_rolls else saved
        rolls_S = [rules.rolls_with(start) for start in starts]
        scored = sum(rolls_S) if rules.stops else len(rolls_S)
        rerolled = sum(rolls_S) - len(rolls_S)
        sets = classes / len(saved)
        total += sets * (LEGAL_READS * legal + blocks * (rerolled * dice.links + scored * legal))
    return total


@cache
def seconds_a_read() -> float:
    """Return the duration of a vector read on one core of this machine, in seconds.

    The time is measured once per process.
    """
    rules = load_rules(MEASURED)
    model = build(rules)
    solve_cards(model, EXPECTED, threads=1)  # to compile the kernels and allocate their memory
    start = process_time()
    solve_cards(model, EXPECTED, threads=1)
    lanes = model.lanes
    return (process_time() - start) / _reads(rules, classes_by_layer(rules, 0), lanes)
