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

from collections.abc import Iterator
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
    the player takes the first one. Categories are in scorecard order. Dice to keep are ordered by
    :func:`subsets`: the whole roll, which leaves the decision to the next roll, is the first. In
    the turn of :meth:`options`, larger sets come first.

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
        return self._keep(mine, other, ahead, tie, (), left, False)

    def options(
        self, mine: State, other: State, ahead: int, tie: Fraction, dice: Dice, rolls_left: int
    ) -> dict[Action, Exact]:
        """Return the mover's win, tie, and loss probabilities after every legal action."""
        options: dict[Action, Exact] = {**self._scored(mine, other, ahead, tie, dice, rolls_left)}
        for keep in legal_keeps(dice) if rolls_left else []:
            options[Keep(keep)] = self._keep(mine, other, ahead, tie, keep, rolls_left - 1, True)
        return options

    def _scored(
        self, mine: State, other: State, ahead: int, tie: Fraction, dice: Dice, rolls_left: int
    ) -> dict[Action, Exact]:
        """Return the mover's win, tie, and loss probabilities after scoring in each category."""
        options: dict[Action, Exact] = {}
        for move in legal_moves(self.rules, mine, dice, rolls_left):
            follower = after(self.rules, mine, move, rolls_left)
            difference = ahead + self._single.earned(mine, move)
            theirs = self.chances(other, follower, -difference, 1 - tie)
            options[Score(self.rules.keys[move.category])] = theirs.of_opponent
        return options

    def _mean(
        self,
        mine: State,
        other: State,
        ahead: int,
        tie: Fraction,
        keep: Dice,
        rolls_left: int,
        larger_first: bool,
    ) -> Exact:
        """Return the mover's win, tie, and loss probabilities before a reroll.

        ``keep`` contains the dice that are not rerolled.
        """
        win = tied = Fraction(0)
        for dice, p in self._single.distribution(keep).items():
            chances = self._roll(mine, other, ahead, tie, dice, rolls_left, larger_first)
            win += p * chances.win
            tied += p * chances.tie
        return Chances(win, tied, 1 - win - tied)

    def _best(
        self,
        mine: State,
        other: State,
        ahead: int,
        tie: Fraction,
        dice: Dice,
        rolls_left: int,
        larger_first: bool,
    ) -> Exact:
        after_roll = mine, other, ahead, tie
        options = []
        if rolls_left and not self.rules.stops:
            options += [self._roll(*after_roll, dice, rolls_left - 1, larger_first)]
        else:
            options += self._scored(*after_roll, dice, rolls_left).values()
        keeps = list(subsets(dice)) if rolls_left else []
        for keep in sorted(keeps, key=lambda keep: -len(keep)) if larger_first else keeps:
            options.append(self._keep(*after_roll, keep, rolls_left - 1, larger_first))
        return max(options, key=lambda chances: chances.win + tie * chances.tie)


def subsets(dice: Dice) -> Iterator[Dice]:
    """Yield the smaller sets of dice: without the lowest die, then its subsets, and so on."""
    for i, face in enumerate(dice):
        if face not in dice[:i]:
            yield (*dice[:i], *dice[i + 1 :])
            yield from subsets((*dice[:i], *dice[i + 1 :]))
