"""The size of a game tree: the exact numbers of games and strategies, and game probabilities.

A *game* is a full sequence of events in every turn: the face of each die in the first roll, the
kept dice and the new faces in each reroll, and the category. Dice are distinguishable, and a turn
always uses all its rolls: a player who stops early keeps all dice. A *strategy* defines an action
for every state that it can reach.

Source: T. Verhoeff, Optimal Solitaire Yahtzee Strategies (2003 or later), "Micro Yahtzee: Analysis"
and "Yahtzee Game Tree".
"""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, localcontext
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb, factorial, prod

from rollwise.errors import InconsistentError, InputError
from rollwise.game.consistency import open_categories
from rollwise.game.scorecard import State, legal_moves
from rollwise.game.scoring import forces_jokers
from rollwise.rules import Rules

MAX_DIGITS = 1000
"""The maximum number of digits of an exact number of strategies; see ``GameSize.strategies``."""

HUGE = Context(prec=40, Emax=MAX_EMAX, Emin=MIN_EMIN)
"""The context for decimal numbers of any size, because some numbers exceed the range of float64."""


@dataclass(frozen=True)
class GameSize:
    """The size of a game's tree.

    Attributes
    ----------
    games : int
        The number of games.
    rarest, likeliest : Fraction
        The lowest and the highest probability that the dice produce a given game. The probability
        is lowest if the player always rerolls all dice, and highest if the player never rerolls.
    log10_strategies : Decimal or None
        The decimal logarithm of the number of deterministic strategies. None if the number of legal
        categories depends on more than the turn, for example because of forced jokers.
    strategies : int or None
        The number of deterministic strategies. None if it has more than ``MAX_DIGITS`` digits or
        if ``log10_strategies`` is None.
    """

    games: int
    rarest: Fraction
    likeliest: Fraction
    log10_strategies: Decimal | None
    strategies: int | None


def game_size(rules: Rules) -> GameSize:
    """Count the games and the strategies of a game.

    Raises
    ------
    InconsistentError
        If the game has saved or extra rolls, so that turns differ in length.
    """
    if rules.carries_rolls:
        raise InconsistentError(
            f"the games of {rules.name} cannot be counted, because saved or extra rolls change the "
            "length of a turn; choose a game without saved or extra rolls"
        )
    probability = Fraction(1, _ordered_rolls(rules))
    turns = len(rules.categories)
    digits = log10_strategies(rules) if _is_uniform(rules) else None
    few = digits is not None and digits < MAX_DIGITS
    return GameSize(
        games=games(rules),
        rarest=probability ** (rules.rolls * turns),
        likeliest=probability**turns,
        log10_strategies=digits,
        strategies=strategies(rules) if few else None,
    )


def games(rules: Rules) -> int:
    """Return the number of games.

    A turn with n dice of f faces has fⁿ first rolls and (f + 1)ⁿ outcomes of each reroll. By
    symmetry, each of the fⁿ final rolls ends the same number of turns. If the filling order is
    free, K categories can be filled in K! orders.
    """
    turns = len(rules.categories)
    one_reroll = prod((faces + 1) ** dice for dice, faces in rules.kinds)
    ways = one_reroll ** (rules.rolls - 1)  # the number of ways to reach a given final roll
    if forces_jokers(rules):
        fillings = _forced_fillings(rules)
    else:
        orders = factorial(turns) // prod(factorial(len(chain)) for chain in rules.chains)
        fillings = _ordered_rolls(rules) ** turns * orders
    return int(ways**turns * fillings)


def _ordered_rolls(rules: Rules) -> int:
    """Return the number of rolls of all dice if the dice are distinguishable."""
    return prod(faces**dice for dice, faces in rules.kinds)


def _keeps_and_rolls(rules: Rules) -> Iterator[tuple[int, int]]:
    """Yield the number of ways to keep dice, and the number of ways to roll the other dice.

    There is one pair of numbers for each choice of how many dice of each kind to keep.
    """
    for numbers in product(*(range(dice + 1) for dice, _ in rules.kinds)):
        kinds = list(zip(rules.kinds, numbers, strict=True))
        keeps = prod(comb(dice, number) for (dice, _), number in kinds)
        yield keeps, prod(faces ** (dice - number) for (dice, faces), number in kinds)


def _forced_fillings(rules: Rules) -> int:
    """Return the number of ways to fill the scorecard with final rolls under forced jokers."""
    full = (1 << len(rules.categories)) - 1

    @cache
    def fillings(filled: int) -> int:
        if filled == full:
            return 1
        after = {k: fillings(filled | 1 << k) for k in open_categories(rules, filled)}
        free: int = (_ordered_rolls(rules) - len(rules.alike)) * sum(after.values())
        moves = [move for dice in rules.alike for move in legal_moves(rules, State(filled), dice)]
        return free + sum(after[move.category] for move in moves)

    return fillings(0)


def strategies(rules: Rules) -> int:
    """Return the exact number of deterministic strategies.

    Let s(m) be the number of strategies with m open categories, and a_j the number of strategies
    after a roll with j rerolls left. Let there be n dice with f faces. Then a_0 = m s(m - 1), or
    a_0 = s(m - 1) if the categories have a fixed order, and a_j is the sum of
    C(n, i) a_{j-1}^(f^(n-i)) over the number i of kept dice. In a turn of R rolls,
    s(m) = a_{R-1}^(fⁿ), because a strategy needs a plan for each roll. If there are several kinds
    of dice, the factors of the kinds multiply.
    """
    _check_uniform(rules)
    plans: int = 1
    for turn in range(1, len(rules.categories) + 1):
        of_roll = (1 if len(rules.chains) == 1 else turn) * plans
        for _ in range(rules.rolls - 1):
            of_roll = sum(keeps * of_roll**rolls for keeps, rolls in _keeps_and_rolls(rules))
        plans = of_roll ** _ordered_rolls(rules)
    return plans


def log10_strategies(rules: Rules) -> Decimal:
    """Return the decimal logarithm of :func:`strategies`, without computing the number."""
    _check_uniform(rules)
    plans = Decimal(0)
    with localcontext(HUGE):
        for turn in range(1, len(rules.categories) + 1):
            of_roll = Decimal(1 if len(rules.chains) == 1 else turn).log10() + plans
            for _ in range(rules.rolls - 1):
                terms = [
                    Decimal(keeps).log10() + of_roll * rolls
                    for keeps, rolls in _keeps_and_rolls(rules)
                ]
                most = max(terms)
                of_roll = most + sum((10 ** (term - most) for term in terms), Decimal(0)).log10()
            plans = of_roll * _ordered_rolls(rules)
    return plans


def _is_uniform(rules: Rules) -> bool:
    """Return whether the number of legal categories of a roll depends only on the turn."""
    fully_ordered_or_free = len(rules.chains) == 1 or all(len(chain) == 1 for chain in rules.chains)
    return fully_ordered_or_free and not forces_jokers(rules)


def _check_uniform(rules: Rules) -> None:
    if not _is_uniform(rules):
        raise InputError(
            f"the strategies of {rules.name} cannot be counted, because scorecards of the same "
            "turn differ in the number of legal categories; choose another game"
        )
