"""Limits on the content of requests: the size of a game, objectives, and strategies."""

from math import comb, prod

from rollwise.errors import MalformedError, TooLargeError
from rollwise.model.classes import exceeds_table
from rollwise.rules import Rules
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.objectives import BEST_CASE, EXPECTED, WORST_CASE, CardObjective
from rollwise.strategies import STRATEGIES, Strategy, parse_strategy

MAX_KEEPS, MAX_STATES, MAX_WORK = 1_000, 5_000_000, 5_000_000_000
"""The size limits of games that are solved on request: the numbers of sets of dice to keep and of
states, and the product of both with the number of rolls. These games take seconds and tens of
megabytes."""

OBJECTIVES: dict[str, CardObjective] = {
    objective.name: objective for objective in (EXPECTED, WORST_CASE, BEST_CASE)
}
"""The objectives that web requests may use: each takes about a second, and none reads a file."""

PLAYERS = ("optimal", *STRATEGIES)
"""The strategies that web requests may use: none runs code from a file."""


def check_size(rules: Rules) -> None:
    """Check that a game is small enough to be solved in seconds.

    Raises
    ------
    TooLargeError
        If the game is too large.
    """
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
            "rollwise "
            "on your own computer"
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


def objective_named(name: str) -> CardObjective:
    """Return the objective with this name, if web requests may use it.

    Raises
    ------
    MalformedError
        If web requests may not use the objective.
    """
    if name not in OBJECTIVES:
        raise MalformedError(f"unknown objective {name[:60]!r}; use one of {', '.join(OBJECTIVES)}")
    return OBJECTIVES[name]


def check_strategy(name: str) -> None:
    """Check that web requests may use a strategy.

    Raises
    ------
    MalformedError
        If web requests may not use the strategy.
    """
    if name not in PLAYERS:
        raise MalformedError(f"unknown strategy {name[:60]!r}; use one of {', '.join(PLAYERS)}")


def strategy_named(
    name: str, solution: CardSolution | None, *, fewer_dice: bool = False
) -> Strategy:
    """Return the strategy with this name, if web requests may use it.

    Parameters
    ----------
    solution : CardSolution or None
        The solved game, for the optimal strategy.
    fewer_dice : bool
        Whether the optimal strategy keeps the fewest dice among equally good options.
    """
    check_strategy(name)
    if solution is None:
        return STRATEGIES[name]()
    return parse_strategy(name, solve=lambda _: solution, fewer_dice=fewer_dice)
