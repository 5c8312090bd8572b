r"""The reference solver of small two-player games, in plain Python with exact fractions.

It uses neither arrays nor kernels. The players take turns, and the player with more points when
both scorecards are full wins. Let W be the value to the mover, a the mover's scorecard, and b the
opponent's scorecard. Let d be the mover's points minus the opponent's points. The turn gives p
points and changes a to a'. Let E denote the expected value. Then

.. math::
    W(a, b, d) = \max \; E \; \bar W(b, a', -(d + p)), \qquad
    \bar W = 1 - W \text{ (win and loss change sides)}

where the maximum is over the policies of one turn. At the end of the game, W is 1 if d > 0, 1/2 if
d = 0, and 0 if d < 0.
"""

from fractions import Fraction
from functools import lru_cache

from reference_solver import Reference
from rollwise.game.actions import Action, Keep, Score
from rollwise.game.scorecard import Dice, State, after, legal_keeps, legal_moves
from rollwise.rules import Rules
from rollwise.two_player.solution import Chances

HALF = Fraction(1, 2)

Exact = Chances[Fraction]


class DuelReference:
    """An exact solver for small two-player games.

    The points so far include the upper bonus once it is earned. Among options with the same value,
    the player takes the option with the lowest probability of a tie.

    Parameters
    ----------
    rules : Rules
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self._single = Reference(rules)  # for the distributions of rolls and the points of moves
        self.chances = lru_cache(maxsize=None)(self._turn)
        self._roll = lru_cache(maxsize=None)(self._best)
        self._keep = lru_cache(maxsize=None)(self._mean)

    def start(self, tie: Fraction = HALF) -> Exact:
        """Return the win, tie, and loss probabilities of the first player before the first roll.

        Parameters
        ----------
        tie : Fraction
            The value of a tie to the first player. The value to the second player is ``1 - tie``.
        """
        empty = State.start(self.rules)
        return self.chances(empty, empty, 0, tie)

    def _is_over(self, card: State) -> bool:
        return card.filled == (1 << len(self.rules.categories)) - 1

    def _turn(self, mine: State, other: State, ahead: int, tie: Fraction = HALF) -> Exact:
        """Return the mover's win, tie, and loss probabilities before a turn.

        The mover is ``ahead`` points ahead. ``tie`` is the value of a tie to the mover.
        """
        if self._is_over(mine):
            return Chances(
                Fraction(int(ahead > 0)), Fraction(int(ahead == 0)), Fraction(int(ahead < 0))
            )
        left, mine = self.rules.rolls_with(mine.saved) - 1, mine.in_turn(self.rules)
        return self._keep(mine, other, ahead, tie, (), left)

    def options(
        self, mine: State, other: State, ahead: int, tie: Fraction, dice: Dice, rolls_left: int
    ) -> dict[Action, Exact]:
        """Return the mover's win, tie, and loss probabilities after every legal action."""
        options: dict[Action, Exact] = {}
        for move in legal_moves(self.rules, mine, dice, rolls_left):
            follower = after(self.rules, mine, move, rolls_left)
            difference = ahead + self._single.earned(mine, move)
            theirs = self.chances(other, follower, -difference, 1 - tie)
            options[Score(move.category)] = theirs.of_opponent
        for keep in legal_keeps(dice) if rolls_left else []:
            options[Keep(keep)] = self._keep(mine, other, ahead, tie, keep, rolls_left - 1)
        return options

    def _mean(
        self, mine: State, other: State, ahead: int, tie: Fraction, keep: Dice, rolls_left: int
    ) -> Exact:
        """Return the mover's win, tie, and loss probabilities before a reroll.

        ``keep`` contains the dice that are not rerolled.
        """
        win = tied = Fraction(0)
        for dice, p in self._single.distribution(keep).items():
            chances = self._roll(mine, other, ahead, tie, dice, rolls_left)
            win += p * chances.win
            tied += p * chances.tie
        return Chances(win, tied, 1 - win - tied)

    def _best(
        self, mine: State, other: State, ahead: int, tie: Fraction, dice: Dice, rolls_left: int
    ) -> Exact:
        options = self.options(mine, other, ahead, tie, dice, rolls_left).values()
        return max(options, key=lambda chances: (chances.win + tie * chances.tie, -chances.tie))
