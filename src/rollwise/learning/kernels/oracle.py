"""What the actions of many games are worth, to one who plays the turn best."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rollwise.learning.kernels.games import (
    GameArrays,
    GameStates,
    Integers,
    ScorecardArrays,
    option_of,
)
from rollwise.solving.kernels.compiler import compiled, inlined
from rollwise.solving.kernels.scalar_turn import LatticeArrays, StateScratch, turn_values
from rollwise.solving.kernels.vector import Floats


class Worths(NamedTuple):
    """What a turn of each game is worth.

    Attributes
    ----------
    remaining_C_L : float64 array of shape (C, L)
        What is still to come from each card, the upper bonus included; the points so far are then
        not counted. Of shape (0, 0) where values depend on the points so far.
    scored_N_O : float64 array of shape (N, O)
        What scoring each outcome is worth; given where ``remaining_C_L`` is empty.
    kept_N_J_P : float64 array of shape (N, rerolls + 1, P)
        What keeping each point with j rerolls left is worth.
    top_N : float64 array of shape (N,)
        What the best action is worth; 0 where the game is over.
    """

    remaining_C_L: Floats
    scored_N_O: Floats
    kept_N_J_P: Floats
    top_N: Floats


class TurnScratch(NamedTuple):
    """What a thread needs room for: the options of a turn, shape (E, K), and two arrays (P,)."""

    option_E_K: NDArray[np.uint16]
    best_P: Floats
    choice_P: NDArray[np.uint16]


@inlined
def begin_turn(
    n: int,
    game: GameArrays,
    dice: LatticeArrays,
    cards: ScorecardArrays,
    worths: Worths,
    room: TurnScratch,
) -> None:
    """Write what every action of a turn that game n begins is worth."""
    c, lane = cards.class_N[n], cards.lane_N[n]
    worth_O = worths.scored_N_O[n]
    for o in range(1, len(worth_O) if len(worths.remaining_C_L) > 0 else 1):
        # An outcome that the class cannot have gets a number without a meaning.
        code = min(game.code_C[c] + game.code_O[o], game.class_S.shape[1] - 1)
        after = game.class_S[game.eligible_C[c] | game.arms_O[o], code]
        lane_after = min(lane + game.shift_O[o], len(game.bonus_L) - 1)
        points = float(game.points_O[o] + game.extra_O[o])
        worth_O[o] = points + worths.remaining_C_L[after, lane_after]
    rerolls, rolls = int(game.rerolls_C[c]), len(game.special_R)
    tables = min(rerolls + 1, len(game.option_T_V_K) - game.table_C[c])
    for t in range(tables):
        for r in range(rolls):
            special = game.special_R[r]
            row = game.special_row_C_J[c, special] if special >= 0 else r
            for k in range(len(game.before_K)):
                mask, before = game.mask_C[c], game.before_K[k]
                fits = mask >> k & 1 == 0 and mask & before == before
                o = game.option_T_V_K[game.table_C[c] + t, row, k]
                room.option_E_K[t * rolls + r, k] = o if fits else 0
    values = StateScratch(worths.kept_N_J_P[n, : rerolls + 1], room.best_P, room.choice_P)
    turn_values(worth_O, room.option_E_K[: tables * rolls], dice, values)


@inlined
def worth_of(
    n: int, action: int, game: GameArrays, cards: ScorecardArrays, stand: GameStates, worths: Worths
) -> float:
    """Return what an action of game n is worth, -inf if it is not allowed."""
    keeps = game.keep_R_A.shape[1]
    if 0 <= action < keeps:
        point = game.keep_R_A[stand.fallen.roll_N[n], action]
        if point >= 0 and stand.left_N[n] > 0:
            return float(worths.kept_N_J_P[n, stand.left_N[n], point])
    elif keeps <= action < keeps + len(game.before_K):
        o = option_of(n, action - keeps, game, cards, stand)
        if o > 0:
            return float(worths.scored_N_O[n, o])
    return -np.inf


@compiled
def foresee(
    first: int,
    last: int,
    room: TurnScratch,
    game: GameArrays,
    dice: LatticeArrays,
    cards: ScorecardArrays,
    stand: GameStates,
    tie: float,
    worths: Worths,
    best_N: Integers,
) -> None:
    """Write what the best action of each game is worth, and its number.

    Of actions that are as good, that with the higher number; -1 where the game is over.
    """
    for n in range(first, last):
        if stand.over_N[n]:
            worths.top_N[n], best_N[n] = 0.0, -1
            continue
        if stand.fresh_N[n]:
            begin_turn(n, game, dice, cards, worths, room)
        top, best = -np.inf, -1
        for action in range(game.keep_R_A.shape[1] + len(game.before_K) - 1, -1, -1):
            worth = worth_of(n, action, game, cards, stand, worths)
            if worth > top + tie:
                best = action
            top = max(top, worth)
        worths.top_N[n], best_N[n] = top, best


@compiled
def regret(
    first: int,
    last: int,
    action_N: Integers,
    game: GameArrays,
    cards: ScorecardArrays,
    stand: GameStates,
    worths: Worths,
    ended_N: Floats,
    regret_N: Floats,
) -> None:
    """Write what an action of each game gives away, as its last look was; 0 where it is over.

    One that is not allowed leaves what it is worth to end the game, ``ended_N``.
    """
    for n in range(first, last):
        regret_N[n] = 0.0
        if not stand.over_N[n]:
            worth = worth_of(n, action_N[n], game, cards, stand, worths)
            regret_N[n] = worths.top_N[n] - (worth if worth > -np.inf else ended_N[n])
