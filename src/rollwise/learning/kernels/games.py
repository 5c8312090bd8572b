"""Many games, each played a step further: dealt, acted in, looked at."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rollwise.learning.kernels.dice import Fallen, throw
from rollwise.solving.kernels.compiler import compiled, inlined
from rollwise.solving.kernels.states import Dice

Integers = NDArray[np.int64]


class Arrays(NamedTuple):
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
    armed_C: NDArray[np.int8]
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


class Cards(NamedTuple):
    """The cards of all games, as arrays of shape (N,): class, lane, points without upper bonus.

    ``points_N_K`` are the points in each box, -1 while it is open; ``extra_N`` the extra bonus.
    """

    class_N: Integers
    lane_N: Integers
    score_N: Integers
    points_N_K: NDArray[np.int16]
    extra_N: Integers


class Standing(NamedTuple):
    """Where all games stand: dice, rerolls left, whether it is over, whether a turn has begun."""

    fallen: Fallen
    left_N: Integers
    over_N: NDArray[np.bool_]
    fresh_N: NDArray[np.bool_]


@inlined
def option_of(n: int, k: int, game: Arrays, cards: Cards, stand: Standing) -> int:
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
    start: Cards,
    game: Arrays,
    dice: Dice,
    cards: Cards,
    stand: Standing,
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
    game: Arrays,
    dice: Dice,
    cards: Cards,
    stand: Standing,
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
                armed = game.armed_C[c] | game.arms_O[o]
                after = np.int64(game.class_S[armed, game.code_C[c] + game.code_O[o]])
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
    game: Arrays,
    cards: Cards,
    stand: Standing,
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
        seen_N_D[n, place + 1] = game.armed_C[c]
        seen_N_D[n, place + 2] = game.saved_C[c] / most_saved
        seen_N_D[n, place + 3] = (cards.score_N[n] + game.bonus_L[lane]) / np.float32(game.highest)
