"""How large a game is: the counts that any other program for it must agree with."""

from math import prod

import numpy as np

from rollwise.errors import TooLargeError
from rollwise.model.classes import cards_by_layer, check_joint
from rollwise.model.lattice import lattice
from rollwise.model.outcomes import boxes_of
from rollwise.model.reachable import reachable_by_layer
from rollwise.rules import Rules

MAX_TABLE_BYTES = 8 << 30


def check_table(rules: Rules, stride: int | None = None, cards: int | None = None) -> None:
    """Check that a table of all cards of a game fits, before anything of it takes memory.

    Parameters
    ----------
    stride : int, optional
        How many numbers a row of it has: one a lane unless told.
    cards : int, optional
        How many there are; all of the game unless told.

    Raises
    ------
    TooLargeError
        When it does not.
    """
    check_joint(rules)
    lanes = rules.upper_numbers
    cards = cards or sum(cards_by_layer(rules, boxes_of(rules).extra))
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
    dice, cards = lattice(rules.kinds), cards_by_layer(rules, boxes_of(rules).extra)
    told = {rules.upper_number(rules.upper_totals(n)) for n in range(rules.upper_numbers)}
    n_keeps, n_rolls = len(dice.points), len(dice.rolls)
    rolls_P_F = dice.counts_P_F[dice.first_roll :].astype(np.int64)
    return {
        "rolls": n_rolls,
        "keeps": n_keeps,
        "states in a turn": 1 + (rules.rolls - 1) * n_keeps + rules.rolls * n_rolls,
        "pairs of a roll and a keep": sum(prod(int(n) + 1 for n in row) for row in rolls_P_F),
        "states between turns": sum(cards) * len(told),
        "reachable states between turns": sum(reachable_by_layer(rules)),
    }
