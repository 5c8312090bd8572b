"""The Monte Carlo simulation of games in batches, and the EV losses of their decisions."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rollwise.solving.kernels.compiler import compiled
from rollwise.solving.kernels.scalar_turn import (
    LatticeArrays,
    Options,
    StateScratch,
    best_keeps,
    turn_values,
)
from rollwise.solving.kernels.vector import Floats


class GroupChoices(NamedTuple):
    """The decisions of a strategy, for G groups of games with the same decisions."""

    # The group of each game.
    group_N: NDArray[np.int64]
    # The number of the first group.
    first: int
    # The lattice point to keep from each roll before each reroll. The last reroll comes last.
    keeps_G_J_R: NDArray[np.uint16]
    # The category for each final roll.
    categories_G_E: NDArray[np.uint8]


class TurnLog(NamedTuple):
    """The record of one turn of N games."""

    # The lattice point of each roll, shape (N, rolls).
    rolled_N_J: NDArray[np.uint16]
    # The lattice point of the kept dice before each reroll, shape (N, rerolls).
    kept_N_J: NDArray[np.uint16]
    # The number of rolls in the turn.
    thrown_N: NDArray[np.int32]
    # The final roll, as numbered in :mod:`rollwise.model.turn`.
    ended_N: NDArray[np.int32]
    # The category in which the roll was scored.
    scored_N: NDArray[np.uint8]

    @classmethod
    def empty(cls, games: int, rolls: int) -> "TurnLog":
        """Return an empty record for ``games`` games and turns of at most ``rolls`` rolls."""
        return cls(
            np.zeros((games, rolls), np.uint16),
            np.zeros((games, rolls - 1), np.uint16),
            np.full(games, rolls, np.int32),
            np.zeros(games, np.int32),
            np.empty(games, np.uint8),
        )


@compiled
def play_turns(
    games: NDArray[np.int64],
    choices: GroupChoices,
    faces_N_J_D: NDArray[np.uint8],
    allowed_N: NDArray[np.int64],
    dice: LatticeArrays,
    stops: bool,
    log: TurnLog,
) -> None:
    """Simulate one turn of the given games, and write the turn to ``log``.

    ``faces_N_J_D`` has the random symbols of the dice for each roll, kind by kind, numbered from 0.
    A reroll of m dice of a kind uses the first m symbols of this kind. ``allowed_N`` is the maximum
    number of rolls in the turn. ``stops`` says whether keeping the whole roll ends the turn.
    """
    first_roll = dice.first_roll
    n_rolls = len(dice.sizes_P) - first_roll
    rerolls = choices.keeps_G_J_R.shape[1]
    for i in range(len(games)):
        game = games[i]
        group = choices.group_N[game] - choices.first
        point = 0
        left = allowed_N[game]
        while True:
            j = allowed_N[game] - left
            for d in range(faces_N_J_D.shape[2]):
                point = dice.parent_P_F[point, faces_N_J_D[game, j, d]]
            log.rolled_N_J[game, j] = point
            left -= 1
            if left == 0:
                break
            point = choices.keeps_G_J_R[group, rerolls - left, point - first_roll]
            if stops and point >= first_roll:
                break
            log.kept_N_J[game, j] = point
        log.thrown_N[game] = allowed_N[game] - left
        log.ended_N[game] = point - first_roll + left * n_rolls
        log.scored_N[game] = choices.categories_G_E[group, log.ended_N[game]]


@compiled
def turn_losses(
    scratch: StateScratch,
    games: NDArray[np.int64],
    starts: NDArray[np.int64],
    value_G_O: Floats,
    option_E_K: Options,
    dice: LatticeArrays,
    log: TurnLog,
    losses_N_J: Floats,
) -> None:
    """Write the EV loss of each decision in a turn, for games whose states have the same class.

    ``games`` is sorted by state: the games of state g are
    ``games[starts[g] .. starts[g + 1] - 1]``. ``value_G_O`` includes the points to come.
    ``scratch`` has the number of rerolls of the longest turn of the class. ``losses_N_J`` receives
    the best value minus the value of the chosen option, first for each choice of dice to keep, then
    for the category.
    """
    n_rolls = len(dice.sizes_P) - dice.first_roll
    for g in range(len(value_G_O)):
        value_O = value_G_O[g]
        turn_values(value_O, option_E_K, dice, scratch)
        for left in range(len(scratch.values_J_P)):
            value_P = scratch.values_J_P[left]
            if left > 0:
                best_keeps(value_P, dice, scratch.best_P)
            for i in range(starts[g], starts[g + 1]):
                game = games[i]
                unused = log.ended_N[game] // n_rolls  # 0 if outcomes ignore the rolls left
                j = log.thrown_N[game] - 1 + unused - left
                if j < 0 or left < unused:
                    continue
                point = log.rolled_N_J[game, j]
                best = scratch.best_P[point] if left > 0 else value_P[point]
                if left > unused:
                    losses_N_J[game, j] = best - value_P[log.kept_N_J[game, j]]
                else:
                    o = option_E_K[log.ended_N[game], log.scored_N[game]]
                    losses_N_J[game, j] = best - value_O[o]
