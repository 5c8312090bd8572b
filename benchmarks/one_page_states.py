"""The decisions in games of a strategy, and the EV loss of each option."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rollwise.evaluation.batch import Batch
from rollwise.model.outcomes import FORBIDDEN
from rollwise.model.turn import best_keep_values, options_of, rerolls, score_rolls
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.turn_policy import Cards
from rollwise.strategies import Strategy
from rollwise.strategies.one_page import BOXES, FACES
from rollwise.strategies.optimal import outcome_values

Floats = NDArray[np.float32]
Integers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Keeps:
    """N decisions about the dice to keep, in turns that begin in U different states.

    Attributes
    ----------
    card_N, roll_N, left_N : int64 arrays
        The index of the state, the index of the roll, and the number of rerolls left (1 or 2).
    upper_U, open_U_K : int64 array, bool array
        The open upper categories as a bit mask, and whether each category is open.
    worth_U_J_P : float32 array
        The value of keeping the dice of each lattice point, with one reroll left and with two.
    best_N : float32 array
        The value of the best dice to keep.
    """

    card_N: Integers
    roll_N: Integers
    left_N: Integers
    upper_U: Integers
    open_U_K: NDArray[np.bool_]
    worth_U_J_P: Floats
    best_N: Floats


@dataclass(frozen=True, eq=False)
class Boxes:
    """M decisions about the category for a final roll.

    Attributes
    ----------
    lost_M_K : float32 array
        The EV loss of scoring in each category; infinite if the category is not legal.
    points_M_K : int16 array
    count_M_K : int64 array
        In an upper category, the number of dice with its face. In a lower category, 1 if the roll
        scores points, otherwise 0.
    class_M, lane_M : int64 arrays
    """

    lost_M_K: Floats
    points_M_K: NDArray[np.int16]
    count_M_K: Integers
    class_M: Integers
    lane_M: Integers


def decisions(
    strategy: Strategy, solution: CardSolution, games: int, seed: int
) -> tuple[Keeps, Boxes]:
    """Return the decisions in simulated Yahtzee games of a strategy."""
    model, lattice = solution.model, solution.model.lattice
    batch = Batch(strategy, model, seed, 0, games)
    cards, turns = [batch.cards], []
    for turn in batch.turns():
        cards.append(batch.cards)
        turns.append(turn)
    class_N = np.concatenate([each.class_G for each in cards[:-1]])
    lane_N = np.concatenate([each.lane_G for each in cards[:-1]])
    rolled_N_J = np.concatenate([turn.rolled_N_J for turn in turns]).astype(np.int64)
    rolled_N_J -= lattice.first_roll
    alike, card_N = np.unique(class_N * model.lanes + lane_N, return_inverse=True)
    class_U, lane_U = np.divmod(alike, model.lanes)
    lost_U_R_K = np.empty((len(alike), len(lattice.rolls), len(BOXES)), dtype=np.float32)
    keep_U_J_P = np.empty((len(alike), 2, len(lattice.points)), dtype=np.float32)
    best_U_J_R = np.empty((len(alike), 2, len(lattice.rolls)), dtype=np.float32)
    for u, (c, lane) in enumerate(zip(class_U.tolist(), lane_U.tolist(), strict=True)):
        value_O = outcome_values(solution, Cards.one(model, c, lane))[0]
        option_E_K = options_of(model, c)
        value_E_K = np.where(option_E_K == FORBIDDEN, -np.inf, value_O[option_E_K])
        value_1_E, _ = score_rolls(value_E_K[None], solution.tolerance)
        lost_U_R_K[u] = value_1_E[0][:, None] - value_E_K
        for j, (value_1_P, _) in enumerate(rerolls(lattice, value_1_E, 2, "mean", 0.0)):
            keep_U_J_P[u, j] = value_1_P[0]
            best_U_J_R[u, j] = best_keep_values(lattice, value_1_P[0])[lattice.first_roll :]
    open_U_K = model.open_categories(class_U)
    left_N = np.repeat([2, 1], len(card_N))
    twice_N, roll_N = np.tile(card_N, 2), rolled_N_J[:, :2].T.ravel()
    keeps = Keeps(
        twice_N,
        roll_N,
        left_N,
        open_U_K[:, :FACES] @ (1 << np.arange(FACES)),
        open_U_K,
        keep_U_J_P,
        best_U_J_R[twice_N, left_N - 1, roll_N],
    )
    last_M = rolled_N_J[:, 2]
    special_R = np.full(len(lattice.rolls), -1)
    special_R[model.special_J] = np.arange(len(model.special_J))
    row_M = last_M.copy()
    joker_M = special_R[last_M] >= 0
    row_M[joker_M] = np.asarray(model.special_row_C_J)[class_N[joker_M], special_R[last_M[joker_M]]]
    points_M_K = model.points_O[model.option_T_V_K[0, row_M]].astype(np.int16)
    count_M_K = (points_M_K > 0).astype(np.int64)
    count_M_K[:, :FACES] = lattice.counts_P_F[lattice.first_roll + last_M]
    return keeps, Boxes(lost_U_R_K[card_N, last_M], points_M_K, count_M_K, class_N, lane_N)
