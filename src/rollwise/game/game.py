"""A game in progress for one or more players, with methods to push and pop events."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal, NamedTuple, Self

from rollwise.errors import IllegalError, InputError, MalformedError, counted
from rollwise.game.actions import Action, Keep, Kind, Score
from rollwise.game.dice_notation import check_keep, contains, format_dice, format_keep, is_dice
from rollwise.game.events import Event, Events, Roll, as_event, format_events, split_events
from rollwise.game.position import Position
from rollwise.game.scorecard import Dice, Scorecard, card_rows, draw_cards, legal_keeps, scored
from rollwise.notebook import html_table
from rollwise.rules import Rules, RulesLike, as_rules

MAX_PLAYERS = 20
MAX_NAME = 40

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

    @property
    def card(self) -> Scorecard:
        """The scorecard of the player whose turn it is."""
        return self.cards[self.player]

    @property
    def turn(self) -> int:
        """The number of the current player's turn, counting from 1."""
        return sum(points is not None for points in self.card.boxes) + 1

    @property
    def position(self) -> Position | None:
        """The position that needs a decision, or None before a roll and after the game."""
        if self.dice is None:
            return None
        return Position.of(self.card, self.dice, self.rolls_left)


class GameStep(NamedTuple):
    """One event of a game, with the stages before and after it."""

    before: Stage
    event: Event
    after: Stage


def check_players(names: Sequence[str] | str) -> tuple[str, ...]:
    """Return the names of the players as a tuple; commas separate the names in a string.

    Raises
    ------
    MalformedError
        If there are no names or too many, or if a name is repeated or not allowed in a record.
    """
    if isinstance(names, str):
        names = [name.strip() for name in names.split(",")]
    if not 1 <= len(names) <= MAX_PLAYERS:
        raise MalformedError(f"a game needs 1 to {MAX_PLAYERS} players, not {len(names)}")
    for name in names:
        plain = name.isprintable() and name == name.strip() and not set(name) & set(",:;#")
        if not plain or not 1 <= len(name) <= MAX_NAME:
            raise MalformedError(
                f"cannot use the player name {name!r:.60}; use 1 to {MAX_NAME} characters without "
                ", : ; #"
            )
    if len(set(names)) < len(names):
        raise MalformedError(
            f"two players have the same name; use different names instead of {', '.join(names)}"
        )
    return tuple(names)


def legal_actions(position: Position) -> list[Action]:
    """Return the legal actions.

    Categories come first, in scorecard order. Sets of dice to keep follow, largest first.
    """
    keeps = legal_keeps(position.dice) if "keep" in position.legal_kinds else []
    scores = Score.each(position.rules.keys)
    return [*(scores[k] for k in position.legal_categories), *map(Keep, keeps)]


class Game:
    """A game in progress, with methods to add events and to undo them.

    Parameters
    ----------
    rules : Rules, str, Path, or Position
        The rules of the game, or the name of a preset. A game that begins at a position has one
        player, and cannot be written as a game record.
    players : sequence of str, or str
        The names of the players in the order of play, or one string with commas between the names.
    events : iterable of (Roll, Keep, Score, or str), or str
        The first events, or one string with semicolons between them: ``roll 11366; keep 66``.
        :meth:`push` accepts the same strings.

    Raises
    ------
    InputError
        If a name or an event is not allowed.

    Examples
    --------
    >>> game = Game("yahtzee", "Ada, Ben", "roll 11366; keep 66")
    >>> game.push("roll 25666")
    >>> game.pop()
    Roll((2, 5, 6, 6, 6))
    >>> Game(Position("yahtzee", dice=11366, card={"ones": 3})).legal_actions()[0]
    Score('twos')
    """

    def __init__(
        self,
        rules: RulesLike | Position,
        players: Sequence[str] | str = "Player",
        events: Events = (),
    ) -> None:
        self.players = check_players(players)
        self.start = rules if isinstance(rules, Position) else None
        if isinstance(rules, Position):
            self.rules, stage = rules.rules, self._stage_at(rules)
        else:
            self.rules = as_rules(rules)
            cards = (Scorecard.empty(self.rules),) * len(self.players)
            stage = Stage(cards, 0, None, (), self.rules.rolls_with(cards[0].saved))
        self._stages = [stage]
        self._events: list[Event] = []
        for event in split_events(events):
            self.push(event)

    def _stage_at(self, position: Position) -> Stage:
        """Return the stage at a position."""
        if position.card is None:
            raise InputError(
                "a game needs the points of each category; write the position with card, such as "
                "'11366 | card ones=3'"
            )
        if len(self.players) > 1:
            raise InputError(
                f"a game from a position has one player, not {len(self.players)}; leave out the "
                "others"
            )
        return Stage((position.card,), 0, position.dice, (), position.rolls_left)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        return (self.rules, self.players, self.start, self._events) == (
            other.rules,
            other.players,
            other.start,
            other._events,
        )

    __hash__ = None  # type: ignore[assignment]  # a game changes

    def __repr__(self) -> str:
        begun = self.rules.named if self.start is None else self.start
        events = format_events(self.rules, self._events)
        return f"Game({begun!r}, {', '.join(self.players)!r}, {events!r})"

    def __str__(self) -> str:
        return f"{draw_cards(self.stage.cards, self.players)}\n{self._due}"

    def _repr_html_(self) -> str:
        title = f"{self.rules.title} – {self._due}"
        return html_table(title, card_rows(self.stage.cards), ("", *self.players))

    @property
    def _due(self) -> str:
        """A description of the player to move, the dice, and the rolls left."""
        if self.is_over:
            return "The game is over."
        rules, stage = self.rules, self.stage
        dice_kept = f", keeping {format_keep(rules, stage.kept)}" if stage.kept else ""
        dice = (
            f"ready to roll{dice_kept}"
            if stage.dice is None
            else f"dice {format_dice(rules, stage.dice)}"
        )
        left = f"{counted(stage.rolls_left, 'roll')} left"
        return f"{self.players[stage.player]}, turn {self.turn}: {dice}, {left}"

    @classmethod
    def of(cls, rules: Rules, players: tuple[str, ...], steps: Sequence[GameStep]) -> Self:
        """Return the game with the given steps, without checking them again."""
        game = cls(rules, players)
        game._stages += [after for _, _, after in steps]
        game._events += [event for _, event, _ in steps]
        return game

    @property
    def stage(self) -> Stage:
        """The current stage of the game: the scorecards, the dice, and the rolls left."""
        return self._stages[-1]

    @property
    def events(self) -> tuple[Event, ...]:
        """All events so far."""
        return tuple(self._events)

    @property
    def steps(self) -> tuple[GameStep, ...]:
        """Each event so far, in order, with the stages before and after it."""
        stages = pairwise(self._stages)
        pairs = zip(stages, self._events, strict=True)
        return tuple(GameStep(before, event, after) for (before, after), event in pairs)

    @property
    def turn(self) -> int:
        """The number of the current player's turn, counting from 1."""
        return self.stage.turn

    @property
    def card(self) -> Scorecard:
        """The scorecard of the player whose turn it is."""
        return self.stage.card

    @property
    def cards(self) -> tuple[Scorecard, ...]:
        """The current scorecards of all players."""
        return self.stage.cards

    @property
    def is_over(self) -> bool:
        """Whether all scorecards are full."""
        return self.card.is_full  # the player to move has a full scorecard only if all are full

    @property
    def awaits_roll(self) -> bool:
        """Whether the next event is a roll."""
        return self.stage.dice is None and not self.is_over

    @property
    def next_kinds(self) -> tuple[Kind | Literal["roll"], ...]:
        """The kinds of events that are legal now, or an empty tuple once the game is over."""
        return self._kinds_at(self.position)

    def _kinds_at(self, position: Position | None) -> tuple[Kind | Literal["roll"], ...]:
        if position is not None:
            return position.legal_kinds
        return () if self.is_over else ("roll",)

    @property
    def position(self) -> Position | None:
        """The position that needs a decision, or None before a roll and after the game."""
        return self.stage.position

    def legal_actions(self) -> list[Action]:
        """Return the legal actions.

        Categories come first, in scorecard order. Sets of dice to keep follow, largest first. The
        list is empty if no decision is needed.
        """
        position = self.position
        return [] if position is None else legal_actions(position)

    def push(self, event: Event | str) -> None:
        """Add an event to the game.

        Parameters
        ----------
        event : Roll, Keep, Score, or str
            An event, or a string such as ``roll 11366``, ``keep 66``, or ``score full-house``. The
            verb can be left out: ``11366``, ``66``, ``-``, ``sixes``, ``fh``. If a decision is due,
            a string of dice then means the dice to keep, and other strings mean a category. With no
            rolls left, every string means a category.

        Raises
        ------
        MalformedError
            If the string is not an event.
        IllegalError
            If the event is not allowed now. The game then stays unchanged.
        """
        if self.is_over:
            raise IllegalError("the game is over; start a new game, or undo the last move")
        event = self._event(event)
        position = self.position
        kinds = self._kinds_at(position)
        if event.kind not in kinds:
            spent = event.kind == "keep" and "score" in kinds
            reason = "no rolls are left" if spent else f"cannot {event.kind} now"
            raise IllegalError(f"{reason}; {' or '.join(KINDS[kind] for kind in kinds)} next")
        self._stages.append(self._after(event, position))
        self._events.append(event)

    def _event(self, event: Event | str) -> Event:
        """Return an event; the verb of a string depends on the stage of the game."""
        if not isinstance(event, str) or event.strip().partition(" ")[0] in KINDS:
            return as_event(self.rules, event)
        *_, last = kinds = self.next_kinds
        kind = "keep" if "keep" in kinds and is_dice(event) else last
        return as_event(self.rules, f"{kind} {event}")

    def pop(self) -> Event:
        """Undo the last event and return it.

        Raises
        ------
        IllegalError
            If there are no events.
        """
        if not self._events:
            raise IllegalError("there is nothing to undo, because the game has just begun")
        self._stages.pop()
        return self._events.pop()

    def _after(self, event: Event, position: Position | None) -> Stage:
        """Return the stage after an event of a legal kind."""
        if isinstance(event, Roll):
            return self._roll(event)
        assert position is not None  # if there is no position, only rolls are allowed
        if isinstance(event, Keep):
            return self._keep(position, event)
        if event.category not in position.legal_categories:
            allowed = [self.rules.keys[k] for k in position.legal_categories]
            raise IllegalError(
                f"cannot score {self.rules.keys[event.category]} now; choose "
                f"{'one of ' * (len(allowed) > 1)}{', '.join(allowed)}"
            )
        return self._score(position, event)

    def _roll(self, roll: Roll) -> Stage:
        rules, stage = self.rules, self.stage
        dice = tuple(sorted(roll.dice))
        if not rules.is_roll(dice):
            got = " ".join(map(str, dice)) or "none"
            raise IllegalError(f"{got} is not a roll of {rules.name}; use {rules.dice_in_words}")
        if not contains(dice, stage.kept):
            got, required = format_dice(rules, dice), format_keep(rules, stage.kept)
            raise IllegalError(
                f"{got} does not contain the kept dice {required}; include them in the roll"
            )
        return replace(stage, dice=dice, kept=(), rolls_left=stage.rolls_left - 1)

    def _keep(self, position: Position, keep: Keep) -> Stage:
        check_keep(self.rules, position.dice, keep.dice)
        if len(keep.dice) == len(position.dice):
            later = " (it earns the points of the best roll left)" * self.rules.counts_rolls
            raise IllegalError(f"cannot keep all dice; keep fewer, or score a category{later}")
        return replace(self.stage, dice=None, kept=tuple(sorted(keep.dice)))

    def _score(self, position: Position, score: Score) -> Stage:
        rules, stage, card = self.rules, self.stage, self.card
        rolls_left = position.rolls_left
        move = scored(rules, card.state, position.dice, score.category, rolls_left)
        cards = list(stage.cards)
        cards[stage.player] = card.after(move, rolls_left)
        player = (stage.player + 1) % len(cards)
        return Stage(tuple(cards), player, None, (), rules.rolls_with(cards[player].saved))


def fair_roll(game: Game, seed: int) -> Roll:
    """Return the next roll of a game, drawn at random with the given seed.

    The roll depends only on the seed, the number of earlier rolls, and the dice that were kept. A
    player who undoes an action and repeats it gets the same dice.
    """
    rolls = sum(isinstance(event, Roll) for event in game.events)
    source = random.Random(
        f"{seed}/{rolls}"
    )  # random() gives the same numbers on every Python version
    rules, dice_kept = game.rules, game.stage.kept
    dice_rolled = (
        symbols[int(source.random() * len(symbols))]
        for symbols, number in zip(rules.symbols, rules.missing(dice_kept), strict=True)
        for _ in range(number)
    )
    return Roll(tuple(sorted((*dice_kept, *dice_rolled))))
