"""What every roll scores in a category, as arrays over all rolls at once.

States the meaning of patterns a second time, independently of :mod:`rollwise.scoring`.
"""

from itertools import product

import numpy as np
from numpy.typing import NDArray

from rollwise.rules import (
    Among,
    AnyRoll,
    Category,
    Either,
    FaceDice,
    Faces,
    Groups,
    Pattern,
    Rules,
    Run,
)

Points = NDArray[np.int64]


def _best_groups(pattern: Groups, counts: Points, worth: Points) -> Points:
    """Return the most that the dice of the groups can be worth on each roll, -1 where none fit."""
    faces = counts.shape[1]
    best = np.full(len(counts), -1)
    for chosen in product(range(faces), repeat=len(pattern.sizes)):
        if pattern.distinct and len(set(chosen)) < len(chosen):
            continue
        need = np.bincount(chosen, weights=pattern.sizes, minlength=faces).astype(np.int64)
        best = np.where((counts >= need).all(axis=1), np.maximum(best, need @ worth), best)
    return best


def _best_run(pattern: Run, counts: Points, worth: Points) -> Points:
    best = np.full(len(counts), -1)
    for low in range(counts.shape[1] - pattern.length + 1):
        window = slice(low, low + pattern.length)
        fits = (counts[:, window] > 0).all(axis=1)
        best = np.where(fits, np.maximum(best, worth[window].sum()), best)
    return best


def _matched(pattern: Pattern, counts: Points, worth: Points) -> Points:
    """Return what the dice that make up a pattern are worth on each roll, -1 where none do."""
    match pattern:
        case AnyRoll():
            return np.asarray(counts @ worth)
        case FaceDice():
            shown = counts[:, pattern.face - 1]
            return np.where(shown > 0, shown * worth[pattern.face - 1], -1)
        case Groups():
            return _best_groups(pattern, counts, worth)
        case Run():
            return _best_run(pattern, counts, worth)
        case Faces():
            need = np.bincount(np.array(pattern.faces) - 1, minlength=len(worth))
            return np.where((counts >= need).all(axis=1), int(need @ worth), -1)
        case Among():
            listed = np.isin(np.arange(1, len(worth) + 1), pattern.faces)
            return np.where(counts[:, ~listed].any(axis=1), -1, counts @ worth)
        case Either():
            return np.asarray(np.max([_matched(one, counts, worth) for one in pattern.of], axis=0))


def category_points(
    rules: Rules, category: Category, counts_R_F: NDArray[np.int8], rolls_left: int = 0
) -> Points:
    """Return what each roll scores in a category by its pattern alone, int64 of shape (R,).

    ``rolls_left`` matters where points depend on the number of the roll.
    """
    counts = counts_R_F.astype(np.int64)
    worth = np.array(category.worth or range(1, rules.faces + 1), dtype=np.int64)
    matched = _matched(category.pattern, counts, worth)
    scored = {"matched": matched, "total": counts @ worth}.get(str(category.points))
    if scored is None:
        return np.where(matched >= 0, category.fixed_points(rules.rolls - rolls_left) or 0, 0)
    return np.where(matched >= 0, scored + category.plus, 0)
