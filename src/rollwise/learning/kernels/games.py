"""Many games, each played a step further: dealt, acted in, looked at.

Dice of each game from a stream of its own: number n of it is a function of the key and n alone.

The stream is SplitMix64: G. L. Steele, D. Lea, C. H. Flood, "Fast splittable pseudorandom number
generators", OOPSLA 2014. So games do not depend on threads, nor on the games beside them.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rollwise.solving.kernels.compiler import compiled, inlined
from rollwise.solving.kernels.scalar_turn import LatticeArrays

GAMMA = np.uint64(0x9E3779B97F4A7C15)
FIRST, SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
S30, S27, S31, S32 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(32)


class Fallen(NamedTuple):
    """The dice of all games.

    Attributes
    ----------
    key_N, thrown_N : uint64 arrays of shape (N,)
        The key of each stream, and how many of its numbers are used.
    roll_N : int64 array of shape (N,)
        What lies on the table, by the number of the roll in lattice order.
    """

    key_N: NDArray[np.uint64]
    thrown_N: NDArray[np.uint64]
    roll_N: NDArray[np.int64]


def keys_of(seed_N: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return the keys of streams with these seeds: neighbouring seeds have distant keys."""
    z = (seed_N + np.uint64(1)) * GAMMA
    z = (z ^ (z >> S30)) * FIRST
    z = (z ^ (z >> S27)) * SECOND
    return np.asarray(z ^ (z >> S31))


@inlined
def throw(n: int, point: int, dice: LatticeArrays, fallen: Fallen) -> None:
    """Throw the dice of game n that are missing from the point kept.

    The upper 32 bits of a number times the number of faces, shifted, is the face: of f faces none
    is likelier than another by more than f / 2**32.
    """
    while point < dice.first_roll:
        fallen.thrown_N[n] += np.uint64(1)
        z = fallen.key_N[n] + fallen.thrown_N[n] * GAMMA
        z = (z ^ (z >> S30)) * FIRST
        z = (z ^ (z >> S27)) * SECOND
        z = z ^ (z >> S31)
        first = dice.thrown_K[point, 0]
        faces = np.uint64(dice.thrown_K[point, 1] - first)
        point = dice.parent_P_F[point, first + np.int64(((z >> S32) * faces) >> S32)]
    fallen.roll_N[n] = point - dice.first_roll


Integers = NDArray[np.int64]


class GameArrays(NamedTuple):
    """What the steps need to know of a game: arrays of the model, by their names there, and codes.

    Attributes
    ----------
    special_R : int64 array of shape (R,)
        The number of each special roll, -1 of the others.
    keep_R_A : int16 array of shape (R, A)
        The point that each action keeps of each roll, -1 where it cannot.
    legal_R_W : uint64 array of shape (R, W)
        Whether it can, a byte an action.
    most_left, highest : int
        Rerolls, and points, that a game has at most.
    """

    mask_C: NDArray[np.int64]
    code_C: NDArray[np.int64]
    eligible_C: NDArray[np.int8]
    saved_C: NDArray[np.int16]
    rerolls_C: NDArray[np.int16]
    table_C: NDArray[np.int16]
    special_row_C_J: NDArray[np.int32]
    class_S: NDArray[np.int32]
    before_K: NDArray[np.int64]
    option_T_V_K: NDArray[np.uint16]
    points_O: NDArray[np.int64]
    extra_O: NDArray[np.int64]
    shift_O: NDArray[np.int32]
    code_O: NDArray[np.int64]
    arms_O: NDArray[np.int8]
    bonus_L: NDArray[np.int64]
    special_R: Integers
    counts_R_F: NDArray[np.int8]
    keep_R_A: NDArray[np.int16]
    legal_R_W: NDArray[np.uint64]
    most_left: int
    highest: int


class ScorecardArrays(NamedTuple):
    """The cards of all games, as arrays of shape (N,): class, lane, points without upper bonus.

    ``points_N_K`` are the points in each box, -1 while it is open; ``extra_N`` the extra bonus.
    """

    class_N: Integers
    lane_N: Integers
    score_N: Integers
    points_N_K: NDArray[np.int16]
    extra_N: Integers


class GameStates(NamedTuple):
    """Where all games stand: dice, rerolls left, whether it is over, whether a turn has begun."""

    fallen: Fallen
    left_N: Integers
    over_N: NDArray[np.bool_]
    fresh_N: NDArray[np.bool_]


@inlined
def option_of(n: int, k: int, game: GameArrays, cards: ScorecardArrays, stand: GameStates) -> int:
    """Return the outcome of scoring what game n has on its table in category k."""
    c, row = cards.class_N[n], stand.fallen.roll_N[n]
    mask, before = game.mask_C[c], game.before_K[k]
    if mask >> k & 1 or mask & before != before:
        return 0
    special = game.special_R[row]
    if special >= 0:
        row = np.int64(game.special_row_C_J[c, special])
    most = len(game.option_T_V_K) - 1  # one table where it does not matter when a turn ends
    t = min(game.table_C[c] + stand.left_N[n], most)
    return int(game.option_T_V_K[t, row, k])


@compiled
def deal(
    first: int,
    last: int,
    which_N: NDArray[np.bool_],
    start: ScorecardArrays,
    game: GameArrays,
    dice: LatticeArrays,
    cards: ScorecardArrays,
    stand: GameStates,
) -> None:
    """Begin some of the games ``first .. last - 1`` anew, each from its card of ``start``."""
    for n in range(first, last):
        if not which_N[n]:
            continue
        cards.class_N[n], cards.lane_N[n] = start.class_N[n], start.lane_N[n]
        cards.score_N[n], cards.extra_N[n] = start.score_N[n], start.extra_N[n]
        for k in range(len(game.before_K)):
            cards.points_N_K[n, k] = start.points_N_K[n, k]
        stand.left_N[n] = game.rerolls_C[cards.class_N[n]]
        stand.over_N[n], stand.fresh_N[n] = False, True
        throw(n, 0, dice, stand.fallen)


@compiled
def act(
    first: int,
    last: int,
    action_N: Integers,
    game: GameArrays,
    dice: LatticeArrays,
    cards: ScorecardArrays,
    stand: GameStates,
    earned_N: Integers,
    illegal_N: NDArray[np.bool_],
) -> None:
    """Take the action of each game that is not over; one that is not allowed ends it.

    Writes the points that each earns, bonuses included, and whether its action was not allowed.
    """
    keeps, boxes = game.keep_R_A.shape[1], len(game.before_K)
    full = (1 << boxes) - 1
    for n in range(first, last):
        earned_N[n], illegal_N[n] = 0, False
        if stand.over_N[n]:
            continue
        stand.fresh_N[n] = False
        action, c = action_N[n], cards.class_N[n]
        if 0 <= action < keeps:
            point = game.keep_R_A[stand.fallen.roll_N[n], action]
            if stand.left_N[n] > 0 and point >= 0:
                stand.left_N[n] -= 1
                throw(n, int(point), dice, stand.fallen)
                continue
        elif keeps <= action < keeps + boxes:
            k = action - keeps
            o = option_of(n, k, game, cards, stand)
            if o > 0:
                lane = min(cards.lane_N[n] + game.shift_O[o], len(game.bonus_L) - 1)
                points = game.points_O[o] + game.extra_O[o]
                earned_N[n] = points + game.bonus_L[lane] - game.bonus_L[cards.lane_N[n]]
                eligible = game.eligible_C[c] | game.arms_O[o]
                after = np.int64(game.class_S[eligible, game.code_C[c] + game.code_O[o]])
                cards.class_N[n], cards.lane_N[n] = after, lane
                cards.score_N[n] += points
                cards.extra_N[n] += game.extra_O[o]
                cards.points_N_K[n, k] = game.points_O[o]
                if game.mask_C[after] == full:
                    stand.over_N[n] = True
                else:
                    stand.left_N[n], stand.fresh_N[n] = game.rerolls_C[after], True
                    throw(n, 0, dice, stand.fallen)
                continue
        illegal_N[n] = stand.over_N[n] = True


@compiled
def look(
    first: int,
    last: int,
    game: GameArrays,
    cards: ScorecardArrays,
    stand: GameStates,
    seen_N_D: NDArray[np.float32],
    mask_N_W: NDArray[np.uint64],
    mask_N_B: NDArray[np.int8],
) -> None:
    """Write what a player sees of each game, and which actions he has; none once it is over.

    ``mask_N_B`` is the memory of ``mask_N_W`` by bytes: keeps are copied eight at a time.
    """
    boxes, faces = len(game.before_K), game.counts_R_F.shape[1]
    keeps, words = game.keep_R_A.shape[1], game.legal_R_W.shape[1]
    size = np.float32(game.counts_R_F[0].sum())
    lanes = np.float32(max(len(game.bonus_L) - 1, 1))
    most_saved = np.float32(max(game.most_left, 1))
    for n in range(first, last):
        c, roll, left = cards.class_N[n], stand.fallen.roll_N[n], stand.left_N[n]
        over = stand.over_N[n]
        for w in range(words):
            going = left > 0 and not over
            mask_N_W[n, w] = game.legal_R_W[roll, w] if going else np.uint64(0)
        for f in range(faces):
            seen_N_D[n, f] = game.counts_R_F[roll, f] / size
        for j in range(game.most_left + 1):
            seen_N_D[n, faces + j] = 1 if j == left else 0
        place = faces + game.most_left + 1
        mask, special = game.mask_C[c], game.special_R[roll]
        for k in range(boxes):
            before = game.before_K[k]
            still_open = 1 - (mask >> k & 1)
            seen_N_D[n, place + k] = still_open
            allowed = still_open == 1 and mask & before == before
            if special >= 0 and allowed:  # no rule forbids any other roll a box
                allowed = option_of(n, k, game, cards, stand) > 0
            mask_N_B[n, keeps + k] = 1 if allowed and not over else 0
        place += boxes
        lane = cards.lane_N[n]
        seen_N_D[n, place] = lane / lanes
        seen_N_D[n, place + 1] = game.eligible_C[c]
        seen_N_D[n, place + 2] = game.saved_C[c] / most_saved
        seen_N_D[n, place + 3] = (cards.score_N[n] + game.bonus_L[lane]) / np.float32(game.highest)
