"""A decision to make: a roll on a card, with rerolls left or none."""

from collections.abc import Sequence
from dataclasses import dataclass

from rollwise.errors import InconsistentError
from rollwise.game.consistency import check_filled, check_saved, check_upper_total, upper_totals
from rollwise.game.scorecard import Dice, Scorecard, State
from rollwise.rules import Rules


@dataclass(frozen=True)
class Position:
    """A decision to make: a roll on a card, with rerolls left or none.

    Attributes
    ----------
    points : int
        Score so far, bonuses included.
    dice : tuple of int
        The roll, sorted.
    rolls_left : int
        Rerolls left, from 0 to ``rules.rolls - 1``; more by the rolls that can have been saved.
    card : Scorecard or None
        The card, if its boxes are known one by one.

    Raises
    ------
    InconsistentError
        When no game reaches it.
    """

    rules: Rules
    state: State
    points: int
    dice: Dice
    rolls_left: int
    card: Scorecard | None = None

    def __post_init__(self) -> None:
        rules, state = self.rules, self.state
        if not rules.is_roll(self.dice):
            raise InconsistentError(
                f"expected {rules.dice_in_words}, got {' '.join(map(str, self.dice)) or 'none'}"
            )
        at_most = rules.saved_after(state.filled.bit_count())[-1]
        most = rules.rolls_with(state.saved if rules.extra_rolls else at_most) - 1
        if not 0 <= self.rolls_left <= most:
            raise InconsistentError(
                f"expected 0 to {most} rolls left after a roll, got {self.rolls_left}"
            )
        if state.filled == (1 << len(rules.categories)) - 1:
            raise InconsistentError("the card is full, the game is over: expected an open category")
        check_filled(rules, state.filled)
        check_saved(rules, state.filled, state.saved)
        bonus, extra = rules.upper_bonus, rules.extra_bonus
        totals = upper_totals(rules, state.filled) if bonus else frozenset[int]()
        capped = {min(total, bonus.cap) for total in totals} if bonus else {0}
        if state.upper not in capped:
            check_upper_total(rules, state.filled, state.upper)
        if state.armed and not (extra and state.filled >> rules.category_index(extra.box) & 1):
            raise InconsistentError(
                "the extra bonus cannot be armed: expected its box to be filled with points"
            )
        if self.card is not None and (self.card.state, self.card.points) != (state, self.points):
            raise InconsistentError("expected the state and the points of the card itself")
        object.__setattr__(self, "dice", tuple(sorted(self.dice)))

    @property
    def saved(self) -> int:
        """Rolls saved when the turn began: those of the card, or what the rolls left ask for."""
        return max(self.state.saved, self.rolls_left - (self.rules.rolls - 1))

    @classmethod
    def of(cls, card: Scorecard, dice: Sequence[int], rolls_left: int) -> "Position":
        """Return the position of a roll on a card."""
        return cls(card.rules, card.state, card.points, tuple(dice), rolls_left, card)
