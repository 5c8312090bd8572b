"""A card as a strategy of one's own sees it: what is open, what a roll would score there."""

from collections.abc import Sequence
from functools import lru_cache

from rollwise.errors import IllegalError
from rollwise.game.scorecard import Dice
from rollwise.model.arrays import Model
from rollwise.model.lattice import Kinds, lattice
from rollwise.model.outcomes import FORBIDDEN
from rollwise.model.turn import options_of
from rollwise.rules import Rules


@lru_cache(maxsize=8)
def _number_of_roll(kinds: Kinds) -> dict[Dice, int]:
    return {roll: number for number, roll in enumerate(lattice(kinds).rolls)}


class Card:
    """The card between rolls; it never changes.

    Attributes
    ----------
    rules : Rules
    open : tuple of str
        The boxes that may be filled next, in card order.
    turn : int
        The number of the turn, from 1.
    rolls_left : int
        Rolls that the turn is not to take, if it ends now; they matter where points depend on them.
    """

    def __init__(
        self,
        model: Model,
        c: int,
        upper: int | None = None,
        score: int | None = None,
        rolls_left: int = 0,
    ) -> None:
        rules = model.rules
        self.rules: Rules = rules
        self.open = tuple(key for k, key in enumerate(rules.keys) if model.may_fill(c, k))
        self.turn = int(model.mask_C[c]).bit_count() + 1
        self._upper, self._score = upper, score
        self.rolls_left = rolls_left
        first = model.end_of_turn(0, rolls_left)
        option_R_K = options_of(model, c)[first : first + len(model.lattice.rolls)]
        self._points_R_K = model.step_O[option_R_K].tolist()
        self._legal_R_K = (option_R_K != FORBIDDEN).tolist()
        self._column = {key: k for k, key in enumerate(rules.keys)}
        self._row = _number_of_roll(rules.kinds)

    @property
    def upper(self) -> int:
        """The total of the upper section, at most the threshold of its bonus.

        Raises
        ------
        IllegalError
            When the strategy has not said ``sees_upper = True``.
        """
        if self._upper is None:
            raise IllegalError("it reads card.upper: expected sees_upper = True in its class")
        return self._upper

    @property
    def score(self) -> int:
        """The points so far, without an upper bonus already earned.

        Raises
        ------
        IllegalError
            When the strategy has not said ``sees_score = True``.
        """
        if self._score is None:
            raise IllegalError("it reads card.score: expected sees_score = True in its class")
        return self._score

    def may_score(self, dice: Sequence[int], key: str) -> bool:
        """Return whether the rules allow to score this roll in this box."""
        k = self._column.get(key)
        return k is not None and self._legal_R_K[self._row[tuple(sorted(dice))]][k]

    def choices(self, dice: Sequence[int]) -> tuple[str, ...]:
        """Return the boxes in which this roll may be scored, in card order."""
        legal_K = self._legal_R_K[self._row[tuple(sorted(dice))]]
        return tuple(key for key in self.open if legal_K[self._column[key]])

    def points(self, dice: Sequence[int], key: str) -> int:
        """Return what this roll scores in this box now, jokers and the extra bonus included."""
        return int(self._points_R_K[self._row[tuple(sorted(dice))]][self._column[key]])
