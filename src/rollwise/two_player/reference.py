r"""The readable solver of two-player games: plain Python and Fractions, for small games.

The players take turns; whoever has more points when both cards are full wins. With a the mover's
card, b the other's and d the mover's points less the other's,

.. math::
    W(a, b, d) = \max \; E \; \bar W(b, a', -(d + p)), \qquad
    \bar W = 1 - W \text{ (win and loss change sides)}

over the plays of one turn, and at the end 1, 1/2 or 0 by the sign of d. The oracle that the fast
path is held against; it imports nothing of the arrays and kernels.
"""

from fractions import Fraction
from functools import lru_cache

from rollwise.game.actions import Action, Keep, Score
from rollwise.game.reference import Reference
from rollwise.game.scorecard import Dice, State, after, legal_keeps, legal_moves
from rollwise.rules import Rules
from rollwise.two_player.solution import Chances

HALF = Fraction(1, 2)

Exact = Chances[Fraction]


class DuelReference:
    """A small two-player game solved exactly.

    Points so far do not count an upper bonus before it is earned. Of options of the same value the
    one with the fewest ties is taken.

    Parameters
    ----------
    rules : Rules
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self._one = Reference(rules)  # for its laws of rolls and what moves earn
        self.chances = lru_cache(maxsize=None)(self._turn)
        self._roll = lru_cache(maxsize=None)(self._best)
        self._keep = lru_cache(maxsize=None)(self._mean)

    def start(self, tie: Fraction = HALF) -> Exact:
        """Return the chances of the player who moves first, before the first roll.

        Parameters
        ----------
        tie : Fraction
            What a tie is worth to him; to the other player it is worth one less that.
        """
        empty = State.start(self.rules)
        return self.chances(empty, empty, 0, tie)

    def _is_over(self, card: State) -> bool:
        return card.filled == (1 << len(self.rules.categories)) - 1

    def _turn(self, mine: State, other: State, ahead: int, tie: Fraction = HALF) -> Exact:
        """Return the mover's chances before a turn, ``ahead`` points before the other player."""
        if self._is_over(mine):
            return Chances(
                Fraction(int(ahead > 0)), Fraction(int(ahead == 0)), Fraction(int(ahead < 0))
            )
        left, mine = self.rules.rolls_with(mine.saved) - 1, mine.in_turn(self.rules)
        return self._keep(mine, other, ahead, tie, (), left)

    def options(
        self, mine: State, other: State, ahead: int, tie: Fraction, dice: Dice, rolls_left: int
    ) -> dict[Action, Exact]:
        """Return the chances after every legal score and keep."""
        found: dict[Action, Exact] = {}
        for move in legal_moves(self.rules, mine, dice, rolls_left):
            follower = after(self.rules, mine, move, rolls_left)
            lead = ahead + self._one.earned(mine, move)
            found[Score(move.category)] = self.chances(other, follower, -lead, 1 - tie).of_the_other
        for keep in legal_keeps(dice) if rolls_left else []:
            found[Keep(keep)] = self._keep(mine, other, ahead, tie, keep, rolls_left - 1)
        return found

    def _mean(
        self, mine: State, other: State, ahead: int, tie: Fraction, keep: Dice, rolls_left: int
    ) -> Exact:
        """Return the chances before the dice that are not kept fall."""
        win = tied = Fraction(0)
        for dice, p in self._one.distribution(keep).items():
            chances = self._roll(mine, other, ahead, tie, dice, rolls_left)
            win += p * chances.win
            tied += p * chances.tie
        return Chances(win, tied, 1 - win - tied)

    def _best(
        self, mine: State, other: State, ahead: int, tie: Fraction, dice: Dice, rolls_left: int
    ) -> Exact:
        options = self.options(mine, other, ahead, tie, dice, rolls_left).values()
        return max(options, key=lambda chances: (chances.win + tie * chances.tie, -chances.tie))
