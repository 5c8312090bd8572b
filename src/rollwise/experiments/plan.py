"""What a game would take, told before it is begun: cards, memory, disk and core hours.

Nothing of the game itself is made, so that games are planned that no machine can solve. A card is
worked on in two steps: its menu is laid out, once, and its upper totals are gone through, eight at
a time, by reads of vectors. Both are counted; how long a read takes is measured, on a small game.
"""

from dataclasses import dataclass
from functools import cache
from time import process_time

import numpy as np

from rollwise.errors import TooLargeError
from rollwise.model.arrays import build
from rollwise.model.classes import cards_by_layer, exceeds_table
from rollwise.model.lattice import lattice
from rollwise.model.outcomes import boxes_of
from rollwise.rules import Rules, RulesLike, as_rules, load_rules
from rollwise.solving.bellman import solve_cards
from rollwise.solving.column_solver import Columns
from rollwise.solving.kernels.vector import WIDTH
from rollwise.solving.layers import usable_cores
from rollwise.solving.objectives import EXPECTED
from rollwise.two_player.size import DuelSize
from rollwise.two_player.solver import DuelSolver

MEASURED = "yahtzee-plain"
"""The game on which the rate is measured: a third of a second on one core."""

LEGAL_READS = 7
"""Reads that laying out the menu takes, for each roll and each box that is open."""

MOST_SECONDS = 60.0
"""Of one core: of a game for two the players' own cards have to be solved to count the leads."""


@dataclass(frozen=True)
class Plan:
    """What it takes to solve a game.

    Attributes
    ----------
    rules : str
        The name of the game.
    players : int
        1, or 2 who answer each other.
    cards : int
        Sets of filled boxes, with the extra bonus armed or not and every number of rolls saved; for
        two players pairs of cards with their upper totals.
    states : int
        Cards with an upper total; for two players pairs with a lead that decides nothing yet. Of
        large games for two an estimate.
    memory, disk : int
        Bytes: of two neighbouring layers, the least that has to be at hand; of all layers.
    core_seconds : float
        About.
    """

    rules: str
    players: int
    cards: int
    states: int
    memory: int
    disk: int
    core_seconds: float

    def seconds(self, cores: int) -> float:
        """Return how long so many cores take, the time to move layers between machines left out."""
        return self.core_seconds / cores


def plan(rules: RulesLike, players: int = 1) -> Plan:
    """Return what it takes to solve a game for the expected score, or for two who play to win.

    Parameters
    ----------
    rules : Rules, str or Path
        Of the game, or the name of a preset. It may be larger than what can be solved.
    players : int
        1 or 2.

    Raises
    ------
    TooLargeError
        For two players, when already one player's game is large.
    """
    game = as_rules(rules)
    alone = _alone(game)
    if players == 1:
        return alone
    if alone.core_seconds > MOST_SECONDS:
        raise TooLargeError(
            f"{game.name} for two: expected a game that one core solves for one player within "
            f"{MOST_SECONDS:.0f} seconds, not {alone.core_seconds:.0f}"
        )
    return _of_two(game, DuelSolver(game).size())


def _of_two(rules: Rules, size: DuelSize) -> Plan:
    seconds = size.seconds * usable_cores()
    # Values of a win and of a tie, each.
    return Plan(rules.name, 2, size.pairs, size.lanes, size.bytes, 16 * size.lanes, seconds)


def _alone(rules: Rules) -> Plan:
    cards_F, lanes = cards_by_layer(rules, boxes_of(rules).extra), rules.upper_numbers
    if exceeds_table(rules):
        columns = Columns(rules)
        cards_F, lanes = [rows for rows, *_ in columns.shapes], columns.last.lanes
    layers = np.array(cards_F, dtype=np.float64) * 8 * lanes
    return Plan(
        rules=rules.name,
        players=1,
        cards=sum(cards_F),
        states=sum(cards_F) * lanes,
        memory=int((layers[1:] + layers[:-1]).max()),
        disk=int(layers.sum()),
        core_seconds=_reads(rules, cards_F, lanes) * seconds_a_read(),
    )


def _reads(rules: Rules, cards_F: list[int], lanes: int) -> float:
    """Return how many vectors are read for all cards."""
    dice = lattice(rules.kinds)
    rolls = len(dice.rolls)
    # Of a chain of n boxes n of n + 1 cards have one that can be filled.
    legal = rolls * sum(len(chain) / (len(chain) + 1) for chain in rules.chains)
    # Of all upper totals about half can come up with a card.
    blocks = 1 if lanes == 1 else 1 + lanes / 2 / WIDTH
    total = 0.0
    for turns, cards in enumerate(cards_F[:-1]):
        saved = rules.saved_after(turns)
        # Where rolls are saved, the turn with most of them has all others in it.
        starts = saved[-1:] if rules.saves_rolls else saved
        rolls_S = [rules.rolls_with(start) for start in starts]
        chosen = sum(rolls_S) if rules.stops else len(rolls_S)
        climbed = sum(rolls_S) - len(rolls_S)
        sets = cards / len(saved)
        total += sets * (LEGAL_READS * legal + blocks * (climbed * dice.links + chosen * legal))
    return total


@cache
def seconds_a_read() -> float:
    """Return how long a read of a vector takes on one core of this machine, measured once."""
    rules = load_rules(MEASURED)
    model = build(rules)
    solve_cards(model, EXPECTED, threads=1)  # compiled, and its memory at hand
    start = process_time()
    solve_cards(model, EXPECTED, threads=1)
    lanes = model.lanes
    return (process_time() - start) / _reads(rules, cards_by_layer(rules, 0), lanes)
