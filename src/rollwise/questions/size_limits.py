"""Limits on the content of requests: the size of a game, objectives, and strategies."""

from collections.abc import Collection
from math import comb, prod

from rollwise.errors import MalformedError, TooLargeError
from rollwise.model.classes import exceeds_table
from rollwise.rules import Rules
from rollwise.solving.objectives import BEST_CASE, EXPECTED, WORST_CASE, CardObjective
from rollwise.strategies import STRATEGIES

MAX_KEEPS, MAX_STATES, MAX_WORK = 1_000, 5_000_000, 5_000_000_000
"""The size limits of games that are solved on request: the numbers of sets of dice to keep and of
states, and the product of both with the number of rolls. These games take seconds and tens of
megabytes."""

OBJECTIVES: dict[str, CardObjective] = {
    objective.name: objective for objective in (EXPECTED, WORST_CASE, BEST_CASE)
}
"""The objectives on the pages of a server: each takes about a second, and none reads a file."""

PLAYERS = ("optimal", *STRATEGIES)
"""The strategies on the pages of a server: none runs code from a file."""


def check_size(rules: Rules) -> None:
    """Raise TooLargeError unless a game is small enough to be solved in seconds."""
    keeps = prod(comb(dice + faces, dice) for dice, faces in rules.kinds)
    lanes = rules.upper_numbers
    savings = rules.saved_after(len(rules.categories)).stop
    states = lanes * savings * prod(len(chain) + 1 for chain in rules.chains)
    work = keeps * states * rules.most_rolls(len(rules.categories))
    if keeps > MAX_KEEPS or states > MAX_STATES or work > MAX_WORK:
        raise TooLargeError(
            f"{rules.name} is too large for this server: it has {keeps:,} sets of dice to keep, "
            f"{states:,} states, and {work:,} rolls × sets × states; the limits are "
            f"{MAX_KEEPS:,}, {MAX_STATES:,}, and {MAX_WORK:,}; choose a smaller game, or run "
            "rollwise on your own computer"
        )


def is_small(rules: Rules) -> bool:
    """Return whether a game is small enough to be solved in seconds."""
    try:
        check_size(rules)
    except TooLargeError:
        return False
    return True


def preparing(rules: Rules) -> str:
    """Return the command that solves a large game in advance.

    A custom game has no name that the command could use, so ``FILE.toml`` stands for its file.
    """
    layers = rules.carries_rolls or exceeds_table(rules)
    source = rules.named if isinstance(rules.named, str) else "FILE.toml"
    return f"rollwise solve --rules {source}{' --save' * layers}"


def check_known(name: str, what: str, known: Collection[str]) -> None:
    """Raise MalformedError unless a name in a request is known; the message lists all names."""
    if name not in known:
        raise MalformedError(f"unknown {what} {name[:60]!r}; use one of {', '.join(known)}")
