"""How large a game is: the counts that any other program for it must agree with."""

from math import prod

import numpy as np
from numpy.typing import NDArray

from rollwise.errors import TooLargeError
from rollwise.model.arrays import Model, build
from rollwise.model.classes import cards_by_layer
from rollwise.model.outcomes import boxes_of
from rollwise.model.reachable import reachable, reachable_by_layer
from rollwise.rules import Rules

MAX_TABLE_BYTES = 8 << 30


def check_table(rules: Rules, stride: int | None = None) -> None:
    """Check that a table of all cards of a game fits, before anything of it takes memory.

    Parameters
    ----------
    stride : int, optional
        How many numbers a row of it has: one a lane unless told.

    Raises
    ------
    TooLargeError
        When it does not.
    """
    lanes = rules.upper_numbers
    cards = sum(cards_by_layer(rules, boxes_of(rules).extra))
    if 8 * (stride or lanes) * cards > MAX_TABLE_BYTES:
        raise TooLargeError(
            f"{rules.name}: a table of {cards} cards × {lanes} upper totals is too large: expected "
            f"at most {MAX_TABLE_BYTES >> 30} GiB"
        )


def counts(rules: Rules) -> dict[str, int]:
    """Return the numbers of rolls, keeps and states of a game, by their names.

    States in a turn are counted as Verhoeff does: the start, the keeps before each reroll, the
    rolls after each roll.
    """
    model = build(rules.unsaved)
    return counts_of(rules, model, reachable(model))


def counts_of(rules: Rules, model: Model, reached_C_L: NDArray[np.bool_]) -> dict[str, int]:
    """Return :func:`counts`, from the model without saved rolls and what is reached in it."""
    lattice = model.lattice
    n_keeps, n_rolls = len(lattice.points), len(lattice.rolls)
    rolls_P_F = lattice.counts_P_F[lattice.first_roll :].astype(np.int64)
    return {
        "rolls": n_rolls,
        "keeps": n_keeps,
        "states in a turn": 1 + (rules.rolls - 1) * n_keeps + rules.rolls * n_rolls,
        "pairs of a roll and a keep": sum(prod(int(n) + 1 for n in row) for row in rolls_P_F),
        "states between turns": sum(reachable_by_layer(rules, model, np.ones_like(reached_C_L))),
        "reachable states between turns": sum(reachable_by_layer(rules, model, reached_C_L)),
    }
