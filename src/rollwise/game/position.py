"""A decision to make: a roll on a card, with rerolls left or none."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from rollwise.errors import InconsistentError
from rollwise.game.actions import Announce, Kind, Score
from rollwise.game.consistency import (
    check_filled,
    check_saved,
    check_upper_total,
    open_categories,
    upper_totals,
)
from rollwise.game.dice_text import parse_dice
from rollwise.game.position_text import format_position, read_position
from rollwise.game.scorecard import Dice, Move, Scorecard, State, boxes_for, legal_moves
from rollwise.rules import Rules, RulesLike, as_rules

KNOWN = 1_000
"""So many cards, and rolls, are known again when many positions are read."""


@dataclass(frozen=True)
class Position:
    """A decision to make: a roll on a card, with rerolls left or none.

    Parameters
    ----------
    rules : Rules, str or Path
        Of the game, or the name of a preset.
    text : str
        ``dice 11366 | rolls-left 2 | card ones=3``; without its first word, and what is not told is
        as after the first roll of a game. ``| announced ones`` names the box that was announced.
        Where boxes are not known one by one,
        ``dice 1 1 3 6 6 | rolls 2 | upper 3 | filled ones`` with ``| five_of_a_kind 50`` once that
        box is filled (yatzy-solver's notation): then only the upper section counts in the score so
        far. ``| saved 3`` says that the turn began with three saved rolls.

    Attributes
    ----------
    rules : Rules
    state : State
        What matters of the card for what is still to come.
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
    MalformedError
        When the text is no position.
    InconsistentError
        When no game reaches it.

    Examples
    --------
    >>> Position("yahtzee", "11366 | rolls-left 1 | card ones=3").points
    3
    """

    rules: Rules
    state: State
    points: int
    dice: Dice
    rolls_left: int
    card: Scorecard | None = None

    def __init__(self, rules: RulesLike, text: str) -> None:
        rules = as_rules(rules)
        self._set(rules, *read_position(rules, text))

    def _set(
        self,
        rules: Rules,
        state: State,
        points: int,
        dice: Sequence[int],
        rolls_left: int,
        card: Scorecard | None = None,
    ) -> None:
        told = {"rules": rules, "state": state, "points": points, "dice": tuple(sorted(dice))}
        vars(self).update(told, rolls_left=rolls_left, card=card)
        if not rules.is_roll(self.dice):
            raise InconsistentError(
                f"expected {rules.dice_in_words}, got {' '.join(map(str, self.dice)) or 'none'}"
            )
        at_most = rules.saved_after(state.filled.bit_count())[-1]
        most = rules.rolls_with(state.saved if rules.extra_rolls else at_most) - 1
        if not 0 <= rolls_left <= most:
            raise InconsistentError(
                f"expected 0 to {most} rolls left after a roll, got {rolls_left}"
            )
        if state.filled == (1 << len(rules.categories)) - 1:
            raise InconsistentError("the card is full, the game is over: expected an open category")
        if state.announced is not None:
            if state.announced not in open_categories(rules, state.filled):
                key = rules.keys[state.announced]
                raise InconsistentError(f"{key} cannot be announced: expected an open category")
        elif rules.announced and rolls_left < rules.rolls - 1:
            raise InconsistentError(
                f"expected the box that was announced, with {rolls_left} rolls left: "
                "'| announced CATEGORY'"
            )
        if card is not None:
            return  # what follows it was asked itself
        check_filled(rules, state.filled)
        check_saved(rules, state.filled, state.saved)
        bonus, extra = rules.upper_bonus, rules.extra_bonus
        for column, total in enumerate(rules.upper_totals(state.upper)):
            totals = upper_totals(rules, state.filled, column) if bonus else frozenset[int]()
            capped = total == rules.upper_cap and (not bonus or max(totals) >= total)
            if not capped and (total > rules.upper_cap or total not in totals):
                check_upper_total(rules, state.filled, total, column)
        if state.armed and not (extra and state.filled >> rules.category_index(extra.box) & 1):
            raise InconsistentError(
                "the extra bonus cannot be armed: expected its box to be filled with points"
            )

    def __repr__(self) -> str:
        return f"Position({self.rules.named!r}, {format_position(self)!r})"

    def __str__(self) -> str:
        return format_position(self)

    @property
    def awaits_announcement(self) -> bool:
        """Whether a box has to be announced before anything else."""
        return self.rules.announced and self.state.announced is None

    @property
    def is_just_announced(self) -> bool:
        """Whether the box was announced on this very roll."""
        return self.state.announced is not None and self.rolls_left == self.rules.rolls - 1

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """What may be done here."""
        if self.awaits_announcement:
            return ("announce",)
        return ("keep", "score") if self.rolls_left else ("score",)

    @property
    def boxes(self) -> list[int]:
        """The categories that may be named here, in card order: to announce, or to score."""
        return boxes_for(self.rules, self.state, self.dice)

    def naming(self, category: int) -> Announce | Score:
        """Return what it means to name a category here: to announce it, or to score."""
        return Announce(category) if self.awaits_announcement else Score(category)

    @property
    def saved(self) -> int:
        """Rolls saved when the turn began: those of the card, or what the rolls left ask for."""
        return max(self.state.saved, self.rolls_left - (self.rules.rolls - 1))

    def possible(self) -> dict[int, Move]:
        """Return what the roll would score, by category."""
        moves = legal_moves(self.rules, self.state, self.dice, self.rolls_left)
        return {move.category: move for move in moves}

    @classmethod
    def each(cls, rules: Rules, lines: Iterable[str]) -> "Iterator[Position]":
        """Yield the position that each line shows; what many of them have is read once.

        Raises as the class does.
        """
        read_card, read_dice = lru_cache(KNOWN)(Scorecard), lru_cache(KNOWN)(parse_dice)
        for line in lines:
            position = cls.__new__(cls)
            position._set(rules, *read_position(rules, line, read_card, read_dice))
            yield position

    @classmethod
    def of(
        cls,
        card: Scorecard,
        dice: Sequence[int] | str,
        rolls_left: int,
        announced: int | None = None,
    ) -> "Position":
        """Return the position of a roll on a card, in a turn for the box that was announced."""
        if isinstance(dice, str):
            dice = parse_dice(card.rules, dice)
        position = cls.__new__(cls)
        state = replace(card.state, announced=announced)
        position._set(card.rules, state, card.points, dice, rolls_left, card)
        return position

    @classmethod
    def of_state(
        cls, rules: Rules, state: State, points: int, dice: Sequence[int], rolls_left: int
    ) -> "Position":
        """Return the position of a roll on a card of which the boxes are not known one by one."""
        position = cls.__new__(cls)
        position._set(rules, state, points, dice, rolls_left)
        return position
