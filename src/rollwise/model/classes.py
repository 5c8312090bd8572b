"""The cards that a game can have: sets of filled boxes, numbered.

Boxes that have to be filled one after another form a chain (:attr:`rollwise.rules.Rules.chains`);
of a chain of n boxes only n + 1 sets occur. A set is coded by the number of filled boxes in each
chain, as the digits of one number: to fill box k adds ``stride_K[k]`` to the code. Where every box
may be filled at any time the code is the bit mask itself. Rolls saved are one more digit: s of them
add s times the number of sets.
"""

from dataclasses import dataclass
from math import prod

import numpy as np
from numpy.typing import NDArray

from rollwise.errors import TooLargeError
from rollwise.rules import Rules

NO_CLASS = -1

MAX_SETS = 1 << 24
MAX_CLASSES = 1 << 26


@dataclass(frozen=True)
class Classes:
    """The classes of a game, by layer (number of filled boxes), then unarmed before armed.

    Attributes
    ----------
    sets : int
        The number of sets of filled boxes.
    mask_C, code_C : int64 arrays of shape (C,)
        The filled boxes as a bit mask; the code of what a turn starts from: that set and, of extra
        rolls, those that are left (saved rolls all become rolls of the turn).
    armed_C : int8 array of shape (C,)
        1 where the extra bonus is armed.
    saved_C : int16 array of shape (C,)
        Rolls saved.
    unsaved_C : int32 array of shape (C,)
        The number that each class would have if no rolls were saved.
    class_S : int32 array of shape (2, S)
        The class with this armed flag and code, or ``NO_CLASS``.
    layer_starts : int64 array of shape (K + 2,)
        Classes with f filled boxes are ``layer_starts[f] .. layer_starts[f + 1] - 1``.
    stride_K : int64 array of shape (K,)
        What filling a box adds to the code.
    before_K, behind_K : int64 arrays of shape (K,)
        The bit of the box that has to be filled before, and that of the next one; 0 if none.
    """

    sets: int
    mask_C: NDArray[np.int64]
    code_C: NDArray[np.int64]
    armed_C: NDArray[np.int8]
    saved_C: NDArray[np.int16]
    unsaved_C: NDArray[np.int32]
    class_S: NDArray[np.int32]
    layer_starts: NDArray[np.int64]
    stride_K: NDArray[np.int64]
    before_K: NDArray[np.int64]
    behind_K: NDArray[np.int64]


def cards_by_layer(rules: Rules, arming: int) -> list[int]:
    """Return how many classes a game has with each number of filled boxes, before any is made."""
    unarmed, armed = np.array([1]), np.array([int(arming != 0)])
    for chain in rules.chains:
        filled = np.ones(len(chain) + 1, dtype=np.int64)
        unarmed = np.convolve(unarmed, filled)
        for place, k in enumerate(chain):
            filled[: place + 1] *= arming >> k & 1 == 0
        armed = np.convolve(armed, filled)
    sets_F = (unarmed + (armed if arming else 0)).tolist()
    return [sets * len(rules.saved_after(turns)) for turns, sets in enumerate(sets_F)]


def number_cards(rules: Rules, arming: int) -> Classes:
    """Return the numbered classes of a game; ``arming`` is the bit of the box that arms the bonus.

    Raises
    ------
    TooLargeError
        When there are more than ``MAX_SETS`` sets of filled boxes, or ``MAX_CLASSES`` classes.
    """
    n = len(rules.categories)
    sizes = [len(chain) + 1 for chain in rules.chains]
    if prod(sizes) > MAX_SETS:
        raise TooLargeError(
            f"{rules.name}: {prod(sizes):,} sets of filled boxes are too many: expected at most "
            f"{MAX_SETS:,}"
        )
    number = sum(cards_by_layer(rules, arming))
    if number > MAX_CLASSES:
        raise TooLargeError(
            f"{rules.name}: {number:,} sets of filled boxes with {rules.saved_words} are too many: "
            f"expected at most {MAX_CLASSES:,}"
        )
    code_S = np.arange(prod(sizes))
    mask_S = np.zeros(len(code_S), dtype=np.int64)
    stride_K, before_K, behind_K = (np.zeros(n, dtype=np.int64) for _ in range(3))
    stride = 1
    for chain, size in zip(rules.chains, sizes, strict=True):
        bits = [1 << k for k in chain]
        mask_S |= np.append(0, np.cumsum(bits))[code_S // stride % size]
        stride_K[list(chain)] = stride
        before_K[list(chain)] = [0, *bits[:-1]]
        behind_K[list(chain)] = [*bits[1:], 0]
        stride *= size
    armable = np.flatnonzero(mask_S & arming)
    set_C = np.concatenate([code_S, armable])
    armed_C = np.repeat(np.array([0, 1], dtype=np.int8), [len(code_S), len(armable)])
    # By layer, then unarmed before armed, then by the rolls saved.
    layer_C = np.bitwise_count(mask_S[set_C])
    saved = [rules.saved_after(turns) for turns in range(n + 1)]
    order = np.argsort(layer_C, kind="stable")
    first_F, copies_F = np.array([[some.start, len(some)] for some in saved]).T
    copies_C = copies_F[layer_C[order]]
    set_C, armed_C = np.repeat(set_C[order], copies_C), np.repeat(armed_C[order], copies_C)
    layer_C = np.repeat(layer_C[order], copies_C)
    saved_C = np.arange(len(set_C), dtype=np.int32)
    saved_C -= np.repeat((np.cumsum(copies_C) - copies_C).astype(np.int32), copies_C)
    saved_C += first_F.astype(np.int32)[layer_C]
    class_S = np.full((2, len(code_S) * saved[-1].stop), NO_CLASS, dtype=np.int32)
    class_S[armed_C, set_C + saved_C * len(code_S)] = np.arange(len(set_C), dtype=np.int32)
    return Classes(
        sets=len(code_S),
        mask_C=mask_S[set_C],
        code_C=set_C + saved_C * np.int64(len(code_S) if rules.extra_rolls else 0),
        armed_C=armed_C,
        saved_C=saved_C.astype(np.int16),
        unsaved_C=np.repeat(np.arange(len(order), dtype=np.int32), copies_C),
        class_S=class_S,
        layer_starts=np.searchsorted(layer_C, np.arange(n + 2)).astype(np.int64),
        stride_K=stride_K,
        before_K=before_K,
        behind_K=behind_K,
    )
