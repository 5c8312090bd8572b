"""The stages of a game: the state between two events, and the stage that follows an event."""

from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

from rollwise.errors import IllegalError, MalformedError
from rollwise.game.actions import Action, Event, Keep, Kind, Roll, Score
from rollwise.game.dice_notation import check_keep, contains, format_dice, format_keep, is_dice
from rollwise.game.notation import as_event
from rollwise.game.position import Position
from rollwise.game.scorecard import Dice, Scorecard, legal_keeps, scored
from rollwise.rules import Rules

KINDS = {
    "roll": "roll the dice",
    "keep": "keep dice",
    "score": "score a category",
}
"""A description of each kind of event, for error messages."""


@dataclass(frozen=True)
class Stage:
    """The state of a game between two events.

    Attributes
    ----------
    cards : tuple of Scorecard
        The scorecard of each player.
    player : int
        The index of the player whose turn it is.
    dice : tuple of int or None
        The roll that needs a decision, or None if the dice must be rolled first.
    kept : tuple of int
        The dice that are not rolled in the next roll; empty if a decision is needed.
    rolls_left : int
        The number of rolls left in the turn, including saved or extra rolls.
    """

    cards: tuple[Scorecard, ...]
    player: int
    dice: Dice | None
    kept: Dice
    rolls_left: int

    @classmethod
    def first(cls, start: Rules | Position, players: int) -> "Stage":
        """Return the stage at the beginning of a game, or at a position for a single player."""
        if isinstance(start, Position):
            if players > 1:
                raise MalformedError(
                    f"a game from a position has one player, not {players}; leave out the others"
                )
            return cls((start.card,), 0, start.dice, (), start.rolls_left)
        cards = (Scorecard.empty(start),) * players
        return cls(cards, 0, None, (), start.rolls_with(cards[0].saved))

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return self.cards[0].rules

    @property
    def card(self) -> Scorecard:
        """The scorecard of the player whose turn it is."""
        return self.cards[self.player]

    @property
    def is_over(self) -> bool:
        """Whether all scorecards are full."""
        return self.card.is_full  # the player to move has a full scorecard only if all are full

    @property
    def turn(self) -> int:
        """The number of the current player's turn, counting from 1."""
        return sum(points is not None for points in self.card.boxes) + 1

    @cached_property
    def position(self) -> Position | None:
        """The position that needs a decision, or None before a roll and after the game."""
        if self.dice is None:
            return None
        return Position.of(self.card, self.dice, self.rolls_left)

    @property
    def next_kinds(self) -> tuple[Kind | Literal["roll"], ...]:
        """The kinds of events that are legal now, or an empty tuple once the game is over."""
        if self.position is not None:
            return self.position.legal_kinds
        return () if self.is_over else ("roll",)

    def legal_actions(self) -> list[Action]:
        """Return the legal actions (see :meth:`Game.legal_actions`)."""
        position = self.position
        if position is None:
            return []
        scores = (Score(self.rules.keys[k]) for k in position.legal_categories)
        keeps = legal_keeps(position.dice) if "keep" in position.legal_kinds else []
        return [*scores, *map(Keep, keeps)]

    def step(self, event: Event | str) -> "GameStep":
        """Return the step that an event takes (see :meth:`Game.push`)."""
        if self.is_over:
            raise IllegalError("the game is over; start a new game, or undo the last move")
        event, kinds = self._event(event), self.next_kinds
        if event.kind not in kinds:
            spent = event.kind == "keep" and "score" in kinds
            reason = "no rolls are left" if spent else f"cannot {event.kind} now"
            raise IllegalError(f"{reason}; {' or '.join(KINDS[kind] for kind in kinds)} next")
        return GameStep(self, event, self._after(event))

    def _event(self, event: Event | str) -> Event:
        """Return an event; the verb of a string depends on the stage of the game."""
        if not isinstance(event, str) or event.strip().partition(" ")[0] in KINDS:
            return as_event(self.rules, event)
        *_, last = kinds = self.next_kinds
        kind = "keep" if "keep" in kinds and is_dice(event) else last
        return as_event(self.rules, f"{kind} {event}")

    def _after(self, event: Event) -> "Stage":
        """Return the stage after an event of a legal kind."""
        if isinstance(event, Roll):
            return self._after_roll(event.dice)
        position = self.position
        assert position is not None  # if there is no position, only rolls are allowed
        if isinstance(event, Keep):
            return self._after_keep(position, event.dice)
        return self._after_score(position, event.category)

    def _after_roll(self, dice: Dice) -> "Stage":
        rules = self.rules
        if not rules.is_roll(dice):
            got = " ".join(map(str, dice)) or "none"
            raise IllegalError(f"{got} is not a roll of {rules.name}; use {rules.dice_in_words}")
        if not contains(dice, self.kept):
            got, required = format_dice(rules, dice), format_keep(rules, self.kept)
            raise IllegalError(
                f"{got} does not contain the kept dice {required}; include them in the roll"
            )
        return Stage(self.cards, self.player, dice, (), self.rolls_left - 1)

    def _after_keep(self, position: Position, kept: Dice) -> "Stage":
        check_keep(self.rules, position.dice, kept)
        if len(kept) == len(position.dice):
            later = " (it earns the points of the best roll left)" * self.rules.counts_rolls
            raise IllegalError(f"cannot keep all dice; keep fewer, or score a category{later}")
        return Stage(self.cards, self.player, None, kept, self.rolls_left)

    def _after_score(self, position: Position, category: str) -> "Stage":
        rules, left = self.rules, position.rolls_left
        allowed = [rules.keys[k] for k in position.legal_categories]
        if category not in allowed:
            is_filled = self.card.filled >> rules.category_index(category) & 1
            reason = f"{category} is filled" if is_filled else f"cannot score {category} now"
            raise IllegalError(
                f"{reason}; choose {'one of ' * (len(allowed) > 1)}{', '.join(allowed)}"
            )
        move = scored(rules, self.card.state, position.dice, rules.category_index(category), left)
        cards = list(self.cards)
        cards[self.player] = self.card.after(move, left)
        player = (self.player + 1) % len(cards)
        return Stage(tuple(cards), player, None, (), rules.rolls_with(cards[player].saved))


class GameStep(NamedTuple):
    """One event of a game, with the stages before and after it."""

    before: Stage
    event: Event
    after: Stage

    @property
    def points(self) -> tuple[int, int]:
        """The category points and the five-of-a-kind bonus, if the event scores a category."""
        assert isinstance(self.event, Score)
        before, card = self.before.card, self.after.cards[self.before.player]
        points = card.boxes[card.rules.category_index(self.event.category)]
        return points or 0, card.extra_bonus - before.extra_bonus
