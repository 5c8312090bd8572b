"""A reference solver: backward induction in plain Python with exact fractions.

Tests compare the fast solver with the reference solver in small games. The reference solver uses
the scorecards and moves of :mod:`rollwise.game`, but no arrays or kernels.
"""

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import lru_cache
from itertools import product

from rollwise.game.actions import Action, Keep, Score
from rollwise.game.scorecard import Dice, Move, State, after, legal_keeps, legal_moves
from rollwise.rules import Rules

RollDistribution = Mapping[Dice, Fraction]
Chance = Callable[[RollDistribution, Callable[[Dice], Fraction]], Fraction]


def mean(distribution: RollDistribution, value: Callable[[Dice], Fraction]) -> Fraction:
    """Return the expected ``value`` of a roll with the given distribution."""
    return sum((p * value(dice) for dice, p in distribution.items()), Fraction(0))


def worst(distribution: RollDistribution, value: Callable[[Dice], Fraction]) -> Fraction:
    """Return the lowest ``value`` over all possible rolls."""
    return min(value(dice) for dice in distribution)


def best(distribution: RollDistribution, value: Callable[[Dice], Fraction]) -> Fraction:
    """Return the highest ``value`` over all possible rolls."""
    return max(value(dice) for dice in distribution)


class Reference:
    """An exact solver for small games that uses backward induction.

    The value of a state is the expected points to come under optimal play. A move earns a step of
    the upper bonus if the upper-section total reaches the threshold of the step.

    Parameters
    ----------
    rules : Rules
    chance : callable
        The function that returns the value of a chance node: :func:`mean`, :func:`worst`, or
        :func:`best`.
    """

    def __init__(self, rules: Rules, chance: Chance = mean) -> None:
        self.rules = rules
        self.chance = chance
        self._state_value = lru_cache(maxsize=None)(self._turn)
        self.roll_value = lru_cache(maxsize=None)(self._best_action)
        self.distribution = lru_cache(maxsize=None)(self._rolls_from)

    def value(self, state: State | None = None) -> Fraction:
        """Return the value of a state between turns (default: the start of the game)."""
        return self._state_value(state or State.start(self.rules))

    def options(self, state: State, dice: Dice, rolls_left: int) -> dict[Action, Fraction]:
        """Return the value of every legal action with ``rolls_left`` rerolls left."""
        values: dict[Action, Fraction] = {
            Score(self.rules.keys[move.category]): self.scored(state, move, rolls_left)
            for move in legal_moves(self.rules, state, dice, rolls_left)
        }
        if rolls_left:
            for keep in legal_keeps(dice):
                distribution = self.distribution(keep)
                values[Keep(keep)] = self.chance(
                    distribution, lambda roll: self.roll_value(state, roll, rolls_left - 1)
                )
        return values

    def states(self) -> set[State]:
        """Return every reachable state between turns."""
        states, new = set[State](), {State.start(self.rules)}
        while new:
            states |= new
            new = {follower for state in new for follower in self._followers(state)} - states
        return states

    def _is_over(self, state: State) -> bool:
        return state.filled == (1 << len(self.rules.categories)) - 1

    def _followers(self, state: State) -> Iterable[State]:
        if not self._is_over(state):
            for dice, rolls_left in product(
                self.distribution(()), range(self.rules.rolls_with(state.saved))
            ):
                for move in legal_moves(self.rules, state, dice, rolls_left):
                    yield after(self.rules, state, move, rolls_left)

    def _turn(self, state: State) -> Fraction:
        if self._is_over(state):
            return Fraction(0)
        rolls_left, state = self.rules.rolls_with(state.saved) - 1, state.in_turn(self.rules)
        return self.chance(
            self.distribution(()), lambda roll: self.roll_value(state, roll, rolls_left)
        )

    def _best_action(self, state: State, dice: Dice, rolls_left: int) -> Fraction:
        return max(self.options(state, dice, rolls_left).values())

    def scored(self, state: State, move: Move, rolls_left: int = 0) -> Fraction:
        """Return the value of a move: its points plus the expected points to come."""
        follower = after(self.rules, state, move, rolls_left)
        return self.earned(state, move) + self._state_value(follower)

    def earned(self, state: State, move: Move) -> int:
        """Return the points of a move, including the five-of-a-kind bonus and the upper bonus."""
        before, after_move = state.upper, after(self.rules, state, move).upper
        bonus = (
            self.rules.bonus_at(after_move) - self.rules.bonus_at(before)
            if after_move != before
            else 0
        )
        return move.points + move.extra + bonus

    def _rolls_from(self, keep: Dice) -> RollDistribution:
        """Return the distribution of the roll after keeping some dice and rolling the others."""
        missing = zip(self.rules.symbols, self.rules.missing(keep), strict=True)
        outcomes = list(product(*(symbols for symbols, number in missing for _ in range(number))))
        distribution: dict[Dice, Fraction] = {}
        for rolled in outcomes:
            roll = tuple(sorted(keep + rolled))
            distribution[roll] = distribution.get(roll, Fraction(0)) + Fraction(1, len(outcomes))
        return distribution


class UtilityReference(Reference):
    """An exact solver for small games that maximizes the expected utility of the final score.

    The value of a state also depends on the points so far. The points so far include the upper
    bonus once it is earned.

    Parameters
    ----------
    utility : callable
        The function that returns the utility of a final score.
    """

    def __init__(self, rules: Rules, utility: Callable[[int], Fraction]) -> None:
        super().__init__(rules)
        self.utility = utility
        self._value_with = lru_cache(maxsize=None)(self._turn_with)
        self._roll_value_with = lru_cache(maxsize=None)(self._best_with)

    def value_with(self, score: int, state: State | None = None) -> Fraction:
        """Return the value of a state (default: the start) with ``score`` points so far."""
        return self._value_with(state or State.start(self.rules), score)

    def options_with(
        self, score: int, state: State, dice: Dice, rolls_left: int
    ) -> dict[Action, Fraction]:
        """Return the value of every legal action with ``score`` points so far."""
        values: dict[Action, Fraction] = {}
        for move in legal_moves(self.rules, state, dice, rolls_left):
            follower = after(self.rules, state, move, rolls_left)
            total = score + self.earned(state, move)
            values[Score(self.rules.keys[move.category])] = self._value_with(follower, total)
        for keep in legal_keeps(dice) if rolls_left else []:
            values[Keep(keep)] = mean(
                self.distribution(keep),
                lambda roll: self._roll_value_with(state, score, roll, rolls_left - 1),
            )
        return values

    def _turn_with(self, state: State, score: int) -> Fraction:
        if self._is_over(state):
            return self.utility(score)
        rolls_left, state = self.rules.rolls_with(state.saved) - 1, state.in_turn(self.rules)
        return mean(
            self.distribution(()),
            lambda roll: self._roll_value_with(state, score, roll, rolls_left),
        )

    def _best_with(self, state: State, score: int, dice: Dice, rolls_left: int) -> Fraction:
        return max(self.options_with(score, state, dice, rolls_left).values())
