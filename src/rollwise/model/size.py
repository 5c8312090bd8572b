"""The size of a game: its reachable states and other counts that every solver must reproduce."""

from itertools import pairwise
from math import comb, prod

import numpy as np
from numpy.typing import NDArray

from rollwise.errors import check_memory
from rollwise.model.arrays import Model, build
from rollwise.model.classes import check_joint, classes_by_layer, each_column
from rollwise.model.dice_lattice import lattice
from rollwise.model.outcomes import FORBIDDEN, special_categories
from rollwise.rules import Rules

MAX_TABLE_BYTES = 8 << 30


def reachable(model: Model) -> NDArray[np.bool_]:
    """Return whether each pair of a class and a lane is reachable, bool array of shape (C, L).

    The search starts from the root of the model and goes through the game layer by layer. An empty
    root has an upper-section total of 0. Any other root can have all totals up to its last lane.
    Each move shifts the reachable lanes of a class by its points, and marks them as reachable in
    the next class. In the result, totals above the last bonus threshold count as the threshold.

    The game must not have saved rolls (:attr:`rollwise.rules.Rules.unsaved`). Every number of saved
    rolls can occur in each state, because a turn can use any number of rolls. A game with several
    columns that is too large for one table raises a TooLargeError.
    """
    check_joint(model.rules)
    cap = model.lanes - 1
    reached_C_L = np.zeros((model.n_classes, model.lanes), dtype=np.bool_)
    reached_C_L[0, : int(model.last_lane_C[0]) + 1 if model.root.filled else 1] = True
    ordinary = np.ones(len(model.lattice.rolls), dtype=np.bool_)
    ordinary[model.special_J] = False
    rows = np.flatnonzero(ordinary)
    for first, last in pairwise(model.layer_starts[:-1]):
        layer = np.arange(first, last)
        for k in range(model.option_T_V_K.shape[2]):
            options_T_V = model.option_T_V_K[:, :, k]
            mask_C, before = model.mask_C[layer], model.before_K[k]
            open_C = layer[(mask_C >> k & 1 == 0) & (mask_C & before == before)]
            moves = [(open_C, o) for o in np.unique(options_T_V[:, rows])]
            for j in range(len(model.special_J)):
                option_T_C = options_T_V[:, model.special_row_C_J[open_C, j]]
                for option_C in option_T_C:
                    moves += [(open_C[option_C == o], o) for o in np.unique(option_C)]
            seen = set()
            for classes, o in moves:
                step = (classes.tobytes(), int(model.shift_O[o]), int(model.makes_eligible_O[o]))
                if o == FORBIDDEN or step in seen:
                    continue
                seen.add(step)
                after = model.class_after(classes, o)
                shift = step[1]
                moved = reached_C_L[classes]
                reached_C_L[after, shift:] |= moved[:, : cap + 1 - shift]
                reached_C_L[after, cap] |= moved[:, cap - shift :].any(axis=1)
    classes, lanes = np.nonzero(reached_C_L)
    capped_C_L = np.zeros_like(reached_C_L)
    capped_C_L[classes, model.capped_L[lanes]] = True
    return capped_C_L


def reachable_by_layer(rules: Rules) -> list[int]:
    """Return the number of reachable states after 0, 1, 2, … turns.

    States with different numbers of saved rolls are different states. If a roll can always be
    scored in any open category, lower categories are filled independently of the others. In this
    case, a formula counts their combinations without listing them.
    """
    if rules.columns:  # any states of the columns can occur together
        states_F = np.ones(1, dtype=np.int64)
        for column in each_column(rules):
            states_F = np.convolve(states_F, reachable_by_layer(column))
        return [int(states) for states in states_F]
    upper = tuple(c for c in rules.categories if c.section == "upper")
    chained = any(len(chain) > 1 for chain in rules.chains)
    listed = chained or rules.joker or rules.extra_bonus or not upper
    counted = rules.categories if listed else upper
    model = build(rules.unsaved.model_copy(update={"categories": counted}))
    reached_C_L = reachable(model)
    listed_F = [int(reached_C_L[first:last].sum()) for first, last in pairwise(model.layer_starts)]
    others = len(rules.categories) - len(counted)
    free_F = [comb(others, filled) for filled in range(others + 1)]
    return [
        states * len(rules.saved_after(turns))
        for turns, states in enumerate(np.convolve(listed_F, free_F).tolist())
    ]


def check_table(rules: Rules, values: int | None = None) -> None:
    """Raise TooLargeError if a table of all states of a game would not fit in memory.

    ``values`` is the number of values, if rows are padded; default: one for each class and lane.
    """
    if values is None:
        check_joint(rules)
        values = sum(classes_by_layer(rules, special_categories(rules).extra)) * rules.upper_numbers
    fix = "use fewer categories, or a lower threshold of the upper bonus"
    check_memory(f"{rules.name} needs a table of", 8 * values, MAX_TABLE_BYTES, fix)


def counts(rules: Rules) -> dict[str, int]:
    """Return the numbers of rolls, sets of dice to keep, and states of a game, by name.

    The states within a turn are counted as Verhoeff counts them: the start, the dice to keep before
    each reroll, and the dice after each roll.
    """
    dice, cards = lattice(rules.kinds), classes_by_layer(rules, special_categories(rules).extra)
    capped = {rules.upper_number(rules.upper_totals(n)) for n in range(rules.upper_numbers)}
    n_keeps, n_rolls = len(dice.points), len(dice.rolls)
    rolls_P_F = dice.counts_P_F[dice.first_roll :].astype(np.int64)
    return {
        "rolls": n_rolls,
        "keeps": n_keeps,
        "states in a turn": 1 + (rules.rolls - 1) * n_keeps + rules.rolls * n_rolls,
        "pairs of a roll and a keep": sum(prod(int(n) + 1 for n in row) for row in rolls_P_F),
        "states between turns": sum(cards) * len(capped),
        "reachable states between turns": sum(reachable_by_layer(rules)),
    }
