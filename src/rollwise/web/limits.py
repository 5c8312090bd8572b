"""How large a game may be that is solved on request."""

from math import comb, prod

from rollwise.errors import TooLargeError
from rollwise.model.classes import exceeds_table
from rollwise.rules import Rules

MAX_KEEPS, MAX_STATES, MAX_WORK = 1_000, 5_000_000, 5_000_000_000
"""Of games that are solved on request: what takes seconds, and tens of megabytes."""


def check_size(rules: Rules) -> None:
    """Check that a game is solved in seconds.

    Raises
    ------
    TooLargeError
        When it is not.
    """
    keeps = prod(comb(dice + faces, dice) for dice, faces in rules.kinds)
    lanes = rules.upper_numbers
    savings = rules.saved_after(len(rules.categories)).stop
    states = lanes * savings * prod(len(chain) + 1 for chain in rules.chains)
    work = keeps * states * rules.most_rolls(len(rules.categories))
    if keeps > MAX_KEEPS or states > MAX_STATES or work > MAX_WORK:
        raise TooLargeError(
            f"{rules.name} is too large for this server: expected at most {MAX_KEEPS:,} keeps, "
            f"{MAX_STATES:,} states and {MAX_WORK:,} of rolls × keeps × states, got {keeps:,}, "
            f"{states:,} and {work:,}"
        )


def is_small(rules: Rules) -> bool:
    """Return whether a game is solved in seconds."""
    try:
        check_size(rules)
    except TooLargeError:
        return False
    return True


def preparing(rules: Rules) -> str:
    """Return the command that prepares a game too large to be solved on request."""
    kept = rules.carries_rolls or exceeds_table(rules)
    return f"rollwise solve --rules {rules.name}{' --keep' * kept}"
