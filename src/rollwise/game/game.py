"""A game for one or more players: its headers, its events, and methods to push and pop events."""

import datetime
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, NamedTuple, Self

from rollwise.errors import IllegalError, MalformedError, counted
from rollwise.game.actions import Action, Keep, Kind, Score
from rollwise.game.dice_notation import check_keep, contains, format_dice, format_keep, is_dice
from rollwise.game.events import Event, Events, Roll, as_event, format_event, split_events
from rollwise.game.headers import EXPECTED, Headers, as_date, check_players
from rollwise.game.position import Position
from rollwise.game.records import as_json, as_text
from rollwise.game.scorecard import Dice, Scorecard, card_rows, legal_keeps, scored
from rollwise.notebook import html_table
from rollwise.rules import Rules, RulesLike, as_rules

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

    @cached_property
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

    @property
    def points(self) -> tuple[int, int]:
        """The category points and the five-of-a-kind bonus, if the event scores a category."""
        assert isinstance(self.event, Score)
        before, card = self.before.card, self.after.cards[self.before.player]
        points = card.boxes[card.rules.category_index(self.event.category)]
        return points or 0, card.extra_bonus - before.extra_bonus


class Game:
    """A game, finished or in progress: its text is the game record.

    Parameters
    ----------
    rules : Rules, str, Path, or Position
        The rules of the game, or the name of a preset. A game that begins at a position has one
        player.
    players : sequence of str, or str
        The names of the players in the order of play, or one string with commas between the names.
    events : iterable of (Roll, Keep, Score, or str), or str
        The first events, or one string with semicolons between them: ``roll 11366; keep 66``.
        :meth:`push` accepts the same strings.
    seed : int, optional
        The seed of the dice, or None for real dice.
    date : datetime.date or str, optional
        The date, or a string such as ``2026-11-21``.
    bots : mapping of str to str, optional
        The strategy of each computer opponent, by the name of the player.
    tutor : bool
        Whether the tutor warns about actions with an EV loss.
    objective : str
        The objective of the hints and of the tutor.

    Attributes
    ----------
    rules : Rules
    headers : Headers
        The players, and the last five parameters.
    start : Position or None
        The position at which the game begins; None for the beginning of the rules.

    Raises
    ------
    InputError
        If a name, another header, or an event is not allowed.

    Examples
    --------
    >>> game = Game("yahtzee", "Ada, Ben", "roll 11366; keep 66")
    >>> game.push("roll 25666")
    >>> game.pop()
    Roll((2, 5, 6, 6, 6))
    >>> print(Game("micro-yahtzee", "Ada", "roll 6; score square", seed=7))
    rollwise game 1
    rules: micro-yahtzee
    players: Ada
    seed: 7
    <BLANKLINE>
     1. 6 score square = 36
    <BLANKLINE>
    >>> Game(Position("yahtzee", dice=11366, card={"ones": 3})).legal_actions()[0]
    Score('twos')
    """

    def __init__(
        self,
        rules: RulesLike | Position,
        players: Sequence[str] | str = "Player",
        events: Events = (),
        *,
        seed: int | None = None,
        date: datetime.date | str | None = None,
        bots: Mapping[str, str] | None = None,
        tutor: bool = False,
        objective: str = EXPECTED,
    ) -> None:
        self.headers = Headers(
            check_players(players), seed, as_date(date), dict(bots or {}), tutor, objective
        )
        self.start = rules if isinstance(rules, Position) else None
        if isinstance(rules, Position):
            self.rules, stage = rules.rules, self._stage_at(rules)
        else:
            self.rules = as_rules(rules)
            cards = (Scorecard.empty(self.rules),) * len(self.players)
            stage = Stage(cards, 0, None, (), self.rules.rolls_with(cards[0].saved))
        self._first_stage = stage
        self._steps: list[GameStep] = []
        self._lines: list[str] = []  # of the first events
        for event in split_events(events):
            self.push(event)

    def _stage_at(self, position: Position) -> Stage:
        """Return the stage at a position."""
        if len(self.players) > 1:
            raise MalformedError(
                f"a game from a position has one player, not {len(self.players)}; leave out the "
                "others"
            )
        return Stage((position.card,), 0, position.dice, (), position.rolls_left)

    @classmethod
    def parse(cls, text: str, rules: Rules | None = None) -> "Game":
        """Parse a game record, in text form or as JSON.

        Parameters
        ----------
        text : str
            The record, which :meth:`__str__` or :meth:`as_json` wrote or a person typed; see
            :mod:`rollwise.game.records.as_text`. A byte order mark is ignored.
        rules : Rules, optional
            The rules of the game, if they are not a preset. A record in text form contains only the
            name of its rules, never a path.

        Raises
        ------
        InputError
            If the string is not a game record. The message names the line and the reason.

        Examples
        --------
        >>> Game.parse("11366 66 25666 666 46666 6").card.points
        24
        """
        text = text.removeprefix("\ufeff")
        if text.lstrip().startswith("{"):
            return as_json.game_of(cls, as_json.parse_data(text), rules)
        return as_text.parse_game(cls, text, rules)

    def as_json(self) -> str:
        """Return the game record as JSON, which includes rules that are not a preset."""
        return as_json.format_game(self)

    def __str__(self) -> str:
        return as_text.format_game(self)

    def copy(self) -> Self:
        """Return a game with the same headers and events, which changes independently."""
        game = self.__class__.__new__(self.__class__)
        vars(game).update(vars(self), _steps=[*self._steps], _lines=[*self._lines])
        return game

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        parts = (self.rules, self.headers, self.start, self.events)
        return parts == (other.rules, other.headers, other.start, other.events)

    __hash__ = None  # type: ignore[assignment]  # a game changes

    def __repr__(self) -> str:
        begun = self.rules.named if self.start is None else self.start
        usual = {**vars(Headers()), "players": self.players}
        given = {name: value for name, value in vars(self.headers).items() if value != usual[name]}
        if "date" in given:
            given["date"] = str(given["date"])
        arguments = [repr(begun), repr(", ".join(self.players)), repr("; ".join(self.lines))]
        arguments += [f"{name}={value!r}" for name, value in given.items()]
        return f"Game({', '.join(arguments)})"

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
        return f"{self.mover}, turn {self.turn}: {dice}, {left}"

    @property
    def players(self) -> tuple[str, ...]:
        """The names of the players in the order of play."""
        return self.headers.players

    @property
    def mover(self) -> str:
        """The name of the player whose turn it is."""
        return self.players[self.stage.player]

    @property
    def stage(self) -> Stage:
        """The current stage of the game: the scorecards, the dice, and the rolls left."""
        return self._steps[-1].after if self._steps else self._first_stage

    @property
    def events(self) -> tuple[Event, ...]:
        """All events so far."""
        return tuple(step.event for step in self._steps)

    @property
    def lines(self) -> list[str]:
        """Each event so far as text, such as ``roll 11366``, ``keep 66``, or ``score sixes``."""
        new = self._steps[len(self._lines) :]  # a line is only computed once
        self._lines += [format_event(self.rules, step.event) for step in new]
        return [*self._lines]

    @property
    def steps(self) -> tuple[GameStep, ...]:
        """Each event so far, in order, with the stages before and after it."""
        return tuple(self._steps)

    @property
    def last_step(self) -> GameStep | None:
        """The last of the :attr:`steps`, or None before the first event."""
        return self._steps[-1] if self._steps else None

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
        if self.position is not None:
            return self.position.legal_kinds
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
        if position is None:
            return []
        scores = (Score(self.rules.keys[k]) for k in position.legal_categories)
        keeps = legal_keeps(position.dice) if "keep" in position.legal_kinds else []
        return [*scores, *map(Keep, keeps)]

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
        event, kinds = self._event(event), self.next_kinds
        if event.kind not in kinds:
            spent = event.kind == "keep" and "score" in kinds
            reason = "no rolls are left" if spent else f"cannot {event.kind} now"
            raise IllegalError(f"{reason}; {' or '.join(KINDS[kind] for kind in kinds)} next")
        self._steps.append(GameStep(self.stage, event, self._after(event)))

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
        if not self._steps:
            raise IllegalError("there is nothing to undo, because the game has just begun")
        event = self._steps.pop().event
        del self._lines[len(self._steps) :]
        return event

    def _after(self, event: Event) -> Stage:
        """Return the stage after an event of a legal kind."""
        position = self.position
        if isinstance(event, Roll):
            return self._roll(event)
        assert position is not None  # if there is no position, only rolls are allowed
        return (
            self._keep(position, event) if isinstance(event, Keep) else self._score(position, event)
        )

    def _roll(self, roll: Roll) -> Stage:
        rules, stage, dice = self.rules, self.stage, roll.dice
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
        return replace(self.stage, dice=None, kept=keep.dice)

    def _score(self, position: Position, score: Score) -> Stage:
        rules, stage, card = self.rules, self.stage, self.card
        allowed = [rules.keys[k] for k in position.legal_categories]
        if score.category not in allowed:
            raise IllegalError(
                f"cannot score {score.category} now; choose "
                f"{'one of ' * (len(allowed) > 1)}{', '.join(allowed)}"
            )
        category, rolls_left = rules.category_index(score.category), position.rolls_left
        move = scored(rules, card.state, position.dice, category, rolls_left)
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
    # random() gives the same numbers on every Python version.
    source = random.Random(f"{seed}/{rolls}")
    rules, dice_kept = game.rules, game.stage.kept
    dice_rolled = (
        symbols[int(source.random() * len(symbols))]
        for symbols, number in zip(rules.symbols, rules.missing(dice_kept), strict=True)
        for _ in range(number)
    )
    return Roll((*dice_kept, *dice_rolled))
