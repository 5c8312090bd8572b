"""A game for one or more players: its headers, its events, and methods to push and pop events."""

import datetime
import random
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, Self

from rollwise.errors import IllegalError, InputError, MalformedError, counted
from rollwise.game.actions import Action, Event, Kind, Roll
from rollwise.game.dice_notation import format_dice, format_keep
from rollwise.game.headers import EXPECTED, Headers, as_date, check_players, rules_named
from rollwise.game.notation import Events, format_event, split_events
from rollwise.game.position import Position, format_position
from rollwise.game.records.as_json import GameData, format_data, parse_data
from rollwise.game.records.as_text import format_record, parse_record
from rollwise.game.scorecard import Scorecard, card_rows
from rollwise.game.stage import GameStep, Stage
from rollwise.notebook import html_table
from rollwise.rules import Rules, RulesLike, as_rules


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
            check_players(players),
            seed,
            as_date(date),
            {} if bots is None else bots,
            tutor,
            objective,
        )
        begun = rules if isinstance(rules, Position) else as_rules(rules)
        self.start = begun if isinstance(begun, Position) else None
        self._first_stage = Stage.first(begun, len(self.players))
        self.rules = self._first_stage.rules
        self._steps: list[GameStep] = []
        self._lines: list[str] = []  # of the first events
        for event in split_events(events):
            self.push(event)

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
            return cls.of_data(parse_data(text), rules)
        headers, start, steps = parse_record(text, rules)
        game = cls(start, headers.players)
        game.headers, game._steps = headers, steps
        return game

    @classmethod
    def of_data(cls, data: GameData, rules: Rules | None = None) -> Self:
        """Return the game that JSON data describes (see :meth:`parse`)."""
        own = data.rules if isinstance(data.rules, Rules) else rules_named(data.rules, rules)
        game = cls(
            own if data.position is None else Position(own, data.position),
            data.players,
            seed=data.seed,
            date=data.date,
            bots=data.bots,
            tutor=bool(data.tutor),
            objective=data.objective or EXPECTED,
        )
        for number, event in enumerate(data.events):
            try:
                game.push(event)
            except InputError as error:
                raise MalformedError(f"events.{number}: {error}") from None
        points = [card.points for card in game.cards]
        if data.score not in (None, points):
            raise MalformedError(
                f"score: the events add up to {points}, not {data.score}; correct or remove the "
                "score"
            )
        return game

    def data(self) -> GameData:
        """Return the game as JSON data."""
        headers = self.headers
        return GameData(
            rules=self.rules.named,
            players=list(headers.players),
            position=None if self.start is None else format_position(self.start),
            date=headers.date,
            seed=headers.seed,
            bots=dict(headers.bots) or None,
            tutor=headers.tutor or None,
            objective=None if headers.objective == EXPECTED else headers.objective,
            score=[card.points for card in self.cards] if self.is_over else None,
            events=self.lines,
        )

    def as_json(self) -> str:
        """Return the game record as JSON, which includes rules that are not a preset."""
        return format_data(self.data())

    def __str__(self) -> str:
        return self.as_text()

    def as_text(self, comments: Iterable[str] = ()) -> str:
        """Return the game record as text, with a comment on each turn that has one."""
        steps = zip(self._steps, self.lines, strict=True)
        return format_record(self.headers, self.start, self.stage, steps, comments)

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
        return self.stage.is_over

    @property
    def awaits_roll(self) -> bool:
        """Whether the next event is a roll."""
        return self.stage.dice is None and not self.is_over

    @property
    def next_kinds(self) -> tuple[Kind | Literal["roll"], ...]:
        """The kinds of events that are legal now, or an empty tuple once the game is over."""
        return self.stage.next_kinds

    @property
    def position(self) -> Position | None:
        """The position that needs a decision, or None before a roll and after the game."""
        return self.stage.position

    def legal_actions(self) -> list[Action]:
        """Return the legal actions.

        Categories come first, in scorecard order. Sets of dice to keep follow, largest first. The
        list is empty if no decision is needed.
        """
        return self.stage.legal_actions()

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
        self._steps.append(self.stage.step(event))

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
