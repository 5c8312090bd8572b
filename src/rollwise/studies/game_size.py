"""How large the tree of a game is: games, their probabilities, strategies; exact for any rules.

A *game* is all that happens: each die of each first roll, for each reroll whether a die is kept or
what it shows, each category. Dice are told apart, and a turn always has all its rolls: stopping
early is keeping all dice. A *strategy* says what to do in every situation that it can itself lead
to.

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
"""Numbers of strategies with more digits are given by their logarithm alone."""

HUGE = Context(prec=40, Emax=MAX_EMAX, Emin=MIN_EMIN)
"""Decimal numbers of any size: those of large games are beyond float64."""


@dataclass(frozen=True)
class GameSize:
    """The size of a game's tree.

    Attributes
    ----------
    games : int
    rarest, likeliest : Fraction
        Lowest and highest probability of a game, given the choices in it: all dice rolled every
        time, and all kept after each first roll.
    log10_strategies : Decimal or None
        Decimal logarithm of the number of deterministic strategies; None where the number of open
        boxes depends on more than the turn, by forced jokers or boxes to be filled after others.
    strategies : int or None
        The number itself, if it has at most ``MAX_DIGITS`` digits.
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
        When turns are of many lengths, since rolls are carried over.
    """
    rules.check_unannounced("counts of games and strategies")
    if rules.carries_rolls:
        raise InconsistentError(
            f"{rules.name} carries rolls over: games are counted where all turns are of one length"
        )
    one_throw = Fraction(1, _ways(rules))
    turns = len(rules.categories)
    digits = log10_strategies(rules) if _is_even(rules) else None
    few = digits is not None and digits < MAX_DIGITS
    return GameSize(
        games=games(rules),
        rarest=one_throw ** (rules.rolls * turns),
        likeliest=one_throw**turns,
        log10_strategies=digits,
        strategies=strategies(rules) if few else None,
    )


def games(rules: Rules) -> int:
    """Return the number of games.

    A turn has fⁿ first rolls and (f + 1)ⁿ ways to go through each reroll; by symmetry each of the
    fⁿ final rolls ends the same number of turns. K categories are filled in K! orders, if free.
    """
    turns = len(rules.categories)
    one_reroll = prod((faces + 1) ** dice for dice, faces in rules.kinds)
    ways = one_reroll ** (rules.rolls - 1)  # to one given final roll
    if forces_jokers(rules):
        fillings = _forced_fillings(rules)
    else:
        orders = factorial(turns) // prod(factorial(len(chain)) for chain in rules.chains)
        fillings = _ways(rules) ** turns * orders
    return int(ways**turns * fillings)


def _ways(rules: Rules) -> int:
    """Return in how many ways all dice fall."""
    return prod(faces**dice for dice, faces in rules.kinds)


def _throws(rules: Rules) -> Iterator[tuple[int, int]]:
    """Yield for each number of dice of each kind that are kept: how many keeps, how many rolls."""
    for kept in product(*(range(dice + 1) for dice, _ in rules.kinds)):
        both = list(zip(rules.kinds, kept, strict=True))
        keeps = prod(comb(dice, number) for (dice, _), number in both)
        yield keeps, prod(faces ** (dice - number) for (dice, faces), number in both)


def _forced_fillings(rules: Rules) -> int:
    """Return the number of ways to fill the card, each with its final roll, with forced jokers."""
    full = (1 << len(rules.categories)) - 1

    @cache
    def fillings(filled: int) -> int:
        if filled == full:
            return 1
        after = {k: fillings(filled | 1 << k) for k in open_categories(rules, filled)}
        free: int = (_ways(rules) - len(rules.alike)) * sum(after.values())
        moves = [move for dice in rules.alike for move in legal_moves(rules, State(filled), dice)]
        return free + sum(after[move.category] for move in moves)

    return fillings(0)


def strategies(rules: Rules) -> int:
    """Return the number of deterministic strategies, exactly.

    With s(m) strategies for m open categories and a_j for a roll with j rerolls left,
    a_0 = m s(m - 1), a_j = sum over the number i of dice kept of C(n, i) a_{j-1}^(f^(n-i)), and
    s(m) = a_{R-1}^(fⁿ): each roll that may follow needs a plan. Dice of several kinds multiply.

    Raises
    ------
    ValueError
        When the number of open boxes depends on more than the turn.
    """
    _check_even(rules)
    plans: int = 1
    for turn in range(1, len(rules.categories) + 1):
        of_roll = (1 if len(rules.chains) == 1 else turn) * plans
        for _ in range(rules.rolls - 1):
            of_roll = sum(keeps * of_roll**rolls for keeps, rolls in _throws(rules))
        plans = of_roll ** _ways(rules)
    return plans


def log10_strategies(rules: Rules) -> Decimal:
    """Return the decimal logarithm of :func:`strategies`: the same recursion, in logarithms.

    Raises
    ------
    ValueError
        As :func:`strategies`.
    """
    _check_even(rules)
    plans = Decimal(0)
    with localcontext(HUGE):
        for turn in range(1, len(rules.categories) + 1):
            of_roll = Decimal(1 if len(rules.chains) == 1 else turn).log10() + plans
            for _ in range(rules.rolls - 1):
                terms = [
                    Decimal(keeps).log10() + of_roll * rolls for keeps, rolls in _throws(rules)
                ]
                most = max(terms)
                of_roll = most + sum((10 ** (term - most) for term in terms), Decimal(0)).log10()
            plans = of_roll * _ways(rules)
    return plans


def _is_even(rules: Rules) -> bool:
    """Return whether the number of boxes that a roll may go to depends on the turn alone."""
    in_line = len(rules.chains) == 1 or all(len(chain) == 1 for chain in rules.chains)
    return in_line and not forces_jokers(rules)


def _check_even(rules: Rules) -> None:
    if not _is_even(rules):
        raise ValueError(f"{rules.name}: expected as many open boxes in a turn on every card")
