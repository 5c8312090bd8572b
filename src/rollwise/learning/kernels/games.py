"""Compiled functions that begin, continue, and observe many games at once.

Each game has its own stream of random numbers. The i-th number depends only on i and on the key of
the game, so a game does not depend on the number of threads or on other games. The stream is
SplitMix64: G. L. Steele, D. Lea, C. H. Flood, "Fast splittable pseudorandom number generators",
OOPSLA 2014.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rollwise.solving.kernels.compiler import compiled, inlined
from rollwise.solving.kernels.legal_outcomes import Arrays, class_after, may_fill
from rollwise.solving.kernels.scalar_turn import LatticeArrays

GAMMA = np.uint64(0x9E3779B97F4A7C15)
FIRST, SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
S30, S27, S31, S32 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(32)

Integers = NDArray[np.int64]


class GameArrays(NamedTuple):
    """The arrays that the kernels of the environments read for a game.

    Attributes
    ----------
    arrays : Arrays
        The arrays of the model.
    points_O, extra_O : int64 arrays of shape (O,)
        The points of each outcome in its category, and the five-of-a-kind bonus of each outcome.
    saved_C : int16 array of shape (C,)
        The number of saved rolls in each class.
    bonus_L : int64 array of shape (L,)
        The upper bonus in each lane.
    special_R : int64 array of shape (R,)
        The index of each special roll among the special rolls; -1 for all other rolls.
    counts_R_F : int8 array of shape (R, F)
        The number of dice with each symbol in each roll.
    contains_R_A : bool array of shape (R, A)
        Whether each roll contains the dice of the lattice points below a full roll, which the first
        A actions keep.
    legal_R_W : uint64 array of shape (R, W)
        ``contains_R_A`` with one byte per action of the game, in words of eight bytes.
    max_rerolls, max_score : int
        The maximum number of rerolls in a turn, and an upper bound on the final score.
    """

    arrays: Arrays
    points_O: Integers
    extra_O: Integers
    saved_C: NDArray[np.int16]
    bonus_L: Integers
    special_R: Integers
    counts_R_F: NDArray[np.int8]
    contains_R_A: NDArray[np.bool_]
    legal_R_W: NDArray[np.uint64]
    max_rerolls: int
    max_score: int


class Dice(NamedTuple):
    """The dice of all games.

    Attributes
    ----------
    key_N, drawn_N : uint64 arrays of shape (N,)
        The key of each game's random stream, and the count of numbers drawn from it so far.
    roll_N : int64 array of shape (N,)
        The index of the current roll in lattice order.
    """

    key_N: NDArray[np.uint64]
    drawn_N: NDArray[np.uint64]
    roll_N: Integers


class ScorecardArrays(NamedTuple):
    """The scorecards of all games.

    Attributes
    ----------
    class_N, lane_N : int64 arrays of shape (N,)
        The class and the lane of each scorecard.
    score_N : int64 array of shape (N,)
        The points so far without the upper bonus.
    points_N_K : int16 array of shape (N, K)
        The points in each category; -1 if it is open.
    extra_N : int64 array of shape (N,)
        The points from five-of-a-kind bonuses.
    """

    class_N: Integers
    lane_N: Integers
    score_N: Integers
    points_N_K: NDArray[np.int16]
    extra_N: Integers


class GameStates(NamedTuple):
    """The dice of all games, and the progress of their turns.

    Attributes
    ----------
    dice : Dice
    left_N : int64 array of shape (N,)
        The rerolls left in the turn.
    over_N, fresh_N : bool arrays of shape (N,)
        Whether the game is over, and whether the current roll is the first of a turn.
    """

    dice: Dice
    left_N: Integers
    over_N: NDArray[np.bool_]
    fresh_N: NDArray[np.bool_]


def keys_of(seed_N: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return the key of the random stream for each seed; consecutive seeds give unrelated keys."""
    z = (seed_N + np.uint64(1)) * GAMMA
    z = (z ^ (z >> S30)) * FIRST
    z = (z ^ (z >> S27)) * SECOND
    return np.asarray(z ^ (z >> S31))


@inlined
def roll_dice(n: int, point: int, lattice: LatticeArrays, dice: Dice) -> None:
    """Roll the dice of game n that are missing from the kept dice at the lattice point ``point``.

    The upper 32 bits of a random number, times the number of faces, are shifted right by 32 bits to
    give the index of a face. The probabilities of two faces differ by at most 2**-32.
    """
    while point < lattice.first_roll:
        dice.drawn_N[n] += np.uint64(1)
        z = dice.key_N[n] + dice.drawn_N[n] * GAMMA
        z = (z ^ (z >> S30)) * FIRST
        z = (z ^ (z >> S27)) * SECOND
        z = z ^ (z >> S31)
        first = lattice.thrown_K[point, 0]
        faces = np.uint64(lattice.thrown_K[point, 1] - first)
        point = lattice.parent_P_F[point, first + np.int64(((z >> S32) * faces) >> S32)]
    dice.roll_N[n] = point - lattice.first_roll


@inlined
def outcome_at(n: int, k: int, game: GameArrays, cards: ScorecardArrays, states: GameStates) -> int:
    """Return the outcome of scoring the dice of game n in category k, or 0 if this is forbidden."""
    arrays, c, row = game.arrays, cards.class_N[n], states.dice.roll_N[n]
    if not may_fill(arrays, c, k):
        return 0
    special = game.special_R[row]
    if special >= 0:
        row = np.int64(arrays.special_row_C_J[c, special])
    last = len(arrays.option_T_V_K) - 1  # one table if outcomes do not depend on the rolls left
    t = min(arrays.class_C[c].table + states.left_N[n], last)
    return int(arrays.option_T_V_K[t, row, k])


@compiled
def deal(
    first: int,
    last: int,
    which_N: NDArray[np.bool_],
    start: ScorecardArrays,
    game: GameArrays,
    lattice: LatticeArrays,
    cards: ScorecardArrays,
    states: GameStates,
) -> None:
    """Begin new games where ``which_N`` is True, with the scorecards in ``start``.

    Only the games from ``first`` to ``last - 1`` change.
    """
    for n in range(first, last):
        if not which_N[n]:
            continue
        cards.class_N[n], cards.lane_N[n] = start.class_N[n], start.lane_N[n]
        cards.score_N[n], cards.extra_N[n] = start.score_N[n], start.extra_N[n]
        for k in range(len(game.arrays.category_K)):
            cards.points_N_K[n, k] = start.points_N_K[n, k]
        states.left_N[n] = game.arrays.class_C[cards.class_N[n]].rerolls
        states.over_N[n], states.fresh_N[n] = False, True
        roll_dice(n, 0, lattice, states.dice)


@compiled
def act(
    first: int,
    last: int,
    action_N: Integers,
    game: GameArrays,
    lattice: LatticeArrays,
    cards: ScorecardArrays,
    states: GameStates,
    earned_N: Integers,
    illegal_N: NDArray[np.bool_],
) -> None:
    """Take an action in each game from ``first`` to ``last - 1`` that is not over.

    An illegal action ends the game. The points earned, including bonuses, are written to
    ``earned_N``. Whether the action was illegal is written to ``illegal_N``.
    """
    arrays = game.arrays
    keeps, categories = game.contains_R_A.shape[1], len(arrays.category_K)
    full = (1 << categories) - 1
    for n in range(first, last):
        earned_N[n], illegal_N[n] = 0, False
        if states.over_N[n]:
            continue
        states.fresh_N[n] = False
        action, c = action_N[n], cards.class_N[n]
        if 0 <= action < keeps:
            if states.left_N[n] > 0 and game.contains_R_A[states.dice.roll_N[n], action]:
                states.left_N[n] -= 1
                roll_dice(n, action, lattice, states.dice)
                continue
        elif keeps <= action < keeps + categories:
            k = action - keeps
            o = outcome_at(n, k, game, cards, states)
            if o > 0:
                lane = min(cards.lane_N[n] + arrays.outcome_O[o].shift, arrays.lanes - 1)
                points = game.points_O[o] + game.extra_O[o]
                earned_N[n] = points + game.bonus_L[lane] - game.bonus_L[cards.lane_N[n]]
                after = class_after(arrays, c, o)
                cards.class_N[n], cards.lane_N[n] = after, lane
                cards.score_N[n] += points
                cards.extra_N[n] += game.extra_O[o]
                cards.points_N_K[n, k] = game.points_O[o]
                if arrays.class_C[after].mask == full:
                    states.over_N[n] = True
                else:
                    states.left_N[n], states.fresh_N[n] = arrays.class_C[after].rerolls, True
                    roll_dice(n, 0, lattice, states.dice)
                continue
        illegal_N[n] = states.over_N[n] = True


@compiled
def observe(
    first: int,
    last: int,
    game: GameArrays,
    cards: ScorecardArrays,
    states: GameStates,
    seen_N_D: NDArray[np.float32],
    mask_N_W: NDArray[np.uint64],
    mask_N_B: NDArray[np.int8],
) -> None:
    """Write the observation and the action mask of each game from ``first`` to ``last - 1``.

    A game that is over has no legal actions. ``mask_N_B`` is a view of ``mask_N_W`` as bytes,
    because the legal sets of dice to keep are copied in words of eight bytes.
    """
    arrays = game.arrays
    categories, faces = len(arrays.category_K), game.counts_R_F.shape[1]
    keeps, words = game.contains_R_A.shape[1], game.legal_R_W.shape[1]
    size = np.float32(game.counts_R_F[0].sum())
    lanes = np.float32(max(arrays.lanes - 1, 1))
    max_saved = np.float32(max(game.max_rerolls, 1))
    for n in range(first, last):
        c, roll, left = cards.class_N[n], states.dice.roll_N[n], states.left_N[n]
        mask, eligible = arrays.class_C[c].mask, arrays.class_C[c].eligible
        over, special = states.over_N[n], game.special_R[roll] >= 0
        for w in range(words):
            can_keep = left > 0 and not over
            mask_N_W[n, w] = game.legal_R_W[roll, w] if can_keep else np.uint64(0)
        for f in range(faces):
            seen_N_D[n, f] = game.counts_R_F[roll, f] / size
        for j in range(game.max_rerolls + 1):
            seen_N_D[n, faces + j] = 1 if j == left else 0
        place = faces + game.max_rerolls + 1
        for k in range(categories):
            before = arrays.category_K[k].before
            still_open = 1 - (mask >> k & 1)
            seen_N_D[n, place + k] = still_open
            allowed = still_open == 1 and mask & before == before
            if special and allowed:  # all other rolls can fill any category
                allowed = outcome_at(n, k, game, cards, states) > 0
            mask_N_B[n, keeps + k] = 1 if allowed and not over else 0
        place += categories
        lane = cards.lane_N[n]
        seen_N_D[n, place] = lane / lanes
        seen_N_D[n, place + 1] = eligible
        seen_N_D[n, place + 2] = game.saved_C[c] / max_saved
        points = cards.score_N[n] + game.bonus_L[lane]
        seen_N_D[n, place + 3] = points / np.float32(game.max_score)
