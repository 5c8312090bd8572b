"""The compiled oracle: the values and regrets of actions in many games."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rollwise.learning.kernels.games import (
    GameArrays,
    GameStates,
    Integers,
    ScorecardArrays,
    outcome_at,
)
from rollwise.solving.kernels.compiler import compiled, inlined
from rollwise.solving.kernels.legal_outcomes import may_fill
from rollwise.solving.kernels.scalar_turn import LatticeArrays, StateScratch, turn_values
from rollwise.solving.kernels.vector import Floats


class ActionValueArrays(NamedTuple):
    """The action values in the current turn of each game.

    Attributes
    ----------
    remaining_C_L : float64 array of shape (C, L)
        The expected points to come from each state, including the upper bonus. If the values depend
        on the points so far, the array is empty and has shape (0, 0). Otherwise, action values
        exclude the points so far.
    outcome_N_O : float64 array of shape (N, O)
        The value of each outcome in each game. It is an input if ``remaining_C_L`` is empty.
    keep_N_J_P : float64 array of shape (N, rerolls + 1, P)
        The value of keeping the dice of each lattice point, for each number of rerolls left.
    best_N : float64 array of shape (N,)
        The value of the best action; 0 if the game is over.
    """

    remaining_C_L: Floats
    outcome_N_O: Floats
    keep_N_J_P: Floats
    best_N: Floats


class TurnScratch(NamedTuple):
    """The scratch arrays of a thread: the options of a turn, and two arrays over lattice points."""

    option_E_K: NDArray[np.uint16]
    best_P: Floats
    choice_P: NDArray[np.uint16]


@inlined
def value_turn(
    n: int,
    game: GameArrays,
    lattice: LatticeArrays,
    cards: ScorecardArrays,
    values: ActionValueArrays,
    scratch: TurnScratch,
) -> None:
    """Write the values of all actions in the turn that game n begins."""
    arrays, c, lane = game.arrays, cards.class_N[n], cards.lane_N[n]
    here, value_O = arrays.class_C[c], values.outcome_N_O[n]
    for o in range(1, len(value_O) if len(values.remaining_C_L) > 0 else 1):
        outcome = arrays.outcome_O[o]
        # The value of an outcome that is impossible from this class is meaningless.
        code = min(here.code + outcome.code, arrays.class_S.shape[1] - 1)
        after = arrays.class_S[here.eligible | outcome.makes_eligible, code]
        lane_after = min(lane + outcome.shift, arrays.lanes - 1)
        value_O[o] = outcome.points + values.remaining_C_L[after, lane_after]
    rerolls, rolls = int(here.rerolls), len(game.special_R)
    tables = min(rerolls + 1, len(arrays.option_T_V_K) - here.table)
    for t in range(tables):
        for r in range(rolls):
            special = game.special_R[r]
            row = arrays.special_row_C_J[c, special] if special >= 0 else r
            for k in range(len(arrays.category_K)):
                o = arrays.option_T_V_K[here.table + t, row, k]
                scratch.option_E_K[t * rolls + r, k] = o if may_fill(arrays, c, k) else 0
    turn = StateScratch(values.keep_N_J_P[n, : rerolls + 1], scratch.best_P, scratch.choice_P)
    turn_values(value_O, scratch.option_E_K[: tables * rolls], lattice, turn)


@inlined
def action_value(
    n: int,
    action: int,
    game: GameArrays,
    cards: ScorecardArrays,
    states: GameStates,
    values: ActionValueArrays,
) -> float:
    """Return the value of an action in game n, or -inf if the action is illegal."""
    keeps = game.contains_R_A.shape[1]
    if 0 <= action < keeps:
        if states.left_N[n] > 0 and game.contains_R_A[states.dice.roll_N[n], action]:
            return float(values.keep_N_J_P[n, states.left_N[n], action])
    elif keeps <= action < keeps + len(game.arrays.category_K):
        o = outcome_at(n, action - keeps, game, cards, states)
        if o > 0:
            return float(values.outcome_N_O[n, o])
    return -np.inf


@compiled
def find_best_actions(
    first: int,
    last: int,
    scratch: TurnScratch,
    game: GameArrays,
    lattice: LatticeArrays,
    cards: ScorecardArrays,
    states: GameStates,
    tolerance: float,
    values: ActionValueArrays,
    action_N: Integers,
) -> None:
    """Write the value and number of the best action in each game from ``first`` to ``last - 1``.

    Actions are tied if their values differ by at most ``tolerance``. The highest number among tied
    actions is written. If the game is over, the value is 0 and the number is -1.
    """
    for n in range(first, last):
        if states.over_N[n]:
            values.best_N[n], action_N[n] = 0.0, -1
            continue
        if states.fresh_N[n]:
            value_turn(n, game, lattice, cards, values, scratch)
        best_value, best_action = -np.inf, -1
        for action in range(game.contains_R_A.shape[1] + len(game.arrays.category_K) - 1, -1, -1):
            value = action_value(n, action, game, cards, states, values)
            if value > best_value + tolerance:
                best_action = action
            best_value = max(best_value, value)
        values.best_N[n], action_N[n] = best_value, best_action


@compiled
def find_regrets(
    first: int,
    last: int,
    action_N: Integers,
    game: GameArrays,
    cards: ScorecardArrays,
    states: GameStates,
    values: ActionValueArrays,
    ended_N: Floats,
    regret_N: Floats,
) -> None:
    """Write the regret of one action in each game from ``first`` to ``last - 1``.

    The regret is 0 if the game is over. ``ended_N`` contains the value of each game if it ends now,
    for example after an illegal action.
    """
    for n in range(first, last):
        regret_N[n] = 0.0
        if not states.over_N[n]:
            value = action_value(n, action_N[n], game, cards, states, values)
            regret_N[n] = values.best_N[n] - (value if value > -np.inf else ended_N[n])
