"""Exact size of the game tree: the numbers of games and strategies, and probabilities of games.

A *game* is the full sequence of events: the face of each die in each first roll, whether each die
is kept or which face it shows in each reroll, and each category. Dice are distinguishable, and a
turn always has all its rolls: a player who stops early keeps all dice. A *strategy* defines an
action for every situation that it can lead to itself.

Source: T. Verhoeff, Optimal Solitaire Yahtzee Strategies (1999), "Micro Yahtzee: Analysis",
"Yahtzee Game Tree".
"""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, localcontext
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb, factorial, prod

from rollwise.errors import InconsistentError
from rollwise.game.consistency import open_categories
from rollwise.game.scorecard import State, legal_moves
from rollwise.game.scoring import forces_jokers
from rollwise.rules import Rules

MAX_DIGITS = 1000
"""Most digits of a number of strategies; of larger numbers only the logarithm is computed."""

HUGE = Context(prec=40, Emax=MAX_EMAX, Emin=MIN_EMIN)
"""Context for decimal numbers of any size, because large games exceed the range of float64."""


@dataclass(frozen=True)
class GameSize:
    """The size of a game's tree.

    Attributes
    ----------
    games : int
    rarest, likeliest : Fraction
        Lowest and highest probability of a game, given the player's choices: when all dice are
        rolled every time, and when all are kept after each first roll.
    log10_strategies : Decimal or None
        Decimal logarithm of the number of deterministic strategies; None if the number of open
        categories depends on more than the turn, as with forced jokers or an order of categories.
    strategies : int or None
        The number of deterministic strategies, if it has at most ``MAX_DIGITS`` digits.
    """

    games: int
    rarest: Fraction
    likeliest: Fraction
    log10_strategies: Decimal | None
    strategies: int | None


def game_size(rules: Rules) -> GameSize:
    """Return the size of a game's tree.

    Raises
    ------
    InconsistentError
        When turns have different lengths because rolls are carried over.
    """
    rules.check_unannounced("counts of games and strategies")
    if rules.carries_rolls:
        raise InconsistentError(
            f"{rules.name} carries rolls over: games are counted where all turns are of one length"
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

    A turn has fⁿ first rolls and (f + 1)ⁿ ways through each reroll; by symmetry each of the fⁿ
    final rolls ends the same number of turns. K categories are filled in K! orders, if the order is
    free.
    """
    turns = len(rules.categories)
    one_reroll = prod((faces + 1) ** dice for dice, faces in rules.kinds)
    ways = one_reroll ** (rules.rolls - 1)  # to a given final roll
    if forces_jokers(rules):
        fillings = _forced_fillings(rules)
    else:
        orders = factorial(turns) // prod(factorial(len(chain)) for chain in rules.chains)
        fillings = _ordered_rolls(rules) ** turns * orders
    return int(ways**turns * fillings)


def _ordered_rolls(rules: Rules) -> int:
    """Return the number of ordered rolls of all dice."""
    return prod(faces**dice for dice, faces in rules.kinds)


def _keeps_and_rolls(rules: Rules) -> Iterator[tuple[int, int]]:
    """Yield the numbers of keeps and of following rolls for each number of kept dice per kind."""
    for kept in product(*(range(dice + 1) for dice, _ in rules.kinds)):
        both = list(zip(rules.kinds, kept, strict=True))
        keeps = prod(comb(dice, number) for (dice, _), number in both)
        yield keeps, prod(faces ** (dice - number) for (dice, faces), number in both)


def _forced_fillings(rules: Rules) -> int:
    """Return the number of ways to fill the card, counting final rolls, with forced jokers."""
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
    """Return the number of deterministic strategies, exactly.

    With s(m) strategies for m open categories and a_j for a roll with j rerolls left,
    a_0 = m s(m - 1), a_j = sum over the number i of dice kept of C(n, i) a_{j-1}^(f^(n-i)), and
    s(m) = a_{R-1}^(fⁿ), because the strategy needs a plan for each possible roll. With several
    kinds of dice the factors of the kinds multiply.
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
    """Return the decimal logarithm of :func:`strategies` by the same recursion in logarithms."""
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
    """Return whether the number of categories open to a roll depends on the turn alone."""
    in_line = len(rules.chains) == 1 or all(len(chain) == 1 for chain in rules.chains)
    return in_line and not forces_jokers(rules)


def _check_uniform(rules: Rules) -> None:
    if not _is_uniform(rules):
        raise ValueError(f"{rules.name}: expected as many open boxes in a turn on every card")
